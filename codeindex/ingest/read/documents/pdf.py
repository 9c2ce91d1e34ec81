"""Read the pages of a PDF as lines; no other module uses pypdf."""

from __future__ import annotations

import importlib.util
import io
import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from codeindex.ingest.read.decode import NotTextError
from codeindex.ingest.read.documents.parts import DocumentPart

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_MOST_PAGES = 3_000
"""Most pages of a PDF that is read: at 20 to 40 ms a page (measured on two manuals), two
minutes."""
_MOST_TITLES = 20_000
_DEEPEST_TITLE = 4
_COLUMN = re.compile(r"(?<=\S) {3,}")
_BLANKS = re.compile(r"(?<=\S) {2}(?=\S)")
_INDENTED = re.compile(r"^ {9,}")
"""Deep indentation, which is shortened: the layout indents cells and centred lines as on the
page."""


def is_pdf_supported() -> bool:
    """Tell whether pypdf is installed, without importing it."""
    try:
        return importlib.util.find_spec("pypdf") is not None
    except ValueError:  # a module without a specification replaces it
        return False


def read_pages(data: bytes) -> Iterator[DocumentPart]:
    """Yield the pages of a PDF.

    Raise NotTextError if it is encrypted or damaged, has too many pages, or contains only images.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every fault of a file
    reader = _opened(data)
    try:
        count = len(reader.pages)
    except Exception as error:
        raise NotTextError(_broken(error)) from error
    if count > _MOST_PAGES:
        raise NotTextError(f"a PDF of {count:,} pages: more than {_MOST_PAGES:,} are not read")
    titles = _titles(reader)
    texts = [_text(reader, number) for number in range(count)]
    if not any(line.strip() for lines in texts for line in lines or ()):
        if count and not any(lines is not None for lines in texts):
            raise NotTextError("a broken PDF: none of its pages can be read")
        raise NotTextError("a PDF without text (scanned?): there is no OCR here")
    for number, lines in enumerate(texts):
        yield DocumentPart(
            " > ".join(titles.get(number, ())), lines or ("(this page cannot be read)",)
        )


def _opened(data: bytes) -> PdfReader:
    from pypdf import PdfReader

    try:
        reader = PdfReader(io.BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
    except Exception as error:
        if type(error).__name__ == "DependencyError":  # ciphers that need a further package
            raise NotTextError("an encrypted PDF") from error
        raise NotTextError(_broken(error)) from error
    if locked:
        raise NotTextError("an encrypted PDF")
    return reader


def _broken(error: Exception) -> str:
    """Return a reason with the type of the error only, since its message may quote the file."""
    return f"a broken PDF ({type(error).__name__})"


def _text(reader: PdfReader, number: int) -> tuple[str, ...] | None:
    """Return the lines of a PDF page; None if the page is unreadable.

    The lines are in the order of the page's layout or, if that fails, in the order of the file.
    """
    try:
        page = reader.pages[number]
    except Exception:  # noqa: BLE001 (a broken file raises anything)
        return None
    lines = _laid_out(page)
    if lines is None:
        try:
            lines = page.extract_text().split("\n")
        except Exception:  # noqa: BLE001 (as above)
            return None
    return tuple(_tidied(line) for line in lines)


def _laid_out(page: PageObject) -> list[str] | None:
    try:
        text = page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
    except Exception:  # noqa: BLE001 (fonts without widths and other faults)
        return None
    return text.split("\n") if text.strip() else None


def _tidied(line: str) -> str:
    """Return a line of a page with long runs of blanks shortened.

    Three blanks stay between columns, and one between the words of justified prose.
    """
    return _INDENTED.sub(" " * 8, _BLANKS.sub(" ", _COLUMN.sub("   ", line.rstrip())))


def _titles(reader: PdfReader) -> dict[int, tuple[str, ...]]:
    """Return {page index: titles of the bookmarks that apply to the page, outermost first}.

    Return {} if the bookmarks cannot be read.
    """
    try:
        marks = list(_marks(reader, reader.outline, ()))[:_MOST_TITLES]
        count = len(reader.pages)
    except Exception:  # noqa: BLE001 (as above)
        return {}
    first: dict[int, tuple[str, ...]] = {}
    for page, path in marks:
        first.setdefault(page, path)
    above: tuple[str, ...] = ()
    headings = {}
    last = dict(marks)
    for page in range(count):
        headings[page] = first.get(page, above)
        above = last.get(page, above)
    return headings


def _marks(
    reader: PdfReader, outline: list[Any], above: tuple[str, ...]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    path = above
    for entry in outline:
        if isinstance(entry, list):
            if len(path) < _DEEPEST_TITLE:
                yield from _marks(reader, entry, path)
            continue
        path = (*above, " ".join(str(entry.title or "").replace(">", "").split())[:200])
        number = reader.get_destination_page_number(entry)
        if number is not None and number >= 0:
            yield number, path

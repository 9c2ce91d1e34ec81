"""Documents whose text has to be made out of their bytes: a page or a cell after the other.

Lines of a document are lines of the text that is made here. Each page begins with a line that names
it, which is part of the text, so that whoever reads it sees where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from codeindex.ingest.chunk.code import LineTokens, window_drafts
from codeindex.ingest.chunk.prose import headings_of
from codeindex.ingest.read.decode import NotTextError
from codeindex.languages import Language
from codeindex.types import ChunkSpan

_MOST_CHARACTERS = 20_000_000
"""Of a document: three times the largest manual met (a processor's, 5,000 pages, 7 MB of text)."""
_MOST_IN_LINE = 2_000
"""Characters: what is longer is data, and a chunk is never less than a line."""
_SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A page or a cell; `label` is the line that names it, less its number."""

    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, and at which line each page or cell of it begins."""

    text: str
    starts: tuple[int, ...] = ()


def extract_text(language: Language, data: bytes) -> DocumentText:
    """Make the text of a document; NotTextError says why there is none."""
    if language.document == "page":
        from codeindex.ingest.read.documents.pdf import read_pages as parts
    else:
        from codeindex.ingest.read.documents.notebook import read_cells as parts
    return _joined(parts(data), word=language.document)


def _joined(parts: Iterable[DocumentPart], *, word: str) -> DocumentText:
    lines: list[str] = []
    starts = []
    size = 0
    for number, part in enumerate(parts, 1):
        starts.append(len(lines) + 1)
        lines.append(f"[{word} {number}] {part.label}".rstrip())
        lines += (piece for line in part.lines for piece in _pieces(line))
        size += sum(map(len, part.lines))
        if size > _MOST_CHARACTERS:
            raise NotTextError(f"holds more than {_MOST_CHARACTERS:,} characters of text")
    return DocumentText("\n".join((*lines, "")), tuple(starts))


def _pieces(line: str) -> Iterator[str]:
    """Break what is no line for people; nothing in it may end a line to others."""
    clean = " ".join(line.splitlines()).replace("\0", "\ufffd")
    yield from (clean[at : at + _MOST_IN_LINE] for at in range(0, len(clean) or 1, _MOST_IN_LINE))


def document_drafts(
    text_lines: Sequence[str], lines: LineTokens, starts: Sequence[int], *, language: Language
) -> list[ChunkSpan]:
    """Cut by page or cell; each draft carries its number and the headings it stands under."""
    headings = _labels if language.document == "page" else _cell_headings
    ends = [*(start - 1 for start in starts[1:]), lines.count]
    parts = zip(starts, ends, headings(text_lines, starts), strict=True)
    return [
        replace(draft, heading=heading, page=number)
        for number, (start, end, heading) in enumerate(parts, 1)
        for draft in window_drafts(lines, start, end)
    ]


def _labels(text_lines: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Read the headings of pages off the lines that name them."""
    for start in starts:
        label = text_lines[start - 1].partition("] ")[2]
        yield tuple(label.split(_SEPARATOR)) if label else ()


def _cell_headings(text_lines: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Follow the headings of the cells of text: those of a cell hold until others replace them."""
    path: dict[int, str] = {}
    for start, after in zip(starts, (*starts[1:], len(text_lines) + 1), strict=True):
        if text_lines[start - 1].endswith("] markdown"):
            for one in headings_of(text_lines[start : after - 1], language="markdown"):
                path = {level: title for level, title in path.items() if level < one.level}
                path[one.level] = one.title
        yield tuple(title for title in path.values() if title)

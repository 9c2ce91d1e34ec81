"""Join the pages or cells of a document into one text, with a label line before each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeindex.ingest.read.decode import NotTextError

_MAX_CHARACTERS = 20_000_000
"""Most characters of a document: three times the largest manual seen (5,000 pages, 7 MB of
text)."""
_MAX_LINE_CHARACTERS = 2_000
"""Longest line of a document: longer lines are data and are split, since a chunk has at least one
line."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A page or a cell; `label` is the text in its label line after `[page 3]`, often ""."""

    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, with a label line before each page or cell.

    `starts` are the 1-based lines at which the pages or cells begin. Line numbers of a document
    count the lines of this text.
    """

    text: str
    starts: tuple[int, ...] = ()


def join_parts(parts: Iterable[DocumentPart], *, word: str) -> DocumentText:
    """Join the parts, each after a label line such as `[page 3] Contents`.

    `word` is `page` or `cell`. Raise NotTextError if the document has too much text.
    """
    lines: list[str] = []
    starts = []
    size = 0
    for number, part in enumerate(parts, 1):
        starts.append(len(lines) + 1)
        lines.append(f"[{word} {number}] {_clean_line(part.label)}".rstrip())
        lines += (piece for line in part.lines for piece in _split_line(line))
        size += sum(map(len, part.lines))
        if size > _MAX_CHARACTERS:
            raise NotTextError(f"holds more than {_MAX_CHARACTERS:,} characters of text")
    return DocumentText("\n".join((*lines, "")), tuple(starts))


def _split_line(line: str) -> Iterator[str]:
    """Yield a line, cleaned, in pieces of limited length."""
    clean = _clean_line(line)
    starts = range(0, len(clean) or 1, _MAX_LINE_CHARACTERS)
    yield from (clean[start : start + _MAX_LINE_CHARACTERS] for start in starts)


def _clean_line(line: str) -> str:
    """Return a line without characters that the index cannot store as one line.

    Characters that other programs take for line ends become spaces. NUL, after which SQLite indexes
    nothing, and lone surrogates become U+FFFD.
    """
    return " ".join(_without_surrogates(line).splitlines()).replace("\0", "\ufffd")


def _without_surrogates(text: str) -> str:
    """Join the surrogate pairs of a text, and replace surrogates without a partner by U+FFFD.

    JSON and PDF can contain them, but no store accepts them.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

"""Split documents by page or cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from codeindex.ingest.chunk.code import LineTokens, window_spans
from codeindex.ingest.chunk.prose import read_headings
from codeindex.languages import Language
from codeindex.types import ChunkSpan

_HEADING_SEPARATOR = " > "
"""Separates the headings in the label line of a page, as `read.documents.parts` writes them."""


def document_spans(
    text_lines: Sequence[str], lines: LineTokens, starts: Sequence[int], *, language: Language
) -> list[ChunkSpan]:
    """Split a document into spans at its pages or cells, and longer ones into windows.

    `starts` are the first lines of the pages or cells. Each span has the number of its page or cell
    as `page`, and its headings.
    """
    headings = _page_headings if language.document == "page" else _cell_headings
    ends = [*(start - 1 for start in starts[1:]), lines.count]
    parts = zip(starts, ends, headings(text_lines, starts), strict=True)
    return [
        replace(span, heading=heading, page=number)
        for number, (start, end, heading) in enumerate(parts, 1)
        for span in window_spans(lines, start, end)
    ]


def _page_headings(text_lines: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Yield the headings in the label line of each page, such as `[page 3] Usage > Install`."""
    for start in starts:
        label = text_lines[start - 1].partition("] ")[2]
        yield tuple(label.split(_HEADING_SEPARATOR)) if label else ()


def _cell_headings(text_lines: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Yield the headings that apply to each cell of a notebook.

    The headings of a text cell also apply to the cells after it.
    """
    path: dict[int, str] = {}
    for start, after in zip(starts, (*starts[1:], len(text_lines) + 1), strict=True):
        if text_lines[start - 1].endswith("] markdown"):
            for heading in read_headings(text_lines[start : after - 1], language="markdown"):
                path = {level: title for level, title in path.items() if level < heading.level}
                path[heading.level] = heading.title
        yield tuple(title for title in path.values() if title)

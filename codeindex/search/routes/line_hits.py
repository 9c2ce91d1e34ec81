"""Hits that are single lines: the uses and the steps that a question is answered with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import Hit, SafeText

if TYPE_CHECKING:
    import sqlite3


class HitLine(NamedTuple):
    """A line of a file, what it is a part of, and why it is an answer."""

    path: str
    line: int
    symbol: str
    kind: str
    score: float
    why: str


def line_hits(connection: sqlite3.Connection, lines: Iterable[HitLine], *, repo: str) -> list[Hit]:
    """Read the lines, each file once."""
    all_ = list(lines)
    files = {one.path: one for one in file_nodes(connection, (one.path for one in all_))}
    texts = {path: stored_text(connection, path).split("\n") for path in files}
    pieces = {path: _pieces(connection, file.file_id) for path, file in files.items()}
    return [
        Hit(
            repo=repo,
            path=one.path,
            start_line=one.line,
            end_line=one.line,
            line=one.line,
            score=one.score,
            text=SafeText("".join(texts[one.path][one.line - 1 : one.line])),
            symbol=one.symbol,
            kind=one.kind,
            language=files[one.path].language,
            module=files[one.path].module,
            is_test=bool(files[one.path].is_test),
            has_secrets=any(part.has_secrets for part in _around(pieces[one.path], one.line)),
            page=next((part.page for part in _around(pieces[one.path], one.line)), 0),
            why={one.why: one.score},
        )
        for one in all_
    ]


class _Piece(NamedTuple):
    """Lines of a file that have a page, or that secrets were taken out of."""

    start_line: int
    end_line: int
    has_secrets: int
    page: int


def _pieces(connection: sqlite3.Connection, file_id: int) -> list[_Piece]:
    rows = connection.execute(
        "SELECT start_line, end_line, has_secrets, page FROM chunks"
        " WHERE file_id = ? AND (has_secrets OR page)",
        (file_id,),
    )
    return [_Piece(*row) for row in rows]


def _around(pieces: Iterable[_Piece], line: int) -> list[_Piece]:
    return [one for one in pieces if one.start_line <= line <= one.end_line]

"""Turn single lines into hits: the usages and steps that answer a question."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from codeindex.store.catalog.chunks import flagged_chunks
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import Hit, SafeText


class HitLine(NamedTuple):
    """A line of a file to show as a hit: its symbol, its kind, and the reason why it answers."""

    path: str
    line: int
    symbol: str
    kind: str
    score: float
    why: str


def line_hits(connection: sqlite3.Connection, lines: Iterable[HitLine], *, repo: str) -> list[Hit]:
    """Return a hit for each line; each file is read only once."""
    wanted = list(lines)
    files = {file.path: file for file in file_nodes(connection, (line.path for line in wanted))}
    texts = {path: stored_text(connection, path).split("\n") for path in files}
    flagged = {path: flagged_chunks(connection, file.file_id) for path, file in files.items()}
    hits = []
    for line in wanted:
        file = files[line.path]
        around = [
            chunk for chunk in flagged[line.path] if chunk.start_line <= line.line <= chunk.end_line
        ]
        hits.append(
            Hit(
                repo=repo,
                path=line.path,
                start_line=line.line,
                end_line=line.line,
                line=line.line,
                score=line.score,
                text=SafeText("".join(texts[line.path][line.line - 1 : line.line])),
                symbol=line.symbol,
                kind=line.kind,
                language=file.language,
                module=file.module,
                is_test=bool(file.is_test),
                has_secrets=any(chunk.has_secrets for chunk in around),
                page=around[0].page if around else 0,
                why={line.why: line.score},
            )
        )
    return hits

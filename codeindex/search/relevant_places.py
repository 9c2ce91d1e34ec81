"""List the places of hits without their code, so that an agent can decide what to read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from codeindex.store.symbols.by_name import signature_and_doc
from codeindex.types import Answer, Hit
from codeindex.types.report import DataReport, Table


@dataclass(frozen=True, slots=True)
class RelevantPlace:
    """The lines of a hit, with the signature and the first documentation line of its symbol."""

    file: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    signature: str
    doc: str
    score: float


@dataclass(frozen=True, slots=True)
class RelevantPlaces(DataReport):
    """The places of one page of an answer, best first; `total` counts all hits."""

    query: str
    spots: tuple[RelevantPlace, ...]
    total: int
    message: str
    suggestions: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(spot.file for spot in self.spots)

    @property
    def is_empty(self) -> bool:
        return not self.spots

    def columns(self) -> Table:
        rows = [
            (f"{spot.file}:{spot.start_line}", spot.kind, spot.symbol or "-", f"{spot.score:.2f}")
            for spot in self.spots
        ]
        return ("where", "kind", "symbol", "score"), rows

    def text(self) -> Iterator[str]:
        for spot in self.spots:
            yield f"{spot.file}:{spot.start_line}-{spot.end_line}: {spot.signature or spot.symbol}"
            if spot.doc:
                yield f"  | {spot.doc}"
        yield from (line for line in (self.message, *self.suggestions) if line)


def find_relevant_places(connection: sqlite3.Connection, answer: Answer) -> RelevantPlaces:
    """Return the place of each hit, with its symbol's signature and first documentation line."""
    return RelevantPlaces(
        query=answer.query,
        spots=tuple(_relevant_place(connection, hit) for hit in answer.hits),
        total=answer.total_count,
        message=answer.message,
        suggestions=answer.suggestions,
    )


def _relevant_place(connection: sqlite3.Connection, hit: Hit) -> RelevantPlace:
    lines = (hit.start_line, hit.end_line)
    signature, doc = signature_and_doc(connection, hit.path, hit.symbol, lines)
    return RelevantPlace(
        file=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        symbol=hit.symbol,
        kind=hit.kind,
        signature=signature,
        doc=doc.split("\n", 1)[0],
        score=round(hit.score, 2),
    )

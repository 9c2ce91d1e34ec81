"""Where to look, without the code itself: what an agent reads before it decides what to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.types import Answer, Hit

if TYPE_CHECKING:
    import sqlite3

MAX_RELEVANT_PLACES = 50


@dataclass(frozen=True, slots=True)
class RelevantPlace:
    """Lines of a file that answer; `signature` and `doc` are of the symbol that they are of."""

    file: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    signature: str
    doc: str
    score: float


@dataclass(frozen=True, slots=True)
class RelevantPlaces:
    """The best spots for a query, best first; `total` were found."""

    query: str
    spots: tuple[RelevantPlace, ...]
    total: int
    message: str
    suggestions: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.file for one in self.spots)

    @property
    def is_empty(self) -> bool:
        return not self.spots

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (f"{one.file}:{one.start_line}", one.kind, one.symbol or "-", f"{one.score:.2f}")
            for one in self.spots
        ]
        return ("where", "kind", "symbol", "score"), rows

    def text(self) -> Iterator[str]:
        for one in self.spots:
            yield f"{one.file}:{one.start_line}-{one.end_line}: {one.signature or one.symbol}"
            if one.doc:
                yield f"  | {one.doc}"
        yield from (line for line in (self.message, *self.suggestions) if line)


def find_relevant_places(connection: sqlite3.Connection, answer: Answer) -> RelevantPlaces:
    """Return where the hits of an answer are, with what is known of their symbols."""
    return RelevantPlaces(
        query=answer.query,
        spots=tuple(_spot(connection, hit) for hit in answer.hits),
        total=answer.total_count,
        message=answer.message,
        suggestions=answer.suggestions,
    )


def _spot(connection: sqlite3.Connection, hit: Hit) -> RelevantPlace:
    row = connection.execute(
        "SELECT s.signature, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ? AND s.qualified = ? AND s.line BETWEEN ? AND ?",
        (hit.path, hit.symbol, hit.start_line, hit.end_line),
    ).fetchone()
    signature, doc = row or ("", "")
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

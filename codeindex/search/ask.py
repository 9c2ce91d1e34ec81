"""An answer put together from what the index knows: no language model, every sentence cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from codeindex.search.relevant import Spot, relevant
from codeindex.types import Answer, Hit, HitDict

if TYPE_CHECKING:
    import sqlite3

MOST = 20
_USERS = 3
"""Users of the first definition that are named."""


class ExtractDict(TypedDict):
    """What `Extract` is in JSON."""

    query: str
    answer: str
    evidences: list[HitDict]
    meta: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Extract:
    """Sentences that each end with the place they are taken from, and the hits behind them."""

    query: str
    sentences: tuple[str, ...]
    evidences: tuple[Hit, ...]
    total: int
    meta: dict[str, Any]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.path for one in self.evidences)

    def as_dict(self) -> ExtractDict:
        return {
            "query": self.query,
            "answer": "\n".join(self.sentences),
            "evidences": [one.as_dict() for one in self.evidences],
            "meta": self.meta,
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (f"{one.path}:{one.start_line}", one.symbol or "-", f"{one.score:.2f}")
            for one in self.evidences
        ]
        return ("where", "symbol", "score"), rows

    def text(self) -> Iterator[str]:
        yield from self.sentences


def extract(connection: sqlite3.Connection, answer: Answer) -> Extract:
    """Say of each hit what is defined where, and who uses the first of it."""
    found = relevant(connection, answer)
    sentences = [_sentence(one) for one in found.spots]
    if found.spots:
        sentences[1:1] = _users(connection, found.spots[0])
    else:
        near = f" Near it: {', '.join(answer.suggestions)}." if answer.suggestions else ""
        sentences = [f"{answer.message or 'Nothing of this was found here.'}{near}"]
    return Extract(
        query=answer.query,
        sentences=tuple(sentences),
        evidences=answer.hits,
        total=answer.total_count,
        meta={
            "scope": answer.meta.get("scope"),
            "topK": answer.meta.get("limit"),
            "minScore": answer.meta.get("min_score"),
            "llmModel": None,
            "collection": answer.meta.get("collection"),
            "totalMatches": answer.total_count,
            "contextsUsed": len(answer.hits),
            "elapsedMs": answer.meta.get("elapsed_ms"),
        },
    )


def _sentence(spot: Spot) -> str:
    what = f"`{' '.join(spot.signature.split())}`" if spot.signature else f"`{spot.symbol}`"
    if not spot.symbol:
        what = f"A {spot.kind} of {spot.file.rpartition('/')[2]}"
    doc = f": {spot.doc.rstrip('.')}" if spot.doc else ""
    return f"{what}{doc} ({spot.file}:{spot.start_line}-{spot.end_line})."


def _users(connection: sqlite3.Connection, spot: Spot) -> Iterator[str]:
    """Name a few that are certain to use the symbol of a spot."""
    rows = connection.execute(
        "SELECT DISTINCT s.qualified, f.path, e.lines FROM edges e"
        " JOIN symbols t ON t.id = e.target_symbol JOIN files tf ON tf.id = t.file_id"
        " JOIN files f ON f.id = e.source_file LEFT JOIN symbols s ON s.id = e.source_symbol"
        " WHERE tf.path = ? AND t.qualified = ? AND e.certainty = 'resolved' AND NOT f.is_test"
        " ORDER BY f.centrality DESC, f.path, s.line LIMIT ?",
        (spot.file, spot.symbol, _USERS),
    ).fetchall()
    if rows:
        named = ", ".join(
            f"`{name or path.rpartition('/')[2]}` ({path}:{lines.split()[0]})"
            for name, path, lines in rows
        )
        yield f"`{spot.symbol}` is used by {named}."

"""Replaces prototypes in search results by the definitions of their functions.

The documentation of C and C++ often stands in a header, so that the declaration there scores best;
what the function does is elsewhere.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import fold
from codeindex.types import CALLABLE_KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]

_LOOKED_AT = 20
"""Hits that are looked at: the first page, and the next."""
_KINDS = tuple(sorted(CALLABLE_KINDS))


def prefer_definitions(
    catalog: Catalog, corpus: Corpus, query: str, hits: Sequence[RankedChunk], allowed: Flags
) -> list[RankedChunk]:
    """Return the hits with each prototype and the body of its function exchanged.

    The body gets the prototype's rank and score, and the prototype the body's. A prototype whose
    body is not among the hits is replaced by it; one whose file the query names stays.
    """
    found = list(hits)
    for prototype, bodies in _bodies(catalog, query, found[:_LOOKED_AT]):
        at = next(place for place, one in enumerate(found) if one.chunk_id == prototype)
        places = {one.chunk_id: place for place, one in enumerate(found) if one.chunk_id in bodies}
        shown = min(places, key=places.__getitem__, default=None)
        if shown is None:
            ids = [one for one in bodies if allowed[_file_of(corpus, one)]]
            found[at] = replace(found[at], chunk_id=ids[0], line=0) if ids else found[at]
        elif places[shown] > at:
            found[at], found[places[shown]] = _swapped(found[at], found[places[shown]])
    return found


def _swapped(prototype: RankedChunk, body: RankedChunk) -> tuple[RankedChunk, RankedChunk]:
    """Return the body with the prototype's score, and the prototype with the body's."""
    gap = _log_odds(prototype) - _log_odds(body)
    return (
        replace(body, score=prototype.score, given=(*body.given, ScorePart("prototype", 1.0, gap))),
        replace(
            prototype, score=body.score, given=(*prototype.given, ScorePart("prototype", -1.0, gap))
        ),
    )


def _log_odds(one: RankedChunk) -> float:
    return sum(part.added for part in one.parts)


def _file_of(corpus: Corpus, chunk: int) -> int:
    """Return the place of a chunk's file in the corpus."""
    return int(corpus.chunk_file[np.searchsorted(corpus.chunk_ids, chunk)])


def _bodies(
    catalog: Catalog, query: str, hits: Sequence[RankedChunk]
) -> Iterator[tuple[int, list[int]]]:
    """Yield the chunk id of each prototype among the hits, and those of its definitions."""
    ids = [one.chunk_id for one in hits]
    rows = catalog.connection.execute(
        "SELECT c.id, f.path, f.id, c.symbol, c.kind FROM chunks c JOIN files f ON f.id = c.file_id"  # noqa: S608 (marks)
        f" WHERE c.id IN ({placeholders(ids)}) AND c.complexity = 0 AND c.line"
        f" AND c.kind IN ({placeholders(_KINDS)})",
        (*ids, *_KINDS),
    )
    prototypes = {
        chunk: function for chunk, path, *function in rows if posixpath.basename(path) not in query
    }
    for one in ids:
        if one in prototypes and (bodies := _defined(catalog, *prototypes[one])):
            yield one, bodies


def _defined(catalog: Catalog, file_id: int, symbol: str, kind: str) -> list[int]:
    """Return the ids of the chunks that define this function with a body in another file.

    Definitions in tests count only if the prototype is in a test. The likeliest comes first.
    """
    rows = catalog.connection.execute(
        "SELECT c.id FROM symbols s JOIN files f ON f.id = s.file_id"
        " JOIN chunks c ON c.file_id = s.file_id AND c.symbol = s.qualified AND c.line = s.line"
        " WHERE s.folded = ? AND s.qualified = ? AND s.kind = ? AND s.cyclomatic AND f.id != ?"
        " AND f.is_test <= (SELECT is_test FROM files WHERE id = ?)"
        " ORDER BY f.is_test, f.centrality DESC, f.path",
        (fold(symbol.rpartition(".")[2]), symbol, kind, file_id, file_id),
    )
    return [one for (one,) in rows]

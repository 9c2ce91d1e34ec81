"""What is learned from a whole corpus and then frozen: token statistics and centrality.

Single edits use what was learned; when a fifth of the chunks have changed since, it is learned
anew. "A sync equals a rebuild" holds under equal statistics.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from codeindex.embed import token_vectors
from codeindex.ingest.sync.centrality import in_degrees
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.datadir.home import Repository, create_private_file
from codeindex.store.segments.checksums import with_checksum
from codeindex.store.segments.vectors import new_segment

if TYPE_CHECKING:
    from codeindex.types import Matrix

_DRIFT = 0.2
"""Share of changed chunks that makes statistics stale (design, section 0)."""


def have_statistics_drifted(generation: Generation, table_of: str) -> bool:
    """Tell whether what was learned is missing, of another model, or out of date."""
    known = generation.statistics
    if not known or known["model"] != table_of:
        return True
    return bool(known["changed"] > _DRIFT * max(known["chunks"], 1))


def update_statistics(
    repository: Repository,
    catalog: Catalog,
    generation: Generation,
    *,
    table: Matrix | None,
    table_of: str,
) -> Generation:
    """Publish `generation`, with fresh statistics if they have drifted."""
    if not have_statistics_drifted(generation, table_of):
        with catalog.writing():
            return catalog.publish(generation)
    ids = [one for (one,) in catalog.connection.execute("SELECT id FROM chunks ORDER BY id")]
    statistics: dict[str, Any] = {
        "file": "",
        "model": table_of,
        "chunks": len(ids),
        "changed": 0,
    }
    segments = [one for one in generation.segments if one.kind != "token"]
    if table is not None and ids:
        segment, statistics["file"] = _token_segment(repository, catalog, ids, table)
        segments.append(segment)
    degrees = in_degrees(catalog.connection)
    with catalog.writing():
        catalog.connection.executemany(
            "UPDATE files SET centrality = ? WHERE id = ?",
            ((degree, one) for one, degree in degrees.items()),
        )
        return catalog.publish(replace(generation, segments=tuple(segments), statistics=statistics))


def _token_segment(
    repository: Repository, catalog: Catalog, ids: list[int], table: Matrix
) -> tuple[Segment, str]:
    def texts() -> Iterator[bytes]:
        rows = catalog.connection.execute("SELECT tokens FROM chunks ORDER BY id")
        return (tokens for (tokens,) in rows)

    kept = np.array(ids, dtype=np.int64)
    with new_segment(repository.segments, "token", kept, table.shape[1]) as (segment, rows):
        statistics = token_vectors.learn_statistics(texts, table, rows)
    name = f"statistics-{secrets.token_hex(6)}.npz"
    create_private_file(repository.segments / name)
    statistics.save(repository.segments / name)
    return with_checksum(repository.segments, segment), name

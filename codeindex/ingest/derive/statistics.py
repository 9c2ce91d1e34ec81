"""Compute token statistics and centrality for all files, and keep them for later syncs.

Syncs use the kept statistics until a fifth of the chunks has changed. A sync therefore gives the
same index as a rebuild only if both use the same statistics.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from codeindex.embed import token_vectors
from codeindex.files.write import create_private_file
from codeindex.store.catalog.chunks import chunk_ids
from codeindex.store.catalog.connection import PROVISIONAL, Catalog, Generation, Segment
from codeindex.store.catalog.files import in_degrees, set_centrality
from codeindex.store.catalog.packed_chunks import chunk_tokens
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.checksums import with_checksum
from codeindex.store.segments.vector_codes import encode_into
from codeindex.store.segments.vectors import new_segment, scratch_rows

if TYPE_CHECKING:
    from codeindex.embed.static_model import StaticModel

_CENTRALITY_DUE = "centrality_due"
"""Key of new statistics until the centralities are stored, also if a sync is killed before."""
_MAX_DRIFT = 0.2
"""Share of changed chunks that makes statistics stale: a choice of the first design."""


def have_statistics_drifted(generation: Generation, static: StaticModel | None) -> bool:
    """Tell whether the token statistics must be computed again.

    They must be if none exist, if they were made for another static model, or if too many chunks
    have changed since then.
    """
    known = generation.statistics
    if (
        not known
        or generation.is_provisional
        or known["model"] != (static.identity if static else "")
    ):
        return True
    return bool(known["changed"] > _MAX_DRIFT * max(known["chunks"], 1))


def update_token_statistics(
    repository: Repository,
    catalog: Catalog,
    generation: Generation,
    *,
    static: StaticModel | None,
    provisional: bool = False,
) -> Generation:
    """Publish a generation with new statistics and token vectors if the current ones drifted.

    Otherwise return `generation` unchanged. `update_centrality` completes new statistics once the
    edges are stored; the token vectors need no edges. `provisional` marks statistics of only a part
    of the files, which `without_provisional` removes.
    """
    if not have_statistics_drifted(generation, static):
        return generation
    ids = chunk_ids(catalog.connection)
    statistics: dict[str, Any] = {
        "file": "",
        "model": static.identity if static else "",
        "chunks": len(ids),
        "changed": 0,
        _CENTRALITY_DUE: True,
    }
    if provisional:
        statistics[PROVISIONAL] = True
    segments = [segment for segment in generation.segments if segment.kind != "token"]
    if static is not None and ids:
        segment, statistics["file"] = _write_token_segment(repository, catalog, ids, static)
        segments.append(segment)
    with catalog.writing():
        return catalog.publish(replace(generation, segments=tuple(segments), statistics=statistics))


def without_provisional(generation: Generation) -> Generation:
    """Return the generation without provisional statistics and their token vectors."""
    if not generation.is_provisional:
        return generation
    kept = tuple(segment for segment in generation.segments if segment.kind != "token")
    return replace(generation, segments=kept, statistics={})


def update_centrality(
    catalog: Catalog, generation: Generation, *, many_edges: bool = False
) -> Generation:
    """Publish `generation`; if its statistics are new, compute the files' centrality first.

    `many_edges` says that edges of unchanged files may be others, as when a manifest or a file
    comes or goes, which no share of changed chunks tells; the centrality is then computed, too.
    Centrality is the number of files with resolved edges to a file. It ranks better than PageRank
    over the same edges. Both rank better than the number of files that mention a rare name of the
    file (docs/quality.md).
    """
    statistics = dict(generation.statistics)
    is_due = statistics.pop(_CENTRALITY_DUE, False) or many_edges
    degrees = in_degrees(catalog.connection) if is_due else None
    with catalog.writing():
        if degrees is not None:
            set_centrality(catalog.connection, degrees)
        return catalog.publish(replace(generation, statistics=statistics))


def _write_token_segment(
    repository: Repository, catalog: Catalog, ids: list[int], static: StaticModel
) -> tuple[Segment, str]:
    """Write the token vectors of all chunks, and a file with the token statistics.

    `ids` are the ids of these chunks. Return (segment of the vectors, name of the statistics file).
    """
    folder, rows_of = repository.segments, np.array(ids, dtype=np.int64)
    with (
        new_segment(folder, "token", rows_of, static.dimension) as (segment, codes),
        scratch_rows(folder, codes.shape) as rows,
    ):
        statistics = token_vectors.learn_statistics(
            lambda: chunk_tokens(catalog.connection), static, rows
        )
        encode_into(codes, rows)
    name = f"statistics-{secrets.token_hex(6)}.npz"
    create_private_file(folder / name)
    statistics.save(folder / name)
    return with_checksum(folder, segment), name

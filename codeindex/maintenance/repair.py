"""Repair an index: remove the parts that `verify` finds damaged; the next sync rebuilds them.

As little as possible is removed for each kind of damage. Intact vectors are first saved to the
cache, so that nothing is embedded twice. Damaged files are moved to the index's folder `broken`.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from codeindex.ingest.sync.chunk_words import restore_missing_words
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.repair import move_catalog_aside
from codeindex.ingest.sync.salvage_embeddings import salvage_embeddings
from codeindex.maintenance.verify import Verification
from codeindex.search.rank.tuned_weights import tuned_weights_path
from codeindex.store.cache.caches import STAT_CACHE
from codeindex.store.catalog.connection import Catalog, Segment
from codeindex.store.catalog.trigrams import rebuild_trigrams
from codeindex.store.catalog.verification import clear_digests
from codeindex.store.datadir.home import Repository, register
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.segments.checksums import segment_files
from codeindex.types import SyncReport
from codeindex.types.verdicts import Verdict

_ASIDE = "broken"


@dataclass(frozen=True, slots=True)
class RepairResult:
    """The result of a repair: the problems before it (`found`) and after it (`left`).

    `report` is the report of the sync; None if no problems were found.
    """

    found: tuple[Verdict, ...]
    saved: int
    """Number of vectors that were saved to the cache before the repair."""
    report: SyncReport | None
    left: tuple[Verdict, ...]


def forget_damage(context: SyncContext, verification: Verification) -> int:
    """Remove the damaged parts of an index, so that the next sync builds them again.

    Vectors that are not damaged are saved to the cache before; return their number. Raise
    LockedError if another process is writing the index.
    """
    broken = verification.problems
    names = _names_by_subject(broken)
    if not broken:
        return 0
    doubtful = names.pop("embedded", frozenset())
    if doubtful:
        names["dense"] = names.get("dense", frozenset()) | doubtful
    register(context.repository)
    with writer_lock(context.repository.folder):
        _repair_caches(context, names)
        saved = salvage_embeddings(context.repository, context.embeddings, without=doubtful)
        if "catalog" in names or not context.repository.catalog.exists():
            move_catalog_aside(context.repository)
        else:
            with Catalog.create(context.repository.catalog) as catalog:
                _publish_without_damage(context.repository, catalog, names)
    return saved


def _names_by_subject(broken: Iterable[Verdict]) -> dict[str, frozenset[str]]:
    names: dict[str, frozenset[str]] = {}
    for verdict in broken:
        names[verdict.subject] = names.get(verdict.subject, frozenset()) | frozenset(verdict.names)
    return names


def _repair_caches(context: SyncContext, names: dict[str, frozenset[str]]) -> None:
    """Delete damaged cache entries, and replace caches whose database is damaged.

    `names` has a key for each damaged part of the index. The value for `embeddings` has the keys of
    the damaged entries; it is empty if the database itself is damaged.
    """
    if "embeddings" in names:
        context.embeddings.drop(names["embeddings"])
    if STAT_CACHE in names:
        context.stat_cache.renew()
    if "embeddings" in names and not names["embeddings"]:
        context.embeddings.renew()


def _publish_without_damage(
    repository: Repository, catalog: Catalog, names: dict[str, frozenset[str]]
) -> None:
    """Publish a generation without the damaged parts.

    Files whose stored content is wrong are read again by the next sync. `names` has a key for each
    damaged part of the index. The values for `files` and `edges` are paths, those for kinds of
    segments are names of segments.
    """
    generation = catalog.generation()
    kept = tuple(segment for segment in generation.segments if _is_sound(segment, names))
    gone = [segment for segment in generation.segments if segment not in kept]
    without = replace(
        generation,
        version=generation.version + ("weights" in names),  # makes readers reload the weights
        segments=kept,
        statistics={} if {"token", "statistics"} & names.keys() else generation.statistics,
        chroma={} if "chroma" in names else generation.chroma,
        graph={} if "graph" in names else generation.graph,
    )
    words = restore_missing_words(repository, catalog, without)
    with catalog.writing():
        if {"trigrams", "files"} & names.keys():
            # a chunk's trigrams are deleted by its stored text, so the index must match that text
            rebuild_trigrams(catalog.connection)
        paths = names.get("files", frozenset()) | names.get("edges", frozenset())
        clear_digests(catalog.connection, paths)
        catalog.publish(replace(without, segments=(*kept, *words)))
    broken = [path for segment in gone for path in segment_files(repository.segments, segment)]
    _move_aside(
        repository,
        [*broken, tuned_weights_path(repository.folder)] if "weights" in names else broken,
    )


def _is_sound(segment: Segment, names: dict[str, frozenset[str]]) -> bool:
    """Tell whether a segment has no damage; token vectors also need intact token statistics.

    `names` maps each damaged kind of segment to the names of the damaged segments. An empty value
    means that all segments of the kind are damaged.
    """
    if segment.kind == "token":
        return not {"token", "statistics"} & names.keys()
    return segment.kind not in names or (
        bool(names[segment.kind]) and segment.name not in names[segment.kind]
    )


def _move_aside(repository: Repository, paths: Iterable[Path]) -> None:
    """Move damaged files to the folder `broken`.

    Files that an earlier repair moved there are deleted.
    """
    aside = repository.folder / _ASIDE
    shutil.rmtree(aside, ignore_errors=True)
    for path in paths:
        aside.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(OSError):  # it may be missing: that was the damage
            path.replace(aside / path.name)

"""Repair an index: remove what `verify` finds damaged; the next sync rebuilds it.

Each kind of damage has the smallest sufficient remedy. Intact vectors are first saved to the cache,
so that nothing is embedded twice; damaged files of the index are moved to its folder `broken`.
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
from codeindex.store.catalog.connection import Catalog, Segment
from codeindex.store.catalog.trigrams import rebuild_trigrams
from codeindex.store.catalog.verification import clear_digests
from codeindex.store.datadir.home import Repository, register
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.segments.checksums import segment_files
from codeindex.types import SyncReport
from codeindex.types.verdicts import Verdict

_ASIDE = "broken"
_TREES = "merkle"


@dataclass(frozen=True, slots=True)
class RepairResult:
    """What was damaged, the sync that rebuilt it, and what is still wrong."""

    found: tuple[Verdict, ...]
    saved: int
    """Vectors that were saved to the cache first."""
    report: SyncReport | None
    left: tuple[Verdict, ...]


def forget_damage(site: SyncContext, found: Verification) -> int:
    """Remove what is damaged from the index; return the number of vectors saved first.

    LockedError if another process is writing.
    """
    broken = found.problems
    by = _names_by_subject(broken)
    if not broken:
        return 0
    doubtful = by.pop("embedded", frozenset())
    if doubtful:
        by["dense"] = by.get("dense", frozenset()) | doubtful
    register(site.repository)
    with writer_lock(site.repository.folder):
        _mend_caches(site, by)
        saved = salvage_embeddings(site.repository, site.embeddings, without=doubtful)
        if "catalog" in by or not site.repository.catalog.exists():
            move_catalog_aside(site.repository)
        else:
            with Catalog.create(site.repository.catalog) as catalog:
                _forget_in(site.repository, catalog, by)
    return saved


def _names_by_subject(broken: Iterable[Verdict]) -> dict[str, frozenset[str]]:
    by: dict[str, frozenset[str]] = {}
    for verdict in broken:
        by[verdict.subject] = by.get(verdict.subject, frozenset()) | frozenset(verdict.names)
    return by


def _mend_caches(site: SyncContext, by: dict[str, frozenset[str]]) -> None:
    """Drop damaged cache entries; a cache with a damaged database is replaced when opened."""
    if "embeddings" in by:
        site.embeddings.drop(by["embeddings"])
    if _TREES in by:
        site.merkle.renew()
    if "embeddings" in by and not by["embeddings"]:
        site.embeddings.renew()


def _forget_in(repository: Repository, catalog: Catalog, by: dict[str, frozenset[str]]) -> None:
    """Publish a generation without damaged parts; mark wrongly stored files for reading."""
    generation = catalog.generation()
    kept = tuple(segment for segment in generation.segments if _is_sound(segment, by))
    gone = [segment for segment in generation.segments if segment not in kept]
    without = replace(
        generation,
        version=generation.version + ("weights" in by),  # makes readers reload the weights
        segments=kept,
        statistics={} if {"token", "statistics"} & by.keys() else generation.statistics,
        chroma={} if "chroma" in by else generation.chroma,
        graph={} if "graph" in by else generation.graph,
    )
    words = restore_missing_words(repository, catalog, without)
    with catalog.writing():
        if {"trigrams", "files"} & by.keys():  # deletions need the indexed text
            rebuild_trigrams(catalog.connection)
        clear_digests(
            catalog.connection, by.get("files", frozenset()) | by.get("edges", frozenset())
        )
        catalog.publish(replace(without, segments=(*kept, *words)))
    broken = [path for verdict in gone for path in segment_files(repository.segments, verdict)]
    _move(
        repository, [*broken, tuned_weights_path(repository.folder)] if "weights" in by else broken
    )


def _is_sound(segment: Segment, by: dict[str, frozenset[str]]) -> bool:
    """Tell whether a segment may stay; token vectors depend on the token statistics."""
    if segment.kind == "token":
        return not {"token", "statistics"} & by.keys()
    return segment.kind not in by or (
        bool(by[segment.kind]) and segment.name not in by[segment.kind]
    )


def _move(repository: Repository, paths: Iterable[Path]) -> None:
    """Keep the damaged files of the last repair for inspection."""
    aside = repository.folder / _ASIDE
    shutil.rmtree(aside, ignore_errors=True)
    for path in paths:
        aside.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(OSError):  # it may be gone, which was the damage
            path.replace(aside / path.name)

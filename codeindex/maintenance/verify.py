"""Verify an index: check every store against the files and the other stores, without changes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from codeindex.errors import DamagedError, LockedError
from codeindex.ingest.sync.context import SyncContext
from codeindex.maintenance.checks.caches import (
    check_embeddings,
    check_orphans,
    check_stat_cache,
    check_weights,
)
from codeindex.maintenance.checks.catalog import check_catalog
from codeindex.maintenance.checks.context import REPAIR, Check, CheckContext
from codeindex.maintenance.checks.edges import check_edges
from codeindex.maintenance.checks.exports import check_graph, check_vector_store
from codeindex.maintenance.checks.files import check_files
from codeindex.maintenance.checks.postings import check_postings
from codeindex.maintenance.checks.reparse import check_reparse
from codeindex.maintenance.checks.trigrams import check_trigrams
from codeindex.maintenance.checks.vectors import check_dense, check_token
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.datadir.home import is_registered, misplaced_paths
from codeindex.store.segments.vectors import live_chunk_ids
from codeindex.types.verdicts import Verdict, note, problem

CHECKS: tuple[Check, ...] = (
    check_edges,
    check_files,
    check_reparse,
    check_postings,
    check_trigrams,
    check_token,
    check_dense,
    check_vector_store,
    check_graph,
    check_weights,
    check_orphans,
)
"""The checks that need a sound catalog, in the order of the report."""
_DEEP_REPAIR = "run `codeindex repair --deep`"
_ROUNDS = 3
"""Number of attempts, because a concurrent sync may delete files while they are checked."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdicts on one index; `seconds` is the duration of the checks."""

    repo: str
    deep: bool
    verdicts: tuple[Verdict, ...]
    seconds: float

    @property
    def problems(self) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self.verdicts if verdict.state == "problem")


def verify(context: SyncContext, *, deep: bool = False) -> Verification:
    """Run all checks on an index and return the verdicts.

    Raise NotIndexedError if there is no index, StoreError if its format is newer, and LockedError
    if another process keeps changing the index during the checks.
    """
    started = time.monotonic()
    for _ in range(_ROUNDS):
        before = _published_number(context)
        verdicts = tuple(_verdicts(context, deep=deep))
        verdicts = tuple(map(_with_deep_repair, verdicts)) if deep else verdicts
        if not any(
            verdict.state == "problem" for verdict in verdicts
        ) or before == _published_number(context):
            return Verification(
                context.repository.name, deep, verdicts, round(time.monotonic() - started, 3)
            )
    raise LockedError(
        f"The index of '{context.repository.root}' changes while it is checked: wait for the sync"
        " to finish."
    )


def _published_number(context: SyncContext) -> int:
    try:
        with translate_sqlite_errors(None), Catalog.open(context.repository.catalog) as catalog:
            return catalog.generation().number
    except DamagedError:
        return Generation().number


def _with_deep_repair(verdict: Verdict) -> Verdict:
    """Advise a deep repair instead of a repair, which may not find what a deep check found."""
    return replace(verdict, remedy=_DEEP_REPAIR) if verdict.remedy == REPAIR else verdict


def _verdicts(context: SyncContext, *, deep: bool) -> Iterator[Verdict]:
    yield from check_places(context)
    yield from _catalog_verdicts(context, deep=deep)
    yield from check_embeddings(context, deep=deep)
    yield from check_stat_cache(context)


def check_places(context: SyncContext) -> Iterator[Verdict]:
    """Check that `root.json` names the repository, and that files and folders are not swapped.

    A folder in the place of a file is a problem, and so is a file in the place of a folder.
    """
    for path in misplaced_paths(context.repository):
        kind = "a folder, not a file" if path.is_dir() else "no folder"
        yield problem("places", f"'{path.name}' is {kind}", remedy=REPAIR)
    text = "'root.json' does not name the repository, so that it cannot be found by name"
    registered = is_registered(context.repository)
    if registered is None:
        yield note("places", text, remedy="run `codeindex index`")
    elif not registered:
        yield problem("places", text, remedy=REPAIR)


def _catalog_verdicts(context: SyncContext, *, deep: bool) -> Iterator[Verdict]:
    """Run the checks that read the catalog.

    If the catalog itself has a problem, the other checks are skipped.
    """
    path = context.repository.catalog
    try:
        with (
            translate_sqlite_errors(path),
            Catalog.open(path) as catalog,
            catalog.reading() as generation,
        ):
            opened = CheckContext(context, catalog, generation, live_chunk_ids(catalog), deep)
            sound = tuple(check_catalog(opened))
            yield from sound
            if any(verdict.state == "problem" for verdict in sound):
                return
            for check in CHECKS:
                yield from check(opened)
    except DamagedError as error:
        text = str(error).partition(": `codeindex")[0]
        yield problem("catalog", text, remedy=REPAIR)

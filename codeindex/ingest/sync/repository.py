"""Sync a repository under its writer lock: in place, as a rebuild, or after damage."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from codeindex.errors import DamagedError, SupersededError
from codeindex.ingest.sync.context import SyncContext, SyncProgress
from codeindex.ingest.sync.rebuild import begin_rebuild, discard_rebuild, replace_index
from codeindex.ingest.sync.repair import move_catalog_aside
from codeindex.ingest.sync.run import SyncOutcome, run_stages
from codeindex.ingest.sync.salvage_embeddings import salvage_embeddings
from codeindex.store.catalog.connection import Catalog, translate_sqlite_errors
from codeindex.store.locks.writer_lock import SetPhase, writer_lock
from codeindex.store.locks.yielding import take_lock, wait_for_requests
from codeindex.store.orphans import delete_orphans
from codeindex.store.shadow_index import published_state
from codeindex.types import Skipped, SyncReport

_RESUME_SECONDS = 600.0
"""Seconds that a sync waits to get back the lock that it has yielded: a large structure phase takes
as long."""
logger = logging.getLogger(__name__)
_MAX_NAMED_FILES = 5
"""Most files that a note names, so that it fits a line of a terminal."""


def sync_repository(
    context: SyncContext,
    *,
    structure_only: bool = False,
    rebuild: bool = False,
    wait_seconds: float = 0.0,
) -> SyncReport:
    """Bring the index up to date, or with `rebuild` build a new one and replace it.

    With `structure_only`, nothing is embedded. Raise LockedError if another process holds the lock
    for `wait_seconds`. Raise SupersededError if the index was given another model after the
    context's model was chosen.
    """
    started = time.monotonic()
    notes: list[str] = []
    folder = context.repository.folder
    with _lock(context, structure_only=structure_only, wait_seconds=wait_seconds) as tell:
        locked = replace(context, progress=_reporting_phases(context.progress, tell))
        if rebuild and context.repository.catalog.exists():
            outcome = _rebuild(locked, notes, structure_only=structure_only)
        else:
            outcome = sync_or_rebuild(locked, notes, structure_only=structure_only)
    while not outcome.finished:  # another process wanted the lock for a moment
        wait_for_requests(folder)
        with writer_lock(folder, wait_seconds=_RESUME_SECONDS) as tell:
            locked = replace(
                context,
                expected_model=outcome.generation.model,
                progress=_reporting_phases(context.progress, tell),
            )
            later = sync_or_rebuild(locked, notes, structure_only=structure_only)
            outcome = outcome.and_then(later)
    report = _report(context, outcome, notes, time.monotonic() - started)
    _log_sync(report, notes)
    return report


def _lock(
    context: SyncContext, *, structure_only: bool, wait_seconds: float
) -> contextlib.AbstractContextManager[SetPhase]:
    """Take the writer lock; wait up to `wait_seconds` for another process.

    A sync without embedding (`structure_only`) that waits also asks a process that embeds to yield
    the lock.
    """

    def report_waiting() -> None:
        context.progress("waiting", 0, 0)

    folder = context.repository.folder
    if structure_only and wait_seconds:
        return take_lock(folder, lambda: wait_seconds, report_waiting)
    return writer_lock(folder, wait_seconds=wait_seconds, waiting=report_waiting)


def sync_or_rebuild(
    context: SyncContext, notes: list[str], *, structure_only: bool = False
) -> SyncOutcome:
    """Sync the index; if it is damaged, build a new one instead.

    The caller holds the writer lock. Sentences for the user are added to `notes`.
    """
    _check_model(context)
    discard_rebuild(context.repository)
    try:
        return run_stages(context, notes, structure_only=structure_only)
    except DamagedError as error:
        salvage_embeddings(context.repository, context.embeddings)
        aside = move_catalog_aside(context.repository)
        notes.append(f"{error} It was moved to '{aside}' and rebuilt.")
        return run_stages(context, notes, structure_only=structure_only)


def _check_model(context: SyncContext) -> None:
    """Raise SupersededError if another process has changed the index's model in the meantime."""
    expected = context.expected_model
    if expected is not None and published_state(context.repository).model != expected:
        raise SupersededError(
            f"Another process changed the model of {context.repository.name}: try again."
        )


def _rebuild(context: SyncContext, notes: list[str], *, structure_only: bool) -> SyncOutcome:
    """Build a new index beside the old one, which answers until it is replaced."""
    repository = context.repository
    salvage_embeddings(repository, context.embeddings)
    fresh = begin_rebuild(repository)
    outcome = run_stages(replace(context, repository=fresh), notes, structure_only=structure_only)
    replace_index(repository, fresh)
    discard_rebuild(repository)
    with translate_sqlite_errors(repository.catalog), Catalog.create(repository.catalog) as catalog:
        delete_orphans(repository, catalog)
    return outcome


def _report(
    context: SyncContext, outcome: SyncOutcome, notes: list[str], seconds: float
) -> SyncReport:
    structure, generation = outcome.structure, outcome.generation
    plan, discovery = structure.plan, structure.discovery
    not_indexed = {file.path for file in (*structure.failed, *structure.skipped)}
    return SyncReport(
        repo=context.repository.name,
        added=sum(file.path not in not_indexed for file in plan.added),
        changed=sum(file.path not in not_indexed for file in plan.changed),
        removed=len(plan.removed),
        failed=structure.failed,
        skipped=(*discovery.skipped, *structure.skipped),
        embedded=outcome.embedded,
        seconds=seconds,
        version=generation.version,
        model=generation.model,
        notes=(*discovery.notes, *notes, *_unparsed_note(structure.unparsed)),
        killed=structure.killed,
        recorded=structure.recorded,
    )


def _log_sync(report: SyncReport, notes: Sequence[str]) -> None:
    """Log the counts of a sync, at level INFO if it changed anything, and its notes as warnings."""
    counts = (report.added, report.changed, report.removed, report.embedded)
    logger.log(
        logging.INFO if any(counts) else logging.DEBUG,
        "%s: %d files added, %d changed, %d removed, %d chunks embedded, version %d, %.1f s",
        report.repo,
        *counts,
        report.version,
        report.seconds,
    )
    for note in notes:
        logger.warning("%s: %s", report.repo, note)


def _unparsed_note(files: Sequence[Skipped]) -> tuple[str, ...]:
    """Return a note that names the files which were not parsed completely; () without any."""
    if not files:
        return ()
    named = ", ".join(f"{file.path} ({file.reason})" for file in files[:_MAX_NAMED_FILES])
    hidden = len(files) - _MAX_NAMED_FILES
    more = f" and {hidden} more" if hidden > 0 else ""
    return (f"Not parsed completely, but searchable as text: {named}{more}.",)


def _reporting_phases(progress: SyncProgress, tell: SetPhase) -> SyncProgress:
    """Return a progress callback that also calls `tell` with each phase that begins.

    `tell` records the phase for processes that wait for the lock.
    """
    reported = ""

    def report(phase: str, done: int, total: int) -> None:
        nonlocal reported
        if phase != reported:
            reported = phase
            tell(phase)
        progress(phase, done, total)

    return report

"""Report the phases of a sync, and log its result."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from codeindex.ingest.sync.context import SyncProgress
from codeindex.store.locks.writer_lock import SetPhase
from codeindex.types import Skipped, SyncReport

logger = logging.getLogger(__name__)

_MAX_NAMED_FILES = 5
"""Most files that a note names, so that it fits a line of a terminal."""


def log_sync(report: SyncReport, notes: Sequence[str]) -> None:
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


def unparsed_note(files: Sequence[Skipped]) -> tuple[str, ...]:
    """Return a note that names the files which were not parsed completely; () without any."""
    if not files:
        return ()
    named = ", ".join(f"{file.path} ({file.reason})" for file in files[:_MAX_NAMED_FILES])
    hidden = len(files) - _MAX_NAMED_FILES
    more = f" and {hidden} more" if hidden > 0 else ""
    return (f"Not parsed wholly, but searchable as text: {named}{more}.",)


def reporting_phases(progress: SyncProgress, tell: SetPhase) -> SyncProgress:
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

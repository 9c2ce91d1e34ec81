"""What is said of a sync: to whoever waits for it meanwhile, and to all once it is over."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from codeindex.ingest.sync.writer import SyncProgress
from codeindex.store.locks.writer_lock import SetPhase
from codeindex.types import Skipped, SyncReport

logger = logging.getLogger(__name__)

_NAMED = 5
"""Files that one note names."""


def log_sync(report: SyncReport, notes: Sequence[str]) -> None:
    """Log what a sync did, if it did anything, and what it found broken."""
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
    """Say in one note of which files the parser could not make sense, or not of all."""
    if not files:
        return ()
    named = ", ".join(f"{one.path} ({one.reason})" for one in files[:_NAMED])
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return (f"Not parsed wholly, but searchable as text: {named}{more}.",)


def reporting_phases(progress: SyncProgress, tell: SetPhase) -> SyncProgress:
    """Report progress, and each new phase to whoever finds the lock taken."""
    phases: set[str] = set()

    def report(phase: str, done: int, total: int) -> None:
        if phase not in phases:
            phases.add(phase)
            tell(phase)
        progress(phase, done, total)

    return report

"""Compare some records of a bundle with what this installation parses from the same files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.errors import SharingError
from codeindex.ingest.bundle.layout import CHECKED_FILES

if TYPE_CHECKING:
    from codeindex.ingest.bundle.reader import Bundle
    from codeindex.ingest.workers.pool import WorkerPool
    from codeindex.types import PreparedFile, SourceFile


def audit_bundle(pool: WorkerPool, bundle: Bundle, todo: Sequence[SourceFile]) -> None:
    """Parse a random sample of a bundle's files; raise SharingError if a result differs.

    A difference shows that the records are from other parser versions, or, in most cases, that a
    bundle was tampered with.
    """
    recorded = [file for file in todo if bundle.locate(file.path)]
    sample = random.sample(recorded, min(CHECKED_FILES, len(recorded)))
    accepted = {
        file.path: file for file in pool.prepare(sample, locate=bundle.locate) if file.is_recorded
    }
    again = pool.prepare([file for file in sample if file.path in accepted])
    for file in again:
        if _content(file) != _content(accepted[file.path]):
            raise SharingError(
                f"The bundle's record of '{file.path}' differs from what this installation parses:"
                " export it again with this version, or index without it. Nothing was changed."
            )


def _content(file: PreparedFile) -> PreparedFile:
    """Return a copy of a prepared file without times and origin, to compare it with another one."""
    return replace(file, mtime_ns=0, ctime_ns=0, is_recorded=False)

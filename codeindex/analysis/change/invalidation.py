"""Report what happened to a file that a user asked to index again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.store.catalog.skipped_files import FileState
from codeindex.types.report import DataReport, Table

InvalidationOutcome = Literal["added", "changed", "unchanged", "removed", "left out", "later"]


@dataclass(frozen=True, slots=True)
class Invalidation(DataReport):
    """The outcome for a file that the user asked to index again, like `changed` or `later`.

    `later` means that another process is syncing and will index the file. `reason` says why a file
    is left out of the index.
    """

    file: str
    outcome: InvalidationOutcome
    reason: str = ""

    def columns(self) -> Table:
        return ("file", "outcome", "reason"), [(self.file, self.outcome, self.reason)]

    def text(self) -> Iterator[str]:
        yield f"{self.file}: {self.outcome}{f' ({self.reason})' if self.reason else ''}"


@dataclass(frozen=True, slots=True)
class FullInvalidation(DataReport):
    """A repository in which the next sync reads all files again."""

    repo: str
    files: int

    def columns(self) -> Table:
        return ("repo", "files"), [(self.repo, str(self.files))]

    def text(self) -> Iterator[str]:
        yield f"{self.repo}: the next sync reads all {self.files} files again (`codeindex index`)"


def compare_states(file: str, before: FileState, after: FileState) -> Invalidation:
    """Return what a sync did to a file, given the states of the file before and after it."""
    if after.reason:
        return Invalidation(file, "left out", after.reason)
    if after.digest:
        is_new = not before.digest or bool(before.reason)
        if is_new:
            return Invalidation(file, "added")
        return Invalidation(file, "unchanged" if before.digest == after.digest else "changed")
    if before.digest:
        return Invalidation(file, "removed")
    return Invalidation(file, "left out", "no such file is listed: absent, or ignored by git")

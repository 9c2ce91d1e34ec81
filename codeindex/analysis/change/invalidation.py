"""What became of a file that somebody said had changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import sqlite3

InvalidationOutcome = Literal["added", "changed", "unchanged", "removed", "left out", "later"]


class IndexedState(NamedTuple):
    """What the index holds of a file: a digest of its bytes, or why it is left out."""

    digest: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Invalidation:
    """`later` is said while another process syncs; `reason` says why a file is left out."""

    file: str
    outcome: InvalidationOutcome
    reason: str = ""

    @property
    def paths(self) -> set[str]:
        return {self.file}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("file", "outcome", "reason"), [(self.file, self.outcome, self.reason)]

    def text(self) -> Iterator[str]:
        yield f"{self.file}: {self.outcome}{f' ({self.reason})' if self.reason else ''}"


@dataclass(frozen=True, slots=True)
class FullInvalidation:
    """An index of which the next sync reads every file again."""

    repo: str
    files: int

    @property
    def paths(self) -> set[str]:
        return set()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("repo", "files"), [(self.repo, str(self.files))]

    def text(self) -> Iterator[str]:
        yield f"{self.repo}: the next sync reads all {self.files} files again (`codeindex index`)"


def indexed_state(connection: sqlite3.Connection, path: str) -> IndexedState:
    """Return what is known of a path, nothing of one that was never seen."""
    row = connection.execute(
        "SELECT digest, CASE WHEN status IN ('skipped', 'failed') THEN reason ELSE '' END"
        " FROM files WHERE path = :path"
        " UNION ALL SELECT '', reason FROM skipped WHERE path = :path",
        {"path": path},
    ).fetchone()
    return IndexedState(*row) if row else IndexedState()


def compare_states(file: str, before: IndexedState, after: IndexedState) -> Invalidation:
    """Compare what was known before a sync with what is known after it."""
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

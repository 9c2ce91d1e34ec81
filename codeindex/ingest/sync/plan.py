"""Compare the tree with the catalog, to plan which files to add, read again, or remove."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.freshness.stat_cache import FileStamp, Snapshot, current_digest, make_stamp
from codeindex.ingest.sync.settings_digest import (
    mixed_digest,
    only_adds_exemptions,
    without_selection,
)
from codeindex.store.catalog.files import KnownFile, files_with_secrets, known_files
from codeindex.types import SourceFile

if TYPE_CHECKING:
    from codeindex.ingest.sync.context import SyncContext
    from codeindex.store.catalog.connection import Catalog, Generation


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """The files that a sync has to add, to read again and to remove."""

    added: tuple[SourceFile, ...] = ()
    changed: tuple[SourceFile, ...] = ()
    removed: tuple[KnownFile, ...] = ()
    touched: tuple[tuple[FileStamp, KnownFile], ...] = ()
    """Files with a new stat and unchanged content."""
    stamps: Mapping[str, FileStamp] = field(default_factory=dict)
    """Stat and digest of the files that need no work, by path."""

    @property
    def stats(self) -> Iterator[tuple[int, int, int, int]]:
        """(size, mtime, ctime, file id) of each file with new times but the same content.

        The times are in nanoseconds.
        """
        return ((*stamp[:3], before.id) for stamp, before in self.touched)

    @property
    def todo(self) -> tuple[SourceFile, ...]:
        """The files to read, sorted by path."""
        return tuple(sorted((*self.added, *self.changed), key=lambda file: file.path))

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all files to read or to remove."""
        return (*(file.path for file in self.todo), *(file.path for file in self.removed))


@dataclass(frozen=True, slots=True)
class SettingsPlan:
    """A plan of a sync, with the digest of the settings, which the new generation stores."""

    plan: SyncPlan
    settings: str
    outdated: bool
    """Whether unchanged files are still indexed under former settings."""


def make_plan(
    root: Path,
    files: Iterable[SourceFile],
    *,
    snapshot: Snapshot,
    known: Mapping[str, KnownFile],
    again: Container[str] | None = (),
) -> SyncPlan:
    """Compare discovered files with the catalog by stat, then by digest.

    `snapshot` has the last stats and digests, `known` the indexed files. Paths in `again` are read
    even if they are unchanged; None means all paths.
    """
    added, changed, touched = [], [], []
    stamps: dict[str, FileStamp] = {}
    for file in files:
        before = known.get(file.path)
        if before is None:
            added.append(file)
            continue
        stamp = snapshot.unchanged_stamp(file) or _read_stamp(root, file)
        if (
            again is None
            or file.path in again
            or stamp.digest != before.digest
            or file.is_test != before.is_test
        ):
            changed.append(file)
            continue
        stamps[file.path] = stamp
        if stamp[:3] != (before.size, before.mtime_ns, before.ctime_ns):
            touched.append((stamp, before))
    paths = {file.path for file in (*added, *changed)} | stamps.keys()
    removed = tuple(file for path, file in known.items() if path not in paths)
    return SyncPlan(tuple(added), tuple(changed), removed, tuple(touched), stamps)


def _read_stamp(root: Path, file: SourceFile) -> FileStamp:
    read_at = time.time_ns()
    return make_stamp(file, current_digest(root, file.path), read_at_ns=read_at)


def plan_whole_tree(
    context: SyncContext,
    catalog: Catalog,
    before: Generation,
    files: Iterable[SourceFile],
    *,
    snapshot: Snapshot,
    most: int,
) -> SettingsPlan:
    """Plan a sync of the whole tree after the generation `before`.

    If settings have changed since then, all files that they affect are read. If more than `most`
    files have to be read (0: no limit), or if the digest of the former settings is empty, only the
    changed files are planned.
    """
    make = partial(
        make_plan,
        context.repository.root,
        files,
        snapshot=snapshot,
        known=known_files(catalog.connection),
    )
    plan = make(again=_files_to_reread(catalog, before.settings, context.settings))
    if not most or before.settings == context.settings:
        return SettingsPlan(plan, context.settings, outdated=False)
    is_invalidated = not before.settings  # the next sync reads all files; a refresh must not
    if len(plan.todo) <= most and not is_invalidated:
        return SettingsPlan(plan, context.settings, outdated=False)
    return SettingsPlan(make(again=()), mixed_digest(before.settings), outdated=not is_invalidated)


def _files_to_reread(catalog: Catalog, before: str, now: str) -> Container[str] | None:
    """Return the paths to read again after settings changed; None means all paths.

    `before` and `now` are the settings digests. If the change only exempts more values from
    redaction, these are the files with redacted secrets. Settings that select files need none: the
    tree is compared with the catalog anyway.
    """
    before, now = without_selection(before), without_selection(now)
    if before == now:
        return ()
    if not only_adds_exemptions(before, now):
        return None
    return frozenset(files_with_secrets(catalog.connection))

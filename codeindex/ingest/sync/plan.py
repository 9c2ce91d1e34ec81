"""Compare the tree on disk with the catalog."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codeindex.freshness.merkle import Leaf, Snapshot, current_digest, make_leaf
from codeindex.store.catalog.files import KnownFile
from codeindex.types import SourceFile


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What a sync has to do. `touched` files changed their stat and not their content."""

    added: tuple[SourceFile, ...]
    changed: tuple[SourceFile, ...]
    removed: tuple[KnownFile, ...]
    touched: tuple[tuple[Leaf, KnownFile], ...]
    leaves: Mapping[str, Leaf]
    """Files that need no work, as they were read."""

    @property
    def stats(self) -> Iterator[tuple[int, int, int, int]]:
        """The new stats of what was touched, each with the id of its file."""
        return ((*leaf[:3], before.id) for leaf, before in self.touched)

    @property
    def todo(self) -> tuple[SourceFile, ...]:
        return tuple(sorted((*self.added, *self.changed), key=lambda file: file.path))


def make_plan(
    root: Path,
    files: Iterable[SourceFile],
    *,
    snapshot: Snapshot,
    known: Mapping[str, KnownFile],
    again: Container[str] | None = (),
) -> SyncPlan:
    """Decide by stat, then by digest; files that are to be read `again` are: None for all."""
    added, changed, touched = [], [], []
    leaves: dict[str, Leaf] = {}
    for file in files:
        before = known.get(file.path)
        if before is None:
            added.append(file)
            continue
        digest = snapshot.digest_of(file)
        leaf = snapshot.leaves[file.path] if digest else None
        if leaf is None:
            read_at = time.time_ns()
            digest = current_digest(root, file.path)
            leaf = make_leaf(file, digest, read_at_ns=read_at)
        if (
            again is None
            or file.path in again
            or digest != before.digest
            or file.is_test != before.is_test
        ):
            changed.append(file)
            continue
        leaves[file.path] = leaf
        if leaf[:3] != (before.size, before.mtime_ns, before.ctime_ns):
            touched.append((leaf, before))
    paths = {file.path for file in (*added, *changed)} | leaves.keys()
    removed = tuple(one for path, one in known.items() if path not in paths)
    return SyncPlan(tuple(added), tuple(changed), removed, tuple(touched), leaves)

"""Keep a Merkle snapshot of a tree: size, times and digest of each file when it was last read.

A file with unchanged size and times is not read again, unless its times prove nothing (see
`provable_ctime`). If the snapshot is lost, the next sync reads each file once; no data is lost.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from codeindex.files.digest import sha256_beneath
from codeindex.freshness.tree_scan import UNPROVEN_CTIME, is_settled
from codeindex.types import SourceFile


class Leaf(NamedTuple):
    """A file's size, times and SHA-256 when it was last read: a leaf of the Merkle tree.

    If `ctime_ns` is `UNPROVEN_CTIME`, the next sync reads the file again.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Size, times and digest of each file of a tree, by path relative to the root."""

    leaves: Mapping[str, Leaf] = field(default_factory=dict)

    def unchanged_leaf(self, file: SourceFile) -> Leaf | None:
        """Return the leaf of a file if size and times prove its content unchanged, else None."""
        leaf = self.leaves.get(file.path)
        stat = (file.size, file.mtime_ns, file.ctime_ns)
        return leaf if leaf and leaf.digest and leaf[:3] == stat else None

    def root(self) -> str:
        """Return the root hash of the Merkle tree, which changes with the content of any file."""
        return _folder_digests(self.leaves).get("", "")

    def differing(self, other: Snapshot) -> Iterator[str]:
        """Yield the sorted paths of files that differ between two snapshots or are in only one."""
        own, others = _folder_digests(self.leaves), _folder_digests(other.leaves)
        equal = {folder for folder, digest in own.items() if others.get(folder) == digest}
        for path in sorted(self.leaves.keys() | other.leaves.keys()):
            if path.rpartition("/")[0] in equal:
                continue
            leaf, other_leaf = self.leaves.get(path), other.leaves.get(path)
            if leaf is None or other_leaf is None or leaf.digest != other_leaf.digest:
                yield path

    def dump(self) -> bytes:
        return zlib.compress(json.dumps(self.leaves).encode(), 1)

    @classmethod
    def load(cls, blob: bytes | None) -> Snapshot:
        """Return the snapshot that `dump` wrote; an empty one if `blob` is anything else."""
        try:
            raw = json.loads(zlib.decompress(blob or b""))
            return cls({path: Leaf(*leaf) for path, leaf in raw.items()})
        except (zlib.error, ValueError, TypeError, AttributeError):
            return cls()


def make_leaf(file: SourceFile, digest: str, *, read_at_ns: int) -> Leaf:
    ctime_ns = provable_ctime(file.mtime_ns, file.ctime_ns, read_at_ns=read_at_ns)
    return Leaf(file.size, file.mtime_ns, ctime_ns, digest)


def provable_ctime(mtime_ns: int, ctime_ns: int, *, read_at_ns: int) -> int:
    """Return the ctime to store for a file: its own, or `UNPROVEN_CTIME` if it proves nothing.

    It proves nothing if the file could change again and keep its times. `read_at_ns` is the time
    when reading of the file began.
    """
    return ctime_ns if is_settled(mtime_ns, ctime_ns, read_at_ns=read_at_ns) else UNPROVEN_CTIME


def current_digest(root: Path, path: str) -> str:
    """Return the SHA-256 of a file; '' if it cannot be read, which counts as a change."""
    try:
        return sha256_beneath(root, path)
    except OSError:
        return ""


def _folder_digests(leaves: Mapping[str, Leaf]) -> dict[str, str]:
    """Return {folder: digest of the files and folders in it}; '' is the key of the root."""
    children: dict[str, list[tuple[str, str]]] = {"": []}
    for path, leaf in leaves.items():
        folder = path.rpartition("/")[0]
        while folder not in children:
            children[folder] = []
            folder = folder.rpartition("/")[0]
        children[path.rpartition("/")[0]].append((path, leaf.digest))
    digests: dict[str, str] = {}
    for folder in sorted(children, key=lambda f: (-f.count("/") - bool(f), f)):
        text = "\n".join(f"{name}\0{digest}" for name, digest in sorted(children[folder]))
        digests[folder] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if folder:
            children[folder.rpartition("/")[0]].append((folder + "/", digests[folder]))
    return digests

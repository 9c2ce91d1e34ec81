"""Keep a snapshot of a tree: size, times and digest of each file when it was last read.

A file with unchanged size and times is not read again, unless they prove nothing (see
`provable_ctime` and `unchanged_stamp`). If the snapshot is lost, the next sync reads each file
once; no data is lost.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from codeindex.files.digest import sha256_beneath
from codeindex.freshness.timestamps import provable_ctime
from codeindex.types import SourceFile


class FileStamp(NamedTuple):
    """A file's size, times and SHA-256 when it was last read.

    If `ctime_ns` is `UNPROVEN_CTIME`, the next sync reads the file again.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str


@dataclass(frozen=True)
class Snapshot:
    """Size, times and digest of each file of a tree, by path relative to the root."""

    stamps: Mapping[str, FileStamp] = field(default_factory=dict)

    def unchanged_stamp(self, file: SourceFile) -> FileStamp | None:
        """Return the stamp of a file if size and times prove its content unchanged, else None.

        They prove nothing if a file with other content has the same size and times: the folders of
        the two may have changed places, which changes no times of files.
        """
        stamp = self.stamps.get(file.path)
        stat = (file.size, file.mtime_ns, file.ctime_ns)
        is_same = stamp and stamp.digest and stamp[:3] == stat and stat not in self._ambiguous
        return stamp if is_same else None

    @cached_property
    def _ambiguous(self) -> frozenset[tuple[int, int, int]]:
        """The sizes and times that files with different content have."""
        digests: dict[tuple[int, int, int], str] = {}
        ambiguous = set()
        for size, mtime_ns, ctime_ns, digest in self.stamps.values():
            stat = (size, mtime_ns, ctime_ns)
            if digests.setdefault(stat, digest) != digest:
                ambiguous.add(stat)
        return frozenset(ambiguous)

    def dump(self) -> bytes:
        return zlib.compress(json.dumps(self.stamps).encode(), 1)

    @classmethod
    def load(cls, blob: bytes | None) -> Snapshot:
        """Return the snapshot that `dump` wrote; an empty one if `blob` is anything else."""
        try:
            raw = json.loads(zlib.decompress(blob or b""))
            return cls({path: FileStamp(*stamp) for path, stamp in raw.items()})
        except (zlib.error, ValueError, TypeError, AttributeError):
            return cls()


def make_stamp(file: SourceFile, digest: str, *, read_at_ns: int) -> FileStamp:
    ctime_ns = provable_ctime(file.mtime_ns, file.ctime_ns, read_at_ns=read_at_ns)
    return FileStamp(file.size, file.mtime_ns, ctime_ns, digest)


def current_digest(root: Path, path: str) -> str:
    """Return the SHA-256 of a file; '' if it cannot be read, which counts as a change."""
    try:
        return sha256_beneath(root, path)
    except OSError:
        return ""

"""Which kind of disk a folder is on."""

from __future__ import annotations

import re
from pathlib import Path

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|drvfs|vboxsf|prl_fs|davfs"
    r"|fuse\.(?:sshfs|rclone|glusterfs|gvfsd-fuse|s3fs|vmhgfs-fuse|davfs2?)"
)
"""Others can write there without this system's knowing."""


def network_filesystem(folder: Path) -> str:
    """Return the type of a network's or a host's file system, '' for a disk of this system.

    Only Linux says it in a file; elsewhere a folder counts as one of this system.
    """
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    deepest, kind = -1, ""
    for line in lines:
        _, where, found, *_ = line.split(" ")
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), where))
        if folder.is_relative_to(point) and len(point.parts) >= deepest:
            deepest, kind = len(point.parts), found
    return kind if _NETWORK.fullmatch(kind) else ""

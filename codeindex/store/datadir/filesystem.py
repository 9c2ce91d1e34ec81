"""Detect network filesystems, on which SQLite's write-ahead log is unsafe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

_NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "ncpfs", "afpfs", "webdav"),
        *("afs", "auristorfs", "ceph", "lustre", "gfs2", "ocfs2", "beegfs", "gpfs", "pvfs2"),
        *("9p", "drvfs", "virtiofs", "vboxsf", "prl_fs", "vmhgfs", "fakeowner"),
        *("sshfs", "glusterfs", "rclone", "davfs", "davfs2", "s3fs", "gcsfuse", "vmhgfs-fuse"),
        *("grpcfuse", "osxfs", "osxfuse", "macfuse", "curlftpfs", "gvfsd-fuse", "juicefs"),
    }
)
"""Types of filesystems that several machines, or a virtual machine and its host, can write. FUSE
types are listed without the prefix `fuse.`."""
_REMOTE_DRIVE = 4
"""The value DRIVE_REMOTE of the Windows function GetDriveType."""


def network_warning(folder: Path) -> tuple[str, ...]:
    """Return one warning if the data folder is on a network filesystem, else ()."""
    kind = network_filesystem(folder)
    if not kind:
        return ()
    warning = (
        f"The data folder '{folder}' is on a shared filesystem ({kind}), where SQLite cannot keep"
        " readers and writers apart: set CODEINDEX_HOME to a folder of a local disk."
    )
    return (warning,)


def network_filesystem(folder: Path) -> str:
    """Return the filesystem type of a folder if it is a network filesystem, else ""."""
    at = folder.resolve()
    if sys.platform == "win32":
        return _of_drive(at)
    kind = mount_kind(at, mounts())
    return kind if kind in _NETWORK else ""


def mounts() -> list[tuple[str, str]]:
    """Return (folder, filesystem type) of all mounts, in order of mounting; [] if unknown."""
    try:
        return parse_mounts(Path("/proc/self/mounts").read_text("utf-8", "surrogateescape"))
    except OSError:
        return _mounts_of_bsd()


def parse_mounts(text: str) -> list[tuple[str, str]]:
    """Parse `/proc/self/mounts` into (folder, filesystem type) of each mount.

    Octal escapes of blanks and backslashes in folder names are decoded.
    """
    rows = (line.split(" ") for line in text.splitlines())
    return [(_unescaped(row[1]), row[2].removeprefix("fuse.")) for row in rows if len(row) > 2]  # noqa: PLR2004


def parse_bsd_mounts(text: str) -> list[tuple[str, str]]:
    """Parse the output of `mount` on macOS and BSD into (folder, filesystem type) of each mount.

    A line is like `//who@host/share on /Volumes/x (smbfs, …)`.
    """
    found = []
    for line in text.splitlines():
        place, _, rest = line.rpartition(" (")
        kind = rest.partition(",")[0].rstrip(")")
        if " on " in place:
            found.append((place.partition(" on ")[2], kind))
    return found


def mount_kind(folder: PurePath, mounted: Iterable[tuple[str, str]]) -> str:
    """Return the filesystem type of the innermost mount that contains `folder`, "" if none does.

    If several mounts have the same folder, the last one counts.
    """
    best, kind = -1, ""
    for place, its in mounted:
        if folder.is_relative_to(place) and len(place) >= best:
            best, kind = len(place), its
    return kind


def _unescaped(text: str) -> str:
    for code, character in (("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")):
        text = text.replace(f"\\{code}", character)
    return text


def _mounts_of_bsd() -> list[tuple[str, str]]:
    import subprocess

    try:
        done = subprocess.run(["mount"], capture_output=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return parse_bsd_mounts(os.fsdecode(done.stdout))


def _of_drive(folder: PurePath) -> str:
    import ctypes

    if folder.drive.startswith("\\\\"):
        return "network share"
    kind = ctypes.CDLL("kernel32").GetDriveTypeW(folder.anchor)
    return "network drive" if kind == _REMOTE_DRIVE else ""

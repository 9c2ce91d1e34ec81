"""What is known of the filesystem under the data folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from codeindex.store.datadir.filesystem import (
    mount_kind,
    mounts,
    network_filesystem,
    network_warning,
    parse_bsd_mounts,
    parse_mounts,
)

LINUX = r"""/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export/home /home nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/ann/scratch xfs rw 0 0
ann@box:/data /mnt/far\040away fuse.sshfs rw 0 0
C:\\134 /mnt/c 9p rw,aname=drvfs 0 0
/dev/sdc1 /over ext4 rw 0 0
//nas/share /over cifs rw 0 0
""".replace("\\\\", "\\")
MACOS = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ann@nas/my share on /Volumes/my share (smbfs, nodev, nosuid, mounted by ann)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/ann/.local/share", "nfs4"),
        ("/homes", "ext4"),
        ("/home/ann/scratch/x", "xfs"),
        ("/mnt/far away/x", "sshfs"),
        ("/mnt/c/Users", "9p"),
        ("/over/x", "cifs"),
    ],
)
def test_the_innermost_mount_counts_and_of_those_the_last(folder: str, kind: str) -> None:
    assert mount_kind(PurePosixPath(folder), parse_mounts(LINUX)) == kind


def test_mounts_are_read_as_macos_prints_them() -> None:
    found = parse_bsd_mounts(MACOS)
    assert mount_kind(PurePosixPath("/Volumes/my share/x"), found) == "smbfs"
    assert mount_kind(PurePosixPath("/Users/ann"), found) == "apfs"


def test_a_folder_of_this_machine_is_warned_of_only_if_it_is_shared(tmp_path: Path) -> None:
    warned = network_warning(tmp_path / "not" / "there" / "yet")
    assert warned == () or "CODEINDEX_HOME" in warned[0]
    assert bool(warned) is bool(network_filesystem(tmp_path))
    assert mounts() or network_filesystem(tmp_path) == ""

"""Asking git, without letting the repository run anything.

A repository's own configuration can name programs: for its pager, its diffs, its filters, its file
watcher, its signatures, its transports. Reading an untrusted repository must start none of them.
"""

from __future__ import annotations

from codeindex.git.listing import files, ignored, ignored_files, ignored_folders, ignoring
from codeindex.git.places import (
    Folders,
    Head,
    commit,
    folders,
    folders_said,
    head,
    hooks_setting,
    is_shallow,
    top,
)
from codeindex.git.start import run, version

__all__ = [
    "Folders",
    "Head",
    "commit",
    "files",
    "folders",
    "folders_said",
    "head",
    "hooks_setting",
    "ignored",
    "ignored_files",
    "ignored_folders",
    "ignoring",
    "is_shallow",
    "run",
    "top",
    "version",
]

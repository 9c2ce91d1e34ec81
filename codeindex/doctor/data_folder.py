"""Check the data folder: location, owner, permissions, file system and free space."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.filesystem import network_warning
from codeindex.types.verdicts import Verdict, note, ok, problem

_MB = 1_000_000
_MIN_FREE, _LOW_FREE = 100 * _MB, 1000 * _MB
"""Free bytes below which the verdict is a problem, or a note. An index of 20,000 chunks takes about
150 MB."""


def check_data_folder(home: Path) -> Iterator[Verdict]:
    """Yield verdicts on the data folder; if it does not exist, on its nearest existing parent."""
    existing = next(path for path in (home, *home.parents) if path.exists())
    if not existing.is_dir():
        yield problem("data folder", f"'{existing}' is a file", remedy="set CODEINDEX_HOME")
        return
    if existing != home:
        yield note(
            "data folder", f"'{home}' does not exist yet", remedy="`codeindex index` creates it"
        )
    verdicts = [
        *_check_permissions(home, existing),
        *_check_free_space(existing),
        *_check_file_system(existing),
    ]
    yield from verdicts
    if existing == home and not any(verdict.state == "problem" for verdict in verdicts):
        free = shutil.disk_usage(existing).free
        text = f"'{home}', {disk_usage([home]) / _MB:,.0f} MB used, {free / _MB:,.0f} MB free"
        yield ok("data folder", text)


def _check_permissions(home: Path, existing: Path) -> Iterator[Verdict]:
    """Yield verdicts on write access and, on POSIX systems, on owner and mode."""
    info = existing.stat()
    remedy = "set CODEINDEX_HOME to a folder of your own"
    if hasattr(os, "getuid") and existing == home:
        if info.st_uid != os.getuid():
            yield problem("data folder", f"'{home}' belongs to another user", remedy=remedy)
        elif stat.S_IMODE(info.st_mode) & 0o077:
            text = f"'{home}' can be read by others (mode {stat.S_IMODE(info.st_mode):o})"
            yield note("data folder", text, remedy="the next `codeindex index` makes it private")
    if not os.access(existing, os.W_OK | os.X_OK):
        yield problem("data folder", f"'{existing}' cannot be written", remedy=remedy)


def _check_file_system(existing: Path) -> Iterator[Verdict]:
    for warning in network_warning(existing):
        text, _, remedy = warning.rstrip(".").rpartition(": ")
        yield problem("data folder", text, remedy=remedy)


def _check_free_space(existing: Path) -> Iterator[Verdict]:
    try:
        free = shutil.disk_usage(existing).free
    except OSError as error:
        yield note("disk", f"free space of '{existing}' is not known ({error.strerror})")
        return
    text = f"{free / _MB:,.0f} MB free at '{existing}'"
    if free < _MIN_FREE:
        yield problem(
            "disk", text, remedy="free some disk space; `codeindex gc` lists what can be deleted"
        )
    elif free < _LOW_FREE:
        yield note("disk", text, remedy="`codeindex gc --dry-run` lists what can be deleted")

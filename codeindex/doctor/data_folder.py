"""The data folder: where, whose, how private and how full."""

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
_LEAST, _LITTLE = 100 * _MB, 1000 * _MB
"""Bytes free: an index of 20,000 chunks takes some 150 MB with its collection."""


def check_data_folder(home: Path) -> Iterator[Verdict]:
    """Look at the data folder as a sync would find it; nothing is made."""
    there = next(path for path in (home, *home.parents) if path.exists())
    if not there.is_dir():
        yield problem("data folder", f"'{there}' is a file", remedy="set CODEINDEX_HOME")
        return
    if there != home:
        yield note("data folder", f"'{home}' is not there yet", remedy="`codeindex index` makes it")
    wrong = [*_whose(home, there), *_space(there), *_shared(there)]
    yield from wrong
    if there == home and not any(verdict.state == "problem" for verdict in wrong):
        free = shutil.disk_usage(there).free
        text = f"'{home}', {disk_usage([home]) / _MB:,.0f} MB used, {free / _MB:,.0f} MB free"
        yield ok("data folder", text)


def _whose(home: Path, there: Path) -> Iterator[Verdict]:
    """Look at owner and mode, on systems that have them."""
    info = there.stat()
    mine = "set CODEINDEX_HOME to a folder of your own"
    if hasattr(os, "getuid") and there == home:
        if info.st_uid != os.getuid():
            yield problem("data folder", f"'{home}' belongs to another user", remedy=mine)
        elif stat.S_IMODE(info.st_mode) & 0o077:
            text = f"'{home}' can be read by others (mode {stat.S_IMODE(info.st_mode):o})"
            yield note("data folder", text, remedy="the next `codeindex index` makes it private")
    if not os.access(there, os.W_OK | os.X_OK):
        yield problem("data folder", f"'{there}' cannot be written", remedy=mine)


def _shared(there: Path) -> Iterator[Verdict]:
    for warning in network_warning(there):
        said, _, remedy = warning.rstrip(".").rpartition(": ")
        yield problem("data folder", said, remedy=remedy)


def _space(there: Path) -> Iterator[Verdict]:
    try:
        free = shutil.disk_usage(there).free
    except OSError as error:
        yield note("disk", f"free space of '{there}' is not known ({error.strerror})")
        return
    text = f"{free / _MB:,.0f} MB free at '{there}'"
    if free < _LEAST:
        yield problem("disk", text, remedy="free some disk space; `codeindex gc` shows ours")
    elif free < _LITTLE:
        yield note("disk", text, remedy="`codeindex gc --dry-run` shows what is of no use")

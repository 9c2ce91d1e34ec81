"""Start a background process that syncs an index after a hook."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

from codeindex.config import environment
from codeindex.errors import CodeIndexError
from codeindex.store.datadir.home import Repository
from codeindex.store.locks.owner import is_locked

_PROGRAM = (
    "import sys; from codeindex.hooks.background_sync import sync_and_log;"
    " sync_and_log(sys.argv[1])"
)
_PAUSE_SECONDS = 3.0
"""Least time between two syncs, about as long as one takes to start and sync a file. A change in
this time may wait for the next hook; answers compare their files with the disk anyway."""


def start_sync(repository: Repository) -> bool:
    """Start a sync of the index in a new process; return whether the process was started.

    It is not started within three seconds after the last one, while another process writes the
    index, or if the system cannot start a process.
    """
    marker = repository.folder / "hook.asked"
    if is_locked(repository.folder) or _age_seconds(marker) < _PAUSE_SECONDS:
        return False
    with contextlib.suppress(OSError):
        marker.touch(mode=0o600)
        os.utime(marker)
        subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(repository.root)],
            cwd=repository.folder,  # nothing is imported from there, and no work tree is held
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return True
    return False


def sync_and_log(root: str) -> None:
    """Sync the index of the repository `root`, but no vectors; write errors to the log."""
    import logging

    from codeindex.api.index import Index
    from codeindex.logs import INDEXER, enable_log_file

    enable_log_file(INDEXER)
    logger = logging.getLogger(__name__)
    try:
        with Index.open(root) as index:
            index.sync(structure_only=True)
    except CodeIndexError as error:
        logger.warning("%s was not synced after an edit: %s", root, error)
    except Exception:
        logger.exception("%s was not synced after an edit", root)


def _age_seconds(path: Path) -> float:
    """Return the seconds since a file was modified; `_PAUSE_SECONDS` if it does not exist.

    A missing file then counts as old enough.
    """
    try:
        return abs(time.time() - path.stat().st_mtime)
    except OSError:
        return _PAUSE_SECONDS

"""A sync beside the client, in a process of its own that nobody waits for."""

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

_PROGRAM = "import sys; from codeindex.hooks.background_sync import sync; sync(sys.argv[1])"
_PAUSE = 3.0
"""Seconds: about what a start and the sync of one file take. What is written meanwhile is mostly
in that sync, or else in the next; answers compare their files with the disk in any case."""


def start_sync(repository: Repository) -> bool:
    """Start one, unless one was started just now or another process is writing; tell whether."""
    asked = repository.folder / "hook.asked"
    if is_locked(repository.folder) or _age(asked) < _PAUSE:
        return False
    with contextlib.suppress(OSError):
        asked.touch(mode=0o600)
        os.utime(asked)
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


def sync(root: str) -> None:
    """Sync the structure; what goes wrong is in the log, as nobody is there to be told."""
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


def _age(path: Path) -> float:
    try:
        return abs(time.time() - path.stat().st_mtime)
    except OSError:
        return _PAUSE

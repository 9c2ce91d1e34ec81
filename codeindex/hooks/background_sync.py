"""Start a sync of an index in a background process."""

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
"""About the time of a start and the sync of one file. Changes in it are mostly in that sync, or in
the next one; answers compare their files with the disk anyway."""


def start_sync(repository: Repository) -> bool:
    """Start a sync, unless one started just now or another process is writing; return whether."""
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
    """Sync the structure phase of an index; errors go to the log."""
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
    """Return the time since a file changed; the pause if there is none."""
    try:
        return abs(time.time() - path.stat().st_mtime)
    except OSError:
        return _PAUSE_SECONDS

"""Starting the processes that ingest hands work to."""

from __future__ import annotations

import subprocess
import sys

from codeindex.config import environment


def start_module(module: str, argument: str) -> subprocess.Popen[bytes]:
    """Start a module of ours as a program that is asked and answers by lines; OSError if none can.

    `subprocess` and not `multiprocessing`, so that a caller's script needs no main guard.
    """
    return subprocess.Popen(
        # -P: never import from the current folder, which may be somebody else's code
        [sys.executable, "-P", "-m", module, argument],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,  # Ctrl-C is the parent's to handle
    )

"""Start Python child processes."""

from __future__ import annotations

import subprocess
import sys

from codeindex.config import environment


def start_module(module: str, argument: str) -> subprocess.Popen[bytes]:
    """Start a module as a program with pipes for its requests and replies; may raise OSError.

    It uses `subprocess`: with `multiprocessing`, a caller's script would need a main guard.
    """
    return subprocess.Popen(
        # -P: never import from the current folder, which can be untrusted
        [sys.executable, "-P", "-m", module, argument],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,  # the parent handles Ctrl-C
    )

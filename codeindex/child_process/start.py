"""Start Python child processes."""

from __future__ import annotations

import contextlib
import subprocess
import sys

from codeindex.config import environment

_START_VARIABLES = ("PYTHON", "PATH", "HOME")
"""Beginnings of the names of variables that decide which Python, code and git a child uses."""
_PIPE_BYTES = 1024 * 1024
"""Bytes of a reply that a child can write, and its parent read, at once."""


def start_variables() -> dict[str, str]:
    """Return the environment variables that decide which programs and modules a child runs."""
    return {name: text for name, text in environment().items() if name.startswith(_START_VARIABLES)}


def start_module(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Run `python -m module` with pipes for its input and output; raise OSError if it cannot start.

    It uses `subprocess`, because `multiprocessing` would require a main guard in a caller's script.
    """
    process = subprocess.Popen(
        # -P: never import from the current folder, which can be untrusted
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,  # the parent handles Ctrl-C
        bufsize=_PIPE_BYTES,
    )
    if sys.platform == "linux" and process.stdout:
        import fcntl

        with contextlib.suppress(OSError):  # the pipes of a user may be limited
            fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return process

"""Start Python child processes."""

from __future__ import annotations

import subprocess
import sys

from codeindex.config import environment

_START_VARIABLES = ("PYTHON", "PATH", "HOME")
"""Beginnings of the names of variables that decide which Python, code and git a child uses."""


def start_variables() -> dict[str, str]:
    """Return the environment variables that decide which programs and modules a child runs."""
    return {name: text for name, text in environment().items() if name.startswith(_START_VARIABLES)}


def start_module(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Run `python -m module` with pipes for its input and output; raise OSError if it cannot start.

    It uses `subprocess`, because `multiprocessing` would require a main guard in a caller's script.
    """
    return subprocess.Popen(
        # -P: never import from the current folder, which can be untrusted
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,  # the parent handles Ctrl-C
    )

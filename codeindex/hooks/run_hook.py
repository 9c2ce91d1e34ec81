"""Run `codeindex hook` without importing the rest of the command line."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NoReturn

_KILL_SECONDS = 2.0
"""A hook's process ends after this time, even if a disk or a pipe blocks it."""


def run_hook(words: Sequence[str]) -> NoReturn:
    """Answer a hook and always exit with status 0: clients take 2 as a veto of the tool call."""
    timer = threading.Timer(_KILL_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()
    try:
        if output := answer_hook(words):
            os.write(1, f"{output}\n".encode())
    finally:
        os._exit(0)


def answer_hook(words: Sequence[str]) -> str:
    """Return the text that the hook of event `words[0]` prints; '' if it fails or has no text."""
    try:
        return _answer(words)
    except Exception as error:  # noqa: BLE001 (an outermost call: no failure may reach the client)
        _log_error(error)
        return ""


def _answer(words: Sequence[str]) -> str:
    started = time.monotonic()
    # Imported here, so that a failing import cannot end the process with an error.
    from codeindex.config import hook_time_limit
    from codeindex.hooks.hook_events import EVENTS, Deadline
    from codeindex.hooks.hook_input import read_hook_input

    event = EVENTS.get(words[0]) if words else None
    hook_input = read_hook_input(words[1:]) if event else None
    if event is None or hook_input is None:
        return ""
    return event(hook_input, Deadline(started + hook_time_limit()))


def _log_error(error: Exception) -> None:
    """Write an unexpected error to the log; while debugging, print every error."""
    from codeindex.config import is_debugging
    from codeindex.errors import CodeIndexError

    if is_debugging():
        sys.stderr.write(f"codeindex: {type(error).__name__}: {error}\n")
    if not isinstance(error, (CodeIndexError, TimeoutError)):
        import logging  # takes 5 ms, which a hook that works need not spend

        from codeindex.logs import INDEXER, enable_log_file

        enable_log_file(INDEXER)
        logging.getLogger(__name__).error("a hook failed", exc_info=error)

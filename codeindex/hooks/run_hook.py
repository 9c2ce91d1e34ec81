"""The command `codeindex hook`, before anything else of the command line is imported."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NoReturn

_HARD_SECONDS = 2.0
"""After which a hook that a disk or a pipe holds up is over, whatever it was doing."""


def main(words: Sequence[str]) -> NoReturn:
    """Answer one call and end the process with status 0; 2 would forbid what the client is at."""
    timer = threading.Timer(_HARD_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()
    try:
        if said := answer(words):
            os.write(1, f"{said}\n".encode())
    finally:
        os._exit(0)


def answer(words: Sequence[str]) -> str:
    """Return what there is to say at an event, nothing if anything at all goes wrong."""
    try:
        return _answer(words)
    except Exception as error:  # noqa: BLE001 (an outermost call: no failure may reach the client)
        _tell(error)
        return ""


def _answer(words: Sequence[str]) -> str:
    started = time.monotonic()
    from codeindex.config import hook_time_limit
    from codeindex.hooks.hook_events import EVENTS, Clock
    from codeindex.hooks.hook_input import call_of

    event = EVENTS.get(words[0]) if words else None
    call = call_of(words[1:]) if event else None
    return event(call, Clock(started + hook_time_limit())) if event and call else ""


def _tell(error: Exception) -> None:
    """Say it to who debugs; into the log goes what no clock and no state of an index explains."""
    from codeindex.config import is_debugging
    from codeindex.errors import CodeIndexError

    if is_debugging():
        sys.stderr.write(f"codeindex: {type(error).__name__}: {error}\n")
    if not isinstance(error, (CodeIndexError, TimeoutError)):
        import logging

        from codeindex.logs import INDEXER, enable_log_file

        enable_log_file(INDEXER)
        logging.getLogger(__name__).error("a hook failed", exc_info=error)

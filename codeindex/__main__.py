"""`python -m codeindex` and the command `codeindex`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn, TextIO, cast

_HELP = {"-h", "--help"}


def main() -> NoReturn:
    """Run the command line, or a hook, which must neither wait for it nor fail with it."""
    is_heard = _open_streams()
    name, *words = sys.argv[1:] or [""]
    if name == "suggest-context" and "--for-read" in words:
        name, words = "hook", ["pre-read", *words]
    if name == "hook" and _HELP.isdisjoint(words):
        from codeindex.hooks.run import main as run_hook

        run_hook(words)
    if not is_heard:
        sys.stderr.write("codeindex: standard output is closed: open it, or send it elsewhere.\n")
        raise SystemExit(2)
    from codeindex.cli import main as run_command

    try:
        run_command(prog_name="codeindex")
    except SystemExit as ended:
        if name == "serve" and not ended.code:
            _end_at_once()
        raise
    raise SystemExit  # not reached: click ends the process


def _end_at_once() -> None:
    """Exit without freeing memory, which takes .3 s for an index; not while a thread runs."""
    import logging
    import threading

    if [one for one in threading.enumerate() if not one.daemon] == [threading.main_thread()]:
        logging.shutdown()
        sys.stderr.flush()
        os._exit(0)


def _open_streams() -> bool:
    """Open what the caller has closed, on nothing; tell whether standard output was open.

    A file that is opened next would get the number of a closed stream otherwise.
    """
    closed = [handle for handle in (0, 1, 2) if _is_closed(handle)]
    for handle in closed:
        nothing = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if nothing != handle:
            os.dup2(nothing, handle)
            os.close(nothing)
    sys.stdin = sys.stdin or _text(0, "r")
    sys.stdout = sys.stdout or _text(1, "w")
    sys.stderr = sys.stderr or _text(2, "w")
    return 1 not in closed


def _is_closed(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return True
    return False


def _text(handle: int, mode: str) -> TextIO:
    stream = os.fdopen(handle, mode, encoding="utf-8", errors="replace", closefd=False)
    return cast("TextIO", stream)


if __name__ == "__main__":
    main()

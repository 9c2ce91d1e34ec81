"""Entry point of the command `codeindex` and of `python -m codeindex`."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_HELP = {"-h", "--help"}


def main() -> NoReturn:
    """Run the command line.

    Agents' hooks bypass the command-line parser, so that they start fast and never fail. Ctrl-C
    ends the process silently while it starts or exits, since there is nothing to clean up then;
    while a command runs, it raises KeyboardInterrupt.
    """
    _set_interrupt_action(signal.SIG_DFL)
    has_stdout = _open_streams()
    _use_utf8_for_paths()
    name, *words = sys.argv[1:] or [""]
    if name == "suggest-context" and "--for-read" in words:
        name, words = "hook", ["pre-read", *words]
    if name == "hook" and _HELP.isdisjoint(words):
        from codeindex.hooks.run_hook import run_hook

        run_hook(words)
    if not has_stdout:
        sys.stderr.write("codeindex: standard output is closed: open it, or send it elsewhere.\n")
        raise SystemExit(2)
    from codeindex.cli import main as run_command
    from codeindex.cli.interrupts import repeat_hidden_interrupts

    repeat_hidden_interrupts()
    _set_interrupt_action(signal.default_int_handler)
    try:
        run_command(prog_name="codeindex")
    except SystemExit as ended:
        _set_interrupt_action(signal.SIG_DFL)
        if name == "serve" and not ended.code:
            _end_at_once()
        raise
    raise SystemExit  # not reached: click ends the process


def _set_interrupt_action(action: Callable[..., object] | signal.Handlers) -> None:
    """Set what Ctrl-C does, unless the process was started to ignore it, as by `nohup`."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, action)


def _end_at_once() -> None:
    """Exit without freeing memory, which would take 0.3 s.

    Do nothing if other threads still run.
    """
    import logging
    import threading

    if [thread for thread in threading.enumerate() if not thread.daemon] == [
        threading.main_thread()
    ]:
        logging.shutdown()
        sys.stderr.flush()
        os._exit(0)


def _open_streams() -> bool:
    """Open closed standard streams on the null device; return whether standard output was open.

    If a standard stream stayed closed, the next opened file would get its descriptor.
    """
    closed = [handle for handle in (0, 1, 2) if _is_closed(handle)]
    for handle in closed:
        null = os.open(os.devnull, os.O_RDWR)  # gets the lowest free descriptor
        if null != handle:
            os.dup2(null, handle)
            os.close(null)
    sys.stdin = sys.stdin or _text(0, "r")
    sys.stdout = sys.stdout or _text(1, "w")
    sys.stderr = sys.stderr or _text(2, "w")
    return 1 not in closed


def _use_utf8_for_paths() -> None:
    """Start anew in Python's UTF-8 mode if the locale has another encoding, such as Latin-1.

    Git and the index have paths in UTF-8, which Python would open by other names, or not at all.
    """
    if os.name == "posix" and sys.getfilesystemencoding() != "utf-8":
        variables = os.environ | {"PYTHONUTF8": "1"}  # noqa: TID251 (child processes inherit it)
        words = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, words, variables)  # noqa: S606


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

"""Output that is longer than the screen goes through a pager."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from codeindex.config import environment

_LESS = ("less", "-FRX")
_ESCAPES = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\")


def show(lines: Iterable[str], write: Callable[[str], None], *, paged: bool) -> None:
    """Write lines, or give them to a pager where a person would not see the first of them."""
    kept = list(lines)
    command = _pager() if paged and sys.stdout.isatty() and _is_long(kept) else ()
    if not command or not _piped(command, kept):
        for line in kept:
            write(line)


def _is_long(lines: Sequence[str]) -> bool:
    size = shutil.get_terminal_size()
    rows = (max(1, -(-len(_ESCAPES.sub("", one)) // max(1, size.columns))) for one in lines)
    return sum(rows) >= size.lines


def _pager() -> Sequence[str]:
    """Return the pager's command: $PAGER, else less if it is there; nothing for none, or cat."""
    said = environment()
    if said.get("TERM") == "dumb":
        return ()
    if "PAGER" not in said:
        return _LESS if shutil.which("less") else ()
    try:
        command = shlex.split(said["PAGER"])
    except ValueError:
        return ()
    if not command or command == ["cat"] or not shutil.which(command[0]):
        return ()
    return command


def _piped(command: Sequence[str], lines: Sequence[str]) -> bool:
    """Give the lines to a program; False if it does not start."""
    preset = {"LESS": "FRX", "LESSCHARSET": "utf-8"}
    more = {name: text for name, text in preset.items() if name not in environment()}
    with _interrupts_ignored():
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(**more))
        except OSError:
            return False
        with contextlib.suppress(BrokenPipeError):  # who leaves has seen enough
            process.communicate("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        process.wait()
    return True


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Leave Ctrl-C to the pager, which stops a search with it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

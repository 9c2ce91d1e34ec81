"""Send output that is longer than the screen through a pager."""

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
_ESCAPE_SEQUENCES = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\")


def print_paged(lines: Iterable[str], write: Callable[[str], None], *, paged: bool) -> None:
    """Write each line by `write`, or show them all in a pager if they do not fit on the screen.

    The pager is used only with `paged` and on a terminal.
    """
    kept = list(lines)
    command = _pager_command() if paged and sys.stdout.isatty() and _is_long(kept) else ()
    if not command or not _run_pager(command, kept):
        for line in kept:
            write(line)


def _is_long(lines: Sequence[str]) -> bool:
    """Tell whether lines are too many for the screen, if wrapped at the terminal's width."""
    size = shutil.get_terminal_size()
    widths = (len(_ESCAPE_SEQUENCES.sub("", line)) for line in lines)
    return sum(max(1, -(-width // max(1, size.columns))) for width in widths) >= size.lines


def _pager_command() -> Sequence[str]:
    """Return the words of $PAGER, or else less; () for `cat` or a pager that is not installed."""
    variables = environment()
    if variables.get("TERM") == "dumb":
        return ()
    if "PAGER" not in variables:
        return _LESS if shutil.which("less") else ()
    try:
        command = shlex.split(variables["PAGER"])
    except ValueError:
        return ()
    if not command or command == ["cat"] or not shutil.which(command[0]):
        return ()
    return command


def _run_pager(command: Sequence[str], lines: Sequence[str]) -> bool:
    """Show the lines in a pager and wait until it ends; return False if it does not start."""
    defaults = {"LESS": "FRX", "LESSCHARSET": "utf-8"}
    variables = {name: text for name, text in defaults.items() if name not in environment()}
    with _interrupts_ignored():
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(**variables))
        except OSError:
            return False
        with contextlib.suppress(BrokenPipeError):  # the user quit the pager
            process.communicate("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        process.wait()
    return True


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore SIGINT within the `with` block, since Ctrl-C is for the pager."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

"""The command on a terminal of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

COMMAND = [sys.executable, "-P", "-m", "codeindex"]
_ANSWER_SECONDS = 40


def on_terminal(*args: str, cwd: Path, **more: str) -> str:
    """Run the command on a terminal of its own and return all that it wrote there."""
    import pty  # POSIX alone has it

    mine, its = pty.openpty()
    env = os.environ | {"COLUMNS": "120", "TERM": "xterm", "PAGER": "cat"} | more  # noqa: TID251
    process = subprocess.Popen(
        [*COMMAND, *args], cwd=cwd, stdin=its, stdout=its, stderr=its, env=env
    )
    os.close(its)
    written = b""
    while True:
        try:
            part = os.read(mine, 65_536)
        except OSError:  # Linux reports the end of a terminal so
            break
        if not part:
            break
        written += part
    os.close(mine)
    process.wait(timeout=60)
    return written.decode()


class Shell:
    """An interactive shell that is typed into; close it, or use it as a context manager."""

    def __init__(self, command: Sequence[str], *, cwd: Path, path: Path) -> None:
        import pty

        self._mine, its = pty.openpty()
        given = os.environ  # noqa: TID251
        env = {**given, "PATH": f"{path}:{given['PATH']}", "TERM": "xterm", "PS1": "> "}
        self._process = subprocess.Popen(
            command, cwd=cwd, stdin=its, stdout=its, stderr=its, env=env, start_new_session=True
        )
        os.close(its)
        os.set_blocking(self._mine, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(60)
        os.close(self._mine)

    def type(self, text: str, *, until: str) -> str:
        """Type text and return what is shown as soon as `until` is, or after a long time."""
        os.write(self._mine, text.encode())
        shown, end = "", time.monotonic() + _ANSWER_SECONDS
        while until not in shown and time.monotonic() < end:
            try:
                shown += os.read(self._mine, 65_536).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.02)
        return shown

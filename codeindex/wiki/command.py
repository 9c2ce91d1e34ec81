"""A command of the user's that writes text: it reads a prompt and prints an answer."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from codeindex.errors import WikiError

SECONDS = 300.0
"""What a model may take to write a page."""
_MOST_BYTES = 256 * 1024
_MOST_SAID = 4_096
_END_SECONDS = 5.0


def answer_of(words: Sequence[str], prompt: str, *, cwd: Path, seconds: float = SECONDS) -> str:
    """Return what the command prints for a prompt; WikiError if that cannot be an answer.

    It has no terminal, and ends with all that it has started when its time is up.
    """
    try:
        process = subprocess.Popen(
            words,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise WikiError(f"'{words[0]}' cannot be started ({error}): check --wiki-exec.") from error
    with process:
        try:
            return _talk(process, words[0], prompt, seconds)
        finally:
            _end(process)


def _talk(process: subprocess.Popen[bytes], name: str, prompt: str, seconds: float) -> str:
    printed, said = _Reader(process.stdout, _MOST_BYTES), _Reader(process.stderr, _MOST_SAID)
    writing = threading.Thread(target=_write, args=(process.stdin, prompt), daemon=True)
    writing.start()
    printed.join(seconds)
    if printed.is_alive():
        raise WikiError(f"'{name}' took over {seconds:g} s, and was ended.")
    if printed.is_full:
        raise WikiError(f"'{name}' printed more than {_MOST_BYTES // 1024} KB: that is no page.")
    try:
        status = process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        raise WikiError(f"'{name}' did not end after it had closed its output.") from None
    if status:
        said.join(_END_SECONDS)
        why = said.data.decode("utf-8", "replace").strip().partition("\n")[0]
        raise WikiError(f"'{name}' ended with status {status}{f': {why}' if why else ''}.")
    try:
        return printed.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WikiError(f"'{name}' printed what is not UTF-8: that is no page.") from None


class _Reader(threading.Thread):
    """Reads a stream to its end, or until there is more than anybody wants."""

    def __init__(self, stream: IO[bytes] | None, most: int) -> None:
        super().__init__(daemon=True)
        self._stream, self._most = stream, most
        self.data = b""
        self.is_full = False
        self.start()

    def run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self._stream and (piece := os.read(self._stream.fileno(), 65_536)):
                self.data = (self.data + piece)[: self._most]
                self.is_full = self.is_full or len(self.data) == self._most
                if self.is_full and self._most == _MOST_BYTES:
                    return


def _write(stream: IO[bytes] | None, prompt: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # it need not read all
        if stream:
            stream.write(prompt.encode("utf-8", "replace"))
            stream.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command, and what it has started where there are groups of processes."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()

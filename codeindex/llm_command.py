"""A language model as a command of the user's: it reads a prompt and prints an answer."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from codeindex.config import environment
from codeindex.errors import QueryError
from codeindex.redact_query import redact_text
from codeindex.text.sanitize import visible

MOST_CHARACTERS = 100_000
"""Of an answer: nobody reads more, and a command in a loop writes without end."""
_SHOWN = 160
_GARBAGE = 0.05
"""Share of characters that no text has."""
_HAS_GROUPS = hasattr(os, "killpg")
TextGenerator = Callable[[str], str]
"""Takes a prompt and gives what was written; NotWrittenError where that is nothing to show."""


class NotWrittenError(Exception):
    """No answer was written; the message is one clause that says why."""


@dataclass(frozen=True, slots=True)
class LlmCommand:
    """A program and its arguments, without a shell; `seconds` is what it may take."""

    words: tuple[str, ...]
    seconds: float
    cwd: Path | None = None

    def __call__(self, prompt: str) -> str:
        """Return what the program prints for a prompt."""
        process = self._started()
        late = threading.Event()

        def stop() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(self.seconds, stop)
        timer.start()
        try:
            output, errors = _talked(process, prompt)
            status = process.wait()  # until the timer ends it
        finally:
            timer.cancel()
            _end(process)
        if late.is_set():
            raise NotWrittenError(f"`{self.name}` took more than {self.seconds:g} seconds")
        if len(output) > MOST_CHARACTERS:
            raise NotWrittenError(f"`{self.name}` wrote more than {MOST_CHARACTERS:,} characters")
        if status:
            said = next((f": {one}" for one in errors.split("\n") if one.strip()), "")
            told = visible(redact_text(said.strip()))[:_SHOWN]
            raise NotWrittenError(f"`{self.name}` failed with status {status}{told}")
        return output

    @property
    def name(self) -> str:
        """The command as it may be shown: arguments may hold keys."""
        return visible(redact_text(shlex.join(self.words)))[:_SHOWN]

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                self.words,
                cwd=self.cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
                start_new_session=_HAS_GROUPS,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it cannot be run"
            raise NotWrittenError(f"`{self.name}` did not start: {why}") from error


def parse_llm_command(said: str, *, seconds: float) -> LlmCommand:
    """Split a command as a shell would, and run none; QueryError for what is no command."""
    try:
        words = tuple(shlex.split(said))
    except ValueError as error:
        raise QueryError(f"The command for the model cannot be read: {error}.") from error
    if not words:
        raise QueryError("The command for the model is empty: give one, like `ollama run NAME`.")
    if not seconds > 0:
        raise QueryError(f"The model cannot answer in {seconds:g} seconds: give it some.")
    return LlmCommand(words, seconds)


def validate_output(output: str) -> str:
    """Return an answer as it may be shown; NotWrittenError if it is none."""
    text = output.replace("\r\n", "\n").strip()
    if not text:
        raise NotWrittenError("the model wrote nothing")
    odd = sum(one == "\ufffd" or (one < " " and one not in "\n\t\x1b") for one in text)
    if odd > len(text) * _GARBAGE:
        raise NotWrittenError("what the model wrote is no text")
    return redact_text(text)


def _talked(process: subprocess.Popen[bytes], prompt: str) -> tuple[str, str]:
    """Hand over the prompt and read what comes back, up to a limit; then the process is ended."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise NotWrittenError("the command has no pipes")
    found: dict[str, bytes] = {}
    stderr = process.stderr
    feeding = threading.Thread(target=_feed, args=(process.stdin, prompt.encode()), daemon=True)
    grumbling = threading.Thread(
        target=lambda: found.update(errors=_read(stderr, MOST_CHARACTERS)), daemon=True
    )
    feeding.start()
    grumbling.start()
    with process.stdout:
        output = _read(process.stdout, 4 * MOST_CHARACTERS + 4)
    if len(output) > 4 * MOST_CHARACTERS:
        _end(process)
    grumbling.join(_GRACE)
    if grumbling.is_alive():  # something that it has started holds on to its pipes
        _end(process)
        grumbling.join()
    stderr.close()
    said = found.get("errors", b"").decode("utf-8", "replace")
    return output.decode("utf-8", "replace"), said


_GRACE = 2.0
"""Seconds in which a program that has closed its output ends its complaints."""


def _feed(stdin: IO[bytes], data: bytes) -> None:
    try:
        with stdin:
            stdin.write(data)
    except OSError:  # it does not want to read on
        return


def _read(stream: IO[bytes], most: int) -> bytes:
    """Read to the end or to a limit."""
    parts = []
    left = most
    while left > 0 and (part := stream.read1(min(left, 65_536))):  # type: ignore[attr-defined]
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program with what it has started, which may have outlived it."""
    if _HAS_GROUPS:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # nobody is left
            return
    else:
        process.kill()

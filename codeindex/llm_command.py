"""Run a shell command of the user as a language model: prompt on stdin, answer on stdout."""

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
from codeindex.text.sanitize import escape_line

MOST_CHARACTERS = 100_000
"""Most characters of an answer; a command that writes more is ended."""
_SHOWN = 160
_GARBAGE = 0.05
"""Output with a larger share of control and replacement characters is not text."""
_HAS_GROUPS = hasattr(os, "killpg")
TextGenerator = Callable[[str], str]
"""A function from a prompt to the generated text; raises NotWrittenError if there is none."""


class NotWrittenError(Exception):
    """The command gave no usable answer.

    The message is a clause with the reason, not a sentence.
    """


@dataclass(frozen=True, slots=True)
class LlmCommand:
    """A program with arguments, run without a shell for at most `seconds`."""

    words: tuple[str, ...]
    seconds: float
    cwd: Path | None = None

    def __call__(self, prompt: str) -> str:
        """Run the program on a prompt and return its output; raise NotWrittenError if it fails."""
        process = self._start()
        late = threading.Event()

        def stop() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(self.seconds, stop)
        timer.start()
        try:
            output, errors = _communicate(process, prompt)
            status = process.wait()  # the timer kills it after `seconds`
        finally:
            timer.cancel()
            _end(process)
        if late.is_set():
            raise NotWrittenError(f"`{self.name}` took more than {self.seconds:g} seconds")
        if len(output) > MOST_CHARACTERS:
            raise NotWrittenError(f"`{self.name}` wrote more than {MOST_CHARACTERS:,} characters")
        if status:
            line = next((f": {line}" for line in errors.split("\n") if line.strip()), "")
            reason = escape_line(redact_text(line.strip()))[:_SHOWN]
            raise NotWrittenError(f"`{self.name}` failed with status {status}{reason}")
        return output

    @property
    def name(self) -> str:
        """The command line for messages, redacted since arguments may be secret keys."""
        return escape_line(redact_text(shlex.join(self.words)))[:_SHOWN]

    def _start(self) -> subprocess.Popen[bytes]:
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


def parse_llm_command(text: str, *, seconds: float) -> LlmCommand:
    """Split a command line as a shell would; raise QueryError if it is empty or invalid."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise QueryError(f"The command for the model cannot be read: {error}.") from error
    if not words:
        raise QueryError("The command for the model is empty: give one, like `ollama run NAME`.")
    if not seconds > 0:
        raise QueryError(f"The model cannot answer in {seconds:g} seconds: give it some.")
    return LlmCommand(words, seconds)


def validate_output(output: str) -> str:
    """Return a model's output, redacted; raise NotWrittenError if it is empty or not text."""
    text = output.replace("\r\n", "\n").strip()
    if not text:
        raise NotWrittenError("the model wrote nothing")
    odd = sum(char == "\ufffd" or (char < " " and char not in "\n\t\x1b") for char in text)
    if odd > len(text) * _GARBAGE:
        raise NotWrittenError("the output of the model is not text")
    return redact_text(text)


def _communicate(process: subprocess.Popen[bytes], prompt: str) -> tuple[str, str]:
    """Send the prompt to a process; return its truncated output and error output."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise NotWrittenError("the command has no pipes")
    captured: dict[str, bytes] = {}
    stderr = process.stderr
    stdin_writer = threading.Thread(
        target=_feed, args=(process.stdin, prompt.encode()), daemon=True
    )
    stderr_reader = threading.Thread(
        target=lambda: captured.update(errors=_read(stderr, MOST_CHARACTERS)), daemon=True
    )
    stdin_writer.start()
    stderr_reader.start()
    with process.stdout:
        output = _read(process.stdout, 4 * MOST_CHARACTERS + 4)
    if len(output) > 4 * MOST_CHARACTERS:
        _end(process)
    stderr_reader.join(_GRACE)
    if stderr_reader.is_alive():  # a child of the process keeps the pipe open
        _end(process)
        stderr_reader.join()
    stderr.close()
    errors = captured.get("errors", b"").decode("utf-8", "replace")
    return output.decode("utf-8", "replace"), errors


_GRACE = 2.0
"""Seconds to wait for standard error after standard output was closed."""


def _feed(stdin: IO[bytes], data: bytes) -> None:
    try:
        with stdin:
            stdin.write(data)
    except OSError:  # the program has closed its input
        return


def _read(stream: IO[bytes], most: int) -> bytes:
    """Return the bytes of a stream until its end, at most `most`."""
    parts = []
    left = most
    while left > 0 and (part := stream.read1(min(left, 65_536))):  # type: ignore[attr-defined]
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and the processes that it started."""
    if _HAS_GROUPS:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # all processes have ended
            return
    else:
        process.kill()

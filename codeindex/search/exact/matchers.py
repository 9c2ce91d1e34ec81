"""Match lines: plain texts in this process, regular expressions in a child that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from codeindex.child_process.deadlines import DEADLINES
from codeindex.config import environment
from codeindex.errors import QueryError
from codeindex.search.exact.pattern import LinePattern
from codeindex.search.exact.scan import MatchSpan, compile_pattern, matching_lines, pattern_spans

MOST_SECONDS = 10.0
"""Time limit of one query. A pattern without literals takes 3 s for terraform's 24 MB on a busy
machine, and nobody waits longer than the limit for an answer."""
_GRACE = 2
"""Seconds after its deadline at which a child that was not killed ends itself."""
_AT_ONCE = 1_000_000
"""Characters that are sent to the child in one request."""
_CHILD = "codeindex.search.exact.matcher_child"


class TextBlock(NamedTuple):
    """Consecutive lines of the file with the id `file`; `first` is the number of the first line."""

    file: int
    first: int
    text: str


class _HasText(Protocol):
    """An object with a `text`; `text_batches` adds up the lengths of the texts."""

    @property
    def text(self) -> str: ...


_Text = TypeVar("_Text", bound=_HasText)


class Matcher(Protocol):
    """Finds matching lines in texts, and the spans of matches in lines."""

    def lines(self, texts: Iterable[TextBlock]) -> Iterator[tuple[TextBlock, list[int]]]: ...
    def spans(self, lines: Sequence[str]) -> list[list[MatchSpan]]: ...


class InProcessMatcher:
    """Matches in this process; for literals, whose time grows linearly with the text."""

    def __init__(self, patterns: Sequence[LinePattern]) -> None:
        self._patterns = [
            compile_pattern(pattern.source, ignore_case=pattern.ignore_case, alone=pattern.alone)
            for pattern in patterns
        ]

    def lines(self, texts: Iterable[TextBlock]) -> Iterator[tuple[TextBlock, list[int]]]:
        """Yield (text, indexes of its matching lines, from 0) for each text that has such lines."""
        for file_text in texts:
            if line_numbers := matching_lines(file_text.text, self._patterns):
                yield file_text, line_numbers

    def spans(self, lines: Sequence[str]) -> list[list[MatchSpan]]:
        """Return the (start, end) columns of the matches in each line."""
        return [pattern_spans(line, self._patterns) for line in lines]


class MatcherProcess:
    """A child process that matches texts, one request at a time, until it is closed."""

    def __init__(self, module: str = _CHILD) -> None:
        self._process = subprocess.Popen(
            # -P: never import from the current folder, which may be somebody else's code
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            start_new_session=True,
        )

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, request: dict[str, Any], texts: Sequence[str], *, until: float) -> list[Any]:
        """Send a request with texts to the child, and return its reply for each text.

        Raise QueryError if the child dies or has not replied by `until` (`time.monotonic`).
        """
        replies, is_late = self.exchange(request, texts, until=until)
        if replies is None:
            raise QueryError(_too_slow() if is_late else _ended())
        return replies

    def exchange(
        self, request: dict[str, Any], texts: Sequence[str], *, until: float
    ) -> tuple[list[Any] | None, bool]:
        """Send a request with texts to the child; return (replies, flag).

        There is a reply for each text; None if the child has died or was killed for being late. The
        flag is true if the time limit `until` (`time.monotonic`) has passed.
        """
        data = [encoded.encode() for encoded in texts]
        left = until - time.monotonic()
        if left <= 0:  # a deadline that has passed would race with the reply
            self._process.kill()
            return None, True
        request = {
            **request,
            "sizes": [len(encoded) for encoded in data],
            "seconds": int(left) + _GRACE,
        }
        line = json.dumps(request).encode()
        with DEADLINES.kill_after(left, self._process) as deadline:
            reply = self._send(b"".join((line, b"\n", *data)))
        return json.loads(reply) if reply.endswith(b"\n") else None, deadline.is_late

    def _send(self, request: bytes) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        try:
            if stdin is None or stdout is None:
                return b""
            stdin.write(request)
            stdin.flush()
            return stdout.readline()
        except OSError:  # the pipe broke, because the child is gone
            return b""


class MatcherPool:
    """Keeps idle matcher processes for the next search; safe to share between threads."""

    def __init__(self, module: str = _CHILD) -> None:
        self._module = module
        self._idle: list[MatcherProcess] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def matching(self, patterns: Sequence[LinePattern]) -> ChildMatcher:
        return ChildMatcher(self, patterns)

    def take(self) -> MatcherProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return MatcherProcess(self._module)

    def give(self, child: MatcherProcess) -> None:
        with self._lock:
            self._idle.append(child)


class ChildMatcher:
    """Matches in a child process from a pool; a context manager.

    On exit, the child returns to the pool or, after an error, is killed.
    """

    def __init__(self, children: MatcherPool, patterns: Sequence[LinePattern]) -> None:
        self._children = children
        self._patterns = [
            (pattern.source, pattern.ignore_case, pattern.alone) for pattern in patterns
        ]
        self._until = 0.0

    def __enter__(self) -> Self:
        self._child = self._children.take()
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is None:
            self._children.give(self._child)
        else:
            self._child.close()

    def lines(self, texts: Iterable[TextBlock]) -> Iterator[tuple[TextBlock, list[int]]]:
        """Yield (text, indexes of its matching lines, from 0) for each text that has such lines."""
        for some in text_batches(texts, _AT_ONCE):
            line_numbers = self._ask_child([file_text.text for file_text in some], spans=False)
            yield from (
                (file_text, lines)
                for file_text, lines in zip(some, line_numbers, strict=True)
                if lines
            )

    def spans(self, lines: Sequence[str]) -> list[list[MatchSpan]]:
        """Return the (start, end) columns of the matches in each line."""
        replies = self._ask_child(lines, spans=True)
        return [[(start, end) for start, end in line_spans] for line_spans in replies]

    def _ask_child(self, texts: Sequence[str], *, spans: bool) -> list[Any]:
        self._until = self._until or time.monotonic() + MOST_SECONDS  # starts with the first text
        request = {"patterns": self._patterns, "spans": spans}
        return self._child.ask(request, texts, until=self._until)


def text_batches(texts: Iterable[_Text], characters: int) -> Iterator[list[_Text]]:
    """Group texts into lists that have at least `characters` characters in total.

    The last list may be smaller.
    """
    batch: list[_Text] = []
    size = 0
    for item in texts:
        batch.append(item)
        size += len(item.text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _too_slow() -> str:
    return (
        f"The pattern takes over {MOST_SECONDS:g} s: avoid nested repetitions such as `(a+)+`, make"
        " the pattern more specific, or search fewer paths."
    )


def _ended() -> str:
    return "The matching process has ended: the pattern may take too much memory. Try again."

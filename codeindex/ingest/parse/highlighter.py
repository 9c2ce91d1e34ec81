"""Compute the syntax colours of texts in a child process, for terminal and web page."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Sequence

from codeindex.child_process.deadlines import DEADLINES
from codeindex.child_process.start import start_module

LineStyles = Sequence[tuple[int, int, str]]
"""The coloured spans of a line: (start column, end column, colour name)."""
_TIMEOUT_SECONDS = 4.0
"""How long to wait for the child, which answers within a second unless it hangs."""
_MAX_CHARACTERS = 60_000
"""Most characters of a text to highlight: a hostile longer text can take gigabytes."""


class SyntaxHighlighter:
    """A child process that computes the syntax colours of texts."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._child = start_module("codeindex.ingest.parse.syntax_child", "")

    def close(self) -> None:
        """Kill the child process."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def style_texts(self, texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]]:
        """Return, for each (language, text), the coloured spans of each line.

        If the child process fails, the list for each text is empty.
        """
        styles = self._request([(language, text[:_MAX_CHARACTERS]) for language, text in texts])
        return styles if len(styles) == len(texts) else [[] for _ in texts]

    def _request(self, texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]]:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            return []
        try:
            with DEADLINES.kill_after(_TIMEOUT_SECONDS, child):
                child.stdin.write(json.dumps(texts).encode() + b"\n")
                child.stdin.flush()
                answer = child.stdout.readline()
            return list(json.loads(answer)) if answer else []
        except (OSError, ValueError):
            return []

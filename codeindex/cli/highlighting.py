"""Compute syntax colours of printed code in a child process, which starts before the search."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from codeindex.child_process.start import start_module
from codeindex.cli.options import When
from codeindex.config import environment

if TYPE_CHECKING:
    from codeindex.types import Hit

LineStyles = Sequence[tuple[int, int, str]]
"""The coloured spans of a line: (start column, end column, colour name)."""
HitStyles = Mapping[tuple[str, str, int], LineStyles]
"""The coloured spans of lines by repository, path and line number."""
_CONTEXT_KEY = f"{__name__}.highlighter"
_TIMEOUT_SECONDS = 4.0
"""How long to wait for the child, which answers within a second unless it hangs."""
_MAX_CHARACTERS = 60_000
"""Most characters of a text to highlight: a hostile longer text can take gigabytes."""


def is_coloured(when: When) -> bool:
    """Return whether to print colours; with `auto`, on a terminal unless NO_COLOR is set."""
    if when == "auto":
        variables = environment()
        is_dumb = variables.get("NO_COLOR") or variables.get("TERM") == "dumb"
        return sys.stdout.isatty() and not is_dumb
    return when == "always"


class SyntaxHighlighter:
    """A child process that computes the colours of some texts."""

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
        """Return for each (language, text) the spans of its lines; no spans if the child fails."""
        styles = self._request([(language, text[:_MAX_CHARACTERS]) for language, text in texts])
        return styles if len(styles) == len(texts) else [[] for _ in texts]

    def _request(self, texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]]:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            return []
        timer = threading.Timer(_TIMEOUT_SECONDS, child.kill)
        timer.start()
        try:
            child.stdin.write(json.dumps(texts).encode() + b"\n")
            child.stdin.flush()
            answer = child.stdout.readline()
            return list(json.loads(answer)) if answer else []
        except (OSError, ValueError):
            return []
        finally:
            timer.cancel()


def start_highlighter(when: When) -> None:
    """Start the child process if colours are to be printed; it ends with the command."""
    if is_coloured(when):
        context = click.get_current_context()
        highlighter = context.meta[_CONTEXT_KEY] = SyntaxHighlighter()
        context.call_on_close(highlighter.close)


def highlight_source_texts(texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]] | None:
    """Return for each (language, text) the spans of its lines; None if no child was started."""
    highlighter = click.get_current_context().meta.get(_CONTEXT_KEY)
    return highlighter.style_texts(texts) if isinstance(highlighter, SyntaxHighlighter) else None


def highlight_hits(hits: Sequence[Hit]) -> HitStyles:
    """Return the spans of the lines of fully shown hits; empty if no child was started."""
    full = [hit for hit in hits if hit.shown == "full"]
    styles = highlight_source_texts([(hit.language, hit.text) for hit in full]) if full else None
    return {
        (hit.repo, hit.path, hit.start_line + offset): line_styles
        for hit, lines in zip(full, styles or (), strict=styles is not None)
        for offset, line_styles in enumerate(lines)
        if line_styles
    }

"""Syntax colours for printed code, computed by a child process that starts beside the search."""

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
"""(start column, end column, colour name) of a line."""
HitStyles = Mapping[tuple[str, str, int], LineStyles]
"""Styles by repository, path and line number."""
_CONTEXT_KEY = f"{__name__}.highlighter"
_TIMEOUT_SECONDS = 4.0
"""The child starts in 0.2 s while the search runs; one that takes much longer hangs."""
_MAX_CHARACTERS = 60_000
"""Characters of a text to highlight; some grammars take gigabytes for longer hostile texts."""


def is_coloured(when: When) -> bool:
    """Return whether to print colours; `auto` means on a terminal without NO_COLOR."""
    if when == "auto":
        variables = environment()
        is_dumb = variables.get("NO_COLOR") or variables.get("TERM") == "dumb"
        return sys.stdout.isatty() and not is_dumb
    return when == "always"


class SyntaxHighlighter:
    """A child process that answers one request."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._child = start_module("codeindex.ingest.parse.syntax_child", "")

    def close(self) -> None:
        """Kill the child."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def style_texts(self, texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]]:
        """Return the styles of each line of each (language, text); no styles if the child fails."""
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
    """Start the child for this command if colours are wanted; it ends with the command."""
    if is_coloured(when):
        context = click.get_current_context()
        highlighter = context.meta[_CONTEXT_KEY] = SyntaxHighlighter()
        context.call_on_close(highlighter.close)


def highlight_source_texts(texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]] | None:
    """Return the styles of each line of each (language, text); None without a highlighter."""
    highlighter = click.get_current_context().meta.get(_CONTEXT_KEY)
    return highlighter.style_texts(texts) if isinstance(highlighter, SyntaxHighlighter) else None


def highlight_hits(hits: Sequence[Hit]) -> HitStyles:
    """Return the styles of the lines of fully shown hits; empty without a highlighter."""
    full = [hit for hit in hits if hit.shown == "full"]
    styles = highlight_source_texts([(hit.language, hit.text) for hit in full]) if full else None
    return {
        (hit.repo, hit.path, hit.start_line + offset): line_styles
        for hit, lines in zip(full, styles or (), strict=styles is not None)
        for offset, line_styles in enumerate(lines)
        if line_styles
    }

"""Syntax colours of what a search shows, by a child process that starts beside the search."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import click

from codeindex.config import environment

if TYPE_CHECKING:
    import subprocess

    from codeindex.types import Hit

When = Literal["auto", "always", "never"]
Lines = Mapping[tuple[str, str, int], Sequence[tuple[int, int, str]]]
"""What has a look of its own, by repository, path and line."""
Rows = list[list[tuple[int, int, str]]]
"""What has a look of its own, line by line."""
_KEY = f"{__name__}.painter"
_MOST_SECONDS = 4.0
"""A child starts in 0.2 s, beside the search; one that hangs is not waited for."""
_MOST_LETTERS = 60_000
"""Of one text: some grammars take gigabytes for hostile ones that are longer."""


def in_colour(when: When) -> bool:
    """Tell whether colours are wanted: on a terminal, unless NO_COLOR is set."""
    if when == "auto":
        said = environment()
        return sys.stdout.isatty() and not said.get("NO_COLOR") and said.get("TERM") != "dumb"
    return when == "always"


class Painter:
    """A child that is asked once."""

    def __init__(self) -> None:
        from codeindex.child_process.start import start_module

        self._child: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._child = start_module("codeindex.ingest.parse.syntax_child", "")

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def lines(self, hits: Sequence[Hit]) -> Lines:
        """Return the looks of the lines of these hits; none if the child fails or is late."""
        whole = [one for one in hits if one.shown == "full"]
        found = self.looks([(one.language, one.text) for one in whole]) if whole else []
        return {
            (hit.repo, hit.path, hit.start_line + at): spans
            for hit, rows in zip(whole, found, strict=True)
            for at, spans in enumerate(rows)
            if spans
        }

    def looks(self, texts: Sequence[tuple[str, str]]) -> list[Rows]:
        """Return the looks of the lines of each text, which comes with its language."""
        short = [(language, text[:_MOST_LETTERS]) for language, text in texts]
        found = self._asked(short)
        return found if len(found) == len(texts) else [[] for _ in texts]

    def _asked(self, texts: Sequence[tuple[str, str]]) -> list[Rows]:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            return []
        timer = threading.Timer(_MOST_SECONDS, child.kill)
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


def begin(when: When) -> None:
    """Start the child while the search is under way, if colours are wanted."""
    context = click.get_current_context()
    if in_colour(when):
        painter = context.meta[_KEY] = Painter()
        context.call_on_close(painter.close)


def painted(hits: Sequence[Hit]) -> Lines:
    """Return the looks of what is shown, if somebody has begun."""
    painter = click.get_current_context().meta.get(_KEY)
    return painter.lines(hits) if isinstance(painter, Painter) else {}


def looks_of(texts: Sequence[tuple[str, str]]) -> list[Rows] | None:
    """Return the looks of texts with their languages; None if colours are not wanted."""
    painter = click.get_current_context().meta.get(_KEY)
    return painter.looks(texts) if isinstance(painter, Painter) else None

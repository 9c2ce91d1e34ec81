"""Compute syntax colours for printed code in a child process, started before the search."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from codeindex.cli.options import When
from codeindex.config import environment
from codeindex.ingest.parse.highlighter import LineStyles, SyntaxHighlighter

if TYPE_CHECKING:
    from codeindex.types import Hit

HitStyles = Mapping[tuple[str, str, int], LineStyles]
"""The coloured spans of lines by repository, path and line number."""
_CONTEXT_KEY = f"{__name__}.highlighter"


def is_coloured(when: When) -> bool:
    """Tell whether to print colours; `auto` means on a terminal, unless NO_COLOR is set."""
    if when == "auto":
        variables = environment()
        is_dumb = variables.get("NO_COLOR") or variables.get("TERM") == "dumb"
        return sys.stdout.isatty() and not is_dumb
    return when == "always"


def start_highlighter(when: When) -> None:
    """Start the process that computes colours, if any are printed; it ends with the command."""
    if is_coloured(when):
        context = click.get_current_context()
        highlighter = context.meta[_CONTEXT_KEY] = SyntaxHighlighter()
        context.call_on_close(highlighter.close)


def highlight_source_texts(texts: Sequence[tuple[str, str]]) -> list[Sequence[LineStyles]] | None:
    """Return the coloured spans of each line for each (language, text); None without colours."""
    highlighter = click.get_current_context().meta.get(_CONTEXT_KEY)
    return highlighter.style_texts(texts) if isinstance(highlighter, SyntaxHighlighter) else None


def highlight_hits(hits: Sequence[Hit]) -> HitStyles:
    """Return the coloured spans in the lines of hits that are shown in full; {} without colours."""
    full = [hit for hit in hits if hit.shown == "full"]
    styles = highlight_source_texts([(hit.language, hit.text) for hit in full]) if full else None
    return {
        (hit.repo, hit.path, hit.start_line + offset): line_styles
        for hit, lines in zip(full, styles or (), strict=styles is not None)
        for offset, line_styles in enumerate(lines)
        if line_styles
    }

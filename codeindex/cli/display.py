"""Derive from options and the terminal how to display search results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from codeindex.cli.highlighting import is_coloured
from codeindex.cli.hyperlinks import format_link, link_prefix
from codeindex.cli.search_options import SearchOptions
from codeindex.formatting import DisplayOptions


def display_options(options: SearchOptions, roots: Mapping[str, Path]) -> DisplayOptions:
    """Return how to display results; `roots` maps names of repositories to their folders."""
    is_terminal = sys.stdout.isatty()
    prefix = link_prefix(options.hyperlink)
    return DisplayOptions(
        roots=roots,
        here=Path.cwd(),
        terminal=is_terminal,
        heading=is_terminal if options.heading is None else options.heading,
        colour=is_coloured(options.color),
        link=partial(format_link, prefix) if prefix else None,
        null=options.null,
        content=options.content or bool(options.budget),
        only_matching=options.only_matching,
        explain=options.explain,
        before=max(options.before_context, options.context),
        after=max(options.after_context, options.context),
    )

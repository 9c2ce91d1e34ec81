"""Derive from options and the terminal how to display search results, and link to their lines."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

from codeindex.cli.highlighting import is_coloured
from codeindex.cli.options import When
from codeindex.cli.search_options import SearchOptions
from codeindex.config import environment
from codeindex.formatting import DisplayOptions

_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Tabby", "rio", "WarpTerminal"})
_TERMS = re.compile(r"xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm|rio")
_VARIABLES = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM")
_MIN_VTE_VERSION = 5000
"""Version 0.50 of the VTE library: terminals such as GNOME Terminal and Tilix open links."""
_EDITOR_PREFIXES = {"cursor": "cursor://file", "vscode": "vscode://file"}


def display_options(options: SearchOptions, roots: Mapping[str, Path]) -> DisplayOptions:
    """Return how to display results; `roots` maps names of repositories to their folders."""
    is_terminal = sys.stdout.isatty()
    prefix = _link_prefix(options.hyperlink)
    return DisplayOptions(
        roots=roots,
        here=Path.cwd(),
        terminal=is_terminal,
        heading=not options.vimgrep
        and (is_terminal if options.heading is None else options.heading),
        colour=is_coloured(options.color),
        link=partial(format_link, prefix) if prefix else None,
        null=options.null,
        vimgrep=options.vimgrep,
        content=options.content or bool(options.budget),
        only_matching=options.only_matching,
        explain=options.explain,
        before=max(options.before_context, options.context),
        after=max(options.after_context, options.context),
    )


def _link_prefix(when: When) -> str | None:
    """Return the start of link addresses, like `vscode://file`; None if links are not printed."""
    variables = environment()
    is_auto = when == "auto" and sys.stdout.isatty() and supports_hyperlinks(variables)
    if when != "always" and not is_auto:
        return None
    if variables.get("TERM_PROGRAM") == "vscode":
        return _EDITOR_PREFIXES["cursor" if variables.get("CURSOR_TRACE_ID") else "vscode"]
    return f"file://{quote(socket.gethostname())}"


def supports_hyperlinks(variables: Mapping[str, str]) -> bool:
    """Tell whether the terminal with these environment variables is known to open links.

    False within tmux and screen, which may drop links. FORCE_HYPERLINK overrides every rule.
    """
    forced = variables.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced != "0"
    if variables.get("NO_COLOR") or variables.get("TMUX") or variables.get("STY"):
        return False
    if any(variables.get(name) for name in _VARIABLES):
        return True
    if variables.get("TERM_PROGRAM") in _PROGRAMS:
        return True
    version = variables.get("VTE_VERSION", "")
    is_recent_vte = version.isdecimal() and int(version) >= _MIN_VTE_VERSION
    return is_recent_vte or bool(_TERMS.match(variables.get("TERM", "")))


def format_link(prefix: str, path: Path, line: int) -> str:
    """Return the link to a line of a file, quoted so that it cannot end an escape sequence."""
    separator = "#" if prefix.startswith("file:") else ":"
    posix = path.as_posix()
    return f"{prefix}{quote(posix if posix.startswith('/') else f'/{posix}')}{separator}{line}"

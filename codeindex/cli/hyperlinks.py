"""Links to places, for terminals that open them (OSC 8)."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from codeindex.config import environment

When = Literal["auto", "always", "never"]
_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Tabby", "rio", "WarpTerminal"})
_TERMS = re.compile(r"xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm|rio")
_VARIABLES = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM")
_LEAST_VTE = 5000
"""GNOME Terminal, Tilix and others of its library know links since 0.50."""
_EDITORS = {"cursor": "cursor://file", "vscode": "vscode://file"}


def prefix(when: When) -> str | None:
    """Return what links begin with, before a path and its line; None for no links."""
    said = environment()
    wanted = when == "always" or (when == "auto" and sys.stdout.isatty() and knows_links(said))
    if not wanted:
        return None
    if said.get("TERM_PROGRAM") == "vscode":
        return _EDITORS["cursor" if said.get("CURSOR_TRACE_ID") else "vscode"]
    import socket

    return f"file://{quote(socket.gethostname())}"


def knows_links(said: Mapping[str, str]) -> bool:
    """Tell whether the terminal of an environment is known to open links.

    A multiplexer (tmux, screen) may drop them and does not say. FORCE_HYPERLINK answers for all.
    """
    forced = said.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced != "0"
    if said.get("NO_COLOR") or said.get("TMUX") or said.get("STY"):
        return False
    if any(said.get(name) for name in _VARIABLES) or said.get("TERM_PROGRAM") in _PROGRAMS:
        return True
    vte = said.get("VTE_VERSION", "")
    newer = vte.isdecimal() and int(vte) >= _LEAST_VTE
    return newer or bool(_TERMS.match(said.get("TERM", "")))


def address(prefix: str, path: Path, line: int) -> str:
    """Return the link to a line, in which no name of a file can end it or command a terminal."""
    mark = "#" if prefix.startswith("file:") else ":"
    posix = path.as_posix()
    return f"{prefix}{quote(posix if posix.startswith('/') else f'/{posix}')}{mark}{line}"

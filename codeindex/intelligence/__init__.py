"""All questions that can be asked: methods of `Index`.

Searching is one; those that the structure of code answers are each one tool: its signature is what
the command line and the MCP server take, its docstring their help, its result a `Report`.
"""

from __future__ import annotations

from codeindex.intelligence.change import Change
from codeindex.intelligence.editing import Editing
from codeindex.intelligence.files import Files
from codeindex.intelligence.measures import Measures
from codeindex.intelligence.searching import Searching
from codeindex.intelligence.symbols import Symbols
from codeindex.intelligence.tools import PARAMETERS, TOOLS

__all__ = ["PARAMETERS", "TOOLS", "Intelligence"]


class Intelligence(Searching, Symbols, Files, Change, Editing, Measures):
    """All that `Index` answers."""

"""All questions that can be asked: methods of `Index`.

Searching is one; those that the structure of code answers are each one tool: its signature is what
the command line and the MCP server take, its docstring their help, its result a `Report`.
"""

from __future__ import annotations

from codeindex.intelligence.asking import checked_limit
from codeindex.intelligence.change import Change
from codeindex.intelligence.compound import Compound
from codeindex.intelligence.editing import Editing
from codeindex.intelligence.evaluating import Evaluating
from codeindex.intelligence.keeping import Keeping
from codeindex.intelligence.measures import Measures
from codeindex.intelligence.overviews import Overviews
from codeindex.intelligence.review import Review
from codeindex.intelligence.tools import PARAMETERS, TOOLS
from codeindex.intelligence.upgrading import Upgrading
from codeindex.intelligence.wiki_writing import WikiWriting

__all__ = ["PARAMETERS", "TOOLS", "Intelligence", "checked_limit"]


class Intelligence(
    Compound,
    Change,
    Editing,
    Evaluating,
    Keeping,
    Measures,
    Overviews,
    Review,
    Upgrading,
    WikiWriting,
):
    """All that `Index` answers."""

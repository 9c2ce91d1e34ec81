"""All questions that can be asked: methods of `Index`.

Searching is one; those that the structure of code answers are each one tool: its signature is what
the command line and the MCP server take, its docstring their help, its result a `Report`.
"""

from __future__ import annotations

from codeindex.api.change import Change
from codeindex.api.compound import Compound
from codeindex.api.editing import Editing
from codeindex.api.evaluating import Evaluating
from codeindex.api.keeping import Keeping
from codeindex.api.measures import Measures
from codeindex.api.overviews import Overviews
from codeindex.api.review import Review
from codeindex.api.upgrading import Upgrading
from codeindex.api.wiki_writing import WikiWriting


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

"""Requests of the tools that the server answers itself, and the parameters that tools share.

Texts have no limits here: each of several subjects is checked for itself, when it is asked.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal

from codeindex.api.requests import Request, Text
from codeindex.api.requests.answers import ROUNDS
from codeindex.types import TestScope

SEARCH_BUDGET = 1_000
"""Tokens of an answer by default: an answer of so many names a right file for all dev
queries, as one of 2,000 does (`tests/benchmarks/agent.py`)."""
EXPLORE_BUDGET = 2_000
"""Tokens of an answer by default: the text of two or three functions, and links."""

RepositoryScope = dict[str, Any]
"""`{"type": "repo", "repo": …}`, `{"type": "repos", "repos": […]}` or `{"type": "all"}`."""
Repo = Annotated[str, Text.PROSE, "A repository's name; the first if none."]
Path = Annotated[str, Text.PROSE, "A file or folder, relative to the root."]
Query = Annotated[str, Text.PROSE, "What to find."]
Queries = Annotated[tuple[str, ...], Text.PROSE, "What to find."]
Language = Annotated[str, Text.PROSE, "Only this language."]
Module = Annotated[str, Text.PROSE, "Only this module and what is in it."]
Member = Annotated[str, Text.PROSE, "A member of the workspace."]
Cursor = Annotated[str, Text.PROSE, "From the answer before, for more."]
IncludeTests = Annotated[TestScope, "Whether tests are searched, or listed."]
Limit = Annotated[int, "Most results."]
Budget = Annotated[int, "Most tokens of the answer."]
MinScore = Annotated[float, "Leave out results below, 0 to 1."]
Sync = Annotated[bool, "First read all that changed, however much."]
Compact = Annotated[bool, "Rows in place of objects."]
OptionalScope = Annotated[RepositoryScope | None, "What of it."]


@dataclass(frozen=True, slots=True)
class SharedRequest(Request):
    """The parameters that every tool of a capability takes besides its own."""

    _: KW_ONLY
    repo: Repo = ""
    compact: Compact = False
    member: Member = ""


@dataclass(frozen=True, slots=True)
class ExploreCodeRequest(Request):
    """Answer a question about the code in one call: start here.

    Takes a question, a task or an issue's text. Shows the code that answers, its callers, what it
    calls and its tests.
    """

    query: Queries
    _: KW_ONLY
    path: Path = ""
    budget: Budget = EXPLORE_BUDGET
    repo: Repo = ""


@dataclass(frozen=True, slots=True)
class SearchCodeRequest(Request):
    """Find code by what it does, described in words, when you do not know its names.

    Lists the best places, then their code. Modes `exact` and `regex` (Python's) list every line
    that matches, under its file and function.
    """

    query: Queries
    _: KW_ONLY
    mode: Annotated[
        Literal["meaning", "exact", "regex"], "How to look, or what to find."
    ] = "meaning"
    path: Path = ""
    language: Language = ""
    include_tests: IncludeTests = "include"
    limit: Annotated[int | None, "Most results."] = None
    budget: Budget = SEARCH_BUDGET
    cursor: Cursor = ""
    repo: Repo = ""
    scope: OptionalScope = None
    module: Module = ""
    min_score: MinScore = 0.0
    member: Member = ""
    sync: Sync = False
    compact: Compact = False
    vector: Annotated[tuple[float, ...], "The query as the index's model sees it."] = ()

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
    mode: Annotated[Literal["meaning", "exact", "regex"], "How to look, or what to find."] = (
        "meaning"
    )
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


@dataclass(frozen=True, slots=True)
class CodeSearchRequest(Request):
    """Find code by what it does: `search_code` with snippets alone."""

    query: Query
    _: KW_ONLY
    language: Language = ""
    path: Path = ""
    limit: Limit = 10
    sync: Sync = False


@dataclass(frozen=True, slots=True)
class FindSymbolRequest(Request):
    """Find symbols by a name or part of one, and what is linked with them.

    Modes: `definition`; `callers`, `callees`, `implementers`, `tests` of a symbol; `impact` of
    changing it; `context`: what else to read or change with a symbol or file; `flow`: calls from
    "A -> B"; `signature`: "Cart -> Price"; `type_uses`; `imports` of a file; `similar` to a.py:10;
    `unused` below a folder; what else a `diff` needs (HEAD, old..new).
    """

    names: Annotated[
        tuple[str, ...],
        Text.PROSE,
        "What to look for, one or several: `name`, `Owner.name`, `path::name`, or as the mode"
        " says.",
    ]
    _: KW_ONLY
    mode: Annotated[
        Literal[
            "definition",
            "callers",
            "callees",
            "implementers",
            "tests",
            "impact",
            "context",
            "flow",
            "signature",
            "type_uses",
            "imports",
            "similar",
            "unused",
            "diff",
        ],
        "How to look, or what to find.",
    ] = "definition"
    path: Path = ""
    include_tests: IncludeTests = "include"
    limit: Limit = 20
    repo: Repo = ""


@dataclass(frozen=True, slots=True)
class SummarizeCodeRequest(Request):
    """Summarize files, folders or symbols without their code: what they declare, import and use.

    Without `paths`: the folders of the repository.
    """

    paths: Annotated[tuple[str, ...], Text.PROSE, "Files, relative to the root."] = ()
    _: KW_ONLY
    repo: Repo = ""


@dataclass(frozen=True, slots=True)
class ReadCodeRequest(Request):
    """Read code: symbols by name (`Cart.add`, `shop/cart.py::add`), files, or lines (`a.py:10-40`).

    Any number at once. A name leads to the definition with a body. Secrets are taken out.
    """

    places: Annotated[
        tuple[str, ...],
        Text.PROSE,
        "Any of `name`, `Owner.name`, `path::name`, `path`, `path:10-40`.",
    ]
    _: KW_ONLY
    repo: Repo = ""


@dataclass(frozen=True, slots=True)
class SimilarCodeRequest(Request):
    """Find code that is like the code at PLACE, before you write it again or change one of many."""

    place: Annotated[str, Text.PROSE, "PATH:LINE."]
    _: KW_ONLY
    path: Path = ""
    language: Language = ""
    include_tests: IncludeTests = "include"
    limit: Limit = 10
    budget: Budget = SEARCH_BUDGET
    cursor: Cursor = ""
    repo: Repo = ""
    module: Module = ""
    member: Member = ""
    compact: Compact = False


@dataclass(frozen=True, slots=True)
class AskCodeRequest(Request):
    """Answer a question about the code in sentences that each cite file and lines.

    Put together from definitions, documents and the graph; nothing is made up. With `sample` your
    client's model writes it from that evidence, and what the evidence does not bear out is marked.
    """

    query: Query
    _: KW_ONLY
    repo: Repo = ""
    scope: OptionalScope = None
    limit: Limit = 5
    path: Path = ""
    min_score: MinScore = 0.0
    sample: Annotated[bool, "Have your client's model write the answer."] = False
    agentic: Annotated[int, ROUNDS] = 0


@dataclass(frozen=True, slots=True)
class OpenFileRequest(Request):
    """Open lines of a file of REPO by its relative path; secrets are taken out."""

    repo: Repo
    path: Path
    _: KW_ONLY
    start_line: Annotated[int, "First line to read, counted from 1."] = 0
    end_line: Annotated[int, "Last line to read; 0 for the end."] = 0


@dataclass(frozen=True, slots=True)
class ServedStatusRequest(Request):
    """Say which repositories are served and how far and how freshly they are indexed."""

    _: KW_ONLY
    repo: Repo = ""


@dataclass(frozen=True, slots=True)
class HookContextRequest(Request):
    """Tell what else to know before reading the file PATH; nothing that was shown before.

    The answer has the form in which hooks pass context on.
    """

    path: Path
    _: KW_ONLY
    repo: Repo = ""
    limit: Limit = 5


@dataclass(frozen=True, slots=True)
class HookInvalidationRequest(Request):
    """Bring a change of the file PATH into the index now."""

    path: Path
    _: KW_ONLY
    repo: Repo = ""

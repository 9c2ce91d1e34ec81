"""Define the requests of tools that do not run one method of `Index`, and shared parameters.

Texts have no length limit here: each of several subjects is checked when it is searched.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal

from codeindex.api.requests import Request, TextKind
from codeindex.api.requests.answers import ROUNDS_HELP
from codeindex.types import TestScope

SEARCH_BUDGET = 1_000
"""Default budget of a search. For all dev queries, answers of this size name a right file, as do
answers of 2,000 tokens
(`tests/benchmarks/agent.py`)."""
LINES_BUDGET = 2_000
"""Default budget of a search for lines, which ends when all are told: of the 104 lists that agents
asked for in thirty tasks, all but 3 fit."""
EXPLORE_BUDGET = 3_500
"""Default budget of `explore_code`. Of the lines that the answers of the sixth round of tasks cite
(agents.md), .33 are shown, with 2,500 tokens .28: 23 further lines for each further 1,000 tokens,
where the calls that followed had 14."""

RepositoryScope = dict[str, Any]
"""`{"type": "repo", "repo": …}`, `{"type": "repos", "repos": […]}` or `{"type": "all"}`."""
_Repo = Annotated[str, TextKind.PROSE, "A repository's name; the first if none."]
_Path = Annotated[str, TextKind.PROSE, "A file or folder."]
_Paths = Annotated[tuple[str, ...], TextKind.PROSE, "Files or folders."]
_Query = Annotated[str, TextKind.PROSE, "What to find."]
_Queries = Annotated[tuple[str, ...], TextKind.PROSE, "What to find."]
_Language = Annotated[str, TextKind.PROSE, "Only this language."]
_Module = Annotated[str, TextKind.PROSE, "Only this module and what is in it."]
_Member = Annotated[str, TextKind.PROSE, "A member of the workspace."]
_Cursor = Annotated[str, TextKind.PROSE, "The last answer's cursor."]
_IncludeTests = Annotated[TestScope, "Whether tests count."]
_Limit = Annotated[int, "Most results."]
_Budget = Annotated[int, "Most tokens."]
_MinScore = Annotated[float, "Leave out results below this score, 0 to 1."]
_Sync = Annotated[bool, "First index all changes, however many."]
_Compact = Annotated[bool, "Rows in place of objects."]
_OptionalScope = Annotated[RepositoryScope | None, "What of it."]


@dataclass(frozen=True, slots=True)
class SharedRequest(Request):
    """The parameters that each tool for a method of `Index` takes besides those of the method."""

    _: KW_ONLY
    repo: _Repo = ""
    compact: _Compact = False
    member: _Member = ""


@dataclass(frozen=True, slots=True)
class ExploreCodeRequest(Request):
    """Answer a question about the code in one call: start here.

    Takes a question, task or issue's text. Shows the code that answers, its callers, what it
    calls and its tests.
    """

    query: _Queries
    _: KW_ONLY
    path: _Paths = ()
    budget: _Budget = EXPLORE_BUDGET
    repo: _Repo = ""
    member: _Member = ""


@dataclass(frozen=True, slots=True)
class SearchCodeRequest(Request):
    """Find lines by a text or pattern, like grep, or code by its meaning.

    Modes `exact`, `regex` (Python's) and `ast` (`f($A, $$$B)`) list every match with its function;
    `meaning` needs no names.
    """

    query: _Queries
    _: KW_ONLY
    mode: Annotated[Literal["meaning", "exact", "regex", "ast"], "How."] = "meaning"
    path: _Paths = ()
    language: _Language = ""
    include_tests: _IncludeTests = "include"
    around: Annotated[int, "Lines around each match, and conditions."] = 0
    limit: Annotated[int | None, "Most results."] = None
    budget: Annotated[int | None, "Most tokens."] = None
    cursor: _Cursor = ""
    repo: _Repo = ""
    scope: _OptionalScope = None
    module: _Module = ""
    min_score: _MinScore = 0.0
    member: _Member = ""
    sync: _Sync = False
    compact: _Compact = False
    vector: Annotated[tuple[float, ...], "The query embedded by the index's model."] = ()


@dataclass(frozen=True, slots=True)
class CodeSearchRequest(Request):
    """Find code by what it does: `search_code` with snippets alone."""

    query: _Query
    _: KW_ONLY
    language: _Language = ""
    path: _Path = ""
    limit: _Limit = 10
    sync: _Sync = False


@dataclass(frozen=True, slots=True)
class FindSymbolRequest(Request):
    """Find symbols by a name or part of one, and what relates to them.

    Modes: `definition`; `callers`, `callees`, `implementers`, `tests` of a symbol; `impact` of
    changing it; `context`: what else to read or change with it; `flow`: calls from
    "A -> B"; `signature`: "Cart -> Price"; `type_uses`; `imports` of a file; `similar` to a.py:10;
    `unused` below a folder; what else a `diff` needs (HEAD, old..new).
    """

    names: Annotated[
        tuple[str, ...],
        TextKind.PROSE,
        "`name`, `Owner.name`, `path::name`, or as the mode says.",
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
        "What.",
    ] = "definition"
    path: _Paths = ()
    include_tests: _IncludeTests = "include"
    limit: Annotated[int | None, "Most results."] = None
    repo: _Repo = ""
    member: _Member = ""


@dataclass(frozen=True, slots=True)
class SummarizeCodeRequest(Request):
    """Summarize files, folders or symbols without their code: their types and functions.

    Without `paths`: the repository's folders.
    """

    paths: Annotated[tuple[str, ...], TextKind.PROSE, "Files, folders or symbols."] = ()
    _: KW_ONLY
    repo: _Repo = ""


@dataclass(frozen=True, slots=True)
class ReadCodeRequest(Request):
    """Read code: symbols (`Cart.add`, `shop/cart.py::add`), files, or lines (`a.py:10-40`).

    Several at once. A name leads to the definition with a body. With `about`, of long code what
    concerns it and its conditions. Secrets are taken out.
    """

    places: Annotated[
        tuple[str, ...],
        TextKind.PROSE,
        "Names, paths or lines.",
    ]
    _: KW_ONLY
    about: Annotated[str, TextKind.PROSE, "What to look for in it."] = ""
    repo: _Repo = ""


@dataclass(frozen=True, slots=True)
class BatchCodeRequest(Request):
    """Several requests of these tools in one call.

    Each is a tool with its arguments: `{"tool": "read_code", "places": ["a.py"]}`.
    """

    requests: Annotated[tuple[dict[str, Any], ...], "In order."]


@dataclass(frozen=True, slots=True)
class SimilarCodeRequest(Request):
    """Find code similar to the code at PLACE, before you write it again or change one of many."""

    place: Annotated[str, TextKind.PROSE, "PATH:LINE."]
    _: KW_ONLY
    path: _Path = ""
    language: _Language = ""
    include_tests: _IncludeTests = "include"
    limit: _Limit = 10
    budget: _Budget = SEARCH_BUDGET
    cursor: _Cursor = ""
    repo: _Repo = ""
    module: _Module = ""
    member: _Member = ""
    compact: _Compact = False


@dataclass(frozen=True, slots=True)
class AskCodeRequest(Request):
    """Answer a question about the code in sentences that each cite file and lines.

    Taken from definitions, documents and the graph; nothing is made up. With `sample` your
    client's model writes it from that evidence, and claims without evidence are marked.
    """

    query: _Query
    _: KW_ONLY
    repo: _Repo = ""
    scope: _OptionalScope = None
    limit: _Limit = 5
    path: _Path = ""
    member: _Member = ""
    min_score: _MinScore = 0.0
    sample: Annotated[bool, "Have your client's model write the answer."] = False
    agentic: Annotated[int, ROUNDS_HELP] = 0


@dataclass(frozen=True, slots=True)
class OpenFileRequest(Request):
    """Open lines of a file of REPO by its relative path; secrets are taken out."""

    repo: _Repo
    path: _Path
    _: KW_ONLY
    start_line: Annotated[int, "First line to read, counted from 1."] = 0
    end_line: Annotated[int, "Last line to read; 0 for the end."] = 0


@dataclass(frozen=True, slots=True)
class ServedStatusRequest(Request):
    """List the repositories that are served, and how far and how freshly each is indexed."""

    _: KW_ONLY
    repo: _Repo = ""


@dataclass(frozen=True, slots=True)
class HookContextRequest(Request):
    """List what else to know before reading the file PATH, except what was shown before.

    The answer has the form in which hooks pass context on.
    """

    path: _Path
    _: KW_ONLY
    repo: _Repo = ""
    limit: _Limit = 5


@dataclass(frozen=True, slots=True)
class HookInvalidationRequest(Request):
    """Index a change of the file PATH now."""

    path: _Path
    _: KW_ONLY
    repo: _Repo = ""

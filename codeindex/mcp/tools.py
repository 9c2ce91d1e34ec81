"""The tools: what each is called, takes, gives, and what an agent is told of it."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from codeindex.errors import ForbiddenError, QueryError
from codeindex.index import Index
from codeindex.intelligence import TOOLS as METHODS
from codeindex.mcp.arguments import checked, input_schema, parameters
from codeindex.mcp.ask_code import ask_code
from codeindex.mcp.bounded import bounded
from codeindex.mcp.editing import invalidate_file, suggest_context
from codeindex.mcp.open_file import open_file
from codeindex.mcp.search_code import code_search, search_code
from codeindex.mcp.served import Served
from codeindex.mcp.session import Session, note_read
from codeindex.mcp.shape import output_schema
from codeindex.mcp.similar import similar
from codeindex.mcp.status import status
from codeindex.mcp.terse import terse
from codeindex.mcp.wiki import is_wiki, remembering
from codeindex.metrics.record import note

Run = Callable[[Served, Session, dict[str, Any]], Mapping[str, Any]]
_HIDDEN = frozenset({"compact", "member"})
"""Taken by all, and told of in the instructions once instead of with every tool."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool; `run` gives plain values of the shape of `output`, and raises CodeIndexError."""

    name: str
    description: str
    taken: Mapping[str, inspect.Parameter]
    run: Run
    answered: Callable[..., Any]
    """The method or function whose annotation says what `run` gives."""
    default: bool = False
    """Listed without being asked for."""
    writes: bool = False
    adds: bool = False
    """Called twice, it writes twice."""

    @property
    def output(self) -> dict[str, Any]:
        return output_schema(self.answered)

    @property
    def input(self) -> dict[str, Any]:
        return input_schema(self.taken, hidden=_HIDDEN)

    def call(self, served: Served, session: Session, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer; QueryError for what does not fit, ForbiddenError where nobody may write."""
        if self.writes and served.access.read_only:
            raise ForbiddenError(
                f"{self.name} writes, and this server is read-only: start it with --token-file, or"
                " with --allow-write."
            )
        return self.run(served, session, checked(self.taken, given))


@contextmanager
def _noted(tool: Tool) -> Iterator[None]:
    """Note for `codeindex metrics` how long a call takes, and if it fails."""
    started, failed = time.monotonic(), True
    try:
        yield
        failed = False
    finally:
        milliseconds = round((time.monotonic() - started) * 1000, 1)
        note("tool", tool=tool.name, latency_ms=milliseconds, error=failed)


def answered(
    served: Served, session: Session, tool: Tool, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Run a tool, and say so where its answer rests on half an index."""
    is_whole = False
    try:
        with _noted(tool), served.naming_causes():
            found = tool.call(served, session, given)
        sent = bounded({**_caveats(served, given), **found})
        is_whole = sent.get("left_out") == found.get("left_out")
        return sent
    finally:
        session.sent(whole=is_whole)


def _caveats(served: Served, given: Mapping[str, Any]) -> dict[str, str]:
    """Return what an answer does not rest on, as a field of it."""
    repo = given.get("repo")
    asked = [served.index(repo)] if repo else served.indexes()
    said = " ".join(filter(None, map(served.caveat, asked)))
    return {"note": said} if said else {}


def _shared(*, repo: str = "", compact: bool = False, member: str = "") -> None:
    """Carry the parameters that every tool of a method takes beside its own."""


def _of_method(name: str, method: str) -> Tool:
    """Make the tool of a method of `Index`."""
    call = getattr(Index, method)
    taken = {**parameters(call), **inspect.signature(_shared).parameters}
    is_told_whole = is_wiki(name) or name in _WRITING  # what became of pages is no list of code

    def run(served: Served, session: Session, given: dict[str, Any]) -> Mapping[str, Any]:
        index, asked = served.index(given.pop("repo", "")), dict(given)
        compact = given.pop("compact", False)
        if member := given.pop("member", ""):
            _narrow(given, served.member_path(index.repository.name, member), taken)
        report = getattr(index, method)(**given)
        repo = index.repository.name
        sections = getattr(report, "sections", ())
        if sections:
            note_read(session, repo, report.file)
        for section in sections:
            session.note_shown(repo, section.file or report.file, section.lines)
        if not compact:
            answer = report.as_dict()
            return answer if is_told_whole else terse(answer, asked)
        header, rows = report.columns()
        return {"columns": list(header), "rows": [list(row) for row in rows]}

    return Tool(name, inspect.getdoc(call) or "", taken, run, call, writes=name in _WRITING)


def _narrow(given: dict[str, Any], folder: str, taken: Mapping[str, inspect.Parameter]) -> None:
    """Look into one folder, if a tool looks into folders."""
    if "path" not in taken or given.get("path"):
        raise QueryError("`member` stands for a folder: it cannot be used here, or beside `path`.")
    given["path"] = folder


def _of_function(
    name: str,
    call: Callable[..., Mapping[str, Any]],
    *,
    default: bool = False,
    writes: bool = False,
) -> Tool:
    """Make the tool of a function that takes what is served and the session first."""
    own = list(inspect.signature(call).parameters.items())[2:]

    def run(served: Served, session: Session, given: dict[str, Any]) -> Mapping[str, Any]:
        return call(served, session, **given)

    text = inspect.getdoc(call) or ""
    return Tool(name, text, dict(own), run, call, default=default, writes=writes)


_BESIDE = (
    "context",
    "explain_search",
    "export_graph",
    "find",
    "for_diff",
    "guides",
    "impact",
    "modules",
    "patterns",
    "read",
    "summarize",
    "unused",
    "why_not",
)
"""Methods that are tools under their own names."""
_OWN = {"suggest_context", "invalidate_file"}
"""Tools with a form of their own, since hooks call them."""
_ADDING = {"wiki_compound", "wiki_record_failure"}


def _is_plain(name: str) -> bool:
    return name not in _OWN and not is_wiki(name)


def _of_wiki(name: str, method: str) -> Tool:
    return replace(remembering(_of_method(name, method)), adds=name in _ADDING)


_WRITING = {"regenerate_index"}
_DEFAULT = {"find", "summarize", "read"}
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        _of_function("search_code", search_code, default=True),
        *(replace(_of_method(name, name), default=name in _DEFAULT) for name in _BESIDE),
        *(_of_method(name, method) for name, method in METHODS.items() if _is_plain(name)),
        *(_of_wiki(name, method) for name, method in METHODS.items() if is_wiki(name)),
        _of_function("suggest_context", suggest_context),
        _of_function("invalidate_file", invalidate_file, writes=True),
        _of_function("similar", similar),
        _of_function("code_search", code_search),
        _of_function("ask_code", ask_code),
        _of_function("open_file", open_file),
        _of_function("status", status),
    )
}
"""Every tool by its name; all can be called, the default ones are listed first."""
_TOOL_OF = {method: name for name, method in METHODS.items()}


def tool_called(name: str) -> Tool:
    """Return a tool by its name, or by that of its method or command; QueryError offers others."""
    plain = name.replace("-", "_")
    found = TOOLS.get(plain) or TOOLS.get(_TOOL_OF.get(plain, ""))
    if found is None:
        near = get_close_matches(plain, [*TOOLS, *_TOOL_OF], n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else "see tools/list."
        raise QueryError(f"There is no tool {name!r}: {meant}")
    return found

"""The tools: what each is called, takes, gives, and what an agent is told of it."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from codeindex.api.index import Index
from codeindex.api.tools import TOOLS as METHODS
from codeindex.errors import ForbiddenError, QueryError
from codeindex.mcp.arguments import checked, input_schema, parameters
from codeindex.mcp.ask_code import ask_code
from codeindex.mcp.editing import invalidate_file, suggest_context
from codeindex.mcp.explore_code import explore_code
from codeindex.mcp.find_symbol import find_symbol
from codeindex.mcp.json_schema import output_schema
from codeindex.mcp.open_file import open_file
from codeindex.mcp.output_limits import as_json, bounded, bounded_text
from codeindex.mcp.read_code import read_code
from codeindex.mcp.reply import DataReply, Reply, ReportReply
from codeindex.mcp.repositories import Served
from codeindex.mcp.search_code import code_search, search_code
from codeindex.mcp.session import Session, note_sections
from codeindex.mcp.similar import similar
from codeindex.mcp.status import status
from codeindex.mcp.summarize_code import summarize_code
from codeindex.mcp.wiki import is_wiki, remembering
from codeindex.metrics.record import record_event
from codeindex.text.sanitize import visible

Run = Callable[[Served, Session, dict[str, Any]], Reply[Any]]
_HIDDEN = frozenset({"compact", "member", "min_score", "module", "scope", "sync", "vector"})
"""Parameters that are taken, but not listed: programs know them, agents do not need them."""
_TOLD_ONCE = _HIDDEN | {"repo"}
"""Parameters that the default tools do not list: the server's instructions name `repo` once."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool; `run` returns its answer, and raises CodeIndexError."""

    name: str
    description: str
    taken: Mapping[str, inspect.Parameter]
    run: Run
    answered: Callable[..., Any]
    """The method or function whose annotation says what `run` gives as data."""
    default: bool = False
    """Listed without being asked for."""
    writes: bool = False
    adds: bool = False
    """Called twice, it writes twice."""

    @property
    def output(self) -> dict[str, Any]:
        """The JSON schema of what the tool answers as data."""
        return output_schema(self.answered)

    @property
    def input(self) -> dict[str, Any]:
        """The JSON schema of what the tool takes, without what only programs use."""
        return input_schema(self.taken, hidden=_TOLD_ONCE if self.default else _HIDDEN)

    def call(self, served: Served, session: Session, given: Mapping[str, Any]) -> Reply[Any]:
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
        record_event("tool", tool=tool.name, latency_ms=milliseconds, error=failed)


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer as it is sent: text, and the data that it is written from if they are sent too."""

    text: str
    data: dict[str, Any] | None = None


def answered(served: Served, session: Session, tool: Tool, given: Mapping[str, Any]) -> Sent:
    """Run a tool, and say so where its answer does not rest on the whole tree.

    What was cut for its size counts as not shown to the session.
    """
    is_whole = False
    try:
        with _noted(tool), served.naming_causes():
            found = tool.call(served, session, given)
            caveat = _caveat(served, given)
            if session.sent_as == "text":
                text, is_whole = bounded_text(found.text())
                return Sent(f"note: {visible(caveat)}\n{text}" if caveat else text)
            data = found.data()
        sent = bounded({**({"note": caveat} if caveat else {}), **data})
        is_whole = sent.get("left_out") == data.get("left_out")
        return Sent(as_json(sent), sent)
    finally:
        session.sent(whole=is_whole)


def _caveat(served: Served, given: Mapping[str, Any]) -> str:
    """Return what an answer does not rest on, in sentences."""
    repo = given.get("repo")
    asked = [served.index(repo)] if repo else served.indexes()
    return " ".join(filter(None, map(served.caveat, asked)))


def _shared(*, repo: str = "", compact: bool = False, member: str = "") -> None:
    """Carry the parameters that every tool of a method takes beside its own."""


def _of_method(name: str, method: str) -> Tool:
    """Make the tool of a method of `Index`."""
    call = getattr(Index, method)
    taken = {**parameters(call), **inspect.signature(_shared).parameters}
    is_told_whole = is_wiki(name) or name in _WRITING  # what became of pages is no list of code

    def run(served: Served, session: Session, given: dict[str, Any]) -> Reply[Any]:
        index, asked = served.index(given.pop("repo", "")), dict(given)
        compact = given.pop("compact", False)
        if member := given.pop("member", ""):
            _narrow(given, served.member_path(index.repository.name, member), taken)
        report = getattr(index, method)(**given)
        note_sections(session, index.repository.name, report)
        return ReportReply(report, asked, compact=compact, whole=is_told_whole)

    return Tool(name, inspect.getdoc(call) or "", taken, run, call, writes=name in _WRITING)


def _narrow(given: dict[str, Any], folder: str, taken: Mapping[str, inspect.Parameter]) -> None:
    """Look into one folder, if a tool looks into folders."""
    if "path" not in taken or given.get("path"):
        raise QueryError("`member` stands for a folder: it cannot be used here, or beside `path`.")
    given["path"] = folder


def _of_function(
    name: str,
    call: Callable[..., Any],
    *,
    default: bool = False,
    writes: bool = False,
) -> Tool:
    """Make the tool of a function that takes what is served and the session first."""
    own = list(inspect.signature(call).parameters.items())[2:]

    def run(served: Served, session: Session, given: dict[str, Any]) -> Reply[Any]:
        found = call(served, session, **given)
        return DataReply(found) if isinstance(found, Mapping) else found

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
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        _of_function("explore_code", explore_code, default=True),
        _of_function("search_code", search_code, default=True),
        _of_function("find_symbol", find_symbol, default=True),
        _of_function("summarize_code", summarize_code, default=True),
        _of_function("read_code", read_code, default=True),
        *(_of_method(name, name) for name in _BESIDE),
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

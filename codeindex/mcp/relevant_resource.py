"""Write the resource `codeindex://relevant`: related files not shown in a session yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codeindex.analysis.change.related_files import RelationReason
from codeindex.api.index import Index
from codeindex.errors import CodeIndexError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.text.sanitize import escape_line
from codeindex.types import Hit

_QUERIES, _FILES = 3, 3
"""How many of the newest queries and files of a session are searched for related code."""
_RESULTS_EACH, _MAX_RESULTS = 5, 15
_VERBS = {
    "imports": "is imported by",
    "imported_by": "imports",
    "uses": "is used by",
    "used_by": "uses",
    "mentioned_by": "mentions",
    "shares": "uses the same as",
    "named_alike": "is named like",
    "same_folder": "is beside",
    "changes_with": "changes with",
}
"""What a listed file does to a file that was shown, by kind of reason."""


@dataclass(slots=True)
class _Candidate:
    """A file to suggest, with its reasons.

    `score` is the sum of 1 / (1 + age + rank) over the lists that contain the file. Both count from
    0: the age from the newest query or file, the rank from the best unseen file of the list.
    """

    score: float = 0.0
    reasons: dict[str, None] = field(default_factory=dict)


def relevant_text(server: RepositoryServer, session: AgentSession) -> str:
    """Return a Markdown list of files related to the session's newest queries and files.

    Files that were shown before are left out. A file comes first if it is related to several
    queries or files, or ranks high for a new one.
    """
    index = server.index()
    shown = session.files(index.repository.name)
    candidates: dict[str, _Candidate] = {}
    for age, related in _related_lists(index, session, shown):
        unseen = [(path, reason) for path, reason in related if path not in shown]
        for rank, (path, reason) in enumerate(unseen):
            candidate = candidates.setdefault(path, _Candidate())
            candidate.score += 1 / (1 + age + rank)
            candidate.reasons[reason] = None
    if not candidates and not (shown or any(map(str.strip, session.queries()))):
        return "Nothing was asked or read in this session yet.\n"
    if not candidates:
        return "No other file is related to what was asked and read in this session.\n"
    ordered = sorted(candidates.items(), key=lambda item: -item[1].score)
    lines = (
        f"- `{escape_line(path)}`: {escape_line('; '.join(candidate.reasons))}"
        for path, candidate in ordered[:_MAX_RESULTS]
    )
    return "\n".join(["# Likely relevant", "", *lines, ""])


def _related_lists(
    index: Index, session: AgentSession, shown: Sequence[str]
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield (age, [(path, reason)]) for each of the session's newest queries and files.

    The age is 0 for the newest; each list has the best path first. Invalid queries, queries with a
    weak answer, and deleted files are left out. `shown` are the files that the agent has seen,
    newest first.
    """
    for age, query in enumerate(session.queries()[:_QUERIES]):
        try:
            answer = index.search(query, limit=_RESULTS_EACH)
        except CodeIndexError:
            continue
        hits = answer.hits if answer.confidence != "weak" else ()
        best = {hit.path: hit for hit in reversed(hits)}
        paths = dict.fromkeys(hit.path for hit in hits)
        yield age, [(path, f"{_name(best[path])} (asked: {query})") for path in paths]
    for age, path in enumerate(shown[:_FILES]):
        try:
            items = index.changes.context(path, limit=_RESULTS_EACH).items
        except CodeIndexError:
            continue
        yield age, [(item.file, f"{_kinds(item.reasons)} {path}") for item in items]


def _name(hit: Hit) -> str:
    return hit.symbol or hit.heading_path or hit.kind


def _kinds(reasons: Sequence[RelationReason]) -> str:
    """Return the kinds of reasons in words, each once, like `tests, is beside`."""
    kinds = dict.fromkeys(reason.kind for reason in reasons)
    return ", ".join(_VERBS.get(kind, kind) for kind in kinds)

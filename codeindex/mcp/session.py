"""What one client was shown and did: so that it is not told twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from codeindex.files.digest import line_digests
from codeindex.metrics.record import record_event
from codeindex.types import AgentFormat, LineSpan

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_MOST = 500
"""Files, and as many queries, that are remembered."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class AgentSession:
    """One conversation's memory; safe to share between threads."""

    def __init__(self, sent_as: AgentFormat = "json") -> None:
        self.sent_as: AgentFormat = sent_as
        """The form in which this client is sent answers."""
        self._lock = threading.Lock()
        self._answer = threading.local()
        self._shown: OrderedDict[tuple[str, str], list[LineSpan]] = OrderedDict()
        self._suggested: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._queries: OrderedDict[str, None] = OrderedDict()
        self._pages: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note_query(self, query: str) -> None:
        with self._lock:
            _put(self._queries, query, None)

    def note_shown(self, repo: str, path: str, lines: Iterable[tuple[int, str]]) -> None:
        """Remember numbered lines that the answer of this thread shows, once it is `sent`."""
        spans = [
            LineSpan(path, start, start + len(texts) - 1, repo, line_digests(texts))
            for start, texts in _runs(lines)
        ]
        self._answer.shown = [*getattr(self._answer, "shown", ()), *spans]

    def sent(self, *, whole: bool) -> None:
        """Take in what the answer that this thread has made shows; of a cut one, nothing."""
        spans, self._answer.shown = getattr(self._answer, "shown", ()), []
        for span in spans if whole else ():
            with self._lock:
                known = self._shown.get((span.repo, span.path), [])
                others = [one for one in known if one[1:3] != span[1:3]]
                _put(self._shown, (span.repo, span.path), [*others, span])

    def note_named(self, repo: str, path: str) -> None:
        """Remember a file that was spoken of, though none of it was shown."""
        with self._lock:
            _put(self._shown, (repo, path), self._shown.get((repo, path), []))

    def note_suggested(self, repo: str, path: str) -> None:
        """Remember a file that an answer led to."""
        with self._lock:
            _put(self._suggested, (repo, path), None)

    def was_suggested(self, repo: str, path: str) -> bool:
        """Tell whether an answer has led to a file."""
        with self._lock:
            return (repo, path) in self._suggested

    def note_page(self, repo: str, page: str, version: str) -> None:
        """Remember which version of a page of the wiki was shown or written."""
        with self._lock:
            _put(self._pages, (repo, page), version)

    def version_of(self, repo: str, page: str) -> str:
        """Return the version of a page that was seen last, '' for none."""
        with self._lock:
            return self._pages.get((repo, page), "")

    def queries(self) -> list[str]:
        """Return what was asked, newest first."""
        with self._lock:
            return list(reversed(self._queries))

    def files(self, repo: str) -> list[str]:
        """Return the files that were shown or spoken of, newest first."""
        with self._lock:
            return [path for name, path in reversed(self._shown) if name == repo]

    def seen(self) -> tuple[LineSpan, ...]:
        """Return the lines that were shown."""
        with self._lock:
            return tuple(span for spans in self._shown.values() for span in spans)


def note_read(session: AgentSession, repo: str, file: str) -> None:
    """Note for `codeindex metrics` that a file was read, and if an answer had led to it."""
    record_event("file_read", repo=repo, file=file, was_suggested=session.was_suggested(repo, file))


def note_sections(session: AgentSession, repo: str, report: object) -> None:
    """Remember the lines that a report has read, if it is one of source code."""
    from codeindex.analysis.outline.source import SourceSections

    if not isinstance(report, SourceSections):
        return
    note_read(session, repo, report.file)
    for section in report.sections:
        session.note_shown(repo, section.file or report.file, section.lines)


def _runs(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the texts of lines that follow each other, with the number of the first."""
    start, texts = 0, list[str]()
    for number, text in lines:
        if texts and number != start + len(texts):
            yield start, texts
            texts = []
        if not texts:
            start = number
        texts.append(text)
    if texts:
        yield start, texts


def _put(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _MOST:
        kept.popitem(last=False)


class SessionRegistry:
    """The sessions of all clients of one server."""

    def __init__(self, sent_as: AgentFormat = "json") -> None:
        self._sent_as: AgentFormat = sent_as
        self._lock = threading.Lock()
        self._known: OrderedDict[str, AgentSession] = OrderedDict()

    def of(self, key: str | None) -> AgentSession:
        """Return the session of a key; a new one for None, which is no key."""
        if key is None:
            return AgentSession(self._sent_as)
        with self._lock:
            session = self._known.get(key) or AgentSession(self._sent_as)
            _put(self._known, key, session)
            return session


def session_key(context: ServerRequestContext[Any, Any]) -> str | None:
    """Return what tells one client's requests from another's; None where nothing does.

    Over standard input and output there is one client.
    """
    if context.request is None:
        return ""
    found: str | None = context.request.headers.get("mcp-session-id")
    return found

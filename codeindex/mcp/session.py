"""Keep what was shown in a client's session, so that nothing is sent twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from codeindex.analysis.outline.source_sections import SourceSections
from codeindex.files.digest import line_digests
from codeindex.metrics.record import record_event
from codeindex.types import AgentFormat, LineSpan

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_MAX_ENTRIES = 500
"""Most entries of each memory: files, queries, wiki pages, sessions."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class AgentSession:
    """The queries of one client session, and the files and lines shown in it; thread-safe."""

    def __init__(self, sent_as: AgentFormat = "json") -> None:
        self.sent_as: AgentFormat = sent_as
        """The form in which this client gets answers: `text` or `json`."""
        self._lock = threading.Lock()
        self._pending = threading.local()
        self._shown: OrderedDict[tuple[str, str], list[LineSpan]] = OrderedDict()
        self._suggested: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._unread: OrderedDict[tuple[str, ...], None] = OrderedDict()
        self._queries: OrderedDict[str, None] = OrderedDict()
        self._pages: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note_query(self, query: str) -> None:
        with self._lock:
            _remember(self._queries, query, None)

    def note_shown(self, repo: str, path: str, lines: Iterable[tuple[int, str]]) -> None:
        """Note the lines, each (number, text), that this thread's answer is going to show.

        They count as shown once `commit` stores them.
        """
        spans = [
            LineSpan(path, start, start + len(texts) - 1, repo, line_digests(texts))
            for start, texts in _line_runs(lines)
        ]
        self._pending.shown = [*getattr(self._pending, "shown", ()), *spans]

    def note_unread(self, repo: str, paths: Sequence[str]) -> bool:
        """Note that this thread's answer names files which are not read completely.

        Return whether it or an earlier answer named just these. They count as named in later
        answers once `commit` stores them.
        """
        key, noted = (repo, *paths), getattr(self._pending, "unread", ())
        self._pending.unread = [*noted, key]
        with self._lock:
            return key in noted or key in self._unread

    def commit(self, *, whole: bool) -> None:
        """Record the lines and unread files noted for this thread's answer as shown and named.

        If the answer was not sent as a `whole`, drop them instead.
        """
        spans, self._pending.shown = getattr(self._pending, "shown", ()), []
        unread, self._pending.unread = getattr(self._pending, "unread", ()), []
        if not whole:
            return
        with self._lock:
            for span in spans:
                known = self._shown.get((span.repo, span.path), [])
                others = [other for other in known if other[1:3] != span[1:3]]
                _remember(self._shown, (span.repo, span.path), [*others, span])
            for key in unread:
                _remember(self._unread, key, None)

    def note_named(self, repo: str, path: str) -> None:
        """Note a file that an answer names without showing its lines."""
        with self._lock:
            _remember(self._shown, (repo, path), self._shown.get((repo, path), []))

    def note_suggested(self, repo: str, path: str) -> None:
        """Note a file that an answer recommends to read."""
        with self._lock:
            _remember(self._suggested, (repo, path), None)

    def was_suggested(self, repo: str, path: str) -> bool:
        """Tell whether an earlier answer recommended a file."""
        with self._lock:
            return (repo, path) in self._suggested

    def note_page(self, repo: str, page: str, version: str) -> None:
        """Note the version of a wiki page that was shown or written."""
        with self._lock:
            _remember(self._pages, (repo, page), version)

    def page_version(self, repo: str, page: str) -> str:
        """Return the version of a wiki page when it was last shown or written; '' if never."""
        with self._lock:
            return self._pages.get((repo, page), "")

    def queries(self) -> list[str]:
        """Return the queries of the session, newest first."""
        with self._lock:
            return list(reversed(self._queries))

    def files(self, repo: str) -> list[str]:
        """Return the files that were shown or named, newest first."""
        with self._lock:
            return [path for name, path in reversed(self._shown) if name == repo]

    def shown_lines(self) -> tuple[LineSpan, ...]:
        """Return the lines that earlier answers have shown, and those noted for this answer."""
        with self._lock:
            shown = [span for spans in self._shown.values() for span in spans]
        return (*shown, *getattr(self._pending, "shown", ()))


def note_read(session: AgentSession, repo: str, file: str) -> None:
    """Record for `codeindex metrics` that a file was read, and whether an answer suggested it."""
    record_event("file_read", repo=repo, file=file, was_suggested=session.was_suggested(repo, file))


def note_sections(session: AgentSession, repo: str, report: object) -> None:
    """Note in the session the source lines that a report shows.

    Reports other than `SourceSections` show none.
    """
    if not isinstance(report, SourceSections):
        return
    note_read(session, repo, report.file)
    for section in report.sections:
        session.note_shown(repo, section.file or report.file, section.lines)


def _line_runs(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the first line, texts) for each run of consecutive lines.

    `lines` are (number, text).
    """
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


def _remember(entries: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    """Store an entry as the newest; drop the oldest entries if there are too many."""
    entries[key] = value
    entries.move_to_end(key)
    while len(entries) > _MAX_ENTRIES:
        entries.popitem(last=False)


class SessionRegistry:
    """The sessions of all clients of a server, by key; thread-safe."""

    def __init__(self, sent_as: AgentFormat = "json") -> None:
        self._sent_as: AgentFormat = sent_as
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, AgentSession] = OrderedDict()

    def get(self, key: str | None) -> AgentSession:
        """Return the session for a key, a new one if the key is new.

        For the key None, return a new session and do not keep it.
        """
        if key is None:
            return AgentSession(self._sent_as)
        with self._lock:
            session = self._sessions.get(key) or AgentSession(self._sent_as)
            _remember(self._sessions, key, session)
            return session


def session_key(context: ServerRequestContext[Any, Any]) -> str | None:
    """Return the key of the session to which a request belongs.

    Over HTTP, it is the header `mcp-session-id`, None without one. Over standard input and output,
    it is '', since there is only one client.
    """
    if context.request is None:
        return ""
    session_id: str | None = context.request.headers.get("mcp-session-id")
    return session_id

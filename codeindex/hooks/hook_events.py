"""What is done at each event, and what is said."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from codeindex.config import data_home
from codeindex.hooks.hook_input import Call
from codeindex.metrics.record import record_event
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.file_paths import (
    enclosing_repository,
    path_in_root,
    resolve_client_path,
)
from codeindex.store.datadir.home import Repository
from codeindex.store.sessions import SessionNote, SessionNotes, open_session
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from codeindex.analysis.change.suggestions import FileSuggestion, FileSuggestions

_LONGEST = 1_500
"""Characters of context; clients cut at 10,000, and each read of a file pays for them."""
_STEPS = 20_000
"""SQLite's own, between two looks at the clock: about a millisecond."""
_TOOLS = (
    "Its tools: search_code finds code by meaning, find by name and by who uses it; summarize and"
    " read show parts of files. For exact text grep is as good."
)
_NOTHING = "codeindex: nothing is indexed here yet (`codeindex index` makes an index)."
_COUNTS = (
    "SELECT (SELECT count(*) FROM files WHERE status IN ('indexed', 'plain')),"
    " (SELECT count(*) FROM chunks)"
)
_FORGETFUL = {"clear", "compact"}
"""Starts of a session after which the agent no longer has what it was shown."""


class Said(TypedDict):
    """What a hook says to a model."""

    hookEventName: str
    additionalContext: str


class HookDict(TypedDict, total=False):
    """What clients take from hooks; empty where there is nothing to say."""

    hookSpecificOutput: Said


@dataclass(frozen=True, slots=True)
class Clock:
    """When to stop beginning things, on the monotonic clock."""

    end: float

    def check(self) -> None:
        """TimeoutError once it is too late for anything new."""
        if self.is_over():
            raise TimeoutError

    def is_over(self) -> bool:
        return time.monotonic() > self.end


def pre_read(call: Call, clock: Clock) -> str:
    """Say what else to know of a file, once a session."""
    place = _place(call)
    clock.check()
    if place is None:
        return ""
    repository, file = place
    with _opened(repository, clock) as (catalog, _):
        session = open_session(data_home(), call.session)
        notes = session.seen(repository=repository.key)
        _note_read(repository, file, notes)
        if any(one.kind == "read" and one.text == file for one in notes):
            return ""
        found = _suggested(catalog, file, {one.text for one in notes if one.kind != "query"})
    session.note("read", file, repository=repository.key)
    items = [one for one in found.items if (repository.root / one.file).exists()]
    if not items:
        return ""
    session.note("suggested", *(one.file for one in items), repository=repository.key)
    _note_injected(repository, file, items)
    return json.dumps(before_reading(file, items))


def _note_read(repository: Repository, file: str, notes: Sequence[SessionNote]) -> None:
    was_suggested = any(one.kind == "suggested" and one.text == file for one in notes)
    record_event("file_read", repo=repository.name, file=file, was_suggested=was_suggested)


def _note_injected(repository: Repository, file: str, items: Sequence[FileSuggestion]) -> None:
    record_event(
        "context_inject",
        repo=repository.name,
        file=file,
        suggestions=len(items),
        confidence=round(min(1.0, max(one.score for one in items)), 2),
        files=[one.file for one in items],
    )


def before_reading(file: str, items: Iterable[FileSuggestion]) -> HookDict:
    """Return the one form in which a client passes on to its model what is related to a file.

    Whole lines, as many as fit; nothing without items. Without a decision: one would overrule what
    the user allows.
    """
    text = ""
    lines = [f"- {escape_line(one.line())}\n" for one in items]
    for line in [f"[codeindex] Related to {escape_line(file)}:\n", *lines] if lines else ():
        if len(text) + len(line) > _LONGEST:
            break
        text += line
    said: Said = {"hookEventName": "PreToolUse", "additionalContext": text.rstrip("\n")}
    return {"hookSpecificOutput": said} if text else {}


def post_edit(call: Call, clock: Clock) -> str:
    """Have the change indexed in the background."""
    place = _place(call)
    clock.check()
    if place is not None:
        repository, file = place
        with _opened(repository, clock):  # what was never indexed is not indexed by this
            open_session(data_home(), call.session).note("edited", file, repository=repository.key)
        _sync_beside(repository)
    return ""


def session_start(call: Call, clock: Clock) -> str:
    """Say what there is to search, and have what changed meanwhile indexed."""
    folder = resolve_client_path(call.file, base=call.folder)
    repository = enclosing_repository(data_home(), folder) if folder else None
    clock.check()
    if call.source in _FORGETFUL:
        _forget(open_session(data_home(), call.session))
    if repository is None or not repository.catalog.exists():
        return _NOTHING
    with _opened(repository, clock) as (catalog, generation):
        said = _described(repository, catalog, generation)
    _sync_beside(repository)
    return f"{said}\n{_TOOLS}"


EVENTS: dict[str, Callable[[Call, Clock], str]] = {
    "pre-read": pre_read,
    "post-edit": post_edit,
    "session-start": session_start,
}


def _place(call: Call) -> tuple[Repository, str] | None:
    """Return the repository of the file, and the file as its index spells it."""
    path = resolve_client_path(call.file, base=call.folder) if call.file else None
    repository = enclosing_repository(data_home(), path) if path else None
    if path is None or repository is None or not repository.catalog.exists():
        return None
    file = path_in_root(repository.root, path)
    return (repository, file) if file else None


@contextlib.contextmanager
def _opened(repository: Repository, clock: Clock) -> Iterator[tuple[Catalog, Generation]]:
    """Open what is published; TimeoutError if nothing is, or if the clock runs out."""
    with Catalog.open(repository.catalog) as catalog:
        catalog.connection.set_progress_handler(clock.is_over, _STEPS)
        with catalog.reading() as generation:
            clock.check()
            if not generation.number:
                raise TimeoutError
            yield catalog, generation


def _suggested(catalog: Catalog, file: str, seen: set[str]) -> FileSuggestions:
    from codeindex.analysis.change.suggestions import suggest_files

    return suggest_files(catalog.connection, file, seen=seen)


def _forget(session: SessionNotes) -> None:
    session.note("forgotten", "")


def _sync_beside(repository: Repository) -> None:
    from codeindex.hooks.background_sync import start_sync

    start_sync(repository)


def _described(repository: Repository, catalog: Catalog, generation: Generation) -> str:
    """Say in one line what is indexed, and how far it can be searched."""
    files, chunks = catalog.connection.execute(_COUNTS).fetchone()
    dense = sum(one.rows for one in generation.segments if one.kind == "dense")
    # Rows of chunks that are gone count too, hence "about".
    ready = "words, names and the graph"
    if dense:
        ready += " and vectors" + (f" of about {dense / chunks:.0%}" if dense < chunks else "")
    branch = f", branch {generation.branch}" if generation.branch else ""
    return escape_line(
        f"codeindex: {repository.name} is indexed ({files:,} files{branch}; {ready})."
    )

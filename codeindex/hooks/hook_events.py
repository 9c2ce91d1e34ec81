"""Answer the hooks of coding agents: each function handles an event and returns a text."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from codeindex.config import data_home
from codeindex.hooks.hook_input import HookInput
from codeindex.metrics.record import record_event
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.index_counts import count_files_and_chunks
from codeindex.store.datadir.file_paths import (
    enclosing_repository,
    path_in_root,
    resolve_client_path,
)
from codeindex.store.datadir.home import Repository
from codeindex.store.sessions import SessionNote, open_session
from codeindex.text.sanitize import escape_line
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.analysis.change.suggestions import FileSuggestion, FileSuggestions

_MAX_CHARACTERS = 1_500
"""Most characters of context: an agent pays for them at every file that it reads."""
_SQLITE_STEPS = 20_000
"""Number of SQLite instructions between two checks of the deadline, about a millisecond."""
_TOOLS = (
    "Its tools: search_code finds code by meaning, find_symbol by name and by its uses;"
    " summarize_code and read_code show parts of files. For exact text grep is as good."
)
_NOT_INDEXED = "codeindex: this repository is not indexed yet (run `codeindex index`)."
_FORGETTING_SOURCES = {"clear", "compact"}
"""Reasons for a session's start after which the agent has lost its earlier context."""


class HookOutput(TypedDict):
    """The part of a hook's answer that the client adds to its model's context."""

    hookEventName: str
    additionalContext: str


class HookAnswerDict(TypedDict, total=False):
    """The JSON object that a client reads from a hook; empty if the hook has nothing to add."""

    hookSpecificOutput: HookOutput


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time, as a `time.monotonic()` value (`end`), after which a hook starts no more work."""

    end: float

    def check(self) -> None:
        """Raise TimeoutError after the deadline."""
        if self.is_over():
            raise TimeoutError

    def is_over(self) -> bool:
        return time.monotonic() > self.end


def answer_pre_read(hook_input: HookInput, deadline: Deadline) -> str:
    """Return JSON that names files related to the file that the agent is about to read.

    Return '' if the session has read the file before, if no index has it, or if no file is related.
    """
    located = _locate_file(hook_input)
    deadline.check()
    if located is None:
        return ""
    repository, file = located
    with _open_published(repository, deadline) as (catalog, _):
        session = open_session(data_home(), hook_input.session)
        notes = session.seen(repository=repository.key)
        _record_read(repository, file, notes)
        if any(note.kind == "read" and note.text == file for note in notes):
            return ""
        seen = {note.text for note in notes if note.kind != "query"}
        suggestions = _suggest(catalog, file, seen)
    session.note("read", file, repository=repository.key)
    items = [item for item in suggestions.items if (repository.root / item.file).exists()]
    if not items:
        return ""
    session.note("suggested", *(item.file for item in items), repository=repository.key)
    _record_suggestions(repository, file, items)
    return json.dumps(format_related_files(file, items))


def _record_read(repository: Repository, file: str, notes: Sequence[SessionNote]) -> None:
    was_suggested = any(note.kind == "suggested" and note.text == file for note in notes)
    record_event("file_read", repo=repository.name, file=file, was_suggested=was_suggested)


def _record_suggestions(repository: Repository, file: str, items: Sequence[FileSuggestion]) -> None:
    record_event(
        "context_inject",
        repo=repository.name,
        file=file,
        suggestions=len(items),
        confidence=round(min(1.0, max(item.score for item in items)), 2),
        files=[item.file for item in items],
    )


def format_related_files(file: str, items: Iterable[FileSuggestion]) -> HookAnswerDict:
    """Return an answer with a line for each related file, in the form that a client expects.

    Lines that exceed the limit are left out; without items, the object is empty. It contains no
    permission decision, since that would override the user's decision.
    """
    text = ""
    lines = [f"- {escape_line(item.line())}\n" for item in items]
    for line in [f"[codeindex] Related to {escape_line(file)}:\n", *lines] if lines else ():
        if len(text) + len(line) > _MAX_CHARACTERS:
            break
        text += line
    if not text:
        return {}
    output: HookOutput = {"hookEventName": "PreToolUse", "additionalContext": text.rstrip("\n")}
    return {"hookSpecificOutput": output}


def answer_post_edit(hook_input: HookInput, deadline: Deadline) -> str:
    """Note in the session that a file was edited, and start a background sync; return ''.

    Nothing happens if the file is in no indexed repository.
    """
    located = _locate_file(hook_input)
    deadline.check()
    if located is not None:
        repository, file = located
        with _open_published(repository, deadline):  # TimeoutError if nothing was indexed yet
            session = open_session(data_home(), hook_input.session)
            session.note("edited", file, repository=repository.key)
        _start_sync(repository)
    return ""


def answer_session_start(hook_input: HookInput, deadline: Deadline) -> str:
    """Return a text on the tools and the index of the session's folder; start a sync of the index.

    If the folder is not indexed, the text says so.
    """
    folder = resolve_client_path(hook_input.file, base=hook_input.folder)
    repository = enclosing_repository(data_home(), folder) if folder else None
    deadline.check()
    if hook_input.source in _FORGETTING_SOURCES:
        open_session(data_home(), hook_input.session).note("forgotten", "")
    if repository is None or not repository.catalog.exists():
        return _NOT_INDEXED
    with _open_published(repository, deadline) as (catalog, generation):
        description = _describe_index(repository, catalog, generation)
    _start_sync(repository)
    return f"{description}\n{_TOOLS}"


EVENTS: dict[str, Callable[[HookInput, Deadline], str]] = {
    "pre-read": answer_pre_read,
    "post-edit": answer_post_edit,
    "session-start": answer_session_start,
}


def _locate_file(hook_input: HookInput) -> tuple[Repository, str] | None:
    """Return (indexed repository, path in it) of the file that a hook names.

    None if the file is in no indexed repository.
    """
    if not hook_input.file:
        return None
    path = resolve_client_path(hook_input.file, base=hook_input.folder)
    repository = enclosing_repository(data_home(), path) if path else None
    if path is None or repository is None or not repository.catalog.exists():
        return None
    file = path_in_root(repository.root, path)
    return (repository, file) if file else None


@contextlib.contextmanager
def _open_published(
    repository: Repository, deadline: Deadline
) -> Iterator[tuple[Catalog, Generation]]:
    """Open the catalog for reading; yield (catalog, its published generation).

    Raise TimeoutError if nothing is published yet, or if the deadline is over.
    """
    with Catalog.open(repository.catalog) as catalog:
        catalog.connection.set_progress_handler(deadline.is_over, _SQLITE_STEPS)
        with catalog.reading() as generation:
            deadline.check()
            if not generation.number:
                raise TimeoutError
            yield catalog, generation


def _start_sync(repository: Repository) -> None:
    from codeindex.hooks.background_sync import start_sync  # imports subprocess

    start_sync(repository)


def _suggest(catalog: Catalog, file: str, seen: set[str]) -> FileSuggestions:
    from codeindex.analysis.change.suggestions import suggest_files  # only pre-read needs it

    return suggest_files(catalog.connection, file, seen=seen)


def _describe_index(repository: Repository, catalog: Catalog, generation: Generation) -> str:
    """Return a line with the repository's name, number of files, branch, and what is indexed."""
    files, chunks = count_files_and_chunks(catalog.connection)
    vectors = sum(segment.rows for segment in generation.segments if segment.kind == "dense")
    ready = "words, names and the graph"
    if vectors:
        # Segments also count rows of deleted chunks, hence "about".
        share = f" of about {vectors / chunks:.0%}" if vectors < chunks else ""
        ready += f" and vectors{share}"
    branch = f", branch {generation.branch}" if generation.branch else ""
    return escape_line(
        f"codeindex: {repository.name} is indexed ({plural(files, 'file')}{branch}; {ready})."
    )

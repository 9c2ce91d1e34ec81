"""Store the queries, suggestions, reads and edits of an agent's session, to avoid repetition.

The file <home>/sessions/<id>.jsonl has one line per note. Several processes append to it, because
each hook is a process. (An MCP server does not learn the session id and keeps its notes in memory:
`mcp/session.py`.) Errors of reading and writing are ignored.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from codeindex.files.write import write_atomically
from codeindex.store.datadir.journal import append_lines

NoteKind = Literal["query", "suggested", "read", "edited", "forgotten"]
"""`forgotten` means that the agent's context was cleared, so that earlier notes no longer count."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST = 1000
"""Most characters of a stored path or query."""
_MOST_BYTES = 256 * 1024
"""Maximum size of a file, about 2,000 notes. When a file exceeds it, its older half is deleted."""
_MOST_FILES = 100
_MOST_SECONDS = 7 * 24 * 3600.0
"""Sessions older than a week are deleted."""


class SessionNote(NamedTuple):
    """One event of an agent's session.

    `kind` says what happened, and `text` is the query or path that the event is about. `repository`
    is the `Repository.key`, or "" if the event concerns no repository.
    """

    kind: NoteKind
    text: str
    repository: str


@dataclass(frozen=True, slots=True)
class SessionNotes:
    """The events of one agent's session, in a file; without an `id`, nothing is stored."""

    folder: Path
    id: str

    @property
    def path(self) -> Path | None:
        """The file of the session; None if the session has no id.

        If the id has unsafe characters, the file is named after its hash.
        """
        if not self.id:
            return None
        name = self.id
        if not _PLAIN.fullmatch(name):
            import hashlib

            name = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
        return self.folder / f"{name}.jsonl"

    def note(self, kind: NoteKind, *texts: str, repository: str = "") -> None:
        """Append one event of this kind for each of `texts`, all in one write.

        Long texts are cut; errors of writing are ignored.
        """
        path = self.path
        if path is None or not texts:
            return
        cut = (text[:_LONGEST] for text in texts)
        lines = (json.dumps([kind, text, repository]) + "\n" for text in cut)
        with contextlib.suppress(OSError):
            if not path.exists():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _sweep(self.folder)
            if append_lines(path, "".join(lines).encode()) > _MOST_BYTES:
                _halve(path)

    def seen(self, *, repository: str = "") -> tuple[SessionNote, ...]:
        """Return the distinct events after the last one of the kind `forgotten`, newest first.

        `forgotten` means that the agent's context was cleared. With `repository`, a
        `Repository.key`, return only events of this repository.
        """
        found: dict[SessionNote, None] = {}
        for note in self._newest_first():
            if note.kind == "forgotten":
                break
            if not repository or note.repository == repository:
                found.setdefault(note)
        return tuple(found)

    def _newest_first(self) -> Iterator[SessionNote]:
        path = self.path
        try:
            lines = path.read_bytes().splitlines() if path else []
        except OSError:
            return
        for line in reversed(lines):
            with contextlib.suppress(ValueError, TypeError):  # an incomplete or foreign line
                kind, text, repository = json.loads(line)
                yield SessionNote(kind, str(text), str(repository))


def open_session(home: Path, session_id: str) -> SessionNotes:
    """Return the events of the session with this id; nothing is read yet."""
    return SessionNotes(home / "sessions", session_id)


def _halve(path: Path) -> None:
    """Delete the older half of a session file; an event that is appended meanwhile may be lost."""
    newer = path.read_bytes()[-_MOST_BYTES // 2 :]
    write_atomically(path, newer.partition(b"\n")[2])


def _sweep(folder: Path) -> None:
    """Delete expired sessions; called when a session starts."""
    for path in expired_sessions(folder):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def expired_sessions(folder: Path) -> list[Path]:
    """Return the session files to delete: those older than a week, and all but the 99 newest.

    99 stay, so that the new session makes at most `_MOST_FILES`.
    """
    aged = []
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):  # deleted by another process
            aged.append((path.stat().st_mtime, path))
    aged.sort(reverse=True)
    oldest = time.time() - _MOST_SECONDS
    return [
        path for number, (at, path) in enumerate(aged, 1) if number >= _MOST_FILES or at < oldest
    ]

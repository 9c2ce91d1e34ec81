"""What an agent's session has asked for, been shown, read and written, so as not to repeat it.

<home>/sessions/<id>.jsonl, a line a note. Several processes append to it at once: each hook is one.
(A server learns no id of its client's session, and remembers in memory: `mcp/session.py`.) Nothing
rests on it: what cannot be written or read is as if it had not been said.
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

from codeindex.store.datadir.journal import append_lines

NoteKind = Literal["query", "suggested", "read", "edited", "forgotten"]
"""`forgotten`: from here on the agent no longer knows what was noted before."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST = 1000
"""Characters of a path or query."""
_MOST_BYTES = 256 * 1024
"""Of a file: some 2,000 notes; then the older half goes."""
_MOST_FILES = 100
_MOST_SECONDS = 7 * 24 * 3600.0
"""Nobody goes on with a session of last week and wonders what it has read."""


class SessionNote(NamedTuple):
    """One thing of a session; `repository` is the `key` of the one that it was about."""

    kind: NoteKind
    text: str
    repository: str


@dataclass(frozen=True, slots=True)
class Session:
    """The memory of one session; without an id it remembers nothing."""

    folder: Path
    id: str

    @property
    def path(self) -> Path | None:
        """Where it is kept; an id that is no plain name is hashed."""
        if not self.id:
            return None
        name = self.id
        if not _PLAIN.fullmatch(name):
            import hashlib

            name = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
        return self.folder / f"{name}.jsonl"

    def note(self, kind: NoteKind, *texts: str, repository: str = "") -> None:
        """Remember these, in one write."""
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
        """Return what is remembered and not forgotten, the newest first, of one repository or all.

        What was noted twice comes once.
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
            with contextlib.suppress(ValueError, TypeError):  # half a line, or somebody else's
                kind, text, repository = json.loads(line)
                yield SessionNote(kind, str(text), str(repository))


def open_session(home: Path, session_id: str) -> Session:
    """Return the memory of a client's session."""
    return Session(home / "sessions", session_id)


def _halve(path: Path) -> None:
    """Keep the newer half; what another process adds meanwhile may be lost."""
    from codeindex.store.datadir.home import write_atomically

    newer = path.read_bytes()[-_MOST_BYTES // 2 :]
    write_atomically(path, newer.partition(b"\n")[2])


def _sweep(folder: Path) -> None:
    """Delete what nobody goes on with; whoever begins a session does it."""
    for path in expired_sessions(folder):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def expired_sessions(folder: Path) -> list[Path]:
    """Return the sessions that are too old, and the oldest of too many."""
    aged = []
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):  # swept by another process
            aged.append((path.stat().st_mtime, path))
    aged.sort(reverse=True)
    oldest = time.time() - _MOST_SECONDS
    return [
        path for number, (at, path) in enumerate(aged, 1) if number >= _MOST_FILES or at < oldest
    ]

"""Lines of indexed files that the frames of a text mean, also where the files were edited since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.query.stack_trace import StackFrame, match_cited_path, parse_frames
from codeindex.search.names.boosts import EXACT_NAME_BOOST, NameMatch
from codeindex.search.names.paths import split_path_and_line
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import fold
from codeindex.types import NAMESPACE_KINDS, OWNER_KINDS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

_ALIKE = 5
"""Files of the same name of which a cited one may be any; of more it says too little."""


class _Symbol(NamedTuple):
    """A symbol with a name of a frame; lines are those of its name and its end."""

    name: str
    folded: str
    qualified: str
    kind: str
    line: int
    end_line: int

    def holds(self, line: int) -> bool:
        return self.line <= line <= self.end_line


def match_stack_frames(
    connection: sqlite3.Connection, files: Mapping[str, int], text: str
) -> tuple[NameMatch, ...]:
    """Return the lines that a text's frames mean; nothing for a text that is a mere path."""
    if split_path_and_line(text.strip())[0]:
        return ()
    return tuple(_lines(connection, files, text))


def _lines(
    connection: sqlite3.Connection, files: Mapping[str, int], text: str
) -> Iterator[NameMatch]:
    for frame in parse_frames(text):
        near = match_cited_path(frame.package_path, files) if frame.package_path else []
        near = near or match_cited_path(frame.path, files)
        for path in near if len(near) <= _ALIKE else ():
            if line := _line(connection, files[path], frame):
                yield NameMatch(files[path], line, EXACT_NAME_BOOST, "a line that it cites")


def _line(connection: sqlite3.Connection, file_id: int, frame: StackFrame) -> int:
    """Return the frame's line, or its function's if that is elsewhere; 0 without either."""
    (lines,) = connection.execute("SELECT lines FROM files WHERE id = ?", (file_id,)).fetchone()
    found = _symbols(connection, file_id, frame.names)
    for name in reversed(frame.names):
        called = [one for one in found if one.folded == fold(name)]
        if any(one.holds(frame.line) for one in called):
            break
        if functions := [one for one in called if one.kind not in OWNER_KINDS | NAMESPACE_KINDS]:
            return max(functions, key=lambda one: _likeness(one, frame)).line
    return frame.line if frame.line <= lines else max((one.line for one in found), default=0)


def _symbols(connection: sqlite3.Connection, file_id: int, names: Sequence[str]) -> list[_Symbol]:
    folded = [fold(one) for one in names]
    rows = connection.execute(
        "SELECT name, folded, qualified, kind, line, end_line FROM symbols"  # noqa: S608 (marks)
        f" WHERE file_id = ? AND folded IN ({placeholders(folded)}) ORDER BY line",
        (file_id, *folded),
    )
    return [_Symbol(*row) for row in rows]


def _likeness(one: _Symbol, frame: StackFrame) -> tuple[int, bool, int]:
    """Return a key that sorts functions of a name: owners in the frame, case, distance in lines."""
    owners = set(one.qualified.replace("::", ".").split(".")[:-1])
    common = len(owners & set(frame.names))
    return 2 * common - len(owners), one.name in frame.names, -abs(one.line - frame.line)

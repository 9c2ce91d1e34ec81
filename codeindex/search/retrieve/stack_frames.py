"""Map the stack frames in a text to lines of indexed files, even if the files were edited since."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from codeindex.query.stack_trace import StackFrame, match_cited_path, parse_frames
from codeindex.search.names.boosts import EXACT_NAME_BOOST, NameMatch
from codeindex.search.names.paths import split_path_and_line
from codeindex.store.catalog.files import line_count
from codeindex.store.symbols.by_name import file_symbols_by_folded_names
from codeindex.text.words import fold_name
from codeindex.types import NAMESPACE_KINDS, OWNER_KINDS, Node

_MAX_SAME_NAMED_FILES = 5
"""Most files that a frame's path may match; a path that matches more is ignored."""


def match_stack_frames(
    connection: sqlite3.Connection, files: Mapping[str, int], text: str
) -> tuple[NameMatch, ...]:
    """Return the code lines to which the stack frames in a text point; () if the text is a path."""
    if split_path_and_line(text.strip())[0]:
        return ()
    return tuple(_match_frames(connection, files, text))


def _match_frames(
    connection: sqlite3.Connection, files: Mapping[str, int], text: str
) -> Iterator[NameMatch]:
    for frame in parse_frames(text):
        paths = match_cited_path(frame.package_path, files) if frame.package_path else []
        paths = paths or match_cited_path(frame.path, files)
        for path in paths if len(paths) <= _MAX_SAME_NAMED_FILES else ():
            if line := _current_line(connection, files[path], frame):
                yield NameMatch(files[path], line, EXACT_NAME_BOOST, "a line that it cites")


def _current_line(connection: sqlite3.Connection, file_id: int, frame: StackFrame) -> int:
    """Return the line to which a frame points now; 0 if unknown.

    It is the frame's own line or, if the frame's function has moved, the line of that function.
    """
    folded = [fold_name(name) for name in frame.names]
    symbols = file_symbols_by_folded_names(connection, file_id, folded)
    for name in reversed(frame.names):
        same_named = [symbol for symbol in symbols if fold_name(symbol.name) == fold_name(name)]
        if any(symbol.line <= frame.line <= symbol.end_line for symbol in same_named):
            break
        functions = [it for it in same_named if it.kind not in OWNER_KINDS | NAMESPACE_KINDS]
        if functions:
            return max(functions, key=lambda symbol: _likeness(symbol, frame)).line
    if frame.line <= line_count(connection, file_id):
        return frame.line
    return max((symbol.line for symbol in symbols), default=0)


def _likeness(symbol: Node, frame: StackFrame) -> tuple[int, bool, int]:
    """Return a sort key for symbols with the name of a frame's function; the best is largest.

    It compares how many owners they have in common, the case, and the distance of the lines.
    """
    owners = set(symbol.qualified.replace("::", ".").split(".")[:-1])
    common = len(owners & set(frame.names))
    return 2 * common - len(owners), symbol.name in frame.names, -abs(symbol.line - frame.line)

"""Files that have to do with others, by every signal there is, each from 0 to 1."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING

from codeindex.store.catalog.commits import co_changed_files
from codeindex.store.graph.adjacency import IncomingLink, incoming_links, using_paths
from codeindex.store.graph.links import links_from
from codeindex.text.file_names import folder_similarity, subject_name

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.focus import Focus
    from codeindex.types import Node

SIGNAL_LABELS = {
    "imports": "imported here",
    "imported_by": "imports this",
    "uses": "used here",
    "used_by": "uses this",
    "mentioned_by": "mentions this",
    "shares": "uses the same",
    "named_alike": "named alike",
    "same_folder": "in the same folder",
    "changes_with": "changes with this",
}
"""What can be said of a neighbour, in its words."""
_USERS = {
    "imports": "imported_by",
    **dict.fromkeys(("mentions", "describes", "entry_point"), "mentioned_by"),
}
_MOST_SHARED_BY = 40
"""What more files use says nothing of two of them."""


@dataclass(slots=True)
class Signal:
    """How strongly, by which symbols, and where: lines are the neighbour's if it is the user."""

    strength: float = 0.0
    symbols: Counter[str] = field(default_factory=Counter)
    lines: set[int] = field(default_factory=set)
    times: int = 0


Signals = Mapping[str, Mapping[str, Signal]]
"""Signals by their names, by path."""


class _SignalCollector:
    """Signals in the making."""

    def __init__(self, known: Mapping[str, bool], subjects: Iterable[str]) -> None:
        self.by_path: dict[str, dict[str, Signal]] = defaultdict(dict)
        self.known = known
        self._subjects = set(subjects)

    def add(self, path: str, name: str, strength: float) -> Signal | None:
        """Add to a signal, if the path can be a neighbour at all."""
        if path in self._subjects or path not in self.known:
            return None
        signal = self.by_path[path].setdefault(name, Signal())
        signal.strength += strength
        return signal


def collect_signals(
    connection: sqlite3.Connection, focus: Focus, *, before: int | None = None
) -> Signals:
    """Return all neighbours of a focus; `before` cuts the history for measurements."""
    known = dict(connection.execute("SELECT path, is_test FROM files"))
    found = _SignalCollector(known, focus.paths)
    _add_users(found, connection, focus)
    _add_used(found, connection, focus)
    _saturate(found)
    _add_names(found, focus)
    _add_history(found, connection, focus, before)
    return found.by_path


def _add_users(found: _SignalCollector, connection: sqlite3.Connection, focus: Focus) -> None:
    """Whoever uses the focus: the fewer others do, the more it means."""
    arrows = list(incoming_links(connection, focus.inside, focus.files))
    popularity = _popularity(arrows)
    names = dict(_names(connection, focus))
    for one, node in _with_nodes(arrows):
        kind = _USERS.get(one.link.kind, "used_by")
        signal = found.add(node.path, kind, _rarity(popularity[one[:2]]) * _certainty(one))
        if signal:
            signal.symbols[names.get(one.symbol, "")] += len(one.link.lines)
            signal.lines.update(one.link.lines)


def _add_used(found: _SignalCollector, connection: sqlite3.Connection, focus: Focus) -> None:
    """Whatever the focus uses, and who uses the same rare things."""
    links = [link for node in focus.nodes for link in links_from(connection, node) if link.node]
    symbols = {link.node.id for link in links if link.node and link.node.id}
    files = {link.node.file_id for link in links if link.node and not link.node.id}
    users = using_paths(connection, symbols, files)
    popularity = Counter((symbol, file) for symbol, file, _ in users)
    for link in links:
        node = link.node
        if node is None or node.id in focus.inside:
            continue
        key = (node.id, 0) if node.id else (0, node.file_id)
        kind = "imports" if link.kind == "imports" else "uses"
        doubt = 1.0 if link.certainty == "resolved" else 0.5
        signal = found.add(node.path, kind, _rarity(popularity[key]) * doubt)
        if signal:
            signal.symbols[node.qualified] += len(link.lines)
            signal.lines.update(link.lines)
    names = {link.node.id: link.node.qualified for link in links if link.node}
    for symbol, _, path in sorted(users):
        if symbol and symbol not in focus.inside and popularity[symbol, 0] <= _MOST_SHARED_BY:
            signal = found.add(path, "shares", 1 / popularity[symbol, 0])
            if signal:
                signal.symbols[names[symbol]] += 1


def _names(connection: sqlite3.Connection, focus: Focus) -> list[tuple[int, str]]:
    files = {one.file_id for one in focus.nodes}
    rows = (
        connection.execute("SELECT id, qualified FROM symbols WHERE file_id = ?", (one,))
        for one in files
    )
    return [row for part in rows for row in part]


def _with_nodes(arrows: Iterable[IncomingLink]) -> Iterable[tuple[IncomingLink, Node]]:
    return ((one, one.link.node) for one in arrows if one.link.node)


def _popularity(arrows: Iterable[IncomingLink]) -> Counter[tuple[int, int]]:
    """Count the files that use each thing."""
    return Counter(key for key, _ in {(one[:2], node.path) for one, node in _with_nodes(arrows)})


def _rarity(users: int) -> float:
    return 1 / log2(2 + users)


def _certainty(arrow: IncomingLink) -> float:
    return 1.0 if arrow.link.certainty == "resolved" else 0.5


def _saturate(found: _SignalCollector) -> None:
    """Ten uses are more than one, but not ten times more."""
    for signals in found.by_path.values():
        for signal in signals.values():
            signal.strength /= 1 + signal.strength


def _add_names(found: _SignalCollector, focus: Focus) -> None:
    """Files that are about the same by their names, and those of the same folder."""
    names: dict[str, list[str]] = defaultdict(list)
    folders: dict[str, list[str]] = defaultdict(list)
    for path in found.known:
        names[subject_name(path)].append(path)
        folders[path.rpartition("/")[0]].append(path)
    for subject in focus.paths:
        namesakes = names[subject_name(subject)]
        for path in namesakes:
            found.add(
                path, "named_alike", folder_similarity(subject, path) / log2(1 + len(namesakes))
            )
        beside = folders[subject.rpartition("/")[0]]
        for path in beside:
            found.add(path, "same_folder", 1 / log2(1 + len(beside)))
    for signals in found.by_path.values():
        for name in {"named_alike", "same_folder"} & signals.keys():
            signals[name].strength = min(1.0, signals[name].strength)


def _add_history(
    found: _SignalCollector, connection: sqlite3.Connection, focus: Focus, before: int | None
) -> None:
    for one in co_changed_files(connection, focus.paths, before=before):
        signal = found.add(one.path, "changes_with", one.share)
        if signal:
            signal.times = one.commits

"""Collect the signals that relate files to a focus; each signal has a strength from 0 to 1."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING

from codeindex.store.catalog.commits import co_changed_files
from codeindex.store.catalog.files import list_paths
from codeindex.store.graph.adjacency import IncomingLink, incoming_links, using_paths
from codeindex.store.graph.links import link_order, links_from
from codeindex.store.symbols.symbol_lists import read_qualified_names
from codeindex.text.file_names import folder_similarity, subject_name

if TYPE_CHECKING:
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
"""Maps the name of each signal to the phrase that is printed for it."""
_USER_SIGNALS = {
    "imports": "imported_by",
    **dict.fromkeys(("mentions", "describes", "entry_point"), "mentioned_by"),
}
_MAX_SHARED_USERS = 40
"""Most users of a symbol that still relates its users to each other; loggers and helpers have
more."""
SIGNAL_WEIGHTS = {
    "imports": 0.2,
    "imported_by": 0.7,
    "uses": 0.3,
    "used_by": 0.1,
    "mentioned_by": 0.3,
    "shares": 0.75,
    "named_alike": 1.6,
    "same_folder": 0.6,
    "changes_with": 6.6,
}
"""How much each signal adds to the rank of a related file.

The weights were fitted by `tests/benchmarks/cochange.py --fit` to the files that changed together
in celery and httpx. The documents of these two repositories mention almost no code, so the weight
of `mentioned_by` is a guess.
"""


@dataclass(slots=True)
class Signal:
    """The evidence for one kind of relation between a file and the focus; `strength` is 0 to 1.

    `symbols` counts uses by symbol name; `lines` are the numbers of the lines of use. `times` is
    the number of common commits, 0 for signals that do not come from the git history.
    """

    strength: float = 0.0
    symbols: Counter[str] = field(default_factory=Counter)
    lines: set[int] = field(default_factory=set)
    times: int = 0


Signals = Mapping[str, Mapping[str, Signal]]
"""Signals by path, then by signal name."""


class _SignalCollector:
    """Collects the reasons why files are related to the focus: {path: {name: signal}}.

    A signal is one kind of reason, such as imports or common commits.
    """

    def __init__(self, known: Iterable[str], subjects: Iterable[str]) -> None:
        self.by_path: dict[str, dict[str, Signal]] = defaultdict(dict)
        self.known = dict.fromkeys(known)
        """The paths of all files, sorted."""
        self._subjects = set(subjects)

    def add(self, path: str, name: str, strength: float) -> Signal | None:
        """Increase the strength of a file's signal, and return the signal.

        None if the path is in the focus or is not indexed.
        """
        if path in self._subjects or path not in self.known:
            return None
        signal = self.by_path[path].setdefault(name, Signal())
        signal.strength += strength
        return signal


def collect_signals(
    connection: sqlite3.Connection, focus: Focus, *, before: int | None = None
) -> Signals:
    """Return {path: signals} of all files related to `focus`: uses, names and commits in common.

    `before` is a commit id for benchmarks: only commits with smaller ids count as history.
    """
    collector = _SignalCollector(list_paths(connection), focus.paths)
    _add_users(collector, connection, focus)
    _add_used(collector, connection, focus)
    _saturate(collector)
    _add_names(collector, focus)
    _add_history(collector, connection, focus, before)
    return collector.by_path


def _add_users(collector: _SignalCollector, connection: sqlite3.Connection, focus: Focus) -> None:
    """Add the files that use the focus; a use of a symbol with few users counts more."""
    uses = list(incoming_links(connection, focus.inside, focus.files))
    popularity = _count_users(uses)
    names = _read_names(connection, focus)
    ordered = sorted(uses, key=lambda use: (*link_order(use.link), names.get(use.symbol, "")))
    for use, node in _with_nodes(ordered):
        kind = _USER_SIGNALS.get(use.link.kind, "used_by")
        signal = collector.add(node.path, kind, _rarity(popularity[use[:2]]) * _certainty(use))
        if signal:
            signal.symbols[names.get(use.symbol, "")] += len(use.link.lines)
            signal.lines.update(use.link.lines)


def _add_used(collector: _SignalCollector, connection: sqlite3.Connection, focus: Focus) -> None:
    """Add the files that the focus uses, and files that use the same symbols with few users."""
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
        signal = collector.add(node.path, kind, _rarity(popularity[key]) * doubt)
        if signal:
            signal.symbols[node.qualified] += len(link.lines)
            signal.lines.update(link.lines)
    names = {link.node.id: link.node.qualified for link in links if link.node}
    shared = [
        (popularity[symbol, 0], names[symbol], path)
        for symbol, _, path in users
        if symbol and symbol not in focus.inside and popularity[symbol, 0] <= _MAX_SHARED_USERS
    ]
    for count, name, path in sorted(shared):  # the rarest symbols are named first
        signal = collector.add(path, "shares", 1 / count)
        if signal:
            signal.symbols[name] += 1


def _read_names(connection: sqlite3.Connection, focus: Focus) -> dict[int, str]:
    names: dict[int, str] = {}
    for file_id in {node.file_id for node in focus.nodes}:
        names |= read_qualified_names(connection, file_id)
    return names


def _with_nodes(uses: Iterable[IncomingLink]) -> Iterable[tuple[IncomingLink, Node]]:
    return ((use, use.link.node) for use in uses if use.link.node)


def _count_users(uses: Iterable[IncomingLink]) -> Counter[tuple[int, int]]:
    """Return how many files use each symbol or file; for the keys see `IncomingLink`."""
    return Counter(key for key, _ in {(use[:2], node.path) for use, node in _with_nodes(uses)})


def _rarity(users: int) -> float:
    return 1 / log2(2 + users)


def _certainty(use: IncomingLink) -> float:
    return 1.0 if use.link.certainty == "resolved" else 0.5


def _saturate(collector: _SignalCollector) -> None:
    """Bring all strengths into the range 0 to 1: replace each strength s by s / (1 + s)."""
    for signals in collector.by_path.values():
        for signal in signals.values():
            signal.strength /= 1 + signal.strength


def _add_names(collector: _SignalCollector, focus: Focus) -> None:
    """Add files with a name like that of the focus, and files in the same folder."""
    names: dict[str, list[str]] = defaultdict(list)
    folders: dict[str, list[str]] = defaultdict(list)
    for path in collector.known:
        names[subject_name(path)].append(path)
        folders[path.rpartition("/")[0]].append(path)
    for subject in focus.paths:
        namesakes = names[subject_name(subject)]
        for path in namesakes:
            collector.add(
                path, "named_alike", folder_similarity(subject, path) / log2(1 + len(namesakes))
            )
        beside = folders[subject.rpartition("/")[0]]
        for path in beside:
            collector.add(path, "same_folder", 1 / log2(1 + len(beside)))
    for signals in collector.by_path.values():
        for name in {"named_alike", "same_folder"} & signals.keys():
            signals[name].strength = min(1.0, signals[name].strength)


def _add_history(
    collector: _SignalCollector, connection: sqlite3.Connection, focus: Focus, before: int | None
) -> None:
    for together in co_changed_files(connection, focus.paths, before=before):
        signal = collector.add(together.path, "changes_with", together.share)
        if signal:
            signal.times = together.commits


def relatedness(signals: Mapping[str, Signal]) -> float:
    """Return how related a file is: the weighted sum of its signals, given by name."""
    return sum(SIGNAL_WEIGHTS[name] * signal.strength for name, signal in signals.items())

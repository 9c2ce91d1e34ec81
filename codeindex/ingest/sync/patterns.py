"""Find groups of files that are built alike: handlers, importers, migrations.

Files are compared by the names of their functions and methods, within a folder, and with those of
the same name in the folders beside theirs. What a group has in common beyond that, and which of it
is the best example, is asked of the graph when somebody wants to know.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import splitext
from typing import TYPE_CHECKING

from codeindex.config import Config
from codeindex.ingest.sync.similar_sets import NameSet, group_similar
from codeindex.text.words import humps
from codeindex.types import FOLDER_INDEX_STEMS, OWNER_KINDS, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_COMMON = 0.8
"""Share of members that makes a trait common (A7)."""
_SHORTEST_NAME = 4
"""Letters of a suffix that names a pattern (A7)."""
_TELLING = 2
"""Shared names that tell something: constructors and `__repr__` are everywhere."""
_CONSTRUCTORS = {"constructor", "initialize", "new", "New"}
_CALLABLE = (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR)


@dataclass(frozen=True, slots=True)
class _File:
    """What a file is compared by; `types` are those that it defines, the largest first."""

    id: int
    path: str
    language: str
    names: NameSet
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A group of files; `members` has what each has more and less than `common`."""

    place: str
    language: str
    name: str
    common: tuple[str, ...]
    members: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]


def update_patterns(connection: sqlite3.Connection, config: Config) -> None:
    """Find the patterns anew around files that came, changed or went; inside `writing`."""
    wanted = config.pattern_detection
    changed = connection.execute(
        "SELECT path FROM files WHERE NOT surveyed UNION SELECT path FROM gone"
    ).fetchall()
    dirty = {place for (path,) in changed for place in comparison_places(path)}
    connection.executemany("DELETE FROM patterns WHERE place = ?", ((one,) for one in dirty))
    if not wanted.enabled:
        return
    for place, files in _files_by_place(connection, dirty).items():
        if wanted.directories and not _is_within(place, wanted.directories):
            continue
        for one in _patterns(
            place, files, least=wanted.min_cluster_size, threshold=wanted.similarity_threshold
        ):
            _put(connection, one)


def comparison_places(path: str) -> tuple[str, ...]:
    """Return where a file may have its like: in its folder, and in the folders beside that."""
    folder, _, name = path.rpartition("/")
    above = folder.rpartition("/")[0]
    within = f"{folder}/*" if folder else "*"
    beside = f"{above}/*/{name}" if above else f"*/{name}"
    return (within, beside) if folder else (within,)


def _is_within(place: str, folders: Iterable[str]) -> bool:
    return any(place.startswith(f"{one.strip('/')}/") for one in folders)


def _files_by_place(connection: sqlite3.Connection, places: set[str]) -> dict[str, list[_File]]:
    rows = connection.execute("SELECT id, path, language FROM files ORDER BY path").fetchall()
    kept = [row for row in rows if not places.isdisjoint(comparison_places(row[1]))]
    found: dict[str, list[_File]] = defaultdict(list)
    for one in _files(connection, kept):
        for place in comparison_places(one.path):
            if place in places:
                found[place].append(one)
    return found


def _files(connection: sqlite3.Connection, rows: Sequence[tuple[int, str, str]]) -> Iterator[_File]:
    """Read the functions of files, and their types; of a function inside another, nothing."""
    for file_id, path, language in rows:
        symbols = connection.execute(
            "SELECT name, qualified, kind FROM symbols WHERE file_id = ? ORDER BY number",
            (file_id,),
        ).fetchall()
        owners = {"", *(qualified for _, qualified, kind in symbols if kind in OWNER_KINDS)}
        functions = [
            (name, owner)
            for name, owner, kind in ((n, q.rpartition(".")[0], k) for n, q, k in symbols)
            if kind in _CALLABLE and owner in owners
        ]
        if functions:
            types = Counter(owner for _, owner in functions if owner).most_common()
            names = frozenset(name for name, _ in functions)
            yield _File(file_id, path, language, names, tuple(one for one, _ in types))


def _patterns(
    place: str, files: Iterable[_File], *, least: int, threshold: float
) -> Iterator[FilePattern]:
    languages: dict[str, list[_File]] = defaultdict(list)
    for one in files:
        languages[one.language].append(one)
    for language, ours in sorted(languages.items()):
        by_id = {one.id: one for one in ours}
        signatures = _structures(ours, least=least)
        for group in group_similar(signatures, least=least, threshold=threshold):
            members = [by_id[one] for one in group]
            common = frozenset(_common(one.names for one in members))
            yield FilePattern(
                place=place,
                language=language,
                name=_name(place, members),
                common=tuple(sorted(common)),
                members={
                    one.id: (
                        tuple(sorted(one.names - common)),
                        tuple(sorted(common - one.names)),
                    )
                    for one in members
                },
            )


def _structures(files: Iterable[_File], *, least: int) -> dict[int, NameSet]:
    """Return what files are compared by, in the order of their paths.

    Names that too few files have to make a group are a file's own business; where little is left,
    all count, so that a single name makes a group of files that have nothing else.
    """
    ordered = sorted(files, key=lambda one: one.path)
    spread = Counter(name for one in ordered for name in one.names)
    structures = {}
    for one in ordered:
        shared = frozenset(name for name in one.names if spread[name] >= least)
        telling = sum(not name.startswith("__") and name not in _CONSTRUCTORS for name in shared)
        structures[one.id] = shared if telling >= _TELLING else one.names
    return structures


def _common(sets: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield what is in most of the sets."""
    every = [set(one) for one in sets]
    counts = Counter(name for one in every for name in one)
    return (name for name, count in counts.items() if count >= _COMMON * len(every))


def _name(place: str, members: Sequence[_File]) -> str:
    """Name a group by the end that its types share, else its files, else by where it is."""
    types = [one.types[0].rpartition(".")[2] for one in members if one.types]
    stems = [splitext(one.path.rpartition("/")[2])[0] for one in members]
    most = len(members) * _COMMON
    suffix = common_suffix(types) if len(types) >= most else ""
    suffix = suffix or common_suffix([one for one in stems if one not in FOLDER_INDEX_STEMS])
    return suffix or place.partition("*")[0].rstrip("/").rpartition("/")[2] or members[0].language


def common_suffix(names: Sequence[str]) -> str:
    """Return the longest end, from a word on, that most names share; nothing if it is short."""
    shared = _common({name[start:] for start in humps(name)} for name in names)
    fitting = [one for one in shared if sum(map(str.isalpha, one)) >= _SHORTEST_NAME]
    return max(fitting, key=lambda one: (len(one), one), default="")


def _put(connection: sqlite3.Connection, one: FilePattern) -> None:
    row = connection.execute(
        "INSERT INTO patterns (place, language, name, common) VALUES (?, ?, ?, ?)",
        (one.place, one.language, one.name, json.dumps(one.common)),
    )
    connection.executemany(
        "INSERT INTO pattern_members VALUES (?, ?, ?, ?)",
        (
            (row.lastrowid, file_id, json.dumps(extra), json.dumps(missing))
            for file_id, (extra, missing) in sorted(one.members.items())
        ),
    )

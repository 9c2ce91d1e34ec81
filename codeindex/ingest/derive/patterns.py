"""Find groups of files with the same structure: handlers, importers, migrations.

Files are compared by the names of their functions and methods: with the files of their folder, and
with files of the same name in sibling folders. Other shared traits and the best example of a group
are computed by `analysis` on request.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from posixpath import splitext

from codeindex.config import Config
from codeindex.ingest.derive.similar_sets import NameSet, group_similar
from codeindex.store.catalog.files import file_languages, unsurveyed_paths
from codeindex.store.catalog.patterns import (
    DetectedPattern,
    delete_patterns,
    put_pattern,
    symbol_names,
)
from codeindex.text.words import part_offsets
from codeindex.types import FOLDER_INDEX_STEMS, INITIALIZERS, OWNER_KINDS, SymbolKind

_COMMON_SHARE = 0.8
"""Share of the members that must have a name for it to count as common: a choice of the first
design."""
_MIN_SUFFIX_LETTERS = 4
"""Fewest letters of a suffix that names a pattern: shorter suffixes are seldom words."""
_MIN_DISTINCTIVE_NAMES = 2
"""Fewest shared names that make a structure. Constructors and names like `__repr__`, which are
everywhere, do not count."""
_CONSTRUCTORS = INITIALIZERS | {"constructor", "new", "New"}
_CALLABLE = (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR)


@dataclass(frozen=True, slots=True)
class _ComparedFile:
    """A file to compare, with the names of its functions and types (`names`).

    `types` are the names of its types; the type with most methods is the first.
    """

    id: int
    path: str
    language: str
    names: NameSet
    types: tuple[str, ...]


def update_patterns(connection: sqlite3.Connection, config: Config) -> None:
    """Find the patterns anew in each place with a file that was added, changed or removed.

    A place is a glob of files that are compared. Call it inside `Catalog.writing`.
    """
    settings = config.pattern_detection
    dirty = {place for path in unsurveyed_paths(connection) for place in comparison_places(path)}
    delete_patterns(connection, dirty)
    if not settings.enabled:
        return
    for place, files in _files_by_place(connection, dirty).items():
        if settings.directories and not _is_within(place, settings.directories):
            continue
        for pattern in _find_patterns(
            place, files, least=settings.min_cluster_size, threshold=settings.similarity_threshold
        ):
            put_pattern(connection, pattern)


def comparison_places(path: str) -> tuple[str, ...]:
    """Return globs of the files with which a file is compared, like `src/*` and `*/a.py`.

    These are the files of its folder, and the files of the same name in sibling folders.
    """
    folder, _, name = path.rpartition("/")
    parent = folder.rpartition("/")[0]
    within = f"{folder}/*" if folder else "*"
    beside = f"{parent}/*/{name}" if parent else f"*/{name}"
    return (within, beside) if folder else (within,)


def _is_within(place: str, folders: Iterable[str]) -> bool:
    return any(place.startswith(f"{folder.strip('/')}/") for folder in folders)


def _files_by_place(
    connection: sqlite3.Connection, places: set[str]
) -> dict[str, list[_ComparedFile]]:
    rows = (
        row
        for row in file_languages(connection)
        if not places.isdisjoint(comparison_places(row[1]))
    )
    kept = sorted(rows, key=itemgetter(1))  # by path
    by_place: dict[str, list[_ComparedFile]] = defaultdict(list)
    for file in _compared_files(connection, kept):
        for place in comparison_places(file.path):
            if place in places:
                by_place[place].append(file)
    return by_place


def _compared_files(
    connection: sqlite3.Connection, rows: Sequence[tuple[int, str, str]]
) -> Iterator[_ComparedFile]:
    """Yield files with the names of their functions and types.

    Functions inside functions are left out, and so are files without functions.
    """
    for file_id, path, language in rows:
        symbols = symbol_names(connection, file_id)
        owners = {"", *(qualified for _, qualified, kind in symbols if kind in OWNER_KINDS)}
        functions = [
            (name, qualified.rpartition(".")[0])
            for name, qualified, kind in symbols
            if kind in _CALLABLE and qualified.rpartition(".")[0] in owners
        ]
        if functions:
            types = Counter(owner for _, owner in functions if owner).most_common()
            names = frozenset(name for name, _ in functions)
            yield _ComparedFile(file_id, path, language, names, tuple(owner for owner, _ in types))


def _find_patterns(
    place: str, files: Iterable[_ComparedFile], *, least: int, threshold: float
) -> Iterator[DetectedPattern]:
    by_language: dict[str, list[_ComparedFile]] = defaultdict(list)
    for file in files:
        by_language[file.language].append(file)
    for language, candidates in sorted(by_language.items()):
        by_id = {file.id: file for file in candidates}
        name_sets = _name_sets(candidates, least=least)
        for group in group_similar(name_sets, least=least, threshold=threshold):
            members = [by_id[file_id] for file_id in group]
            common = frozenset(_in_most(file.names for file in members))
            yield DetectedPattern(
                place=place,
                language=language,
                name=_pattern_name(place, members),
                common=tuple(sorted(common)),
                members={
                    file.id: (
                        tuple(sorted(file.names - common)),
                        tuple(sorted(common - file.names)),
                    )
                    for file in members
                },
            )


def _name_sets(files: Iterable[_ComparedFile], *, least: int) -> dict[int, NameSet]:
    """Return {file id: names by which the file is compared with others}, in path order.

    Names that fewer than `least` files have are left out. But a file with hardly any distinctive
    name left keeps all its names, so that one common name does not group otherwise unrelated files.
    """
    ordered = sorted(files, key=lambda file: file.path)
    files_with = Counter(name for file in ordered for name in file.names)
    name_sets = {}
    for file in ordered:
        shared = frozenset(name for name in file.names if files_with[name] >= least)
        distinctive = sum(
            not name.startswith("__") and name not in _CONSTRUCTORS for name in shared
        )
        name_sets[file.id] = shared if distinctive >= _MIN_DISTINCTIVE_NAMES else file.names
    return name_sets


def _in_most(sets: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the items that are in at least the fraction `_COMMON_SHARE` of the sets."""
    unique = [set(names) for names in sets]
    counts = Counter(name for names in unique for name in names)
    return (name for name, count in counts.items() if count >= _COMMON_SHARE * len(unique))


def _pattern_name(place: str, members: Sequence[_ComparedFile]) -> str:
    """Return a name for a group of files, like `Handler` or `plugins`.

    The name is the common suffix of the files' types or file names. Without one, it is the name of
    the folder, or the language.
    """
    types = [file.types[0].rpartition(".")[2] for file in members if file.types]
    stems = [splitext(file.path.rpartition("/")[2])[0] for file in members]
    enough = len(types) >= len(members) * _COMMON_SHARE
    suffix = common_suffix(types) if enough else ""
    suffix = suffix or common_suffix([stem for stem in stems if stem not in FOLDER_INDEX_STEMS])
    return suffix or place.partition("*")[0].rstrip("/").rpartition("/")[2] or members[0].language


def common_suffix(names: Sequence[str]) -> str:
    """Return the longest suffix of whole words that most names share, like `Handler`.

    Return '' if it is too short to tell anything.
    """
    shared = _in_most({name[start:] for start in part_offsets(name)} for name in names)
    long_enough = [end for end in shared if sum(map(str.isalpha, end)) >= _MIN_SUFFIX_LETTERS]
    return max(long_enough, key=lambda end: (len(end), end), default="")

"""Make the repository map: areas, entry points, most used symbols, patterns, tests."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, dirname

from codeindex.analysis.repository.patterns import list_patterns
from codeindex.analysis.repository.purpose import folder_purpose
from codeindex.analysis.repository.test_folders import find_test_folders, is_below_any
from codeindex.config import ModuleConfig
from codeindex.files.manifests import parse_json, parse_toml
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import (
    FileRecord,
    file_records,
    stored_text,
    test_file_records,
)
from codeindex.store.catalog.index_counts import count_files_and_lines
from codeindex.store.catalog.patterns import FilePattern
from codeindex.store.graph.dependencies import file_dependencies
from codeindex.store.graph.usage import SymbolUsage, read_symbol_usage
from codeindex.store.symbols.symbol_lists import read_main_functions

_MAX_AREA_SHARE = 0.3
"""A folder with more than this share of all code files is split into its subfolders."""
_MAX_AREA_FILES = 25
"""A folder with more files than this is split into its subfolders, since its one line of the map
cannot tell what so many files do."""
_MIN_AREA_FILES = 2
"""A folder with fewer files than this is merged into its parent."""
_MOST_PATTERNS, _MOST_ENTRIES, _PER_AREA, _MOST_CENTRAL = 12, 12, 8, 24


_MAX_MAINS = 100
"""Most `main` functions that are read; only a few of them are shown."""
_AUXILIARY_FOLDERS = frozenset(
    {"examples", "_examples", "example", "scripts", "tools", "docs", "benchmarks"}
)
_SYMBOL_KINDS = ("class", "struct", "interface", "trait", "enum", "type", "function", "macro")
"""Kinds of symbols that the map lists; instead of a method or field it lists the owner."""


@dataclass(frozen=True, slots=True)
class MapArea:
    """A folder and its files, without subfolders that are areas of their own.

    `central` are the files that are used most by others; `uses` are the areas that this area uses
    most.
    """

    path: str
    files: int
    purpose: str
    symbols: tuple[SymbolUsage, ...]
    central: tuple[str, ...]
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryMap:
    """What INDEX.md shows of a repository.

    `entries` are its entry points, as (place, description) pairs. `languages` and `tests` count
    files by language and by folder. Areas, symbols and test folders are sorted by path, so that an
    edit of the code changes few lines of INDEX.md.
    """

    name: str
    purpose: str
    languages: tuple[tuple[str, int], ...]
    areas: tuple[MapArea, ...]
    entries: tuple[tuple[str, str], ...]
    central: tuple[SymbolUsage, ...]
    patterns: tuple[FilePattern, ...]
    tests: tuple[tuple[str, int], ...]
    files: int
    lines: int

    @property
    def paths(self) -> tuple[str, ...]:
        return ()


def make_repository_map(
    connection: sqlite3.Connection, *, name: str, descriptions: Mapping[str, ModuleConfig]
) -> RepositoryMap:
    """Map all indexed files; `descriptions` has the descriptions of modules in the settings."""
    files = list_code_files(connection)
    parts = split_into_areas(files)
    used = _read_used_symbols(connection)
    uses = _count_area_uses(connection, parts)
    purpose = folder_purpose(connection, "", ())
    areas = tuple(
        _make_area(connection, folder, parts[folder], used, uses[folder], descriptions)
        for folder in sorted(parts)
    )
    namesake = next((area.purpose for area in areas if area.path in {name, f"src/{name}"}), "")
    central = _most_used(used, _MOST_CENTRAL)
    count, lines = count_files_and_lines(connection)
    return RepositoryMap(
        name=name,
        purpose=purpose or namesake,
        languages=tuple(Counter(file.language for file in files).most_common()),
        areas=areas,
        entries=tuple(_find_entry_points(connection))[:_MOST_ENTRIES],
        central=tuple(sorted(central, key=lambda symbol: (symbol.path, symbol.line))),
        patterns=list_patterns(connection, limit=_MOST_PATTERNS).patterns,
        tests=_count_test_folders(connection),
        files=count,
        lines=lines,
    )


def list_code_files(connection: sqlite3.Connection) -> tuple[FileRecord, ...]:
    """Return the code files that are neither tests nor generated, sorted by path."""
    every = file_records(connection)
    files = [
        file
        for file in every
        if file.status in {"indexed", "plain"} and _is_code(file.language)
        if not (file.is_test or file.is_generated)
    ]
    tests = [file.path for file in every if file.is_test]
    trees = find_test_folders([file.path for file in files], tests)
    return tuple(file for file in files if not is_below_any(file.path, trees))


def _is_code(language: str) -> bool:
    traits = LANGUAGES.get(language)
    return bool(traits and traits.symbols and not traits.prose)


def split_into_areas(files: Sequence[FileRecord]) -> dict[str, list[FileRecord]]:
    """Split code files into areas; return {folder of the area: its files}.

    Large folders are split into subfolders; small folders are merged into their parents.
    """
    areas = _group_by_subfolder("", files)
    while True:
        large = [folder for folder in sorted(areas) if _is_large(folder, areas, files)]
        if not large:
            return areas
        areas |= _group_by_subfolder(large[0], areas.pop(large[0]))


def _is_large(
    folder: str, areas: Mapping[str, list[FileRecord]], files: Sequence[FileRecord]
) -> bool:
    own_files = areas[folder]
    if len(own_files) <= _MIN_AREA_FILES or not (
        len(own_files) > _MAX_AREA_FILES or len(own_files) > _MAX_AREA_SHARE * len(files)
    ):
        return False
    return set(_group_by_subfolder(folder, own_files)) != {folder}


def _group_by_subfolder(folder: str, files: Iterable[FileRecord]) -> dict[str, list[FileRecord]]:
    """Return {folder: files} for the direct subfolders of a folder and the folder itself.

    Files of small subfolders are listed under the folder itself.
    """
    grouped: dict[str, list[FileRecord]] = defaultdict(list)
    start = len(folder) + 1 if folder else 0
    for file in files:
        inner, slash, _ = file.path[start:].partition("/")
        grouped[f"{folder}/{inner}".lstrip("/") if slash else folder].append(file)
    small = [
        inner
        for inner, files in grouped.items()
        if inner != folder and len(files) < _MIN_AREA_FILES
    ]
    for inner in small:
        grouped[folder] += grouped.pop(inner)
    return dict(grouped)


def _make_area(
    connection: sqlite3.Connection,
    folder: str,
    files: Sequence[FileRecord],
    used: Sequence[SymbolUsage],
    uses: Counter[str],
    descriptions: Mapping[str, ModuleConfig],
) -> MapArea:
    paths = {file.path for file in files}
    symbols = _most_used((symbol for symbol in used if symbol.path in paths), _PER_AREA)
    central = sorted(files, key=lambda file: (-file.centrality, file.path))
    names = [file.path for file in central]
    return MapArea(
        path=folder,
        files=len(files),
        purpose=_configured_purpose(folder, descriptions)
        or folder_purpose(connection, folder, names),
        symbols=tuple(symbols),
        central=tuple(names[:_PER_AREA]),
        uses=tuple(sorted(name for name, _ in uses.most_common(_PER_AREA))),
    )


def _most_used(symbols: Iterable[SymbolUsage], limit: int) -> list[SymbolUsage]:
    return sorted(symbols, key=lambda symbol: (-symbol.users, symbol.path, symbol.line))[:limit]


def _configured_purpose(folder: str, descriptions: Mapping[str, ModuleConfig]) -> str:
    *_, parent, name = ("", "", *folder.split("/"))
    if name in descriptions:
        return descriptions[name].description
    return descriptions[parent].submodules.get(name, "") if parent in descriptions else ""


def _read_used_symbols(connection: sqlite3.Connection) -> list[SymbolUsage]:
    """Return the public symbols that code files use, each with the number of files that use it."""
    return [
        usage
        for usage in read_symbol_usage(connection, _SYMBOL_KINDS)
        if _is_code(usage.language)
        and not is_auxiliary(usage.path)
        and _is_public(usage.name, usage.language)
    ]


def _is_public(name: str, language: str) -> bool:
    last = name.rpartition(".")[2]
    return not last.startswith("_") and LANGUAGES[language].visibility.by_name(last)


def _count_area_uses(
    connection: sqlite3.Connection, parts: Mapping[str, Sequence[FileRecord]]
) -> dict[str, Counter[str]]:
    area = {file.id: folder for folder, files in parts.items() for file in files}
    grouped: dict[str, Counter[str]] = {folder: Counter() for folder in parts}
    for dependency in file_dependencies(connection):
        source, target = area.get(dependency.source), area.get(dependency.target)
        if source is not None and target is not None and source != target:
            grouped[source][target] += dependency.uses
    return grouped


def _find_entry_points(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield (place, description) of entry points: scripts, `python -m`, `main` functions."""
    scripts = parse_toml(stored_text(connection, "pyproject.toml")).get("project", {})
    names = scripts.get("scripts", {}) if isinstance(scripts, dict) else {}
    for name, target in sorted(names.items()) if isinstance(names, dict) else ():
        yield str(target), f"the command `{name}`"
    package = parse_json(stored_text(connection, "package.json"))
    bins = package.get("bin") if isinstance(package, dict) else None
    for name, target in sorted(bins.items()) if isinstance(bins, dict) else ():
        yield str(target), f"the command `{name}`"
    packages = [
        file.path
        for file in file_records(connection)
        if basename(file.path) == "__main__.py" and not file.is_test
    ]
    rows = read_main_functions(connection, limit=_MAX_MAINS)
    for path in packages:
        yield path, f"`python -m {dirname(path).replace('/', '.')}`"
    for path, line in sorted(rows, key=lambda row: (row[0].count("/"), row[0])):
        if not is_auxiliary(path) and path not in packages:
            yield f"{path}:{line}", "a function `main`"


def is_auxiliary(path: str) -> bool:
    """Tell whether a file is in a folder for examples, scripts, tools, documents or benchmarks."""
    return not _AUXILIARY_FOLDERS.isdisjoint(path.split("/")[:-1])


def _count_test_folders(connection: sqlite3.Connection) -> tuple[tuple[str, int], ...]:
    tests = (file.path for file in test_file_records(connection))
    return tuple(sorted(Counter(map(_test_folder, tests)).items()))


def _test_folder(path: str) -> str:
    """Return the first two folders of a file's path, or the only one; "" for a file in the root."""
    place = "/".join(path.split("/")[:2])
    return dirname(place) if "." in basename(place) or "/" not in path else place


def shorten_map(whole: RepositoryMap, *, symbols: int, areas: int, central: int) -> RepositoryMap:
    """Return a copy with at most `areas` areas, the largest, and at most `central` used symbols.

    Each area keeps at most `symbols` of its symbols.
    """
    kept_areas = sorted(whole.areas, key=lambda area: (-area.files, area.path))[:areas]
    best = _most_used(whole.central, central)
    return replace(
        whole,
        areas=tuple(
            replace(area, symbols=area.symbols[:symbols])
            for area in whole.areas
            if area in kept_areas
        ),
        central=tuple(symbol for symbol in whole.central if symbol in best),
    )

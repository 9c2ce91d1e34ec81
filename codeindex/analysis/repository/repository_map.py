"""What a repository is made of, for who sees it first: areas, entry points, what all else uses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, dirname
from typing import TYPE_CHECKING, NamedTuple

from codeindex.analysis.repository.patterns import FilePattern, list_patterns
from codeindex.analysis.repository.purpose import folder_purpose
from codeindex.analysis.repository.test_folders import find_test_folders, is_below_any
from codeindex.config import ModuleConfig
from codeindex.files.manifests import parse_json, parse_toml
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.graph.dependencies import file_dependencies

if TYPE_CHECKING:
    import sqlite3

_LARGE = 0.3
"""A folder with more of all files of code is shown by the folders in it: celery's own has 0.8."""
_MANY = 25
"""Files; of a smaller folder one line says enough."""
_SMALL = 2
"""Fewer files make no area: they are told of with the folder around them."""
_MOST_PATTERNS, _MOST_ENTRIES, _PER_AREA, _MOST_CENTRAL = 12, 12, 8, 24


_BESIDE = frozenset({"examples", "_examples", "example", "scripts", "tools", "docs", "benchmarks"})
_STANDING = ("class", "struct", "interface", "trait", "enum", "type", "function", "macro")
"""What stands for itself: of methods and fields, their owner says more."""


class CodeFile(NamedTuple):
    """A file of code that is no test."""

    id: int
    path: str
    language: str
    centrality: float


@dataclass(frozen=True, slots=True)
class UsedSymbol:
    """A symbol that others use; `users` are files."""

    name: str
    kind: str
    path: str
    line: int
    doc: str
    users: int


@dataclass(frozen=True, slots=True)
class MapArea:
    """The files of a folder, less those that are areas of their own."""

    path: str
    files: int
    purpose: str
    things: tuple[UsedSymbol, ...]
    central: tuple[str, ...]
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryMap:
    """All in an order that one edit changes little: by path."""

    name: str
    purpose: str
    languages: tuple[tuple[str, int], ...]
    areas: tuple[MapArea, ...]
    entries: tuple[tuple[str, str], ...]
    central: tuple[UsedSymbol, ...]
    patterns: tuple[FilePattern, ...]
    tests: tuple[tuple[str, int], ...]
    files: int
    lines: int

    @property
    def paths(self) -> tuple[str, ...]:
        return ()


def make_repository_map(
    connection: sqlite3.Connection, *, name: str, said: Mapping[str, ModuleConfig]
) -> RepositoryMap:
    """Look at all that is indexed."""
    files = list_code_files(connection)
    parts = split_into_areas(files)
    things = _things(connection)
    uses = _uses(connection, parts)
    purpose = folder_purpose(connection, "", ())
    areas = tuple(
        _area(connection, folder, parts[folder], things, uses[folder], said)
        for folder in sorted(parts)
    )
    namesake = next((one.purpose for one in areas if one.path in {name, f"src/{name}"}), "")
    central = sorted(things, key=lambda one: (-one.users, one.path, one.line))[:_MOST_CENTRAL]
    count, lines = connection.execute(
        "SELECT count(*), coalesce(sum(lines), 0) FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchone()
    return RepositoryMap(
        name=name,
        purpose=purpose or namesake,
        languages=tuple(Counter(one.language for one in files).most_common()),
        areas=areas,
        entries=tuple(_entries(connection))[:_MOST_ENTRIES],
        central=tuple(sorted(central, key=lambda one: (one.path, one.line))),
        patterns=list_patterns(connection, limit=_MOST_PATTERNS).patterns,
        tests=_tests(connection),
        files=count,
        lines=lines,
    )


def list_code_files(connection: sqlite3.Connection) -> tuple[CodeFile, ...]:
    """Return the files of code that are neither for tests nor made by programs, by path."""
    rows = connection.execute(
        "SELECT id, path, language, centrality FROM files WHERE status IN ('indexed', 'plain')"
        " AND NOT is_test AND NOT is_generated ORDER BY path"
    )
    files = [one for one in map(CodeFile._make, rows) if _is_code(one.language)]
    tests = [path for (path,) in connection.execute("SELECT path FROM files WHERE is_test")]
    trees = find_test_folders([one.path for one in files], tests)
    return tuple(one for one in files if not is_below_any(one.path, trees))


def _is_code(language: str) -> bool:
    known = LANGUAGES.get(language)
    return bool(known and known.symbols and not known.prose)


def split_into_areas(files: Sequence[CodeFile]) -> dict[str, list[CodeFile]]:
    """Part files by folder, large folders by the folders in them; small ones stay together."""
    areas = _below("", files)
    while True:
        large = [folder for folder in sorted(areas) if _is_large(folder, areas, files)]
        if not large:
            return areas
        areas |= _below(large[0], areas.pop(large[0]))


def _is_large(folder: str, areas: Mapping[str, list[CodeFile]], files: Sequence[CodeFile]) -> bool:
    own = areas[folder]
    if len(own) <= _SMALL or not (len(own) > _MANY or len(own) > _LARGE * len(files)):
        return False
    return set(_below(folder, own)) != {folder}


def _below(folder: str, files: Iterable[CodeFile]) -> dict[str, list[CodeFile]]:
    """Part the files of a folder by the folders in it; the small ones and its own are its."""
    found: dict[str, list[CodeFile]] = defaultdict(list)
    start = len(folder) + 1 if folder else 0
    for one in files:
        inner, slash, _ = one.path[start:].partition("/")
        found[f"{folder}/{inner}".lstrip("/") if slash else folder].append(one)
    small = [inner for inner, own in found.items() if inner != folder and len(own) < _SMALL]
    for inner in small:
        found[folder] += found.pop(inner)
    return dict(found)


def _area(
    connection: sqlite3.Connection,
    folder: str,
    files: Sequence[CodeFile],
    things: Sequence[UsedSymbol],
    uses: Counter[str],
    said: Mapping[str, ModuleConfig],
) -> MapArea:
    paths = {one.path for one in files}
    own = [one for one in things if one.path in paths]
    own = sorted(own, key=lambda one: (-one.users, one.path, one.line))[:_PER_AREA]
    central = sorted(files, key=lambda one: (-one.centrality, one.path))
    names = [one.path for one in central]
    return MapArea(
        path=folder,
        files=len(files),
        purpose=_configured(folder, said) or folder_purpose(connection, folder, names),
        things=tuple(own),
        central=tuple(names[:_PER_AREA]),
        uses=tuple(sorted(one for one, _ in uses.most_common(_PER_AREA))),
    )


def _configured(folder: str, said: Mapping[str, ModuleConfig]) -> str:
    *_, parent, name = ("", "", *folder.split("/"))
    if name in said:
        return said[name].description
    return said[parent].submodules.get(name, "") if parent in said else ""


def _things(connection: sqlite3.Connection) -> list[UsedSymbol]:
    """Return the named things of code that files of code use, with how many."""
    rows = connection.execute(
        "SELECT f.language, s.qualified, s.kind, f.path, s.line, s.doc,"  # noqa: S608 (marks)
        " count(DISTINCT e.source_file) FROM edges e"
        " JOIN files u ON u.id = e.source_file AND NOT u.is_test"
        " JOIN symbols s ON s.id = e.target_symbol"
        " JOIN files f ON f.id = s.file_id AND NOT f.is_test AND NOT f.is_generated"
        " WHERE e.certainty = 'resolved' AND e.target_symbol IS NOT NULL"
        " AND e.source_file != e.target_file"
        " AND e.kind IN ('calls', 'extends', 'references', 'imports')"
        f" AND s.kind IN ({placeholders(_STANDING)}) GROUP BY s.id",
        _STANDING,
    )
    return [
        UsedSymbol(*said)
        for language, *said in rows
        if _is_code(language) and not is_auxiliary(said[2]) and _is_public(said[0], language)
    ]


def _is_public(name: str, language: str) -> bool:
    last = name.rpartition(".")[2]
    return not last.startswith("_") and not (language == "go" and last[:1].islower())


def _uses(
    connection: sqlite3.Connection, parts: Mapping[str, Sequence[CodeFile]]
) -> dict[str, Counter[str]]:
    area = {one.id: folder for folder, files in parts.items() for one in files}
    found: dict[str, Counter[str]] = {folder: Counter() for folder in parts}
    for one in file_dependencies(connection):
        source, target = area.get(one.source), area.get(one.target)
        if source is not None and target is not None and source != target:
            found[source][target] += one.uses
    return found


def _entries(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield where the program is entered, and how that is known."""
    scripts = parse_toml(stored_text(connection, "pyproject.toml")).get("project", {})
    names = scripts.get("scripts", {}) if isinstance(scripts, dict) else {}
    for name, target in sorted(names.items()) if isinstance(names, dict) else ():
        yield str(target), f"the command `{name}`"
    package = parse_json(stored_text(connection, "package.json"))
    bins = package.get("bin") if isinstance(package, dict) else None
    for name, target in sorted(bins.items()) if isinstance(bins, dict) else ():
        yield str(target), f"the command `{name}`"
    rows = connection.execute(
        "SELECT f.path, s.line FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE s.folded = 'main' AND s.kind = 'function' AND s.qualified = s.name"
        " AND NOT f.is_test AND NOT f.is_generated ORDER BY f.path LIMIT 100"
    )
    known = connection.execute(
        "SELECT path FROM files WHERE path GLOB '*__main__.py' AND NOT is_test ORDER BY path"
    )
    packages = [path for (path,) in known if basename(path) == "__main__.py"]
    for path in packages:
        yield path, f"`python -m {dirname(path).replace('/', '.')}`"
    for path, line in sorted(rows, key=lambda row: (row[0].count("/"), row[0])):
        if not is_auxiliary(path) and path not in packages:
            yield f"{path}:{line}", "a function `main`"


def is_auxiliary(path: str) -> bool:
    """Tell whether a file is of examples and the like: entered, but not by who uses the code."""
    return not _BESIDE.isdisjoint(path.split("/")[:-1])


def _tests(connection: sqlite3.Connection) -> tuple[tuple[str, int], ...]:
    rows = connection.execute("SELECT path FROM files WHERE is_test ORDER BY path")
    counts = Counter("/".join(path.split("/")[:2]) if "/" in path else "." for (path,) in rows)
    folders = Counter({dirname(one) if "." in basename(one) else one: 0 for one in counts})
    for one, count in counts.items():
        folders[dirname(one) if "." in basename(one) else one] += count
    return tuple(sorted(folders.items()))


def shorten_map(found: RepositoryMap, *, things: int, areas: int, central: int) -> RepositoryMap:
    """Return the same with less of each."""
    kept = sorted(found.areas, key=lambda one: (-one.files, one.path))[:areas]
    best = sorted(found.central, key=lambda one: (-one.users, one.path, one.line))[:central]
    return replace(
        found,
        areas=tuple(replace(one, things=one.things[:things]) for one in found.areas if one in kept),
        central=tuple(one for one in found.central if one in best),
    )

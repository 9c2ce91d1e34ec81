"""Match SCIP indexes with the files and symbols of the catalog.

A document is used if its file has not changed since the compiler read it. This is known if the
document contains the text of the file, or if the index is newer than the file and the text has the
names at their places (`shown_names`). The time of an index that git tracks proves nothing, because
a checkout sets it.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from codeindex import git
from codeindex.errors import GitError
from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.graph.scip.documents import ScipDocument, stream_documents
from codeindex.graph.scip.shown_names import (
    SCIP_CONSTRUCTOR_NAMES,
    ShownOccurrence,
    package_of,
    packages_of,
    shown_occurrences,
)
from codeindex.graph.scip.wire import WireError
from codeindex.languages import LANGUAGES
from codeindex.store.graph.compiler_files import (
    ComparableFile,
    CompilerFile,
    SymbolPlace,
    comparable_files,
    symbol_places,
)
from codeindex.text.words import normal_name
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, CompilerReference

_MAX_SYMBOLS = 2_000_000
_MAX_REFERENCES = 4_000_000
"""Limits for all indexes together: even hostile indexes then take less than about 1 GB of
memory."""


@dataclass(frozen=True, slots=True)
class CompilerIndexes:
    """The references that SCIP indexes state for files of a catalog; `files` is by file id."""

    files: dict[int, CompilerFile]
    documents: int
    """Number of documents whose file is indexed here."""
    matching: int
    """Number of these documents that describe the file as it is now."""
    problems: tuple[str, ...]
    """A sentence for each index that could not be used."""

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the files that SCIP indexes describe."""
        return frozenset(row.file.language for row in self.files.values() if row.references)


class IndexLocation(NamedTuple):
    """Where a SCIP index is: a path below a folder.

    The paths in its documents are relative to the folder `base` of the work tree.
    """

    folder: Path
    path: str
    base: str


def locations_below(root: Path, paths: Iterable[str]) -> list[IndexLocation]:
    """Return the locations of the SCIP indexes at `paths` below `root`.

    The paths in each index are relative to the folder that contains the index.
    """
    return [IndexLocation(root, path, posixpath.dirname(path)) for path in dict.fromkeys(paths)]


class _Reference(NamedTuple):
    """A reference to a symbol of a SCIP index; `line` counts from 1."""

    line: int
    text: str
    symbol: str
    called: bool
    start: int


@dataclass(slots=True)
class _Contents:
    """The definitions and references that were read from SCIP indexes."""

    definitions: dict[str, list[int]] = field(default_factory=dict)
    """{SCIP symbol: ids of the catalog's symbols}."""
    references: dict[int, list[_Reference]] = field(default_factory=dict)
    """{file id: references}."""
    settled: set[int] = field(default_factory=set)
    """Files that are older than an index of their language, and have no document in it."""
    described: set[int] = field(default_factory=set)
    """Files with a document."""
    count: int = 0

    def add(self, other: _Contents) -> None:
        for symbol, ids in other.definitions.items():
            self.definitions.setdefault(symbol, []).extend(ids)
        self.references |= other.references
        self.settled |= other.settled
        self.described |= other.described
        self.count += other.count

    def check_size(self) -> None:
        if len(self.definitions) > _MAX_SYMBOLS or self.count > _MAX_REFERENCES:
            raise WireError("it has too many symbols or references")


def index_stamp(locations: Iterable[IndexLocation]) -> list[list[object]]:
    """Return path, size and times of each existing index; they change when one is written."""
    stamp: list[list[object]] = []
    for location in locations:
        try:
            with open_beneath(location.folder, location.path) as handle:
                stamp.append([location.path, *size_and_times(os.fstat(handle.fileno()))])
        except OSError:
            continue
    return stamp


def collect_references(
    connection: sqlite3.Connection, root: Path, locations: Iterable[IndexLocation]
) -> CompilerIndexes:
    """Read the SCIP indexes at `locations`; those that do not exist are ignored."""
    known = {file.path: file for file in comparable_files(connection)}
    everything = _Contents()
    problems = []
    for location in locations:
        try:
            with open_beneath(location.folder, location.path) as handle:
                contents = _read_index(connection, root, location, handle, known)
            everything.add(contents)
            everything.check_size()
        except FileNotFoundError:
            continue
        except (OSError, WireError) as error:
            problems.append(f"'{location.path}' is not used: {error}")
    by_id = {file.id: file for file in known.values()}
    linked = _linked(everything, by_id)
    settled = everything.settled - everything.described
    files = {file_id: CompilerFile(by_id[file_id], ()) for file_id in settled} | linked
    return CompilerIndexes(
        files, len(everything.described), len(everything.references), tuple(problems)
    )


def _read_index(
    connection: sqlite3.Connection,
    root: Path,
    location: IndexLocation,
    handle: BufferedReader,
    known: dict[str, ComparableFile],
) -> _Contents:
    """Return the definitions and references in one SCIP index.

    `known` are the files of the catalog by path. Raise WireError if any part is malformed.
    """
    contents = _Contents()
    _, written_ns, _ = size_and_times(os.fstat(handle.fileno()))
    older_than = 0 if _is_tracked(location) else written_ns
    for document in stream_documents(handle):
        file = _file_of(document, location.base, known)
        shown = None
        if file:
            contents.described.add(file.id)
            text = _unchanged_text(root, file)
            if text is not None and (document.text == text or file.mtime_ns < older_than):
                shown = shown_occurrences(document, text)
        for occurrence in document.occurrences:
            if occurrence.is_definition:
                contents.definitions.setdefault(occurrence.symbol, [])
        if file and shown is not None:
            places = symbol_places(connection, file.id)
            running = _implementations(places) if LANGUAGES[file.language].overload_heads else {}
            for symbol, key in _matched_definitions(shown, places):
                contents.definitions[symbol].append(running.get(key, key))
            defined = {(place.line, place.name) for place in places}
            contents.references[file.id] = [
                _Reference(
                    each.line,
                    sys.intern(each.text),
                    sys.intern(each.symbol),
                    each.called,
                    each.start,
                )
                for each in shown
                if not each.is_definition and (each.line, normal_name(each.text)) not in defined
            ]
            contents.count += len(shown)
        contents.check_size()
    languages = {file.language for file in known.values() if file.id in contents.references}
    contents.settled = {
        file.id
        for file in known.values()
        if file.language in languages and file.mtime_ns < older_than
    }
    return contents


def _is_tracked(location: IndexLocation) -> bool:
    """Tell whether git tracks the file of an index; True if git fails."""
    folder = location.folder
    try:
        if not git.find_work_tree(folder):
            return False
        return bool(git.run_git("ls-files", "-z", "--", f":(literal){location.path}", cwd=folder))
    except GitError:
        return True


def _file_of(
    document: ScipDocument, folder: str, known: dict[str, ComparableFile]
) -> ComparableFile | None:
    """Return the file of the catalog that a document describes; None if there is none.

    The document's path is relative to `folder`; `known` are the catalog's files by path.
    """
    path = posixpath.normpath(posixpath.join(folder, document.path.replace("\\", "/")))
    return known.get(path)


def _unchanged_text(root: Path, file: ComparableFile) -> str | None:
    """Return the text of a file; None if it has changed since it was indexed, or is not UTF-8."""
    try:
        with open_beneath(root, file.path) as handle:
            content = handle.read()
    except OSError:
        return None
    if hashlib.sha256(content).hexdigest() != file.digest:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _matched_definitions(
    shown: Sequence[ShownOccurrence], places: Sequence[SymbolPlace]
) -> Iterator[tuple[str, int]]:
    """Yield (SCIP symbol, catalog id) for each definition that the index and the catalog share.

    They match by name and line, or by a qualified name that only one symbol of the file has.
    """
    by_line: defaultdict[tuple[int, str], list[SymbolPlace]] = defaultdict(list)
    by_name: defaultdict[str, list[SymbolPlace]] = defaultdict(list)
    for place in places:
        by_line[place.line, place.name].append(place)
        by_name[place.qualified].append(place)
    for each in shown:
        if not each.is_definition:
            continue
        names = map(normal_name, (each.text, each.name.name))
        here = next(filter(None, (by_line[each.line, name] for name in names)), [])
        is_constructor = each.name.name in SCIP_CONSTRUCTOR_NAMES
        fitting = [place for place in here if is_constructor or _fits(place, each)] or here
        same = by_name[normal_name(each.name.qualified)]
        if not fitting and len(same) == 1:
            fitting = same  # an attribute that is assigned several times
        if fitting:
            yield each.symbol, fitting[0].id


def _implementations(places: Sequence[SymbolPlace]) -> dict[int, int]:
    """Return {function id: id of the one function of the same name that has a body}.

    Names with several bodies, or none, are left out.
    """
    same: defaultdict[str, list[SymbolPlace]] = defaultdict(list)
    for place in places:
        same[place.qualified].append(place)
    found: dict[int, int] = {}
    for alike in same.values():
        bodies = [place.id for place in alike if place.cyclomatic]
        if len(bodies) == 1 and all(place.kind in CALLABLE_KINDS for place in alike):
            found |= {place.id: bodies[0] for place in alike}
    return found


def _fits(place: SymbolPlace, shown: ShownOccurrence) -> bool:
    """Tell whether a symbol of the catalog and one of a SCIP index can be the same.

    They can if both are types, or both are not.
    """
    return (place.kind in OWNER_KINDS) == (shown.name.kind == "type")


def _linked(contents: _Contents, files: dict[int, ComparableFile]) -> dict[int, CompilerFile]:
    """Return {file id: references of this file}; targets of references are catalog ids."""
    own_packages = frozenset(packages_of(contents.definitions))
    linked = {}
    for file_id, occurrences in contents.references.items():
        places: defaultdict[tuple[int, str], defaultdict[int, set[str]]] = defaultdict(
            lambda: defaultdict(set)
        )
        calls = {(each.line, each.text) for each in occurrences if each.called}
        for each in occurrences:
            places[each.line, each.text][each.start].add(each.symbol)
        references = []
        for (line, text), symbols in sorted(places.items()):
            targets = {_targets(contents, same, own_packages) for same in symbols.values()}
            known = tuple(sorted(ids for ids in targets if ids is not None))
            if len(known) == len(targets):
                references.append(CompilerReference(line, text, (line, text) in calls, known))
        linked[file_id] = CompilerFile(files[file_id], tuple(references))
    return linked


def _targets(
    contents: _Contents, symbols: Iterable[str], own_packages: frozenset[str]
) -> tuple[int, ...] | None:
    """Return the catalog ids of the possible targets of a name at one place.

    `symbols` are the SCIP symbols that the index states for the place. Return () for an external
    name, None if the target is unknown. It is unknown if a symbol of a package in `own_packages`
    has no definition: then it comes from an installed copy of the package.
    """
    found: set[int] = set()
    outside = 0
    for symbol in symbols:
        ids = contents.definitions.get(symbol)
        if ids is None and package_of(symbol) not in own_packages:
            outside += 1
        elif ids:
            found.update(ids)
        else:
            return None
    if found and outside:
        return None
    return tuple(sorted(found))

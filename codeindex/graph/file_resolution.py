"""Resolve the uses in one file to definitions; declarations of others come from the catalog.

This module reads the tables `files`, `symbols`, `chunks` and `relations`, but not edges, and writes
nothing. So several processes can resolve files while another one writes the edges.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from codeindex.graph.resolve import (
    FileDeclarations,
    ImportQuery,
    RepositoryView,
    index_declarations,
    resolve_references,
)
from codeindex.graph.scip.overlay import CompilerOverlay, ConfirmedReferences
from codeindex.graph.serialization import add_uses, deserialize_declarations
from codeindex.languages import LANGUAGES, Language, language_for_path
from codeindex.languages.source_tree import ModuleLocation, PackageIndex, SourceTree
from codeindex.store.catalog import relations as stored
from codeindex.store.catalog.files import file_languages, stored_text
from codeindex.store.graph.compiler_files import (
    compiler_references,
    definitions_by_id,
    files_as_compiled,
    read_compiler_note,
    symbol_places,
)
from codeindex.text.words import unicode_forms
from codeindex.types import CompilerReference, Definition, EdgeRecord, FileResolution, Relations

_CACHED_FILES = 4000
"""Maximum number of files whose declarations are cached; they take about 60 MB."""


class CatalogReader:
    """Reads declarations, symbols and compiler references of files, and caches them for one run."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        rows = file_languages(connection)
        self.paths = {file_id: path for file_id, path, _ in rows}
        self.ids = {path: file_id for file_id, path, _ in rows}
        self._languages = {path: language for _, path, language in rows}
        packages = PackageIndex(
            lru_cache(maxsize=None)(partial(stored.files_by_shown_name, connection)),
            lru_cache(maxsize=None)(partial(stored.packages_showing, connection)),
        )
        self._tree = SourceTree(self.ids, partial(stored_text, connection), packages)
        self._shown = lru_cache(maxsize=_CACHED_FILES)(self._read_declared)
        self._located = lru_cache(maxsize=1 << 17)(self._locate)
        self._beside = lru_cache(maxsize=None)(self._read_visible_files)
        declared = lru_cache(maxsize=_CACHED_FILES)(self._declared)
        self.view = RepositoryView(declared, self._located, self._beside, {}, {})

    def relations(self, path: str) -> Relations:
        """Return the declarations, imports and uses of a file."""
        used = stored.stored_uses(self.connection, self.ids[path])
        return add_uses(self._shown(path) or Relations(), used)

    def is_as_compiled(self, file_id: int) -> bool:
        """Tell whether a file is the same as when its SCIP index was written.

        True for files in languages that have no SCIP index here.
        """
        if self._languages[self.paths[file_id]] not in self._compiled_languages:
            return True
        return file_id in self._as_compiled

    def compiler_references(self, file_id: int) -> tuple[CompilerReference, ...]:
        """Return the references that the SCIP index states for a file.

        Return () if the file has changed since the index was written.
        """
        if file_id not in self._as_compiled:
            return ()
        return compiler_references(self.connection, file_id)

    @cached_property
    def _compiled_languages(self) -> frozenset[str]:
        return frozenset(read_compiler_note(self.connection).get("languages", ()))

    @cached_property
    def _as_compiled(self) -> frozenset[int]:
        return files_as_compiled(self.connection) if self._compiled_languages else frozenset()

    def answers(self, queries: Iterable[ImportQuery]) -> Iterator[object]:
        """Yield the answer to each import query; a query is a pair (path, module).

        The answer is the location of the module that the file at `path` imports. If the module is
        "", it is the list of files whose names the file sees without an import.
        """
        for path, module in queries:
            yield self._located(path, module) if module else self._beside(path)

    def _read_declared(self, path: str) -> Relations | None:
        declared = stored.stored_declarations(self.connection, self.ids.get(path))
        return deserialize_declarations(declared) if declared else None

    def _declared(self, path: str) -> FileDeclarations | None:
        relations = self._shown(path)
        if relations is None:
            return None
        language = self._languages[path]
        symbols = stored.file_definitions(
            self.connection, self.ids[path], path, signed=LANGUAGES[language].overloads
        )
        return index_declarations(path, language, symbols, relations)

    def _locate(self, path: str, module: str) -> ModuleLocation | None:
        """Return the location of a module; its path may have another Unicode form on disk."""
        language = self._language(path)
        if not language or not language.locate:
            return None
        forms = [module] if module.isascii() else unicode_forms(module)
        found = (language.locate(self._tree, path, form) for form in forms)
        return next((location for location in found if location), None)

    def _read_visible_files(self, path: str) -> tuple[str, ...]:
        language = self._language(path)
        visible = language.visible_files if language else None
        return tuple(visible(self._tree, path)) if visible else ()

    def _language(self, path: str) -> Language | None:
        """Return the language of a file; if the file is not indexed, judge by its name."""
        known = self._languages.get(path)
        return LANGUAGES[known] if known is not None else language_for_path(path)


def resolve_file(reader: CatalogReader, file_id: int) -> FileResolution:
    """Resolve the uses in a file; return its edges, and the queries and files they depend on."""
    path = reader.paths[file_id]
    relations = reader.relations(path)
    references, session = resolve_references(reader.view, path, relations)
    symbols = stored.file_symbol_ids(reader.connection, file_id)
    answers = session.answers
    queries = sorted(answers)
    consulted = {reader.ids[path] for path in session.consulted if path in reader.ids}
    stated = _compiler_view(reader, file_id, consulted)
    edges = ConfirmedReferences(references, {})
    if stated:
        edges = CompilerOverlay(
            stated.references,
            stated.definitions,
            symbol_places(reader.connection, file_id),
            frozenset(line for each in relations.imports for line in (each.line, each.at)),
        ).applied(references)
    return FileResolution(
        file_id,
        edges=list(_edges(edges, symbols, reader.ids)),
        import_queries=_group_by_file(queries),
        import_digest=digest_answers(answers[query] for query in queries),
        consulted=sorted(consulted | (stated.files if stated else set())),
    )


class CompilerView(NamedTuple):
    """The references that a SCIP index states for one file.

    `definitions` maps the ids of referenced symbols to their definitions; `files` are the ids of
    the files that contain the definitions.
    """

    references: Sequence[CompilerReference]
    definitions: Mapping[int, Definition]
    files: set[int]


def _compiler_view(
    reader: CatalogReader, file_id: int, consulted: Iterable[int]
) -> CompilerView | None:
    """Return the references that a SCIP index states for a file; None if it is out of date.

    The index is out of date if the file has changed, or a file in `consulted`, whose declarations
    were read to resolve it. References into changed files are left out, and so are references to
    external names: an indexer also writes an external name if it does not know the target.
    """
    references = reader.compiler_references(file_id)
    if not references or not all(map(reader.is_as_compiled, consulted)):
        return None
    ids = {key for each in references for targets in each.targets for key in targets}
    found = definitions_by_id(reader.connection, ids)
    definitions = {
        key: definition
        for key, (owner, definition) in found.items()
        if reader.is_as_compiled(owner)
    }
    return CompilerView(
        [
            each
            for each in references
            if all(each.targets)
            and all(key in definitions for targets in each.targets for key in targets)
        ],
        definitions,
        {owner for owner, _ in found.values()},
    )


def digest_answers(answers: Iterable[object]) -> str:
    """Return a digest of answers to import queries; it changes if an import leads elsewhere."""
    digest = hashlib.sha256()
    for answer in answers:
        digest.update(repr(answer).encode("utf-8", "replace"))
    return digest.hexdigest()[:16]


def _group_by_file(queries: Iterable[ImportQuery]) -> list[tuple[str, list[str]]]:
    """Return (path, modules that the file at this path imports) for each path in `queries`."""
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path, module in queries:
        modules[path].append(module)
    return list(modules.items())


def _edges(
    references: ConfirmedReferences, symbols: Sequence[int], ids: Mapping[str, int]
) -> Iterator[EdgeRecord]:
    for (symbol, target), lines in references.lines.items():
        kind, certainty, file, target_symbol, name, module, receiver, arguments = target
        confirmed = references.confirmed.get((symbol, target), ())
        yield EdgeRecord(
            symbols[symbol] if symbol >= 0 else None,
            kind,
            certainty,
            ids.get(file),
            target_symbol or None,
            module if file else name,
            " ".join(map(str, sorted(lines))),
            " ".join(map(str, sorted(confirmed))),
            receiver,
            arguments,
        )

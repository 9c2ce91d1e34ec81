"""Resolve names in documents to files and symbols: names in backticks, links, entry points.

A name becomes an edge only if exactly one file or symbol of the repository matches it.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from codeindex.ingest.chunk.prose import read_headings
from codeindex.languages import LANGUAGES
from codeindex.store.catalog import document_mentions
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import (
    file_records,
    stored_text,
    unsurveyed_files,
)
from codeindex.store.graph.write_edges import MentionEdge, delete_mention_edges, put_mention_edges
from codeindex.store.symbols.by_name import definitions_by_folded_name
from codeindex.text.words import fold_name
from codeindex.types import FOLDER_INDEX_STEMS, OWNER_KINDS, SymbolKind

_PROSE = tuple(language.name for language in LANGUAGES.values() if language.prose)
_CODE_SUFFIXES = tuple(
    suffix
    for language in LANGUAGES.values()
    if language.symbols and not language.prose
    for suffix in language.suffixes
)
_BACKTICKED = re.compile(r"(?<!`)(``?)([^`\n]{2,120})\1(?!`)")
_LINK_TARGET = re.compile(r"\]\(([^)\s#]+)")
_ENTRY_POINT = re.compile(r"\bentry[ -]?points?\b", re.IGNORECASE)
_ENTRY_HEADING = re.compile(r"\bentry\b|\bentrypoints?\b", re.IGNORECASE)
_PATH = re.compile(r"[\w.@+-]*(?:/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[a-z]\w{0,4}")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?")
_PLAIN_WORD = re.compile(r"[a-z]+")
"""A plain word: it matches only top-level symbols of a standalone kind, as `run` is often a
method."""
_STANDALONE_KINDS = OWNER_KINDS | {SymbolKind.FUNCTION, SymbolKind.MACRO, SymbolKind.TABLE}
_SEPARATORS = re.compile(r"::|#")
_DIGEST_NOTE = "mentions"
"""Key of the catalog note with the digest for which the edges were made."""


class DocumentMention(NamedTuple):
    """A name in a document that may be a file or symbol, and its 1-based line.

    `kind` is the kind of edge that it makes, such as `describes` for a name in a heading.
    """

    line: int
    kind: str
    name: str


class _Target(NamedTuple):
    """What a mention refers to: a file by id, or a symbol in it by id; None for the file itself."""

    file: int
    symbol: int | None


def mentions_in(text: str, *, language: str) -> Iterator[DocumentMention]:
    """Yield the names in a document that may be files or symbols, line by line.

    Nothing is looked up: the names may not exist in the repository.
    """
    lines = text.split("\n")
    headings = {heading.line: heading for heading in read_headings(lines, language=language)}
    section = ""
    for number, line in enumerate(lines, 1):
        if number in headings:
            section = headings[number].title
            names = _names_in(section) or ([section] if _SYMBOL.fullmatch(section) else [])
            yield from (DocumentMention(number, "describes", name) for name in names)
            continue
        is_about_entry = _ENTRY_POINT.search(line) or _ENTRY_HEADING.search(section)
        for name in _names_in(line):
            is_entry = is_about_entry and _PATH.fullmatch(name)
            yield DocumentMention(number, "entry_point" if is_entry else "mentions", name)


def _names_in(line: str) -> list[str]:
    """Return the paths and symbols in backticks or as link targets."""
    backticked = [name.strip() for _, name in _BACKTICKED.findall(line)]
    linked = [target for target in _LINK_TARGET.findall(line) if "://" not in target]
    names = (*backticked, *linked)
    return [name for name in names if _PATH.fullmatch(name) or _SYMBOL.fullmatch(name)]


def update_mentions(catalog: Catalog) -> None:
    """Read the mentions in new documents, and replace the edges of all documents if needed.

    The edges are replaced if a document or definition changed. A document that is stored again,
    even unchanged, loses its edges, so it counts as new.
    """
    connection = catalog.connection
    new = unsurveyed_files(connection, _PROSE)
    for file_id, path, language in new:
        mentions = mentions_in(stored_text(connection, path), language=language)
        document_mentions.replace_mentions(connection, file_id, mentions)
    digest = _resolution_digest(connection)
    if new or catalog.note(_DIGEST_NOTE) != digest:
        _replace_edges(connection)
        catalog.put_note(_DIGEST_NOTE, digest)


def _resolution_digest(connection: sqlite3.Connection) -> str:
    """Return a digest of all stored data from which the edges of documents are made.

    It covers the paths of files, the interfaces of code, and the texts of documents.
    """
    lines = (
        f"{path}\0{content if language in _PROSE else interface or content}"
        for path, language, content, interface in document_mentions.content_digests(connection)
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:32]


def _replace_edges(connection: sqlite3.Connection) -> None:
    """Delete the edges of all documents, and make new ones from the stored mentions."""
    delete_mention_edges(connection, _PROSE)
    put_mention_edges(connection, document_edges(connection))


def document_edges(connection: sqlite3.Connection) -> list[MentionEdge]:
    """Make the edges of all documents from the stored mentions, and return them; store nothing."""
    files = file_records(connection)
    paths = {file.path: file.id for file in files}
    find_file = _FileFinder(paths)
    find_symbol = lru_cache(maxsize=None)(lambda name: _find_symbol(connection, name))
    lines: dict[tuple[int, str, _Target], list[int]] = {}
    for mention in document_mentions.all_mentions(connection):
        target = find_file(mention.path, mention.name) or find_symbol(mention.name)
        if target and target.file != mention.file_id:
            lines.setdefault((mention.file_id, mention.kind, target), []).append(mention.line)
    for file in files:
        if file.is_navigation and (package := _package_file(file.path, paths)):
            lines.setdefault((file.id, "describes", _Target(package, None)), []).append(1)
    return [
        MentionEdge(file_id, kind, target.file, target.symbol, numbers)
        for (file_id, kind, target), numbers in lines.items()
    ]


def _package_file(document: str, paths: dict[str, int]) -> int | None:
    """Return the id of the file that describes the folder of a document, such as `__init__.py`.

    None if the folder has no such file.
    """
    folder = dirname(document)
    names = (f"{stem}{suffix}" for stem in sorted(FOLDER_INDEX_STEMS) for suffix in _CODE_SUFFIXES)
    ids = (paths.get(join(folder, name)) for name in names)
    return next((file_id for file_id in ids if file_id is not None), None)


class _FileFinder:
    """Finds the file that a document refers to by a full path or by the end of a path."""

    def __init__(self, paths: dict[str, int]) -> None:
        self._paths = paths
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(basename(path), []).append(path)

    def __call__(self, document: str, name: str) -> _Target | None:
        """Return the file to which `name` in a document refers; None if there is none.

        It is the file at the path `name`, relative to the root or to the document's folder, else
        the only file whose path ends with `name`.
        """
        bare = name.removeprefix("./").rstrip("/")
        for path in (bare, normpath(join(dirname(document), name))):
            if path in self._paths:
                return _Target(self._paths[path], None)
        namesakes = self._by_name.get(basename(bare), [])
        ending = [path for path in namesakes if f"/{path}".endswith(f"/{bare}")]
        return _Target(self._paths[ending[0]], None) if len(ending) == 1 else None


def _find_symbol(connection: sqlite3.Connection, name: str) -> _Target | None:
    """Return the only symbol with this name outside tests, else the only one in tests.

    None if several symbols match. A plain word, like `run`, matches only top-level definitions.
    """
    dotted = _SEPARATORS.sub(".", name.removesuffix("()"))
    is_plain = bool(_PLAIN_WORD.fullmatch(name))
    folded = fold_name(dotted.rpartition(".")[2])
    matching = [
        symbol
        for symbol in definitions_by_folded_name(connection, folded)
        if f".{symbol.module}.{symbol.qualified}".endswith(f".{dotted}")
        and (not is_plain or (symbol.kind in _STANDALONE_KINDS and "." not in symbol.qualified))
    ]
    product = (symbol for symbol in matching if not symbol.is_test)
    return _only(_Target(symbol.file_id, symbol.id) for symbol in product) or _only(
        _Target(symbol.file_id, symbol.id) for symbol in matching
    )


def _only(targets: Iterable[_Target]) -> _Target | None:
    """Return the only target; None if there are none or several."""
    unique = list(targets)
    return unique[0] if len(unique) == 1 else None

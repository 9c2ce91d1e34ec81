"""The relations stage: resolve what is new and what depends on what changed.

A file is resolved again if it was read again, if a file that it was resolved with shows something
else than before, or if its imports mean other files now. The outcome is that of resolving
everything. It can be killed at any point: what is not resolved is marked so in the catalog.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from codeindex.ingest.locate import BESIDE, LOCATORS, Place, Tree, is_manifest
from codeindex.ingest.packed import unpacked
from codeindex.ingest.resolve import (
    Asked,
    Declared,
    Reference,
    View,
    declared_from,
    references,
)
from codeindex.languages import for_path
from codeindex.store import relations as stored
from codeindex.store.catalog import Catalog
from codeindex.store.files import text_of
from codeindex.types import Definition, Edge, Relations

_BATCH = 200
"""Files between two commits."""
_REMEMBERED = 4000
"""Files whose declarations are kept in memory while others are resolved: about 60 MB."""


def relate(catalog: Catalog, *, progress: Callable[[str, int, int], None]) -> int:
    """Bring edges up to date with the files in the catalog; return how many were resolved."""
    connection = catalog.connection
    todo = stored.unresolved(connection)
    tree_digest = _tree_digest(catalog)
    moved = catalog.note("related_tree") != tree_digest
    if not todo and not moved:
        return 0
    reader = _Reader(catalog)
    affected = {one for one, _ in todo}
    showing = {one for one, same in todo if not same}
    if moved:
        affected |= reader.leading_elsewhere()
        showing |= stored.vanished(connection)
    if showing:
        affected |= stored.consulting(connection, showing)
    ordered = sorted(affected & reader.paths.keys(), key=reader.paths.__getitem__)
    with catalog.writing():  # a kill after the first of them must not make us forget the rest
        stored.mark_unresolved(connection, ordered)
    for start in range(0, len(ordered), _BATCH):
        progress("graph", start, len(ordered))
        with catalog.writing():
            for one in ordered[start : start + _BATCH]:
                _resolve(reader, one)
    with catalog.writing():
        connection.execute("UPDATE relations SET shown = interface WHERE shown != interface")
        catalog.put_note("related_tree", tree_digest)
    progress("graph", len(ordered), len(ordered))
    return len(ordered)


def _tree_digest(catalog: Catalog) -> str:
    """Digest what decides which file an import means: all paths, and what manifests say."""
    digest = hashlib.sha256()
    for path, content in catalog.connection.execute("SELECT path, digest FROM files ORDER BY path"):
        digest.update(
            f"{path}\0{content if is_manifest(path) else ''}\n".encode("utf-8", "replace")
        )
    return digest.hexdigest()[:32]


def _resolve(reader: _Reader, file_id: int) -> None:
    path = reader.paths[file_id]
    relations = reader.relations(file_id)
    found, session = references(reader.view, path, relations)
    symbols = stored.definitions_of(reader.connection, file_id, path)
    stored.replace_edges(
        reader.connection,
        file_id,
        _edges(found, symbols, reader.ids),
        asked=(asked := sorted(session.asked)),
        found=reader.found(asked),
        consulted=[reader.ids[one] for one in session.consulted if one in reader.ids],
    )


def _edges(
    found: Iterable[Reference], symbols: Sequence[Definition], ids: Mapping[str, int]
) -> Iterator[Edge]:
    """Make one edge of all references from one thing to another."""
    lines: dict[Reference, set[int]] = defaultdict(set)
    for one in found:
        lines[one._replace(line=0)].add(one.line)
    for one, all_ in lines.items():
        yield Edge(
            source=symbols[one.symbol].id if one.symbol >= 0 else None,
            kind=one.kind,
            certainty=one.certainty,
            target_file=ids.get(one.target_file),
            target=one.target_symbol or None,
            name=one.module if one.target_file else one.target_name,
            lines=tuple(sorted(all_)),
        )


class _Reader:
    """What resolving asks of the catalog, remembered for one run."""

    def __init__(self, catalog: Catalog) -> None:
        self.connection = catalog.connection
        rows = catalog.connection.execute("SELECT id, path, language FROM files").fetchall()
        self.paths = {one: path for one, path, _ in rows}
        self.ids = {path: one for one, path, _ in rows}
        self._languages = {path: language for _, path, language in rows}
        self._tree = Tree(self.ids, partial(text_of, catalog.connection))
        self._beside = lru_cache(maxsize=None)(self._look_beside)
        self._located = lru_cache(maxsize=1 << 17)(self._locate)
        self.view = View(
            lru_cache(maxsize=_REMEMBERED)(self._declared), self._located, self._beside
        )

    def relations(self, file_id: int) -> Relations:
        declared, used = self.connection.execute(
            "SELECT declared, used FROM relations WHERE file_id = ?", (file_id,)
        ).fetchone()
        return unpacked(declared, used)

    def leading_elsewhere(self) -> set[int]:
        """Return the files for which imports mean other files than when they were resolved."""
        return {
            file_id
            for file_id, asked, found in stored.asked_of(self.connection)
            if self.found(asked) != found
        }

    def found(self, asked: Iterable[Asked]) -> str:
        """Digest what the tree answers."""
        digest = hashlib.sha256()
        for path, module in asked:
            answer = self._located(path, module) if module else self._beside(path)
            digest.update(repr(answer).encode("utf-8", "replace"))
        return digest.hexdigest()[:16]

    def _locate(self, path: str, module: str) -> Place | None:
        locate = LOCATORS.get(self._language(path))
        return locate(self._tree, path, module) if locate else None

    def _language(self, path: str) -> str:
        """Return the language of a file, or of one that might lie at a path."""
        known = self._languages.get(path)
        if known is None:
            might_be = for_path(path)
            known = might_be.name if might_be else ""
        return known

    def _look_beside(self, path: str) -> tuple[str, ...]:
        beside = BESIDE.get(self._language(path))
        return tuple(beside(self._tree, path)) if beside else ()

    def _declared(self, path: str) -> Declared | None:
        file_id = self.ids.get(path)
        row = self.connection.execute(
            "SELECT declared FROM relations WHERE file_id = ?", (file_id,)
        ).fetchone()
        if row is None or file_id is None or not row[0]:
            return None
        symbols = stored.definitions_of(self.connection, file_id, path)
        return declared_from(path, self._languages[path], symbols, unpacked(row[0]))

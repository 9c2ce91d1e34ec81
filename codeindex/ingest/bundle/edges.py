"""Use resolved edges from a bundle for files whose edges would be the same in this checkout.

They are the same if the file is unchanged, and if the interfaces of the files that were read to
resolve them are unchanged. The edges of all other files are resolved here. As after every sync,
`graph.update` checks whether an import leads to another file in this checkout; it skips the check
if all paths, manifests and visible names are equal.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from codeindex.graph.file_resolution import CatalogReader, resolve_file
from codeindex.graph.update import TREE_NOTE, digest_tree
from codeindex.ingest.bundle.layout import CHECKED_FILES
from codeindex.ingest.bundle.values import checked_number, checked_text, require
from codeindex.store.catalog.relations import clear_changed_names, mark_unresolved
from codeindex.store.graph.stored_resolutions import (
    EdgeSource,
    edge_sources,
    mark_interfaces_shown,
    portable_edges,
)
from codeindex.store.graph.write_edges import store_resolution
from codeindex.text.words import IDENTIFIER
from codeindex.types import OVERLOAD_PREFIX, USE_KINDS, EdgeRecord, FileResolution

if TYPE_CHECKING:
    from codeindex.ingest.bundle.reader import Bundle
    from codeindex.store.catalog.connection import Catalog

logger = logging.getLogger(__name__)

_BATCH_FILES = 200
"""Files of a transaction, as in `graph.update`."""
_MOST_NAME = 1000
_CERTAINTIES = ("resolved", "ambiguous")


def take_edges(catalog: Catalog, bundle: Bundle, reused: Collection[str]) -> int:
    """Store the graph edges of a bundle; return the number of files whose edges were stored.

    `reused` are the paths of files whose parse came from the bundle. The edges of a file are left
    out if they do not match its text, or if a file that was read to resolve them has another
    interface here. All are left to be resolved here if those of a sample differ from ours.
    """
    sources = edge_sources(catalog.connection)
    same: set[str] = set()
    resolutions = _resolutions(bundle.edge_lines(), sources, reused, same)
    taken: list[int] = []
    while batch := list(islice(resolutions, _BATCH_FILES)):
        with catalog.writing():
            for resolution in batch:
                store_resolution(catalog.connection, resolution)
        taken += (resolution.file_id for resolution in batch)
    with catalog.writing():
        if not _equal_ours(catalog, taken):
            logger.warning("edges of the bundle differ from ours: all are resolved here")
            mark_unresolved(catalog.connection, taken)
            return 0
        mark_interfaces_shown(catalog.connection)
        tree = digest_tree(catalog)
        if tree == bundle.manifest.tree and sources.keys() == same:
            catalog.put_note(TREE_NOTE, tree)
            clear_changed_names(catalog.connection)
    return len(taken)


def _equal_ours(catalog: Catalog, taken: Sequence[int]) -> bool:
    """Tell whether the stored edges of a random sample of files equal those that we resolve.

    The sample gets our edges.
    """
    reader = CatalogReader(catalog.connection)
    paths = {file_id: path for path, file_id in reader.ids.items()}
    for file_id in random.sample(taken, min(CHECKED_FILES, len(taken))):
        before = portable_edges(catalog.connection, file_id, paths)
        store_resolution(catalog.connection, resolve_file(reader, file_id))
        if portable_edges(catalog.connection, file_id, paths) != before:
            return False
    return True


def _resolutions(
    lines: Iterable[bytes],
    sources: Mapping[str, EdgeSource],
    reused: Collection[str],
    same: set[str],
) -> Iterator[FileResolution]:
    """Yield the edges of each usable line of a bundle, with the ids of this catalog.

    A line is usable if its file's parse was `reused` from the bundle. Add to `same` the path of
    each file that exports the same names to its package here as in the bundle.
    """
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, IndexError, RecursionError):
            path, shown, *rest = json.loads(line)
            source = sources[path]
            if source.shown == shown:
                same.add(path)
            if path in reused:
                yield _resolution(source, sources, *rest)


def _resolution(
    source: EdgeSource,
    sources: Mapping[str, EdgeSource],
    queries: Any,
    answers: Any,
    consulted: Any,
    rows: Any,
) -> FileResolution:
    visible = [source]
    for other, interface in consulted:
        visible.append(sources[other])
        require(sources[other].interface == interface)
    by_path = {file.path: file for file in visible}
    require({type(path) for path, _ in queries} <= {str})
    require({type(module) for _, modules in queries for module in modules} <= {str})
    return FileResolution(
        source.file_id,
        [_edge(row, source, by_path) for row in rows],
        queries,
        checked_text(answers),
        sorted({file.file_id for file in visible[1:]}),
    )


def _edge(row: Any, source: EdgeSource, visible: Mapping[str, EdgeSource]) -> EdgeRecord:
    """Return an edge of the file `source` from its row in a bundle.

    Its target is an external name, or is in one of the `visible` files; KeyError if it is in
    another file.
    """
    owner, kind, certainty, target_path, target, name, lines, receiver, arguments = row
    require(kind in USE_KINDS and certainty in _CERTAINTIES)
    require(all(1 <= int(line) <= source.lines for line in checked_text(lines).split()))
    is_count = checked_text(name).removeprefix(OVERLOAD_PREFIX).isdecimal()
    require(not name or is_count or _is_written(name, source, visible.values()))
    require(_is_written(checked_text(receiver), source, ()))
    require(arguments == -1 or checked_number(arguments) >= 0)
    target_file = None if target_path is None else visible[target_path]
    return EdgeRecord(
        _symbol(owner, source),
        str(kind),
        certainty,
        target_file.file_id if target_file else None,
        _symbol(target, target_file),
        name,
        lines,
        receiver=receiver,
        arguments=arguments,
    )


def _symbol(number: object, file: EdgeSource | None) -> int | None:
    """Return the catalog id of the symbol with the index `number` in a file; None for None.

    Raise ValueError or IndexError if the file has no such symbol.
    """
    if number is None:
        return None
    if file is None or not isinstance(number, int) or number < 0:
        raise ValueError("not the number of a symbol")
    return file.symbols[number]


def _is_written(name: str, source: EdgeSource, visible: Iterable[EdgeSource]) -> bool:
    """Tell whether the identifiers of a dotted name occur in the files.

    The last identifier must be in `source`, the others in any of the `visible` files, because
    another file may import the external name that qualifies it.
    """
    if len(name) > _MOST_NAME or not name.isprintable():
        return False
    *others, last = IDENTIFIER.findall(name) or [""]
    return (not last or source.has_identifier(last)) and all(
        any(file.has_identifier(word) for file in visible) for word in others
    )

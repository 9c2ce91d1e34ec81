"""The relations stage: resolve what is new and what depends on what changed.

A file is resolved again if it was read again, if a file that it was resolved with shows something
else than before, or if its imports mean other files now. The outcome is that of resolving
everything. It can be killed at any point: what is not resolved is marked so in the catalog.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from codeindex.graph.file_resolution import CatalogReader, digest_answers, resolve_file
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.languages import is_manifest
from codeindex.store.catalog import relations as stored
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.file_facts import content_by_path

_BATCH = 200
"""Files between two commits."""
_ALONE = 200
"""Files whose resolution takes as long as other processes take to start."""
_MOST_RENAMED = 30
"""Names that are looked for one by one: each takes a look at what all files have asked."""


def update_edges(
    catalog: Catalog,
    resolvers: ResolverPool,
    *,
    progress: Callable[[str, int, int], None],
    alone: int = _ALONE,
) -> int:
    """Bring edges up to date with the files in the catalog; return how many were resolved.

    Up to `alone` files are resolved in this process, which then starts no others.
    """
    tree_digest = _tree_digest(catalog)
    moved = catalog.note("related_tree") != tree_digest
    todo = stored.unresolved_files(catalog.connection)
    renamed = stored.changed_names(catalog.connection)
    if not todo and not moved and not renamed:
        return 0
    reader = CatalogReader(catalog.connection)
    affected = _affected(reader, todo, moved=moved, renamed=renamed)
    ordered = sorted(affected & reader.paths.keys(), key=reader.paths.__getitem__)
    with catalog.writing():  # a kill after the first of them must not make us forget the rest
        stored.mark_unresolved(catalog.connection, ordered)
    many = len(ordered) > alone
    each = (resolve_file(reader, file_id) for file_id in ordered)
    resolutions = resolvers.resolutions(ordered, reader) if many else each
    for start in range(0, len(ordered), _BATCH):
        progress("graph", start, len(ordered))
        batch = list(islice(resolutions, _BATCH))  # before the writing, which keeps others waiting
        with catalog.writing():
            for resolution in batch:
                stored.store_resolution(catalog.connection, resolution)
    with catalog.writing():
        catalog.put_note("related_tree", tree_digest)
        stored.clear_changed_names(catalog.connection)
    progress("graph", len(ordered), len(ordered))
    return len(ordered)


def _affected(
    reader: CatalogReader,
    todo: Sequence[tuple[int, bool]],
    *,
    moved: bool,
    renamed: Sequence[tuple[str, str]],
) -> set[int]:
    """Return the files that were read again, and those to which others look different now."""
    affected = {file_id for file_id, _ in todo}
    showing = {file_id for file_id, same in todo if not same}
    if moved or len(renamed) > _MOST_RENAMED:
        affected |= _leading_elsewhere(reader, stored.all_import_lookups(reader.connection))
        showing |= stored.deleted_dependencies(reader.connection)
    else:
        for package, name in renamed:
            asking = stored.import_lookups_of_name(reader.connection, package, name)
            affected |= _leading_elsewhere(reader, asking)
    if showing:
        affected |= stored.files_resolved_against(reader.connection, showing)
    return affected


def _tree_digest(catalog: Catalog) -> str:
    """Digest what decides which file an import means: all paths, and what manifests say."""
    files = content_by_path(catalog.connection)
    entries = (f"{path}\0{digest if is_manifest(path) else ''}" for path, digest in files)
    return hashlib.sha256("\n".join(entries).encode("utf-8", "replace")).hexdigest()[:32]


def _leading_elsewhere(reader: CatalogReader, asked_of: Iterable[stored.ImportLookups]) -> set[int]:
    """Return the files for which imports mean other files than when they were resolved."""
    return {
        file_id
        for file_id, queries, digest in asked_of
        if digest_answers(reader.answers(queries)) != digest
    }

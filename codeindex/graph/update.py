"""Resolve new files, and files that depend on changes.

A file is resolved again if it was parsed again, if declarations of a file that it depends on
changed, or if its imports lead to other files now. With a SCIP index, any change of a file that it
depends on counts, because the compiler infers more from it than we do. The result equals that of a
full resolution. A kill at any point is safe, because the catalog marks unresolved files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from codeindex.graph.file_resolution import CatalogReader, digest_answers, resolve_file
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.languages import is_manifest
from codeindex.store.catalog import relations as stored
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import content_by_path
from codeindex.store.graph.compiler_files import (
    changed_compiler_files,
    clear_changed_compiler_files,
)
from codeindex.store.graph.write_edges import store_resolution
from codeindex.types import FileResolution

TREE_NOTE = "related_tree"
"""Key in `meta` for the digest of the tree at the last resolution of imports."""
_BATCH_FILES = 200
"""Files per transaction."""
_MAX_FILES_ALONE = 200
"""Maximum number of files that are resolved in this process; starting child processes takes as long
as resolving so many."""
_MAX_RENAMED = 30
"""Maximum changed names that are searched in the texts of import lookups. If more names changed,
the lookups of all files are answered again."""


class EdgeUpdate(NamedTuple):
    """The files to resolve again, their ids in `ordered`, and their resolutions in that order.

    Child processes may already be resolving them. `tree_digest` is the result of `digest_tree`.
    """

    ordered: Sequence[int]
    resolutions: Iterator[FileResolution]
    tree_digest: str


def begin_update(
    catalog: Catalog, resolvers: ResolverPool, *, alone: int = _MAX_FILES_ALONE
) -> EdgeUpdate | None:
    """Find the files to resolve, mark them as unresolved, and return them; None if there are none.

    They are new and changed files, and files that depend on a change. Up to `alone` files are
    resolved in this process when the edges are stored. More are resolved in child processes, which
    begin at once.
    """
    tree_digest = digest_tree(catalog)
    moved = catalog.note(TREE_NOTE) != tree_digest
    todo = stored.unresolved_files(catalog.connection)
    renamed = stored.changed_names(catalog.connection)
    compiled = changed_compiler_files(catalog.connection)
    if not todo and not moved and not renamed and not compiled:
        return None
    reader = CatalogReader(catalog.connection)
    affected = _affected(reader, todo, moved=moved, renamed=renamed)
    if compiled:
        affected |= compiled | stored.files_resolved_against(catalog.connection, compiled)
    ordered = sorted(affected & reader.paths.keys(), key=reader.paths.__getitem__)
    with catalog.writing():  # a kill after the first batch must not lose the rest
        stored.mark_unresolved(catalog.connection, ordered)
    many = len(ordered) > alone
    each = (resolve_file(reader, file_id) for file_id in ordered)
    return EdgeUpdate(
        ordered, resolvers.resolutions(ordered, reader) if many else each, tree_digest
    )


def store_edges(
    catalog: Catalog, update: EdgeUpdate, *, progress: Callable[[str, int, int], None]
) -> int:
    """Store the edges of an update; return the number of resolved files.

    `progress` is called with (phase, done, total).
    """
    total = len(update.ordered)
    for start in range(0, total, _BATCH_FILES):
        progress("graph", start, total)
        batch = list(
            islice(update.resolutions, _BATCH_FILES)
        )  # resolve before the lock is taken: other writers wait for it
        with catalog.writing():
            for resolution in batch:
                store_resolution(catalog.connection, resolution)
    with catalog.writing():
        catalog.put_note(TREE_NOTE, update.tree_digest)
        stored.clear_changed_names(catalog.connection)
        clear_changed_compiler_files(catalog.connection)
    progress("graph", total, total)
    return total


def _affected(
    reader: CatalogReader,
    todo: Sequence[tuple[int, bool]],
    *,
    moved: bool,
    renamed: Sequence[tuple[str, str]],
) -> set[int]:
    """Return the ids of the files to resolve again.

    These are the files in `todo`, which were parsed again, and the files that depend on changes.
    `todo` has (file id, whether the declarations that other files see are unchanged); `moved` is
    true if paths or manifests changed; `renamed` has (package, name) of each name that a package
    gained or lost.
    """
    affected = {file_id for file_id, _ in todo}
    showing = {file_id for file_id, same in todo if not same}
    if moved or len(renamed) > _MAX_RENAMED:
        affected |= _with_changed_imports(reader, stored.all_import_lookups(reader.connection))
        showing |= stored.deleted_dependencies(reader.connection)
    elif renamed:
        asking = stored.import_lookups_of_names(reader.connection, renamed)
        affected |= _with_changed_imports(reader, asking)
    if showing:
        affected |= stored.files_resolved_against(reader.connection, showing)
    return affected


def digest_tree(catalog: Catalog) -> str:
    """Return a digest of what decides where imports lead: all paths, contents of manifests."""
    files = content_by_path(catalog.connection)
    entries = (f"{path}\0{digest if is_manifest(path) else ''}" for path, digest in files)
    return hashlib.sha256("\n".join(entries).encode("utf-8", "replace")).hexdigest()[:32]


def _with_changed_imports(
    reader: CatalogReader, lookups: Iterable[stored.ImportLookups]
) -> set[int]:
    """Return the ids of the files whose imports now lead to other files than when resolved."""
    return {
        file_id
        for file_id, queries, digest in lookups
        if digest_answers(reader.answers(queries)) != digest
    }

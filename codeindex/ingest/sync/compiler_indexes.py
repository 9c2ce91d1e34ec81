"""Read the SCIP indexes, which compilers write, of a tree when one of them has changed."""

from __future__ import annotations

from codeindex.graph.scip.collect import (
    IndexLocation,
    collect_references,
    index_stamp,
    locations_below,
)
from codeindex.ingest.sync.context import SyncContext
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.relations import mark_unresolved
from codeindex.store.graph.compiler_files import (
    file_ids_in,
    read_compiler_note,
    replace_compiler_files,
    write_compiler_note,
)


def has_new_compiler_index(context: SyncContext, catalog: Catalog) -> bool:
    """Tell whether a SCIP index of the tree was written or deleted since the last sync."""
    known = read_compiler_note(catalog.connection).get("stamp", [])
    return bool(index_stamp(_locations(context)) != known)


def read_compiler_indexes(context: SyncContext, catalog: Catalog) -> tuple[str, ...]:
    """Store the references in SCIP indexes, and mark the files of their languages as unresolved.

    Return a sentence for each index that could not be used.
    """
    locations = _locations(context)
    stamp = index_stamp(locations)  # before they are read: a later change is noticed next time
    indexes = collect_references(catalog.connection, context.repository.root, locations)
    before = read_compiler_note(catalog.connection).get("languages", ())
    with catalog.writing():
        replace_compiler_files(catalog.connection, indexes.files.values())
        write_compiler_note(
            catalog.connection,
            {
                "stamp": stamp,
                "languages": sorted(indexes.languages),
                "documents": indexes.documents,
                "matching": indexes.matching,
                "problems": indexes.problems,
            },
        )
        mark_unresolved(
            catalog.connection, file_ids_in(catalog.connection, {*before, *indexes.languages})
        )
    return indexes.problems


def _locations(context: SyncContext) -> list[IndexLocation]:
    return locations_below(context.repository.root, context.config.graph.scip)

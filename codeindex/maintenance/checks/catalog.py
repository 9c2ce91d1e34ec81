"""Check the catalog: SQLite pages, foreign keys, ends of edges and, if deep, edges anew."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.config import cpu_count
from codeindex.graph.file_resolution import CatalogReader
from codeindex.graph.resolver_pool import ResolverPool
from codeindex.ingest.derive.mentions import document_edges
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.relations import (
    edges_are_stale,
    files_with_stale_edges,
    resolved_files,
)
from codeindex.store.catalog.verification import (
    count_edges,
    count_edges_without_source,
    files_with_dangling_edges,
    integrity_errors,
    tables_with_orphans,
)
from codeindex.store.graph.compare_edges import documents_with_other_edges, is_stored
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, note, ok, problem


def check_catalog(context: CheckContext) -> Iterator[Verdict]:
    """Run SQLite's integrity and foreign-key checks, and look for edges without a source file."""
    errors = integrity_errors(context.connection, full=context.deep)
    tables = tables_with_orphans(context.connection)
    sourceless = count_edges_without_source(context.connection)
    if errors:
        yield problem("catalog", f"SQLite finds it damaged: {errors[0]}", remedy=REPAIR)
    if tables:
        yield problem(
            "catalog", f"rows of {name_some(tables)} belong to no other row", remedy=REPAIR
        )
    if sourceless and context.generation.complete:
        text = f"{sourceless:,} edges start in files that do not exist"
        yield problem("catalog", text, remedy=REPAIR)
    if not errors and not tables:
        yield ok(
            "catalog",
            f"generation {context.generation.number}, version {context.generation.version}",
        )


def check_edges(context: CheckContext) -> Iterator[Verdict]:
    """Check that the file or symbol at each end of each edge exists.

    In a deep check, resolve all files again, and compare the result with the stored edges. Yield
    nothing while a sync is unfinished: some edges may lack an end then.
    """
    if not context.generation.complete:
        return
    paths = files_with_dangling_edges(context.connection)
    if paths:
        text = f"edges of {name_some(paths)} lead to files or symbols that do not exist"
        yield problem("edges", text, remedy=REPAIR, names=paths)
        return
    yield ok("edges", f"{count_edges(context.connection):,} edges have both ends")
    if context.deep:
        yield _compare_with_resolution(context)


def _compare_with_resolution(context: CheckContext) -> Verdict:
    connection = context.connection
    if edges_are_stale(connection) or files_with_stale_edges(connection):
        text = "some files have changed, and their edges are resolved when a question needs them"
        return note("edges", text, remedy="run `codeindex index`")
    reader = CatalogReader(connection)
    files = resolved_files(connection)
    limits = context.sync_context.config.limits
    with ResolverPool(
        context.repository.catalog, size=cpu_count(), memory_mb=limits.memory_mb
    ) as resolvers:
        wrong = {
            resolution.file_id
            for resolution in resolvers.resolutions(files, reader)
            if not is_stored(connection, resolution)
        }
    wrong |= documents_with_other_edges(connection, document_edges(connection))
    if wrong:
        paths = tuple(sorted(reader.paths[file_id] for file_id in wrong))
        text = f"edges of {name_some(paths)} differ from those that are resolved again"
        return problem("edges", text, remedy=REPAIR, names=paths)
    return ok("edges", f"those of {len(files):,} files resolved again, with the same result")

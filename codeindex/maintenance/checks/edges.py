"""Check that the ends of edges exist and, in a deep check, that the edges are up to date."""

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
from codeindex.store.catalog.verification import count_edges, files_with_dangling_edges
from codeindex.store.graph.compare_edges import documents_with_other_edges, is_stored
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, note, ok, problem


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

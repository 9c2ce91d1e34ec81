"""Check the catalog: SQLite pages, foreign keys, and edges with missing ends."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.verification import (
    count_edges,
    count_edges_without_source,
    files_with_dangling_edges,
    integrity_errors,
    tables_with_orphans,
)
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, ok, problem


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
    """Look for edges from or to a missing file or symbol; an unfinished sync may have some."""
    if not context.generation.complete:
        return
    paths = files_with_dangling_edges(context.connection)
    if paths:
        text = f"edges of {name_some(paths)} lead to files or symbols that do not exist"
        yield problem("edges", text, remedy=REPAIR, names=paths)
        return
    yield ok("edges", f"{count_edges(context.connection):,} edges have both ends")

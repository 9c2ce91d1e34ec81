"""Check the catalog: SQLite pages, foreign keys, and edges without a source file."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.verification import (
    count_edges_without_source,
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

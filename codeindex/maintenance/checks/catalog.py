"""Check the catalog: SQLite pages, foreign keys, and edges with missing ends."""

from __future__ import annotations

from collections.abc import Iterator

from codeindex.maintenance.checks.context import REPAIR, CheckContext, name_some
from codeindex.types.verdicts import Verdict, ok, problem

_DANGLING = (
    "SELECT DISTINCT path FROM files WHERE id IN (SELECT source_file FROM edges"
    " WHERE target_file NOT IN (SELECT id FROM files)"
    " OR target_symbol NOT IN (SELECT id FROM symbols)"
    " OR source_symbol NOT IN (SELECT id FROM symbols)) ORDER BY path"
)
_NOWHERE = "SELECT count(*) FROM edges WHERE source_file NOT IN (SELECT id FROM files)"


def check_catalog(context: CheckContext) -> Iterator[Verdict]:
    """Run SQLite's integrity and foreign-key checks."""
    pragma = "integrity_check" if context.deep else "quick_check"
    said = [text for (text,) in context.connection.execute(f"PRAGMA {pragma}(3)")]
    orphans = context.connection.execute("PRAGMA foreign_key_check").fetchmany(3)
    (nowhere,) = context.connection.execute(_NOWHERE).fetchone()
    if said != ["ok"]:
        yield problem("catalog", f"SQLite finds it damaged: {said[0]}", remedy=REPAIR)
    if orphans:
        tables = sorted({str(row[0]) for row in orphans})
        yield problem(
            "catalog", f"rows of {name_some(tables)} have lost their owner", remedy=REPAIR
        )
    if nowhere and context.generation.complete:
        yield problem("catalog", f"{nowhere:,} edges come from files that are gone", remedy=REPAIR)
    if said == ["ok"] and not orphans:
        yield ok(
            "catalog",
            f"generation {context.generation.number}, version {context.generation.version}",
        )


def check_edges(context: CheckContext) -> Iterator[Verdict]:
    """Look for edges with missing ends, which are normal only during a sync."""
    if not context.generation.complete:
        return
    paths = tuple(path for (path,) in context.connection.execute(_DANGLING))
    if paths:
        text = f"edges of {name_some(paths)} lead to what is gone"
        yield problem("edges", text, remedy=REPAIR, names=paths)
        return
    (count,) = context.connection.execute("SELECT count(*) FROM edges").fetchone()
    yield ok("edges", f"{count:,} that lead somewhere")

"""Count the files that are not indexed, by reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from codeindex.analysis.overview.parts import IndexCoverage, SkipCount
from codeindex.store.catalog.file_lists import count_indexed_below, list_unindexed
from codeindex.store.catalog.unparsed_code import unparsed_files

if TYPE_CHECKING:
    import sqlite3

MAX_NAMED_FILES = 200
"""Most files that are listed per reason; `codeindex files --skipped` lists all."""


def measure_coverage(connection: sqlite3.Connection, place: str) -> IndexCoverage:
    """Count the files below `place` that are not indexed or only partly parsed, by reason."""
    rows = list_unindexed(connection)
    left = [row for row in rows if _is_below(row[0], place)]
    counts = Counter(status for _, _, status in left)
    by_reason: dict[str, list[str]] = defaultdict(list)
    for path, reason, _ in left:
        by_reason[reason].append(path)
    reasons = [
        SkipCount(why, len(paths), tuple(paths[:MAX_NAMED_FILES]))
        for why, paths in by_reason.items()
    ]
    torn = [skipped for skipped in unparsed_files(connection) if _is_below(skipped.path, place)]
    return IndexCoverage(
        indexed=count_indexed_below(connection, place),
        skipped=counts["skipped"],
        failed=counts["failed"],
        reasons=tuple(sorted(reasons, key=lambda reason: (-reason.files, reason.reason))),
        unparsed=tuple((skipped.path, skipped.reason) for skipped in torn[:MAX_NAMED_FILES]),
    )


def _is_below(path: str, place: str) -> bool:
    return not place or path.rstrip("/") == place or path.startswith(f"{place}/")

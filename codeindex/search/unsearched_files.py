"""Files that no search reads, counted by the reason: what an answer about all files cannot know."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codeindex.store.catalog.unparsed_code import unread_code_files
from codeindex.text.globs import last_match, rule
from codeindex.types import Filters

if TYPE_CHECKING:
    import sqlite3


def count_unsearched_files(
    connection: sqlite3.Connection, filters: Filters, *, minified: bool = False
) -> dict[str, int]:
    """Count what is not indexed and may be what filters let pass, by the reason, most first.

    Texts that are minified count if they are not read either.
    """
    rows = connection.execute(
        "SELECT path, reason FROM skipped UNION ALL"
        " SELECT path, reason FROM files WHERE status = 'failed'"
        " OR (status = 'skipped' AND (reason != 'minified' OR ?))",
        (minified,),
    )
    counts = Counter(reason for path, reason in rows if _may_pass(path, filters))
    return dict(counts.most_common())


def has_unsearched_code(connection: sqlite3.Connection, filters: Filters) -> bool:
    """Tell whether code that filters may let pass was left out for what it is, not by a rule."""
    return any(_may_pass(one.path, filters) for one in unread_code_files(connection))


def _may_pass(path: str, filters: Filters) -> bool:
    """Tell by its path whether a file, or what is below a folder, may have been asked for."""
    bare = path.rstrip("/")
    places = filters.paths
    if places and not any(
        not one or f"{bare}/".startswith(f"{one}/") or f"{one}/".startswith(f"{bare}/")
        for one in places
    ):
        return False
    rules = [one for one in map(rule, filters.globs) if one]
    if not rules or path.endswith("/"):
        return True
    last = last_match(rules, path)
    return not last.negated if last else all(one.negated for one in rules)

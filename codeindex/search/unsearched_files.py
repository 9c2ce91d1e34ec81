"""Count the files that searches do not read, or read only in part, by reason.

A search cannot tell whether these files contain a word.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable

from codeindex.languages import LANGUAGES, language_for_path
from codeindex.search.filters import language_test
from codeindex.store.catalog.skipped_files import partly_searched_files, unsearched_paths
from codeindex.store.catalog.unparsed_code import unread_code_files
from codeindex.text.globs import compile_ignore_rule, last_matching_rule, plain_globs
from codeindex.types import Filters, SkipReason

_NO_CODE = (SkipReason.BINARY, SkipReason.LOCK, "binary")
"""Reasons of files that are in no language, unless their name tells one."""


def count_unsearched_files(
    connection: sqlite3.Connection, filters: Filters, *, minified: bool = False
) -> dict[str, int]:
    """Count, by reason, the files that may pass the filters and are not, or not wholly, indexed.

    The most frequent reason comes first. `minified` also counts minified files, for callers that do
    not read them.
    """
    paths = unsearched_paths(connection, minified=minified)
    passes = language_test(filters.languages)
    paths = [row for row in paths if not filters.languages or _may_be_of(*row, passes)]
    notebooks = [name for name, item in LANGUAGES.items() if item.document == "cell"]
    paths += [
        (path, reason)
        for path, language, reason in partly_searched_files(connection, notebooks)
        if passes(path, language)
    ]
    counts = Counter(reason for path, reason in paths if may_pass(path, filters))
    return dict(counts.most_common())


def _may_be_of(path: str, reason: str, passes: Callable[[str, str], bool]) -> bool:
    """Tell whether a skipped file, or one below the folder, may be of a language that passes.

    The name tells the language; a file without a suffix may be a script of any.
    """
    if path.endswith("/"):
        return True
    language = language_for_path(path)
    if language is None:
        return reason not in _NO_CODE and "." not in path.rpartition("/")[2].lstrip(".")
    return passes(path, language.name)


def count_unsearched_code(connection: sqlite3.Connection, filters: Filters) -> int:
    """Count the files of code that may pass the filters and are not searched.

    They were skipped for their size, their text or their access rights.
    """
    return sum(may_pass(skipped.path, filters) for skipped in unread_code_files(connection))


def may_pass(path: str, filters: Filters) -> bool:
    """Tell from a path whether the file, or a file below the folder, may pass the filters."""
    bare = path.rstrip("/")
    if filters.paths and not any(
        not place or f"{bare}/".startswith(f"{place}/") or f"{place}/".startswith(f"{bare}/")
        for place in filters.paths
    ):
        return False
    globs = (plain for glob in filters.globs for plain in plain_globs(glob, (path,)))
    rules = [glob_rule for glob_rule in map(compile_ignore_rule, globs) if glob_rule]
    if not rules or path.endswith("/"):
        return True
    last = last_matching_rule(rules, path)
    return not last.negated if last else all(glob_rule.negated for glob_rule in rules)

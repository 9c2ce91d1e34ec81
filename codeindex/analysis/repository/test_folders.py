"""Find the folders that exist for tests; they may contain helper code too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from posixpath import basename, dirname, join

_NAMED_FOR_TESTS = re.compile(r"(?:(?<![A-Za-z])(?:test|spec)|Test|Spec)s?(?![a-z])|\be2e\b")
"""Matches the word by which a folder's name marks it as one for tests: `tests`, `androidTest`."""
_AFFIX = re.compile(r"^test_|[_.](?:test|spec)(?=\.)|(?<=[a-z])(?:Test|Tests|Spec)(?=\.)")


def find_test_folders(code: Collection[str], tests: Collection[str]) -> frozenset[str]:
    """Return the folders with more test files than code files; `code` and `tests` are paths.

    Tests in `app/tests` do not count for `app`. A folder is left out if one of its tests is in the
    same folder as the code that it tests, as in Go.
    """
    code_paths = set(code)
    beside = {name for path in tests if _tested_path(path) in code_paths for name in _parents(path)}
    have_code = Counter(folder for path in code for folder in _parents(path))
    have_tests = Counter(folder for path in tests for folder in _folders_of_test(path))
    return frozenset(
        folder
        for folder, count in have_tests.items()
        if count > have_code[folder] and folder not in beside
    )


def is_below_any(path: str, trees: Collection[str]) -> bool:
    return any(folder in trees for folder in _parents(path))


def _tested_path(path: str) -> str:
    return join(dirname(path), _AFFIX.sub("", basename(path), count=1))


def _folders_of_test(path: str) -> list[str]:
    """Return the folders for which a test counts, outermost first.

    These are its parent folders, without those above the outermost one that is named for tests.
    """
    outermost_first = list(_parents(path))[::-1]
    named = (
        at for at, each in enumerate(outermost_first) if _NAMED_FOR_TESTS.search(basename(each))
    )
    return outermost_first[next(named, 0) :]


def _parents(path: str) -> Iterator[str]:
    """Yield the parent folders of a path, innermost first, without the root."""
    while path := dirname(path):
        yield path

"""Folders that are there for tests, with whatever else is in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from posixpath import basename, dirname, join

_AFFIX = re.compile(r"^test_|[_.](?:test|spec)(?=\.)|(?<=[a-z])(?:Test|Tests|Spec)(?=\.)")


def find_test_folders(code: Collection[str], tests: Collection[str]) -> frozenset[str]:
    """Return the folders with more tests than code, of which none is beside what it tests.

    Where tests are kept beside the code, as Go's are, their number says nothing of the folder.
    """
    known = set(code)
    beside = {one for path in tests if _tested(path) in known for one in _above(path)}
    have_code = Counter(folder for path in code for folder in _above(path))
    have_tests = Counter(folder for path in tests for folder in _above(path))
    return frozenset(
        folder
        for folder, count in have_tests.items()
        if count > have_code[folder] and folder not in beside
    )


def is_below_any(path: str, trees: Collection[str]) -> bool:
    return any(folder in trees for folder in _above(path))


def _tested(path: str) -> str:
    return join(dirname(path), _AFFIX.sub("", basename(path), count=1))


def _above(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the root left out."""
    while path := dirname(path):
        yield path

"""What file names say: which file a test is for, which files are a family."""

from __future__ import annotations

import re
from posixpath import splitext

from codeindex.text.words import fold_name

_MARKS = re.compile(
    r"^(?:tests?|spec)[_.-]|[_.-](?:unit)?(?:tests?|spec|specs|cy|e2e)$", re.IGNORECASE
)
_CAMEL_MARKS = re.compile(r"(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)$")
_FOLDERS = frozenset({"", "src", "lib", "test", "tests", "spec", "specs", "__tests__", "unit", "t"})
"""Folders that say what kind of file is in them, not what it is about."""


def subject_name(path: str) -> str:
    """Return what a file is about: `cart` for `shop/cart.py`, `test_cart.py`, `CartTest.java`."""
    stem = path.rpartition("/")[2]
    while (shorter := splitext(stem)[0]) != stem and shorter:
        stem = shorter
    if stem in {"__init__", "index", "mod"}:
        stem = path.split("/")[-2] if "/" in path else stem
    marked = _CAMEL_MARKS.sub("", _MARKS.sub("", stem)) or stem
    return fold_name(marked.replace("-", "_").strip("."))


def folder_similarity(path: str, other: str) -> float:
    """Return from 0.5 to 1 how far the folders of two files speak of the same."""
    mine, theirs = _about(path), _about(other)
    union = mine | theirs
    return 0.5 + 0.5 * (len(mine & theirs) / len(union) if union else 1.0)


def _about(path: str) -> set[str]:
    return {folder.lower() for folder in path.split("/")[:-1]} - _FOLDERS

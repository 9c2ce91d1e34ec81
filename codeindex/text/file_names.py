"""Compare file names: which source file a test file is about, and how similar two folders are."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import splitext

from codeindex.text.words import fold_name

_MARKS = re.compile(
    r"^(?:tests?|spec)[_.-]|[_.-](?:unit)?(?:tests?|spec|specs|cy|e2e)$", re.IGNORECASE
)
_CAMEL_MARKS = re.compile(r"(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)$")
_ROLE_FOLDERS = frozenset(
    {"", "src", "lib", "test", "tests", "spec", "specs", "__tests__", "unit", "t"}
)
"""Folders named after the kind of their files, not after their topic."""


@lru_cache(maxsize=20_000)
def subject_name(path: str) -> str:
    """Return the topic of a file, in lower case: its name without suffix and without test affixes.

    It is `cart` for `shop/cart.py`, `test_cart.py` and `CartTest.java`.
    """
    stem = path.rpartition("/")[2]
    while (shorter := splitext(stem)[0]) != stem and shorter:
        stem = shorter
    if stem in {"__init__", "index", "mod"}:
        stem = path.split("/")[-2] if "/" in path else stem
    marked = _CAMEL_MARKS.sub("", _MARKS.sub("", stem)) or stem
    return fold_name(marked.replace("-", "_").strip("."))


def folder_similarity(path: str, other_path: str) -> float:
    """Return how similar the folders of two paths are, from 0.5 (disjoint) to 1 (equal names).

    It is based on the Jaccard similarity of the folder names, which ignores order, case and folders
    such as `src` and `tests`.
    """
    folders, others = _topic_folders(path), _topic_folders(other_path)
    union = folders | others
    return 0.5 + 0.5 * (len(folders & others) / len(union) if union else 1.0)


@lru_cache(maxsize=20_000)
def _topic_folders(path: str) -> frozenset[str]:
    return frozenset(folder.lower() for folder in path.split("/")[:-1]) - _ROLE_FOLDERS

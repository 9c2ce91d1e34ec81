"""Match files whose path a text names: in full, by its end, or as an import spells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import splitext
from typing import NamedTuple

from codeindex.search.names.boosts import PathMatchQuality
from codeindex.text.near_names import edit_distance
from codeindex.types import FOLDER_INDEX_STEMS

_MIN_LENGTH_ONE_TYPO = 5
"""Least letters of a file name that may have one typo."""
_PLACE = re.compile(r"(?P<path>[^\s:()]+?)(?:(?::|#L|\()(?P<line>\d+)\)?(?:[:,-]L?\d+\)?)?)?")


class PathMatch(NamedTuple):
    """A file that a text names, with the line that it names; `line` is 0 if it names none."""

    path: str
    line: int
    quality: PathMatchQuality


def split_path_and_line(text: str) -> tuple[str, int | None]:
    """Split `path:line`, `path#Lline` or `path(line)` into path and line.

    The line is None if there is only a path. A text that is not a path gives ("", None).
    """
    place = _PLACE.fullmatch(text)
    if place is None:
        return "", None
    return place["path"], None if place["line"] is None else int(place["line"])


def match_path_suffix(files: Iterable[str], name: str) -> Iterator[PathMatch]:
    """Match files whose path ends with `name`; ignore case if no path matches exactly."""
    query_path, line = split_path_and_line(name)
    if not query_path:
        return
    wanted = _normalize(query_path)
    matching = [path for path in files if f"/{path}".endswith(f"/{wanted}")]
    if not matching and query_path.startswith("/"):  # an absolute path
        matching = [path for path in files if "/" in path and f"/{wanted}".endswith(f"/{path}")]
    if matching:
        for path in matching:
            yield PathMatch(path, line or 0, "whole" if path == wanted else "end")
        return
    lower = f"/{wanted.lower()}"
    for path in files:
        if f"/{path}".lower().endswith(lower):
            is_whole = f"/{path}".lower() == lower
            yield PathMatch(path, line or 0, "whole_folded" if is_whole else "folded")


def match_import_path(files: Iterable[str], name: str) -> Iterator[PathMatch]:
    """Match files by the name in an import: `shop.cart` or `shop/cart` for `shop/cart.py`.

    An index file, such as `__init__.py`, has the name of its folder.
    """
    wanted = _normalize(re.sub(r"::|(?<=\w)\.(?=\w)", "/", name))
    for path in files if wanted else ():
        stem = splitext(path)[0]
        folder, _, last = stem.rpartition("/")
        names = (stem, folder) if last in FOLDER_INDEX_STEMS else (stem,)
        if any(f"/{it}".endswith(f"/{wanted}") for it in names):
            yield PathMatch(path, 0, "imported")


def match_misspelt_path(files: Iterable[str], name: str) -> Iterator[PathMatch]:
    """Match files whose file name differs by one typo from the one in `name`."""
    query_path, line = split_path_and_line(name)
    wanted = query_path.lower().rpartition("/")[2]
    if len(wanted) < _MIN_LENGTH_ONE_TYPO or "." not in wanted:
        return
    for path in files:
        file_name = path.lower().rpartition("/")[2]
        if abs(len(file_name) - len(wanted)) <= 1 and edit_distance(file_name, wanted) == 1:
            yield PathMatch(path, line or 0, "slipped")


def _normalize(path: str) -> str:
    """Return a path with forward slashes, without leading `./` or `../`, without outer slashes."""
    return re.sub(r"^(?:\.{1,2}/)+", "", path.replace("\\", "/")).strip("/")

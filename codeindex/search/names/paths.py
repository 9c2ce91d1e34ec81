"""Which files a text names: by path, by the end of one, or as code imports them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import splitext
from typing import Literal, NamedTuple

from codeindex.types import FOLDER_INDEX_STEMS

_SHORTEST = 5
"""Letters of a name in which one slip of the finger is forgiven."""
_PLACE = re.compile(r"(?P<path>[^\s:()]+?)(?:(?::|#L|\()(?P<line>\d+)\)?(?:[:,-]L?\d+\)?)?)?")


class Path(NamedTuple):
    """A file that is named, and how much of its path was spelt how; line 0 is the file itself."""

    path: str
    line: int
    spelt: Literal["whole", "end", "imported", "whole_folded", "folded", "slipped"]


def path_and_line(name: str) -> tuple[str, int | None]:
    """Take a place apart, however its line is written, if it has one; nothing for no place."""
    place = _PLACE.fullmatch(name)
    if place is None:
        return "", None
    return place["path"], None if place["line"] is None else int(place["line"])


def files_ending(files: Iterable[str], name: str) -> Iterator[Path]:
    """Find files by their name or the end of their path, in any case if in none so."""
    said, line = path_and_line(name)
    if not said:
        return
    wanted = _bare(said)
    ends = [one for one in files if f"/{one}".endswith(f"/{wanted}")]
    if not ends and said.startswith("/"):  # of another copy of the tree, or from its root
        ends = [one for one in files if "/" in one and f"/{wanted}".endswith(f"/{one}")]
    if ends:
        for one in ends:
            yield Path(one, line or 0, "whole" if one == wanted else "end")
        return
    lower = f"/{wanted.lower()}"
    for one in files:
        if f"/{one}".lower().endswith(lower):
            yield Path(one, line or 0, "whole_folded" if f"/{one}".lower() == lower else "folded")


def files_imported(files: Iterable[str], name: str) -> Iterator[Path]:
    """Find files by the name that code imports them by, and those that stand for a folder."""
    wanted = _bare(re.sub(r"::|(?<=\w)\.(?=\w)", "/", name))
    for path in files if wanted else ():
        stem = splitext(path)[0]
        folder, _, last = stem.rpartition("/")
        names = (stem, folder) if last in FOLDER_INDEX_STEMS else (stem,)
        if any(f"/{one}".endswith(f"/{wanted}") for one in names):
            yield Path(path, 0, "imported")


def files_near(files: Iterable[str], name: str) -> Iterator[Path]:
    """Find files whose name is one slip away."""
    said, line = path_and_line(name)
    wanted = said.lower().rpartition("/")[2]
    if len(wanted) < _SHORTEST or "." not in wanted:
        return
    from codeindex.store.symbols.name_index import distance

    for path in files:
        own = path.lower().rpartition("/")[2]
        if abs(len(own) - len(wanted)) <= 1 and distance(own, wanted) == 1:
            yield Path(path, line or 0, "slipped")


def _bare(said: str) -> str:
    return re.sub(r"^(?:\.{1,2}/)+", "", said.replace("\\", "/")).strip("/")

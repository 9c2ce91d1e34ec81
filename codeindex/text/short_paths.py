"""Shorten the paths in lines of an answer that repeat the path above."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

_PATH = re.compile(
    r"(== |-- |of |  of |run |called at |tested in |extended in |also: |)([^ :]+)(?=[ :]|$)"
)
"""What stands before a path in a line of an answer, and the path."""
_TITLE = "== "
SAME_FOLDER = "…/"
_LEAST = 10
"""Fewest characters of a folder that is left out: a shorter one takes hardly more tokens than the
mark that stands for it."""


def shorten_paths(lines: Iterable[str], paths: Collection[str]) -> Iterator[str]:
    """Yield lines in which paths that repeat the one above are shorter.

    `paths` are the paths that the answer names; a line without one of them stays as it is. If the
    file is that of the last path above, `shop/cart.py:10: add` becomes `:10: add`; if only the
    folder is the same, and not short, `…/cart.py:10: add`. Titles keep their path, and so does a
    file whose name is a number, like those before lines of code. A path with a blank or a colon is
    kept, too. If its first folder or name has one, it gets `./` at the beginning of a line, where
    it could pass for a sentence of the answer, such as `Absent: verified …`.
    """
    above = ""
    whole = [path for path in paths if not _PATH.fullmatch(path)]
    like_text = tuple(path for path in whole if not _PATH.fullmatch(path.partition("/")[0]))
    for line in lines:
        if line.startswith(like_text):
            above = ""
            yield f"./{line}"
            continue
        match = _PATH.match(line)
        if not match or match[2] not in paths or match[2].isdigit():
            if any(path in line for path in whole):
                above = ""
            yield line
            continue
        before, path = match.groups()
        rest, folder = line[match.end() :], path.rpartition("/")[0]
        if before == _TITLE:
            yield line
        elif path == above and rest.startswith(":"):
            yield f"{before}{rest}"
        elif len(folder) >= _LEAST and folder == above.rpartition("/")[0]:
            yield f"{before}{SAME_FOLDER}{path[len(folder) + 1 :]}{rest}"
        else:
            yield line
        above = path

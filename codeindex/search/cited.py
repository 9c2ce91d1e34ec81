"""Places that a text cites, as compilers, logs and stack traces say them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

_NO_PATH = r"\s()\"'`,;:<>|"
_LINE = r"(?::|\(|#L|:line |[\"']?,? (?:on )?line )(?P<line>\d{1,7})(?![\w.])"
_PLACE = re.compile(rf"(?<![^{_NO_PATH}])(?P<path>[^{_NO_PATH}#]{{3,300}}+){_LINE}")
"""`a/b.py:12`, `File "a/b.py", line 12`, `b.php(12)`, `b.php on line 12`, `b.go#L12`."""
_ENDING = re.compile(r"\w\.[A-Za-z]\w{0,9}$")
_BEFORE = re.compile(r"([\w$]{2,80}) ?\($")
_AFTER = re.compile(r"(?::\d+)?[,:]? ?in [`'\"]?(?:[\w:]{1,200}?[.#])?([\w?!]{2,80})")
"""The function of a frame: `at Shop.pay (a.js:12)`, `a.rb:12:in 'Shop#pay'`, `line 12, in pay`."""
_MOST = 20
"""Places of one text that are looked at: deep traces repeat themselves."""


class Cited(NamedTuple):
    """A file, as somebody's machine calls it, a line of it, and the function that this is in."""

    path: str
    line: int
    function: str = ""


def cited(text: str) -> list[Cited]:
    """Return the places that a text cites, in order, each once."""
    found = (_cited(text, one) for one in _PLACE.finditer(text) if _ENDING.search(one["path"]))
    return list(dict.fromkeys(found))[:_MOST]


def _cited(text: str, place: re.Match[str]) -> Cited:
    path = place["path"].replace("\\", "/").removeprefix("./")
    start = max(place.start() - 100, 0)
    of = _BEFORE.search(text[start : place.start()]) or _AFTER.match(text, place.end())
    return Cited(path, int(place["line"]), of[1] if of else "")


def nearest(path: str, files: Iterable[str]) -> list[str]:
    """Return the files that a cited path may be: those that have most of its end."""
    tails = {file: common for file in files if (common := _common(path, file))}
    longest = max(tails.values(), default=0)
    return [file for file, common in tails.items() if common == longest]


def _common(path: str, file: str) -> int:
    """Return how many names end both, 0 if they are too few to mean the same file."""
    ours, theirs = file.split("/"), path.split("/")
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    count = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return count if count >= min(len(ours), len(theirs), 2) else 0

"""Parse stack traces, compiler messages and logs into frames: path, line and function.

A frame is a place (`a/b.py:12`, `b.php(12)`, `b.php on line 12`) and a function name, which
runtimes write before the place, after it, or on the line above. Names that compilers generate are
removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, takewhile
from typing import NamedTuple

_NO_PATH = r"\s()\"'`,;:<>|"
_LINE = r"(?::|\(|#L|: ?line |[\"']?,? (?:on )?line |\"\},\s?\{line,\s?)(?P<line>\d{1,7})(?![\w.])"
_PLACE = re.compile(rf"(?<![^{_NO_PATH}])(?P<path>[^{_NO_PATH}#]{{3,300}}+){_LINE}")
_ENDING = re.compile(r"\w\.[A-Za-z]\w{0,9}$")
_MOST_FRAMES, _MOST_PLACES = 20, 100
"""Most frames that are returned, and most places that are read: deep traces repeat themselves."""
_AROUND = 300
"""Characters before and after a place that are searched for the name of its function."""
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]{0,30}):$")
_START = r"(?:^|\bat |#\d+\s+|\bin )"
_BEFORE = (
    re.compile(rf"{_START}\s*(?:async |new )*(?P<name>[^()]{{1,250}}?)(?:\([^()]*\))? ?\($"),
    re.compile(r"\bat (?P<name>\S.{0,250}) in $"),  # .NET
    re.compile(r"\b0x\w+ (?P<name>\S.{0,200}?)(?: \+ \d+)? in \S+ at $"),  # Swift
    re.compile(r"(?:\bin |#\d+\s+)(?P<name>\S[^()]{0,200}(?:\(.{0,200}\))?) at $"),  # gdb
    re.compile(r"\b0x\w+ in (?P<name>\S.{0,200}) $"),  # sanitizers
    re.compile(r"(?:^|\s)(?P<name>[\w.:$']+)(?:\(.{0,200}\))?,? called at $"),  # Perl, Haskell
    re.compile(r"\{(?P<name>\w+,'?[\w/-]+'?),\d+,\s?\[\{file,\s?\"$"),  # Erlang
)
_COLUMN = r"(?::\d+)?\)?"
_AFTER = (
    re.compile(
        rf"{_COLUMN}[,:]* ?(?:0x\w+ )?in "
        r"(?:function (?!<)|(?:meta)?method |local |upvalue |field )?"
        r"[`'\"]?(?P<name>[^'\"`\n<][^'\"`\n]{0,200})"
    ),
    re.compile(r"\):? (?P<name>[\w\\{}$]+(?:(?:->|::)[\w{}]+)?)\("),  # PHP
    re.compile(r": (?P<name>(?:anonymous fn/\d+ in )?[\w.?!-]+(?:/\d+-fun-\d+-)?/\d+)"),  # Elixir
)
_ABOVE = (
    re.compile(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<name>\S.{0,250})$"),  # Rust
    re.compile(r"^(?:created by )?(?P<name>[\w./%-]+(?:\(\*?\w+\))?[^\s()]{0,200})\(.{0,200}\)$"),
    re.compile(r"^created by (?P<name>\S{1,250})"),  # Go
)
_GENERATED_PARTS = (  # patterns of generated names, and the source names that replace them
    (re.compile(r"^\s*(?:(?:at|in|async|new|#\d+|0x[0-9a-f]+)\s+)+"), ""),
    (re.compile(r" \[as [^\]]*\]"), ""),
    (re.compile(r"^.*\b(?:block|closure|fn|rescue|ensure)\b.{0,40}? in "), ""),
    (re.compile(r"<>c(?:__DisplayClass\w+)?"), ""),
    (re.compile(r"<(\w+)>[bdg]__(?:(\w+)\|)?[\w|]*(?:\.MoveNext)?"), r"\1.\2"),
    (
        re.compile(r"<(?:impl )?([\w:]+)[^<>]{0,80}(?: as [^<>]{0,80}(?:<[^<>]{0,80}>)?)?>::"),
        r"\1::",
    ),
    (re.compile(r"\(\*(\w+)[^()]{0,80}\)"), r"\1"),
    (re.compile(r"\$anonfun\$|\blambda\$(?:null\$|new\$|static\$)?|\baccess\$\d+"), ""),
    (re.compile(r"\b_(\w+?)_closure\d+"), r"\1"),
    (re.compile(r"::h[0-9a-f]{16}\b|/\d+(?:-fun-\d+-)?|-fun-\d+-|\bfunc\d+\b"), ""),
    (re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{+[^{}]*\}+|<[^<>]*>"), ""),
    (re.compile(r"\$(?:lambda|suspendImpl|default)\b.*"), ""),
)
_SEPARATORS = re.compile(r"::|->|[.#/\\$:,\s]+")
_GENERATED = frozenset(
    ("invokeSuspend", "MoveNext", "doCall", "anonymous", "closure", "Object", "module", "function")
)
_IS_NAME = re.compile(r"[^\W\d][\w?!']*$")


class StackFrame(NamedTuple):
    """A frame of a stack trace: a path as the trace writes it, a line, and a function.

    `names` are the parts of the function's name.
    """

    path: str
    line: int
    names: tuple[str, ...] = ()
    """The function's owners and its own name, outermost first; owners may include packages."""

    @property
    def package_path(self) -> str:
        """For a JVM frame, the path with its packages as folders, `com/shop/Cart.java`; else ""."""
        packages = list(takewhile(lambda name: name[:1].islower(), self.names[:-1]))
        return "/".join((*packages, self.path)) if packages and "/" not in self.path else ""


def parse_frames(text: str) -> list[StackFrame]:
    """Return the first 20 distinct frames of a text, in order."""
    places = (match for match in _PLACE.finditer(text) if _ENDING.search(match["path"]))
    frames = (_frame(text, place) for place in islice(places, _MOST_PLACES))
    return list(dict.fromkeys(frames))[:_MOST_FRAMES]


def _frame(text: str, place: re.Match[str]) -> StackFrame:
    start, end = place.span()
    head = text[max(start - _AROUND, 0) : start].rpartition("\n")[2]
    begin = start - len(head)
    above = text[max(begin - _AROUND, 0) : max(begin - 1, 0)].rpartition("\n")[2]
    tail = text[end : end + _AROUND].partition("\n")[0]
    path = place["path"].replace("\\", "/").removeprefix("./")
    if scheme := _SCHEME.search(head):
        head = head[: scheme.start()]
        if scheme["scheme"] == "package":  # a Dart package
            path = f"lib/{path.partition('/')[2]}"
    return StackFrame(path, int(place["line"]), _names(head, tail, above))


def _names(head: str, tail: str, above: str) -> tuple[str, ...]:
    """Return the parts of the name of a frame's function.

    The name is in the text before (`head`) or after (`tail`) the place of the frame, or in the line
    `above`.
    """
    match = next(filter(None, (pattern.search(head) for pattern in _BEFORE)), None)
    match = match or next(filter(None, (pattern.match(tail) for pattern in _AFTER)), None)
    if match is None and head.strip() in {"", "at"}:
        matches = (pattern.search(above.rstrip()) for pattern in _ABOVE)
        match = next(filter(None, matches), None)
    return frame_names(match["name"]) if match else ()


def frame_names(qualified: str) -> tuple[str, ...]:
    """Split a name as a runtime writes it: `shop.Cart.add` gives ("shop", "Cart", "add").

    Names that compilers generate are dropped.
    """
    for pattern, replacement in _GENERATED_PARTS:
        qualified = pattern.sub(replacement, qualified)
    parts = _SEPARATORS.split(qualified.strip())
    while len(parts) > 1 and parts[-1] == "invoke" and parts[-2].isdigit():  # a Kotlin lambda
        parts = parts[:-1]
    return tuple(part for part in parts if _IS_NAME.match(part) and part not in _GENERATED)


def match_cited_path(path: str, files: Iterable[str]) -> list[str]:
    """Return the files whose paths share the most trailing parts with a cited path.

    Return [] if no file shares enough parts.
    """
    tails = {file: common for file in files if (common := _common(path, file))}
    longest = max(tails.values(), default=0)
    return [file for file, common in tails.items() if common == longest]


def _common(path: str, file: str) -> int:
    """Return how many trailing parts two paths share.

    Return 0 if too few are shared: two, or all parts of the shorter path, are needed.
    """
    ours, theirs = file.split("/"), path.split("/")
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    count = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return count if count >= min(len(ours), len(theirs), 2) else 0

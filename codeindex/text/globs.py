"""Patterns in gitignore's syntax: nested ignore files without git, and globs that are asked with.

Whoever writes them may be hostile, and so may paths: no pattern takes longer than a path is long,
times the pattern.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_MAX_DOUBLE_STARS = 3
"""More of them in one pattern can take hours on a hostile path, and nobody needs them."""
_STAR = "[^/]*"
_LEADING = "^(?:.+/)?"
_FOLDERS = "(?:/.+)?"
_NEGATED_SET = re.compile(r"(?<!\\)\[\^(?!/\])")
_QUOTED = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""Escaped characters and sets in a regular expression: no bracket in them opens a group."""


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file, compiled to match a whole relative path."""

    regex: re.Pattern[str]
    folders_only: bool
    negated: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether the line is about this very path, not about one of its parents."""
        return (is_folder or not self.folders_only) and self.regex.search(path) is not None


class IgnoreRules:
    """Which paths the rules of a tree select: the deepest folder's last matching line decides.

    What lies in a selected folder is selected, whatever other lines say, as in git.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._rules: dict[str, tuple[IgnoreRule, ...]] = {}
        self._folders = {"": False}
        self.add("", lines)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def add(self, folder: str, lines: Iterable[str]) -> None:
        """Take in the rules of `folder`; they must be there before anything below it is judged."""
        rules = tuple(filter(None, map(compile_ignore_rule, lines)))
        if rules:
            self._rules[folder] = (*self._rules.get(folder, ()), *rules)

    def selects(self, path: str) -> bool:
        """Tell whether the file at `path` is selected."""
        if not self._rules:
            return False
        return self.selects_folder(path.rpartition("/")[0]) or self._verdict(path, is_folder=False)

    def selects_folder(self, path: str) -> bool:
        """Tell whether the folder at `path` is selected, and so all below it."""
        if not self._rules:
            return False
        known = self._folders.get(path)
        if known is None:
            parent = path.rpartition("/")[0]
            known = self.selects_folder(parent) or self._verdict(path, is_folder=True)
            self._folders[path] = known
        return known

    def _verdict(self, path: str, *, is_folder: bool) -> bool:
        for folder in parent_folders(path):
            rules = self._rules.get(folder, ())
            relative = path[len(folder) + 1 :] if folder else path
            for rule in reversed(rules):
                if rule.matches(relative, is_folder=is_folder):
                    return not rule.negated
        return False


def last_matching_rule(
    rules: Iterable[IgnoreRule], path: str, *, is_folder: bool = False
) -> IgnoreRule | None:
    """Return the last rule that is about a path or about a folder that it lies in."""
    around = [path, *filter(None, parent_folders(path))]
    for rule in reversed(tuple(rules)):
        if any(rule.matches(at, is_folder=is_folder or at != path) for at in around):
            return rule
    return None


def escape_glob(path: str) -> str:
    """Return the pattern of this very path."""
    return re.sub(r"([*?\[\\])", r"\\\1", path)


def split_ignore_lines(data: bytes) -> list[str]:
    """Split an ignore file as git does: at line feeds only, without a byte order mark."""
    text = data.decode("utf-8-sig", "surrogateescape")
    return [line.removesuffix("\r") for line in text.split("\n")]


def parent_folders(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the root last, which is ''."""
    while path:
        path = path.rpartition("/")[0]
        yield path


@functools.lru_cache(maxsize=4096)
def compile_ignore_rule(line: str) -> IgnoreRule | None:
    """Compile one line; None for blanks, comments and what git cannot make sense of either."""
    trimmed = line.rstrip(" ")
    if trimmed.endswith("\\") and trimmed != line:
        trimmed += " "  # `\ ` at the end is a blank that counts
    negated = trimmed.startswith("!")
    folders_only = trimmed.endswith("/")
    regex = _regex(trimmed.removesuffix("/"))
    return IgnoreRule(regex, folders_only, negated) if regex else None


def _regex(pattern: str) -> re.Pattern[str] | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        regex, include = GitIgnoreSpecPattern.pattern_to_regex(pattern)
        if regex is None or include is None or regex.count(_FOLDERS) > _MAX_DOUBLE_STARS:
            return None
        # pathspec also matches what lies below; parents are judged one by one here
        regex = regex.replace("(?:(?P<ps_d>/)|$)", r"\Z").replace("(?P<ps_d>", "(?:")
        regex = _first_folders(_linear(_NEGATED_SET.sub("[^/", regex)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `[[a]`: sets in sets, some day
            return re.compile(regex, re.DOTALL)
    except (ValueError, re.error):
        return None


def _first_folders(regex: str) -> str:
    """Let what stands between two `**` take the first folders that fit, and never look back."""
    first, *rest = regex.split(_FOLDERS)
    if not rest:
        return regex
    if first.startswith(_LEADING):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_LEADING)}(?=/))"
    *middle, last = rest
    return "".join(
        (first, *(f"(?>(?:/.+?)??{segment}(?=/))" for segment in middle), _FOLDERS, last)
    )


def _linear(regex: str) -> str:
    """Let each star but a segment's last take the first place that fits, and never look back.

    That finds a match if there is one, and twenty stars cannot take for ever.
    """
    first, *rest = regex.split(_STAR)
    out = [first]
    for number, part in enumerate(rest):
        plain = _QUOTED.sub("", part)
        inside = number < len(rest) - 1 and part and "/" not in plain and "(" not in plain
        out.append(f"(?>{_STAR}?{part})" if inside else _STAR + part)
    return "".join(out)

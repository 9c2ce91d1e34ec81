"""Match paths against gitignore patterns: nested ignore files and the globs of queries.

Patterns and paths may be hostile: matching takes at most time proportional to the length of the
path times the length of the pattern.
"""

from __future__ import annotations

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_MAX_DOUBLE_STARS = 3
"""Most `**` in a pattern: a hostile path can take hours with more, and no real pattern needs
more."""
_GLOB_CHARACTERS = frozenset("*?[{")
_MAX_ALTERNATIVES = 1000
"""Most globs that the braces of one glob may stand for: each is tried on each path."""
_BRACE_TOKEN = re.compile(r"\\.|\[[!^]?\]?[^\]]*\]|[{},]", re.DOTALL)
"""An escaped character or a character set of a glob, in which braces mean themselves, or a brace or
comma."""
_STAR = "[^/]*"
_LEADING = "^(?:.+/)?"
_FOLDERS = "(?:/.+)?"
_NEGATED_SET = re.compile(r"(?<!\\)\[\^(?!/\])")
_QUOTED = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escaped character or a character set in a regular expression; brackets in it open no group."""


def first_in_folders(folder: str, known: dict[str, T], find: Callable[[str], T]) -> T:
    """Return the first true result of `find` for the folders from the root down to `folder`.

    Return a false result if all are. `known` caches the result for each folder, and has that for
    the root, "". This is no recursion: a path can have more folders than Python has stack frames.
    """
    below = []
    while folder not in known:
        below.append(folder)
        folder = folder.rpartition("/")[0]
    found = known[folder]
    for inner in reversed(below):
        found = known[inner] = found or find(inner)
    return found


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file, compiled to match a whole relative path."""

    regex: re.Pattern[str]
    folders_only: bool
    negated: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether the rule matches this path itself, not one of its parents."""
        return (is_folder or not self.folders_only) and self.regex.search(path) is not None


class IgnoreRules:
    """The ignore rules of a tree; as in git, the last matching line of the deepest folder decides.

    A path is selected if that line does not begin with `!`; without a matching line it is not. If a
    folder is selected, all paths below it are selected, whatever other lines say.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._rules: dict[str, tuple[IgnoreRule, ...]] = {}
        self._folders = {"": False}
        self.add("", lines)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def add(self, folder: str, lines: Iterable[str]) -> None:
        """Add the lines of the ignore file in `folder`; '' is the root.

        Add them before any path below the folder is tested, because verdicts on folders are cached.
        """
        rules = tuple(filter(None, map(compile_ignore_rule, lines)))
        if rules:
            self._rules[folder] = (*self._rules.get(folder, ()), *rules)

    def selects(self, path: str) -> bool:
        """Tell whether the file at `path` is selected."""
        if not self._rules:
            return False
        return self.selects_folder(path.rpartition("/")[0]) or self._verdict(path, is_folder=False)

    def selects_folder(self, path: str) -> bool:
        """Tell whether the folder at `path`, and so everything below it, is selected."""
        if not self._rules:
            return False
        verdict = functools.partial(self._verdict, is_folder=True)
        return first_in_folders(path, self._folders, verdict)

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
    """Return the last rule that matches a path or one of its parent folders, else None."""
    places = [path, *filter(None, parent_folders(path))]
    for rule in reversed(tuple(rules)):
        if any(rule.matches(at, is_folder=is_folder or at != path) for at in places):
            return rule
    return None


def escape_glob(path: str) -> str:
    """Return a gitignore pattern that matches only this path."""
    return re.sub(r"([*?\[{\\])", r"\\\1", path)


def is_glob(text: str) -> bool:
    """Tell whether a filter is a glob, which has `*`, `?`, `[` or `{` or begins with `!`."""
    return text.startswith("!") or not _GLOB_CHARACTERS.isdisjoint(text)


def expand_braces(glob: str) -> tuple[str, ...]:
    """Return the globs without braces that a glob stands for: `*.{c,h}` for `*.c` and `*.h`.

    Braces may be nested; those without a comma, as in `{{name}}`, mean themselves. An empty
    alternative that leaves no name, as in `{a,}`, is skipped. Return () if a brace is not closed,
    or if there are more than 1,000 globs.
    """
    done: list[str] = []
    todo = [glob]
    while todo and len(done) + len(todo) <= _MAX_ALTERNATIVES:
        text = todo.pop()
        marks = _first_alternatives(text)
        if marks is None:
            return ()
        if not marks:
            done.append(text)
        for begin, end in reversed(list(itertools.pairwise(marks))):
            todo.append(text[: marks[0]] + text[begin + 1 : end] + text[marks[-1] + 1 :])
    return () if todo else tuple(text for text in done if text.strip("!/")) or tuple(done[:1])


def without_braces(globs: Iterable[str]) -> Iterator[str]:
    """Yield the globs of a setting without braces; one with a broken brace is left as it is."""
    for glob in globs:
        yield from expand_braces(glob) or (glob,)


def glob_rules(globs: Iterable[str]) -> IgnoreRules:
    """Return the rules of the globs of a setting, which may have braces."""
    return IgnoreRules(without_braces(globs))


def split_globs(text: str) -> list[str]:
    """Split a list of globs at its commas, except those in braces and character sets.

    Blank parts are left out. The text from a brace that is not closed on is one part.
    """
    depth, cuts = 0, [-1]
    for token in _BRACE_TOKEN.finditer(text):
        if token[0] == "," and not depth:
            cuts.append(token.start())
        depth = max(0, depth + {"{": 1, "}": -1}.get(token[0], 0))
    parts = (text[begin + 1 : end].strip() for begin, end in itertools.pairwise([*cuts, len(text)]))
    return [part for part in parts if part]


def _first_alternatives(glob: str) -> tuple[int, ...] | None:
    """Return the offsets of the first brace with a comma, its commas, and the brace that closes it.

    () if there is none, None if a brace is not closed.
    """
    opened: list[list[int]] = []
    first: tuple[int, ...] = ()
    for token in _BRACE_TOKEN.finditer(glob):
        if token[0] == "{":
            opened.append([token.start()])
        elif token[0] == "," and opened:
            opened[-1].append(token.start())
        elif token[0] == "}" and opened:
            marks = (*opened.pop(), token.start())
            if len(marks) > 2 and (not first or marks[0] < first[0]):  # noqa: PLR2004 (a comma)
                first = marks
    return None if opened else first


def literal_glob(glob: str, paths: Collection[str]) -> str:
    """Escape the longest leading part of a glob that is a file or folder of `paths`.

    Names of files may contain glob characters: `app/[id]/*.tsx` matches the files of the folder
    `app/[id]` if there is one. Return the glob unchanged if there is no such part to escape.
    """
    sign = "!" if glob.startswith("!") else ""
    parts = glob.removeprefix(sign).removeprefix("./").strip("/").split("/")
    for count in range(len(parts), 0, -1):
        place = "/".join(parts[:count])
        if _GLOB_CHARACTERS.isdisjoint(place):
            break
        inside = f"{place}/"
        if any(path == place or path.startswith(inside) for path in paths):
            return f"{sign}/{'/'.join((escape_glob(place), *parts[count:]))}"
    return glob


def plain_globs(glob: str, paths: Collection[str]) -> tuple[str, ...]:
    """Return the globs that a glob of a query stands for; () for broken braces.

    Braces are expanded, and leading parts that are files or folders of `paths` are escaped.
    """
    expanded = expand_braces(literal_glob(glob, paths))
    return tuple(literal_glob(plain, paths) for plain in expanded)


def split_ignore_lines(data: bytes) -> list[str]:
    """Return the lines of an ignore file as git splits them: at line feeds, without the BOM.

    A carriage return before a line feed is removed too.
    """
    text = data.decode("utf-8-sig", "surrogateescape")
    return [line.removesuffix("\r") for line in text.split("\n")]


def parent_folders(path: str) -> Iterator[str]:
    """Yield the parent folders of a path, deepest first; the root is ''."""
    while path:
        path = path.rpartition("/")[0]
        yield path


@functools.lru_cache(maxsize=4096)
def compile_ignore_rule(line: str) -> IgnoreRule | None:
    """Compile a line of an ignore file.

    Return None for a blank line, a comment, a line that git rejects, and a pattern with more than
    three `**`.
    """
    trimmed = line.rstrip(" ")
    if trimmed.endswith("\\") and trimmed != line:
        trimmed += " "  # an escaped blank at the end is part of the pattern
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
        # pathspec also matches paths below a match; here, parents are tested separately
        regex = regex.replace("(?:(?P<ps_d>/)|$)", r"\Z").replace("(?P<ps_d>", "(?:")
        regex = _first_folders(_linear(_NEGATED_SET.sub("[^/", regex)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # `[[a]` may become a nested set
            return re.compile(regex, re.DOTALL)
    except (ValueError, re.error):
        return None


def _first_folders(regex: str) -> str:
    """Change a regex so that the part between two `**` matches only where it first occurs.

    This avoids backtracking.
    """
    first, *rest = regex.split(_FOLDERS)
    if not rest:
        return regex
    if first.startswith(_LEADING):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_LEADING)}(?=/))"
    *middle, last = rest
    return "".join((first, *(f"(?>(?:/.+?)??{part}(?=/))" for part in middle), _FOLDERS, last))


def _linear(regex: str) -> str:
    """Change a regex so that each `*` matches as few characters as possible.

    A regex with many stars then takes linear time, without backtracking, and matches the same
    paths. The last `*` of a segment stays as it is. Adjacent stars become one.
    """
    first, *parts = regex.split(_STAR)
    rest = [*filter(None, parts[:-1]), *parts[-1:]]
    out = [first]
    for number, part in enumerate(rest):
        plain = _QUOTED.sub("", part)
        inside = number < len(rest) - 1 and "/" not in plain and "(" not in plain
        out.append(f"(?>{_STAR}?{part})" if inside else _STAR + part)
    return "".join(out)

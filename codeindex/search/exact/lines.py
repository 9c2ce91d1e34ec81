"""Define the result of an exact search, with its JSON, table and text forms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, NotRequired, TypedDict

from codeindex.query.cursor import encode_cursor
from codeindex.search.exact.scan import MatchSpan
from codeindex.search.exact.telling import LineKind, count_kinds
from codeindex.text.short_names import shorten_name
from codeindex.text.truncate import name_some
from codeindex.types import RefreshResult, SafeText, format_reasons
from codeindex.types.report import plural

GrepMode = Literal["exact", "regex", "ast"]
MOST_NAMED_FILES = 10
"""Most files that a note names."""
_MOST_NESTED, _MOST_KEY_USES = 3, 8
"""Most places with nested keys, and most lines with a key that are named."""

_LIKE_PATTERN = re.compile(r"\\[bBdDsSwW.(\[|]|\.[*+]|\(\?|[^|]\|[^|]|\[[^\]]+\][*+?]")
"""Operators whose presence suggests that a text was meant as a regular expression."""
_OF_GREP = re.compile(r"(?<!\\)(?:\\\\)*\\[|<>]")
"""Operators of `grep` that Python's `re` treats as ordinary characters."""


class GrepLine(NamedTuple):
    """A line that matches or, if `is_match` is False, a context line near a match.

    `spans` are the (start, end) columns of the matches in `text`; `symbol` is the qualified name of
    the innermost symbol around the line. Both are empty unless requested.
    """

    path: str
    line: int
    text: SafeText
    is_match: bool = True
    spans: tuple[MatchSpan, ...] = ()
    repo: str = ""
    symbol: str = ""
    end_line: int = 0
    """Last line of the match in mode `ast`; 0 in other modes."""
    is_generated: bool = False
    """Whether the file says that a program wrote it; False unless likely lines come first."""
    order: int = 0
    """Position of the match on its page if telling lines come first; else 0."""


class GrepLineDict(TypedDict):
    """JSON form of a `GrepLine`; only mode `ast` has `end_line`."""

    line: int
    content: str
    is_match: bool
    spans: list[MatchSpan]
    end_line: NotRequired[int]


class GrepFileDict(TypedDict, total=False):
    """JSON form of one file's lines, with the number of its matches."""

    repo: str
    file_path: str
    count: int
    lines: list[GrepLineDict]


class GrepPlaceDict(TypedDict):
    """JSON form of a line that has a part of the searched text, or uses it by a key."""

    file_path: str
    line: int
    symbol: str | None
    content: str


class GrepResultDict(TypedDict, total=False):
    """JSON form of a `GrepResult`; agents do not receive empty fields."""

    query: str
    mode: GrepMode
    results: list[GrepFileDict]
    total_count: int
    total_files: int
    shown: int
    cursor: str | None
    has_more: bool
    index_version: int
    searched_files: int
    not_searched: dict[str, int]
    unread: list[str]
    gaps: list[str]
    hint: str
    nested: list[GrepPlaceDict]
    split: list[GrepPlaceDict]
    key_uses: dict[str, list[GrepPlaceDict]]
    meta: dict[str, object]


@dataclass(frozen=True, slots=True)
class GrepResult:
    """One page of matching lines, with the counts of all matches.

    `counts` maps paths to numbers of matches, in the order of the lines. `not_searched` counts
    files that were not searched, by reason, and `unsearched_code` those of code among them;
    `unread` are files that could not be read.
    """

    repo: str
    query: SafeText
    mode: GrepMode
    lines: tuple[GrepLine, ...]
    counts: Mapping[str, int]
    start: int
    """Number of matches on earlier pages."""
    has_more: bool
    index_version: int
    searched_files: int
    not_searched: Mapping[str, int] = field(default_factory=dict)
    unsearched_code: int = 0
    unread: tuple[str, ...] = ()
    per_file: int = 0
    """Most lines that are shown of a file, 0 for no limit; `counts` counts all matches."""
    refreshed: RefreshResult = field(default_factory=RefreshResult)
    partly_parsed: tuple[str, ...] = ()
    """In mode `ast`: paths of files with syntax errors, in which matches may be missing."""
    not_parsed: tuple[str, ...] = ()
    """In mode `ast`: languages in which the pattern is a syntax error; their files are not
    searched."""
    no_grammar: tuple[str, ...] = ()
    """In mode `ast`: paths of files that have the words of the pattern, but are in languages that
    cannot be parsed, such as Vue and notebooks."""
    hides_known: bool = False
    """Whether lines around matches are left out because the client has received them."""
    in_other_form: int = 0
    """Number of files in which a line has the text in another Unicode form."""
    telling: tuple[tuple[str, LineKind], ...] = ()
    """(path, kind) of each match on this page and later ones, in their order, if telling lines come
    first; the lines of a page are in the order of the files all the same."""

    split: tuple[GrepLine, ...] = ()
    """The first line of each place, at most three, where code splits the text over literals."""
    nested: tuple[GrepLine, ...] = ()
    """The lines where YAML and JSON nest the keys of a name with dots."""
    nested_is_cut: bool = False
    """Whether further lines with the last key were not looked at."""
    key_uses: Mapping[str, Sequence[GrepLine]] = field(default_factory=dict)
    """{key: lines that use it}: the keys under which translations and resources have the text.

    It is empty if code outside of tests contains the text.
    """

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self.counts)

    @property
    def cursor(self) -> str | None:
        return self.cursor_after(len(self.matches)) if self.has_more else None

    def cursor_after(self, shown: int) -> str:
        """Return the cursor of a page that begins after the first `shown` matches of this page."""
        return encode_cursor(offset=self.start + shown, version=self.index_version)

    @property
    def total_count(self) -> int:
        return sum(self.counts.values())

    def after(self, shown: int) -> Mapping[str, int]:
        """Return {path: number of matches} after the first `shown` matches of this page."""
        if self.telling:
            counts = Counter(path for path, _ in self.telling[shown:])
            return {path: counts[path] for path in self.counts if path in counts}
        passed = self.start + shown
        left: dict[str, int] = {}
        for path, count in self.counts.items():
            if count > passed:
                left[path] = count - passed
            passed = max(0, passed - count)
        return left

    def left(self, shown: int) -> str:
        """Return the number of matches after the first `shown` of this page, as text.

        If telling lines come first, their kinds follow: `"9 lines (2 conditions, 7 other uses)"`.
        """
        count = self.total_count - self.start - shown
        kinds = count_kinds(kind for _, kind in self.telling[shown:])
        return f"{plural(count, 'line')} ({kinds})" if kinds else plural(count, "line")

    def is_background(self, shown: int) -> bool:
        """Tell whether all matches after the first `shown` are imports, comments or documents.

        False if there are none, or if their kinds are not known (`telling`).
        """
        kinds = [kind for _, kind in self.telling[shown:]]
        return bool(kinds) and min(kinds) >= LineKind.IMPORT

    def without(self, places: Collection[tuple[str, int]]) -> GrepResult:
        """Return the result without the matches of this page in `places`, (path, line).

        The counts are those of a search that does not find these lines. The context lines that are
        nearer to them than to other matches are removed, too.
        """
        gone = [line for line in self.matches if (line.path, line.line) in places]
        if not gone:
            return self
        counts = Counter(self.counts)
        counts.subtract(line.path for line in gone)
        orders = {line.order for line in gone} if self.telling else set[int]()
        kept = [at for at in range(len(self.telling)) if at not in orders]
        new_order = {old: new for new, old in enumerate(kept)}
        numbers = defaultdict[str, list[int]](list)
        for match in self.matches:
            numbers[match.path].append(match.line)
        lines = [
            line
            for line in self.lines
            if (line.path, nearest_number(numbers[line.path], line.line)) not in places
        ]
        return replace(
            self,
            lines=tuple(line._replace(order=new_order.get(line.order, 0)) for line in lines),
            counts={path: count for path, count in counts.items() if count},
            telling=tuple(self.telling[at] for at in kept),
        )

    @property
    def held_back(self) -> Mapping[str, int]:
        """{path: number of matches} that are not shown because of the limit `per_file`."""
        over = {path: count - self.per_file for path, count in self.counts.items()}
        return {path: more for path, more in over.items() if self.per_file and more > 0}

    @property
    def matches(self) -> tuple[GrepLine, ...]:
        """The matching lines of this page, without context lines."""
        return tuple(line for line in self.lines if line.is_match)

    def texts(self) -> dict[tuple[str, int], str]:
        """Return {(path, line number): text} of the lines of this page, with context lines."""
        return {(line.path, line.line): line.text for line in self.lines}

    def as_dict(self) -> GrepResultDict:
        by_path: dict[str, list[GrepLineDict]] = {}
        for line in self.lines:
            by_path.setdefault(line.path, []).append(_line_dict(line))
        answer: GrepResultDict = {
            "query": self.query,
            "mode": self.mode,
            "results": [
                {"repo": self.repo, "file_path": path, "count": self.counts[path], "lines": lines}
                for path, lines in by_path.items()
            ],
            "total_count": self.total_count,
            "total_files": len(self.counts),
            "shown": len(self.matches),
            "cursor": self.cursor,
            "has_more": self.has_more,
            "index_version": self.index_version,
            "searched_files": self.searched_files,
            "not_searched": dict(self.not_searched),
            "unread": list(self.unread[:MOST_NAMED_FILES]),
            "meta": self.refreshed.as_meta(),
        }
        if self.mode == "ast":
            answer["gaps"] = list(self.gaps())
        if self.in_other_form:
            answer["hint"] = self.hint
        if self.nested:
            answer["nested"] = [*map(_place_dict, self.nested)]
        if self.split:
            answer["split"] = [*map(_place_dict, self.split)]
        if self.key_uses:
            answer["key_uses"] = {
                key: [*map(_place_dict, lines)] for key, lines in self.key_uses.items()
            }
        return answer

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(line.path, str(line.line), line.text) for line in self.lines]
        return ("file_path", "line", "text"), rows

    def text(self) -> Iterator[str]:
        for line in self.lines:
            mark = ":" if line.is_match else "-"
            yield f"{line.path}{mark}{line.line}{mark}{line.text}"
        yield f"{plural(self.total_count, 'line')} in {plural(len(self.counts), 'file')}"

    def rest(self) -> Iterator[str]:
        """Yield sentences about matches that are not on this page, with the next page's cursor."""
        if held := self.held_back:
            yield (
                f"-m {self.per_file} leaves out {plural(sum(held.values()), 'more line')}"
                f" in {plural(len(held), 'file')}"
            )
        if self.has_more:
            yield (
                f"{len(self.matches):,} of {self.total_count:,} lines in"
                f" {plural(len(self.counts), 'file')} are shown: go on with --cursor {self.cursor}"
            )

    @property
    def hint(self) -> str:
        """Advice on how to change the pattern, or "".

        It is given if nothing matches, or if files have the text in another Unicode form.
        """
        if self.in_other_form:
            return (
                f"{plural(self.in_other_form, 'file has', 'files have')} this text in another"
                " Unicode form: exact searches compare characters as written, a search by words"
                " finds every form."
            )
        if self.counts:
            return ""
        if self.mode == "exact" and _LIKE_PATTERN.search(self.query):
            return "No line has this text. For a regular expression, use mode regex (-e)."
        if self.mode == "regex" and _OF_GREP.search(self.query):
            return (
                r"To Python's `re`, \| \< and \> are these characters: write | for one or the other"
                r" and \b where a word begins or ends."
            )
        return ""

    def parted(self) -> Iterator[str]:
        """Yield lines on the places that have the text in parts, or use it by a key.

        The parts are nested keys or split literals.
        """
        for line in self.nested[:_MOST_NESTED]:
            yield f"nested keys: {line.path}:{line.line}: {line.text.strip()}"
        if left := len(self.nested[_MOST_NESTED:]):
            least = "at least " if self.nested_is_cut else ""
            yield f"… {least}{left} more places with these keys"
        for line in self.split:
            name = shorten_name(line.symbol, line.path) or "(top level)"
            yield f"split over lines: {line.path}:{line.line} {name}: {line.text.strip()}"
        for key, lines in self.key_uses.items():
            yield f"uses of the key {key}: {plural(len(lines), 'line')}"
            for line in lines[:_MOST_KEY_USES]:
                name = shorten_name(line.symbol, line.path)
                yield f"{line.path}:{line.line}{' ' if name else ''}{name}: {line.text.strip()}"

    def gaps(self) -> Iterator[str]:
        """Yield sentences that name the files that were searched only partly or not at all."""
        if self.unread:
            yield f"could not be read now: {name_some(self.unread, MOST_NAMED_FILES)}"
        if self.partly_parsed:
            yield (
                f"{plural(len(self.partly_parsed), 'file has', 'files have')} code that the grammar"
                " cannot read, where matches may be missing:"
                f" {name_some(self.partly_parsed, MOST_NAMED_FILES)}"
            )
        if self.not_parsed:
            yield (
                f"the pattern is not valid code in {', '.join(self.not_parsed)}: files in these"
                " languages were not searched"
            )
        if self.no_grammar:
            yield (
                f"no grammar, so not searched: {len(self.no_grammar):,} with the words of the"
                f" pattern: {name_some(self.no_grammar, MOST_NAMED_FILES)}"
            )

    def remarks(self) -> Iterator[str]:
        """Yield the places with parts of the text, a hint, and which files were not searched."""
        yield from self.parted()
        if hint := self.hint:
            yield hint
        yield from self.gaps()
        if self.not_searched:
            counts = format_reasons(self.not_searched)
            yield f"not searched: {counts} (codeindex files --skipped names them)"


def nearest_number(numbers: Sequence[int], line: int) -> int:
    """Return the one of sorted line numbers that is nearest to `line`; of two, the smaller."""
    at = bisect_left(numbers, line)
    return min(numbers[max(0, at - 1) : at + 1], key=lambda number: abs(number - line))


def _place_dict(line: GrepLine) -> GrepPlaceDict:
    return {
        "file_path": line.path,
        "line": line.line,
        "symbol": line.symbol or None,
        "content": line.text,
    }


def _line_dict(line: GrepLine) -> GrepLineDict:
    own: GrepLineDict = {
        "line": line.line,
        "content": line.text,
        "is_match": line.is_match,
        "spans": list(line.spans),
    }
    if line.end_line:
        own["end_line"] = line.end_line
    return own

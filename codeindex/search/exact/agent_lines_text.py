"""Render matching lines as text for agents, grouped by file and symbol."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, islice, takewhile
from typing import NamedTuple

from codeindex.search.exact.agent_lines import cut_line
from codeindex.search.exact.lines import MOST_NAMED_FILES, GrepLine, GrepResult, nearest_number
from codeindex.search.exact.same_lines import files_like_others, others_line
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN
from codeindex.search.pack.text_lines import countable, has_content, indent_by_level, marked_path
from codeindex.text.indent import indentation
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.types import LineSpan, format_reasons
from codeindex.types.report import plural

_NO_SYMBOL = "(no symbol)"
"""Stands for the symbol of a line in none, below lines that are in one."""
SLIGHT_EXCESS = 1 / 12
"""A list may be longer than its budget by this share if no line is left out then, since the note
about the lines that are left out takes 60 tokens itself. Of 30 lists that were cut in two blind
rounds, 5 lacked at most one eighth."""
_NAMES = 1 / 8
"""Largest share of the budget for names of files that are left: eight in the default budget."""


def agent_lines_text(result: GrepResult, *, budget: int, excess: float = 0.0) -> str:
    """Return the text of an exact search for agents: lines below their file, with their symbol.

    It has as many matches as fit into `budget` tokens, at least one; 0 means no limit. A text with
    all matches may be longer than the budget by the share `excess`. Context lines are shown if the
    result has them and if they are in the symbol of a match. Files with the same matches as another
    one, such as translations, are named below it.
    """
    most = budget * CHARACTERS_A_TOKEN
    notes = [*_notes(result)]
    room = most - sum(len(line) + 1 for line in (*notes, _header(result, 0)))
    result = within_symbols(result)
    matches, like = _matches(result), files_like_others(result.lines)
    lines = list(result.lines)
    if budget and (result.has_more or _size(lines) > room + most * excess):
        lines = _fitting(result, matches, like, room)
    rest: list[str] = []
    if _count_matches(lines) < len(result.matches) or result.has_more:
        names = int(most * _NAMES) if budget else None
        if budget:
            room -= sum(len(line) + 1 for line in _rest(result, lines, names))
            lines = _fitting(result, matches, like, room)
        rest = [*_rest(result, lines, names)]
    return "\n".join([_header(result, _count_matches(lines)), *_grouped(lines), *notes, *rest])


def within_symbols(result: GrepResult) -> GrepResult:
    """Drop context lines without content, and those outside of the symbols that contain matches.

    In mode `ast` all lines stay, since they are parts of matches.
    """
    if result.mode == "ast":
        return result
    symbols = {(line.path, line.symbol) for line in result.lines if line.is_match}
    lines = (
        line
        for line in result.lines
        if line.is_match or (has_content(line.text) and (line.path, line.symbol) in symbols)
    )
    return replace(result, lines=tuple(lines))


def without_seen_context(result: GrepResult, seen: Iterable[LineSpan]) -> GrepResult:
    """Return a result without the context lines that are in `seen` and have not changed since.

    Matching lines stay, and so do all lines of a search for syntax.
    """
    from codeindex.search.pack.budget import lines_shown  # loads numpy

    known_spans = [span for span in seen if span.repo == result.repo]
    if not known_spans or result.mode == "ast":
        return result
    around = defaultdict[str, dict[int, str]](dict)
    for line in within_symbols(result).lines:
        if not line.is_match:
            around[line.path][line.line] = line.text
    known = {path: lines_shown(path, texts, known_spans) for path, texts in around.items()}
    kept = (it for it in result.lines if it.is_match or it.line not in known.get(it.path, ()))
    return replace(result, lines=tuple(kept), hides_known=any(known.values()))


def _count_matches(lines: Sequence[GrepLine]) -> int:
    return sum(line.is_match for line in lines)


def _header(result: GrepResult, shown: int) -> str:
    files = f"{plural(result.total_count, 'line')} in {plural(len(result.counts), 'file')}"
    return files if shown == result.total_count else f"{shown:,} of {files}"


def _grouped(lines: Sequence[GrepLine]) -> Iterator[str]:
    """Yield the lines as text, grouped below the path of their file.

    Two blanks stand for the number of a context line where it is `countable`. Files with the same
    matches as another one are named below that one.
    """
    like = files_like_others(lines)
    others = defaultdict[str, list[str]](list)
    for path, first in like.items():
        others[first].append(path)
    matches = defaultdict[str, list[str]](list)
    for line in lines:
        if line.is_match:
            matches[line.path].append(line.text.strip())
    for path, own in groupby((it for it in lines if it.path not in like), lambda it: it.path):
        before: GrepLine | None = None
        lines_of_file = [*own]
        counted = countable(line.line for line in lines_of_file)
        for (line, code), is_counted in zip(_with_code(lines_of_file), counted, strict=True):
            if before and line.symbol == before.symbol and is_counted and not line.is_match:
                yield f"  {code}"
            else:
                yield from _with_path(before, line, code)
            before = line
        if path in others:
            differ = any(matches[other] != matches[path] for other in others[path])
            yield others_line(others[path], has_other_texts=differ)


def _with_code(lines: Sequence[GrepLine]) -> Iterator[tuple[GrepLine, str]]:
    """Yield (line, code to show) for the lines of a file.

    Code has no indent, except where context lines are shown in a symbol: there, all lines of the
    symbol are indented by one blank a level.
    """
    for _, group in groupby(lines, lambda line: line.symbol):
        own = [*group]
        codes = [cut_line(line).strip() for line in own]
        if not all(line.is_match for line in own):
            nested = indent_by_level([line.text for line in own])
            codes = [
                text[: indentation(text)] + code for text, code in zip(nested, codes, strict=True)
            ]
        yield from zip(own, codes, strict=True)


def _with_path(before: GrepLine | None, line: GrepLine, code: str) -> Iterator[str]:
    """Yield the text of a line, after the path of its file if the line before has another path.

    The text is the number, the symbol unless the line before has the same, and the code.
    """
    known = before.symbol if before and before.path == line.path else None
    if known is None:
        yield escape_line(marked_path(line.path, is_generated=line.is_generated))
    symbol = shorten_name(line.symbol, line.path) or _NO_SYMBOL
    name = "" if line.symbol == (known or "") else f" {escape_line(symbol)}"
    yield f"{line.line}{name}{':' if line.is_match else '-'} {code}"


class _Match(NamedTuple):
    """A match and its lines: itself, and the context lines that are nearer to it than to others."""

    match: GrepLine
    lines: list[GrepLine]


def _fitting(
    result: GrepResult, matches: Sequence[_Match], like: Mapping[str, str], room: int
) -> list[GrepLine]:
    """Return the lines of the first matches that fit into `room` characters, at least of one.

    `like` is the result of `files_like_others` for all lines.
    """
    sizes = accumulate(map(_Sizes(like).add, matches))
    kept = sum(1 for _ in takewhile(lambda size: size <= room, sizes))
    while True:
        lines = _lines_of(result, matches[: max(1, kept)])
        if kept <= 1 or _size(lines) <= room:
            return lines
        kept -= 1


def _size(lines: Sequence[GrepLine]) -> int:
    """Return the characters of lines as text, with the paths of their files."""
    return sum(len(line) + 1 for line in _grouped(lines))


def _lines_of(result: GrepResult, matches: Sequence[_Match]) -> list[GrepLine]:
    chosen = {(line.path, line.line) for match in matches for line in match.lines}
    return [line for line in result.lines if (line.path, line.line) in chosen]


def _matches(result: GrepResult) -> list[_Match]:
    """Return the matches with their context lines, in the order in which they are kept.

    That is the order of `GrepResult.telling` or, without it, of the lines.
    """
    found: list[_Match] = []
    for _, own in groupby(result.lines, lambda line: line.path):
        near = [*own]
        numbers = [line.line for line in near if line.is_match]
        parts = {line.line: _Match(line, []) for line in near if line.is_match}
        for line in near:
            parts[nearest_number(numbers, line.line)].lines.append(line)
        found += parts.values()
    return sorted(found, key=lambda one: one.match.order) if result.telling else found


class _Sizes:
    """Counts the characters that matches take, where each path and symbol is named once."""

    def __init__(self, like: Mapping[str, str]) -> None:
        self._like = like
        self._named: set[tuple[str, str]] = set()

    def add(self, match: _Match) -> int:
        """Return the characters that a match adds to those before it."""
        path = match.match.path
        size = self._name(path, "")
        if path not in self._like:
            size += sum(map(self._line, match.lines))
        return size

    def _line(self, line: GrepLine) -> int:
        symbol = shorten_name(line.symbol, line.path)
        return len(f"{line.line}: {cut_line(line).strip()}\n") + (
            self._name(line.path, symbol) if symbol else 0
        )

    def _name(self, path: str, symbol: str) -> int:
        """Return the characters of a name that was not counted yet, or 0."""
        is_new = (path, symbol) not in self._named
        self._named.add((path, symbol))
        return len(symbol or path) + 2 if is_new else 0


def _notes(result: GrepResult) -> Iterator[str]:
    """Yield a hint for an empty result, and which files were not searched.

    Beside lines that were found, only the number of files of code is told, without reasons.
    """
    if hint := result.hint:
        yield f"note: {hint}"
    if result.hides_known:
        yield "note: of the lines around matches, those shown before are left out"
    yield from (f"note: {escape_line(gap)}" for gap in result.gaps())
    if result.not_searched and not result.counts:
        yield f"note: not searched: {format_reasons(result.not_searched)}"
    elif result.unsearched_code:
        yield f"note: not searched: {plural(result.unsearched_code, 'file')} of code"


def _rest(result: GrepResult, lines: Sequence[GrepLine], most: int | None) -> Iterator[str]:
    """Yield how many matches remain, of which kind, and in which files; and the next cursor.

    They are the matches of this page after those in `lines`. The names of files take at most `most`
    characters, but one is always named. If only background remains, files with lines above are not
    named.
    """
    shown = _count_matches(lines)
    left = result.after(shown)
    if result.is_background(shown):
        above = {line.path for line in lines}
        left = {path: count for path, count in left.items() if path not in above}
    names = [f"{path} {count}" for path, count in islice(left.items(), MOST_NAMED_FILES)]
    ends = accumulate(len(name) + 2 for name in names)
    named = max(1, sum(most is None or end <= most for end in ends))
    more = f" and {plural(len(left) - named, 'more file')}" if len(left) > named else ""
    where = f": {escape_line(', '.join(names[:named]))}{more}" if left else ""
    yield f"left: {result.left(shown)}{where}"
    yield f"more: cursor {result.cursor_after(shown)}"

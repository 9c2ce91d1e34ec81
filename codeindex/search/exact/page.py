"""Cut one page out of all matching lines; add context lines, symbols and spans."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codeindex.languages import LANGUAGES
from codeindex.query.cursor import decode_cursor
from codeindex.search.exact.lines import GrepLine, GrepMode, GrepResult
from codeindex.search.exact.scan import MatchSpan
from codeindex.search.exact.telling import RankedLine, order_by_kind
from codeindex.search.unsearched_files import count_unsearched_code, count_unsearched_files
from codeindex.store.catalog.files import FileTraits, file_traits, stored_text
from codeindex.store.symbols.nodes import enclosing_symbols, file_nodes, innermost_symbol
from codeindex.text.clauses import MOST_WHOLE_LINES, find_clauses
from codeindex.text.control_lines import conditions_above
from codeindex.types import CALLABLE_KINDS, Filters, Node, SafeText


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The filters of an exact search, and which page of the matching lines is wanted.

    `before` and `after` are the numbers of context lines. `limit` is the most matches of a page,
    `per_file` of a file; 0 means no limit. With `symbols`, a last page may have an eighth more.
    Files are ordered by path; with `likely_first`, code comes before documents, then generated
    files, then tests, and central files first. `spans` and `symbols` request these fields of
    `GrepLine`.
    """

    repo: str
    query: SafeText
    mode: GrepMode
    filters: Filters
    before: int = 0
    after: int = 0
    limit: int = 0
    cursor: str = ""
    spans: bool = False
    per_file: int = 0
    likely_first: bool = False
    symbols: bool = False

    @property
    def telling_first(self) -> bool:
        """Whether definitions, assignments and conditions are kept before other matching lines.

        True for answers to agents, except in mode `ast`, whose matches have several lines.
        """
        return self.likely_first and self.symbols and self.mode != "ast"

    @property
    def is_message(self) -> bool:
        """Whether an agent searches for a text of several words, which is usually a message."""
        is_text = self.telling_first and self.mode == "exact"
        return is_text and len(self.query.split()) >= _MESSAGE_WORDS

    def start(self, version: int) -> int:
        """Return the number of matches on earlier pages, from the cursor; 0 without a cursor.

        Raise QueryError for a cursor of another index version than `version`.
        """
        return decode_cursor(self.cursor, version=version) if self.cursor else 0


MatchingLines = dict[str, dict[int, str]]
"""Maps each path to its matching lines, as texts by line number."""


@dataclass(frozen=True, slots=True)
class FoundLines:
    """All matching lines of a search, before a page is cut out.

    `texts` holds the texts, by path, of files whose text is not in the catalog. For a search by
    syntax, `ends` maps (path, first line) of a match to its last line; at most `MOST_MATCH_LINES`
    lines of a match are shown.
    """

    matches: MatchingLines
    searched_files: int
    texts: Mapping[str, SafeText] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    partly_parsed: tuple[str, ...] = ()
    not_parsed: tuple[str, ...] = ()
    no_grammar: tuple[str, ...] = ()
    ends: Mapping[tuple[str, int], int] = field(default_factory=dict)


MOST_MATCH_LINES = 12
"""Most lines that are shown of a match by syntax; nine of ten Python statements are shorter."""
_EXCESS = 1 / 8
"""The last page for an agent may have more matches than `limit` by this share."""
_MESSAGE_WORDS = 3
"""Fewest words of a text that is taken for a message; `new Cart(` has two."""
_FEW_MESSAGES = 3
"""Most lines with a message that are shown with the conditions above each."""
_LEAST_BACKGROUND = 4
"""Fewest lines of comments, documents and imports that the first page for an agent leaves out: to
tell how many there are takes as much as three of them."""
_MOST_RANKED = 20_000
"""Most matches that are ordered by what they tell, which takes .3 s."""
_UNKNOWN = FileTraits(is_test=1, is_generated=0, language="text", centrality=0.0)
"""Assumed traits of files that are not in the catalog, which puts them last."""
FindSpans = Callable[[Sequence[GrepLine]], Iterable[Sequence[MatchSpan]]]
"""Returns the spans of the matches in each line."""


def make_page(
    connection: sqlite3.Connection,
    request: PageRequest,
    found: FoundLines,
    find_spans: FindSpans,
    *,
    version: int,
) -> GrepResult:
    """Return the requested page of the matching lines, and the number of matches in each file.

    `version` is the index version; a cursor of another version raises QueryError.
    """
    start = request.start(version)
    matches = found.matches
    traits = file_traits(connection, matches) if request.likely_first else {}
    order = _likely_first(matches, traits) if request.likely_first else sorted(matches)
    wanted = list(_in_order({path: matches[path] for path in order}, request.per_file or None))
    ranked = _ranked(connection, wanted, traits) if request.telling_first else []
    end = start + request.limit if request.limit else None
    if request.symbols and end and len(wanted) - end <= request.limit * _EXCESS:
        end = None
    if foreground := 0 if start else _foreground(ranked, wanted, traits):
        end = min(end or foreground, foreground)
    page = _page_of(wanted, [one.at for one in ranked[start:end]]) if ranked else wanted[start:end]
    lines = _with_context(connection, page, request, found)
    lines = _with_origin(lines, traits) if request.likely_first else lines
    lines = _with_symbols(connection, lines, found.texts) if request.symbols else lines
    return GrepResult(
        repo=request.repo,
        query=request.query,
        mode=request.mode,
        lines=_with_spans(lines, find_spans) if request.spans else lines,
        counts={path: len(matches[path]) for path in order},
        start=start,
        has_more=start + len(page) < len(wanted),
        index_version=version,
        searched_files=found.searched_files,
        not_searched=count_unsearched_files(connection, request.filters),
        unsearched_code=count_unsearched_code(connection, request.filters),
        unread=found.unread,
        per_file=request.per_file,
        partly_parsed=found.partly_parsed,
        not_parsed=found.not_parsed,
        no_grammar=found.no_grammar,
        telling=tuple((wanted[one.at].path, one.kind) for one in ranked[start:]),
    )


def _foreground(
    ranked: Sequence[RankedLine], lines: Sequence[GrepLine], traits: Mapping[str, FileTraits]
) -> int:
    """Return how many matches the first page shows if it leaves out background; 0 if it does not.

    It does not if there is little background, or if only background is outside of tests.
    """
    count = sum(not one.is_background for one in ranked)
    of_tests = [traits.get(lines[one.at].path, _UNKNOWN).is_test for one in ranked]
    is_telling = not all(of_tests[:count]) or (count and all(of_tests))
    return count if is_telling and len(ranked) - count >= _LEAST_BACKGROUND else 0


def _ranked(
    connection: sqlite3.Connection, lines: Sequence[GrepLine], traits: Mapping[str, FileTraits]
) -> Sequence[RankedLine]:
    """Return the matches in the order of `order_by_kind`; () if there are very many."""
    if len(lines) > _MOST_RANKED:
        return ()
    places = [((line.path, line.line), line.text) for line in lines]
    return order_by_kind(connection, places, traits)


def _page_of(lines: Sequence[GrepLine], chosen: Sequence[int]) -> list[GrepLine]:
    """Return the lines with the indexes `chosen`, in file order, with their rank as `order`."""
    ranks = {at: rank for rank, at in enumerate(chosen)}
    return [lines[at]._replace(order=ranks[at]) for at in sorted(ranks)]


def _in_order(matches: MatchingLines, per_file: int | None) -> Iterator[GrepLine]:
    for path, lines in matches.items():
        for number, text in sorted(lines.items())[:per_file]:
            yield GrepLine(path, number, SafeText(text))


def _likely_first(paths: Iterable[str], traits: Mapping[str, FileTraits]) -> list[str]:
    """Sort files: code, documents, generated files, tests; central files first."""

    def order(path: str) -> tuple[int, int, bool, float, str]:
        own = traits.get(path, _UNKNOWN)
        is_code = bool(LANGUAGES[own.language].symbols)
        return own.is_test, own.is_generated, not is_code, -own.centrality, path

    return sorted(paths, key=order)


def _with_context(
    connection: sqlite3.Connection,
    page: Sequence[GrepLine],
    request: PageRequest,
    found: FoundLines,
) -> tuple[GrepLine, ...]:
    """Return the matching lines together with their context lines and the rest of long matches.

    Each line is returned once. In answers to agents, the context includes the conditions that a
    match is under. For a message, it has these even if no context lines are requested.
    """
    is_message = request.is_message and 0 < len(page) <= _FEW_MESSAGES
    if not (request.before or request.after or found.ends or is_message):
        return tuple(page)
    by_path: dict[str, dict[int, GrepLine]] = {}
    for line in page:
        last = found.ends.get((line.path, line.line), 0)
        by_path.setdefault(line.path, {})[line.line] = line._replace(end_line=last)
    shown: list[GrepLine] = []
    for path, own in by_path.items():
        text = found.texts.get(path) or stored_text(connection, path)
        lines = text.removesuffix("\n").split("\n")
        near = {
            number
            for at, line in own.items()
            for number in range(
                max(at - request.before, 1),
                min(_last_shown(line) + request.after, len(lines)) + 1,
            )
        }
        if request.telling_first:
            near |= {above + 1 for at in own for above in conditions_above(lines, at - 1)}
        shown += (
            own.get(number) or GrepLine(path, number, SafeText(lines[number - 1]), is_match=False)
            for number in sorted(near)
        )
    return tuple(shown)


def _last_shown(line: GrepLine) -> int:
    return max(line.line, min(line.end_line, line.line + MOST_MATCH_LINES - 1))


def _with_origin(
    lines: Sequence[GrepLine], traits: Mapping[str, FileTraits]
) -> tuple[GrepLine, ...]:
    """Set `is_generated` of each line by the traits of its file."""
    generated = {path for path, own in traits.items() if own.is_generated}
    return tuple(line._replace(is_generated=line.path in generated) for line in lines)


def _with_symbols(
    connection: sqlite3.Connection, lines: Sequence[GrepLine], texts: Mapping[str, SafeText]
) -> tuple[GrepLine, ...]:
    """Set `symbol` of each line to the innermost symbol around it.

    In a long function with clauses, it is followed by the line of the clause: `Cart.add:40`.
    """
    around: dict[str, Sequence[Node]] = {}
    for node in file_nodes(connection, {line.path for line in lines}):
        own = enclosing_symbols(connection, node.file_id)
        has_clauses = LANGUAGES[node.language].has_clauses
        if has_clauses and (functions := [it for it in own if _is_long_function(it)]):
            text = texts.get(node.path) or stored_text(connection, node.path)
            clauses = _clauses_of(functions, text.split("\n"))
            own = sorted((*own, *clauses), key=lambda one: (one.start_line, -one.end_line))
        around[node.path] = own
    return tuple(
        line._replace(symbol=innermost_symbol(around.get(line.path, ()), line.line))
        for line in lines
    )


def _is_long_function(symbol: Node) -> bool:
    return symbol.kind in CALLABLE_KINDS and symbol.end_line - symbol.line >= MOST_WHOLE_LINES


def _clauses_of(functions: Iterable[Node], lines: Sequence[str]) -> Iterator[Node]:
    """Yield the clauses of functions; `lines` are all lines of their file."""
    for one in functions:
        for clause in find_clauses(lines, one.name, line=one.line, end_line=one.end_line):
            yield one._replace(**clause._asdict(), qualified=f"{one.qualified}:{clause.line}")


def _with_spans(lines: Sequence[GrepLine], find_spans: FindSpans) -> tuple[GrepLine, ...]:
    """Set `spans` of each matching line."""
    spans = iter(find_spans([line for line in lines if line.is_match]))
    return tuple(
        line._replace(spans=tuple(next(spans))) if line.is_match else line for line in lines
    )

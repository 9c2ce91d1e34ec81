"""Format answers as text: `path:line:text` for pipes, headings and colour for terminals."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeindex.languages import LANGUAGES
from codeindex.text.sanitize import escape_line
from codeindex.text.words import fold_name, query_words, stemmed_words
from codeindex.types import Answer, Hit

_RUN = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_COMMENT = re.compile(
    r"\s*(?:#(?!\s*(?:define|include|if|ifdef|ifndef|elif|else|endif|undef|pragma|import)\b)"
    r"|//|/\*|\*|--|;|%|@|<!--|\"\"\"|''')"
)
_PROSE = {"section", "page", "cell"}
"""Kinds of hits whose first line is a title, even if it looks like a comment of code."""
LONGEST_LINE = 500
"""Most characters of a line on a terminal: lines of minified files are longer and are cut."""
_COLOURS = {"path": "35", "line": "32", "match": "1;31", "symbol": "1", "faint": "2"}  # as grep's
_COLOURS |= {"keyword": "34", "string": "33", "number": "36", "type": "36", "name": "1"}
_COLOURS["comment"] = _COLOURS["faint"]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """How to display an answer; paths below the folder `here` are printed relative to it.

    `roots` maps the name of each repository to its folder. If `null` is set, paths are not escaped,
    because the output is for a program.
    """

    roots: Mapping[str, Path]
    here: Path
    terminal: bool = False
    heading: bool = False
    colour: bool = False
    null: bool = False
    vimgrep: bool = False
    """Whether to print `path:line:column:` before each line. The column is always 1: results are
    chosen by words, not by a position."""
    content: bool = False
    only_matching: bool = False
    explain: bool = False
    before: int = 0
    after: int = 0
    link: Callable[[Path, int], str] | None = None
    """Returns the URL of a line of a file, for terminals with hyperlinks."""
    styles: Mapping[tuple[str, str, int], Sequence[tuple[int, int, str]]] = field(
        default_factory=dict
    )
    """Syntax colours by repository, path and line: (start column, end column, colour name)."""

    def path(self, path: str, repo: str = "") -> str:
        """Return a path of a repository relative to `here`.

        Outside `here`, return an absolute path. Control characters are escaped unless `null` is
        set.
        """
        full = self.roots[repo] / path
        near = full.relative_to(self.here) if full.is_relative_to(self.here) else full
        return near.as_posix() if self.null else escape_line(near.as_posix())

    def linked(self, hit: Hit, line: int, text: str) -> str:
        """Return `text` as a terminal hyperlink to a line of the hit's file."""
        if self.link is None or not text:
            return text
        return (
            f"\x1b]8;;{self.link(self.roots[hit.repo] / hit.path, line)}\x1b\\{text}\x1b]8;;\x1b\\"
        )

    def paint(self, name: str, text: str) -> str:
        return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if self.colour and text else text


def term_spans(line: str, terms: frozenset[str]) -> list[tuple[int, int]]:
    """Return the (start, end) columns of query terms in a line, also as parts of names."""
    spans = []
    for run in _RUN.finditer(line):
        if fold_name(run.group()) in terms:
            spans.append(run.span())
            continue
        parts = _PART.finditer(line, *run.span())
        spans += [
            part.span() for part in parts if not terms.isdisjoint(stemmed_words(part.group()))
        ]
    return spans


def focus_lines(hit: Hit, terms: frozenset[str], *, most: int = 3) -> tuple[int, ...]:
    """Return up to `most` line numbers of a hit: first the main line, then the best other lines.

    The main line is `hit.line`. If that is 0, it is the first line of a document, or the line of
    code with the most distinct query terms. The other lines are those with the most query terms,
    sorted by number.
    """
    lines = dict(enumerate(hit.lines, hit.start_line))
    counts = {
        number: len(terms.intersection(stemmed_words(line))) for number, line in lines.items()
    }
    matching = sorted((at for at in counts if counts[at]), key=lambda at: (-counts[at], at))
    first = hit.line or (_first(hit, lines) if hit.kind in _PROSE or not matching else matching[0])
    others = [at for at in matching if at != first][: most - 1]
    return (first, *sorted(others))


def _first(hit: Hit, lines: Mapping[int, str]) -> int:
    """Return the number of the hit's first line that is neither blank nor, in code, a comment."""
    filled = [at for at, line in lines.items() if line.strip()]
    code = [at for at in filled if hit.kind not in _PROSE and not _is_comment(lines[at], hit)]
    return next(iter(code or filled), hit.start_line)


def hits_then_navigation(answer: Answer) -> list[tuple[Hit, bool]]:
    """Return all results as (hit, is navigation document) pairs; navigation documents come last."""
    return [(hit, False) for hit in answer.hits] + [(hit, True) for hit in answer.navigation]


def _is_comment(line: str, hit: Hit) -> bool:
    """Tell whether a line looks like a comment; in JavaScript, `#` begins a private member."""
    if not _COMMENT.match(line):
        return False
    language = LANGUAGES.get(hit.language)
    return not (language and language.sigil and line.lstrip().startswith(language.sigil))


def format_answer(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    """Yield the lines of an answer, as grep prints them or with a heading above each hit."""
    terms = frozenset(query_words(answer.query))
    separator = "" if view.heading else "--"
    for number, (hit, is_doc) in enumerate(hits_then_navigation(answer)):
        if number and (view.heading or (_has_context(view) and not view.only_matching)):
            yield separator
        if view.heading:
            yield _heading(hit, view, is_doc=is_doc)
        if view.explain:
            yield _signals(hit, view)
        yield from _words_only(hit, view, terms) if view.only_matching else _body(hit, view, terms)


def _has_context(view: DisplayOptions) -> bool:
    return bool(view.before or view.after or view.content)


def _heading(hit: Hit, view: DisplayOptions, *, is_doc: bool) -> str:
    path = view.paint("path", view.path(hit.path, hit.repo)) + f":{hit.start_line}-{hit.end_line}"
    place = view.linked(hit, hit.line or hit.start_line, path)
    named = view.paint("symbol", escape_line(hit.symbol)) or escape_line(hit.heading_path)
    kind = "docs" if is_doc else f"{hit.kind} {hit.page}" if hit.page else hit.kind
    return "  ".join(
        part for part in (place, named, view.paint("faint", f"{kind}  {hit.score:.2f}")) if part
    )


def _signals(hit: Hit, view: DisplayOptions) -> str:
    """Return a line that lists each feature's share of the hit's score, the largest share first."""
    parts = sorted(hit.why.items(), key=lambda item: (-abs(item[1]), item[0]))
    text = "  ".join(f"{name} {value:+.2f}" for name, value in parts)
    return text if view.heading else f"{view.path(hit.path, hit.repo)}: {hit.score:.2f} = {text}"


def _numbered_lines(hit: Hit) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of each line of a hit to show.

    A hit that is shown as `pointer` or `seen` has one line; its text is the symbol, or the heading.
    """
    match hit.shown:
        case "full":
            yield from enumerate(hit.lines, hit.start_line)
        case "skeleton":
            for line in hit.text.split("\n"):
                number, _, text = line.partition(":")
                if number.isdecimal():  # the last line may be "… to line N"
                    yield int(number), text
        case "pointer" | "seen":
            yield hit.line or hit.start_line, hit.symbol or hit.heading_path


def _body(hit: Hit, view: DisplayOptions, terms: frozenset[str]) -> Iterator[str]:
    if hit.shown != "full":
        for line, text in _numbered_lines(hit):
            yield _place(hit, line, view, mark=":") + _line(text, view, terms, ())
        return
    focus = focus_lines(hit, terms)
    lines = dict(enumerate(hit.lines, hit.start_line)) | (
        {hit.line: hit.signature} if hit.signature else {}
    )
    last = 0
    for line in _with_context(hit, focus, view) if _has_context(view) else focus:
        if last and line > last + 1 and _has_context(view):
            yield "--"
        last = line
        styles = view.styles.get((hit.repo, hit.path, line), ())
        text = _line(lines.get(line, ""), view, terms, styles)
        yield _place(hit, line, view, mark=":" if line in focus else "-") + text


def _with_context(hit: Hit, focus: Sequence[int], view: DisplayOptions) -> list[int]:
    """Return the sorted numbers of the lines to print: the focus lines and the context around them.

    Context lines outside the hit are omitted.
    """
    end = hit.start_line + len(hit.lines)
    whole = range(hit.start_line, end)
    near = itertools.chain.from_iterable(
        range(max(line - view.before, hit.start_line), min(line + view.after + 1, end))
        for line in focus
    )
    above = [line for line in focus[:1] if line < hit.start_line]
    return sorted({*above, *(whole if view.content else near)})


def _words_only(hit: Hit, view: DisplayOptions, terms: frozenset[str]) -> Iterator[str]:
    for line, text in _numbered_lines(hit):
        for start, end in term_spans(text, terms):
            word = view.paint("match", escape_line(text[start:end]))
            yield _place(hit, line, view, mark=":") + word


def _place(hit: Hit, line: int, view: DisplayOptions, *, mark: str) -> str:
    number = view.linked(hit, line, view.paint("line", str(line)))
    if view.heading:
        return number + mark
    path = view.paint("path", view.path(hit.path, hit.repo))
    column = f"1{mark}" if view.vimgrep else ""
    return view.linked(hit, line, path) + ("\0" if view.null else mark) + number + mark + column


def _line(
    text: str, view: DisplayOptions, terms: frozenset[str], styles: Sequence[tuple[int, int, str]]
) -> str:
    clean = escape_line(text)
    if view.terminal and len(clean) > LONGEST_LINE:
        clean = clean[:LONGEST_LINE] + "…"
    if not view.colour:
        return clean
    matches = [(start, stop, "match") for start, stop in term_spans(clean, terms)]
    return "".join(_paint_spans(clean, [*(styles if clean == text else ()), *matches], view))


def paint_code(
    text: str, view: DisplayOptions, styles: Sequence[tuple[int, int, str]] | None
) -> str:
    """Return a line, escaped, with the spans in `styles` in colour.

    A line in which characters were escaped has no colours. `styles` are (start column, end column,
    colour name).
    """
    clean = escape_line(text)
    if not view.colour:
        return clean
    return "".join(_paint_spans(clean, (styles or ()) if clean == text else (), view))


def _paint_spans(
    line: str, styles: Sequence[tuple[int, int, str]], view: DisplayOptions
) -> Iterator[str]:
    """Yield the parts of a line in colour.

    Where two spans overlap, the later one sets the colour.
    """
    names = [""] * len(line)
    for start, stop, name in styles:
        names[start:stop] = [name] * (min(stop, len(line)) - start)
    at = 0
    for name, run in itertools.groupby(names):
        size = len(list(run))
        part = line[at : at + size]
        yield view.paint(name, part) if name else part
        at += size


def format_columns(table: Sequence[Sequence[str]], *, aligned: bool) -> Iterator[str]:
    """Yield each row as a line: padded to aligned columns, or with tabs between cells for programs.

    Control characters and tabs within cells are escaped.
    """
    rows = [[escape_line(cell).replace("\t", "\\t") for cell in row] for row in table]
    if not aligned:
        yield from ("\t".join(row) for row in rows)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()

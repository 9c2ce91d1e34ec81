"""Print the answer of a ranked search in the format that the options select."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from codeindex.cli.display import display_options
from codeindex.cli.editor import open_in_editor
from codeindex.cli.highlighting import highlight_hits
from codeindex.cli.output import print_note, print_rendered
from codeindex.cli.pager import print_paged
from codeindex.cli.search_notes import answer_notes
from codeindex.cli.search_options import SearchOptions
from codeindex.config import data_home
from codeindex.formatting import (
    DisplayOptions,
    focus_lines,
    format_answer,
    format_columns,
    hits_then_navigation,
)
from codeindex.search.pack.agent_json import agent_answer
from codeindex.store.datadir.home import repositories
from codeindex.text.sanitize import escape_line, escaped_json
from codeindex.text.words import query_words
from codeindex.types import Answer

_Format = Callable[["Answer", DisplayOptions], "Iterator[str]"]


def print_answer(answer: Answer, options: SearchOptions, roots: Mapping[str, Path]) -> bool:
    """Print an answer and its notes; return whether anything was found.

    With `--open`, open the first result. `roots` maps repository names to their folders.
    """
    answer = _limit_navigation(answer, options)
    _print_results(answer, options, roots)
    is_empty = not (answer.hits or answer.navigation)
    if not options.json:
        message = (answer.message or "Nothing found.") if is_empty else ""
        hint = _widening_hint(answer) if is_empty else answer.hint
        for note in (message, *answer.suggestions, hint):
            if note:
                print_note(note)
    for note in answer_notes(answer):
        print_note(note)
    if options.open and not is_empty:
        _open_first(answer, roots)
    return not is_empty


def _widening_hint(answer: Answer) -> str:
    """Return the hint for an answer without results.

    If other repositories are indexed too, it says how to search them.
    """
    known = len(repositories(data_home()))
    if not answer.hint or known <= len(answer.searched_repos):
        return answer.hint
    return f"{answer.hint} --all-repos searches all {known} indexed repositories."


def _limit_navigation(answer: Answer, options: SearchOptions) -> Answer:
    """Keep as many navigation documents as the limit `-m` allows after the hits."""
    if options.limit is None or options.json:
        return answer
    remaining = max(options.limit - len(answer.hits), 0)
    return replace(answer, navigation=answer.navigation[:remaining])


def _print_results(answer: Answer, options: SearchOptions, roots: Mapping[str, Path]) -> None:
    view, formatter = display_options(options, roots), _select_format(options)
    if view.colour and formatter is format_answer:
        hits = [hit for hit, _ in hits_then_navigation(answer)]
        view = replace(view, styles=highlight_hits(hits))
    is_for_programs = options.json or options.jsonl or options.null or options.vimgrep
    paged = not (options.no_pager or options.open or is_for_programs)
    print_paged(formatter(answer, view), print_rendered, paged=paged)


def _open_first(answer: Answer, roots: Mapping[str, Path]) -> None:
    """Open the first hit in the user's editor, at the first of its lines that are printed."""
    hit, _ = hits_then_navigation(answer)[0]
    terms = frozenset(query_words(answer.query))
    line = hit.line or (focus_lines(hit, terms)[0] if hit.shown == "full" else hit.start_line)
    open_in_editor(roots[hit.repo] / hit.path, line)


def _select_format(options: SearchOptions) -> _Format:
    """Return the function for the selected output format; `format_answer` without one."""
    formats: tuple[tuple[bool, _Format], ...] = (
        (options.json and options.budget is not None, _format_agent_json),
        (options.json, _format_json),
        (options.jsonl, _format_jsonl),
        (options.files_with_matches, _format_files),
        (options.count, _format_counts),
        (options.columns, _format_table),
    )
    return next((formatter for selected, formatter in formats if selected), format_answer)


def _format_json(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    yield escaped_json(answer.as_dict(), indent=2)


def _format_agent_json(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    """Yield the answer as compact JSON, in the form that agents get and a budget counts."""
    yield escaped_json(agent_answer(answer))


def _format_jsonl(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    for hit, is_navigation in hits_then_navigation(answer):
        yield escaped_json(hit.as_dict() | {"navigation": is_navigation})


def _format_files(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    for path in _count_by_file(answer, view):
        yield view.paint("path", path) + ("\0" if view.null else "")


def _format_counts(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    for path, count in _count_by_file(answer, view).items():
        yield view.paint("path", path) + ("\0" if view.null else ":") + str(count)


def _count_by_file(answer: Answer, view: DisplayOptions) -> Counter[str]:
    hits = hits_then_navigation(answer)
    return Counter(view.path(hit.path, hit.repo) for hit, _ in hits)


def _format_table(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    rows = [
        (
            view.path(hit.path, hit.repo),
            f"{hit.start_line}-{hit.end_line}",
            "docs" if is_navigation else hit.kind,
            escape_line(hit.symbol) or "-",
            f"{hit.score:.3f}",
        )
        for hit, is_navigation in hits_then_navigation(answer)
    ]
    yield from format_columns(rows, aligned=view.terminal)

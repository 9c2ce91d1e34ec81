"""The shapes in which `codeindex search` prints an answer."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from codeindex.cli.editor import edit
from codeindex.cli.highlighting import in_colour, painted
from codeindex.cli.hyperlinks import address, prefix
from codeindex.cli.output import print_note
from codeindex.cli.pager import show
from codeindex.cli.search_options import Given
from codeindex.formatting import (
    DisplayOptions,
    focus_lines,
    format_answer,
    format_columns,
    hits_then_navigation,
)
from codeindex.search.pack.agent_json import agent_answer
from codeindex.text.sanitize import escape_line, escaped_json
from codeindex.text.words import query_words
from codeindex.types import Answer

_Shape = Callable[[Answer, DisplayOptions], Iterator[str]]


def write(answer: Answer, given: Given, *, roots: Mapping[str, Path]) -> None:
    """Print the answer in the shape that was asked for; what was not found goes to stderr."""
    view, shape = _view(given, roots), _shape(given)
    if view.colour and shape is format_answer:
        view = replace(view, styles=painted([hit for hit, _ in hits_then_navigation(answer)]))
    programs = given.json or given.jsonl or given.null
    show(shape(answer, view), _write, paged=not (given.no_pager or given.open or programs))
    if given.json:
        return
    is_empty = not (answer.hits or answer.navigation)
    message = (answer.message or "Nothing found.") if is_empty else ""
    for sentence in (message, *answer.suggestions, answer.hint):
        if sentence:
            print_note(sentence)


def _write(line: str) -> None:
    # Painted or not as the view has it: click would take colours out of the names of files too.
    click.echo(line, nl=not line.endswith("\0"), color=True)  # noqa: TID251


def open_first(answer: Answer, roots: Mapping[str, Path]) -> None:
    """Open what is shown first in the user's editor."""
    hit, _ = hits_then_navigation(answer)[0]
    terms = frozenset(query_words(answer.query))
    shown = hit.line or (focus_lines(hit, terms)[0] if hit.shown == "full" else hit.start_line)
    edit(roots[hit.repo] / hit.path, shown)


def bounded(answer: Answer, given: Given) -> Answer:
    """Leave docs the places that code has not taken: whoever says -m counts what is printed."""
    if given.limit is None or given.json:
        return answer
    places = max(given.limit - len(answer.hits), 0)
    return replace(answer, navigation=answer.navigation[:places])


def _view(given: Given, roots: Mapping[str, Path]) -> DisplayOptions:
    terminal = sys.stdout.isatty()
    link = prefix(given.hyperlink)
    return DisplayOptions(
        roots=roots,
        here=Path.cwd(),
        terminal=terminal,
        heading=terminal if given.heading is None else given.heading,
        colour=in_colour(given.color),
        link=partial(address, link) if link else None,
        null=given.null,
        content=given.content or bool(given.budget),
        only_matching=given.only_matching,
        explain=given.explain,
        before=max(given.before_context, given.context),
        after=max(given.after_context, given.context),
    )


def _shape(given: Given) -> _Shape:
    """Return the first shape that was asked for, the most exact first."""
    shapes = (
        (given.json and given.budget is not None, _json_of_budget),
        (given.json, _json),
        (given.jsonl, _jsonl),
        (given.files_with_matches, _files),
        (given.count, _counts),
        (given.columns, _columns),
    )
    return next((shape for asked, shape in shapes if asked), format_answer)


def _json(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    yield escaped_json(answer.as_dict(), indent=2)


def _json_of_budget(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    """Yield what agents get, without blanks: that is what a budget counts."""
    yield escaped_json(agent_answer(answer))


def _jsonl(answer: Answer, _: DisplayOptions) -> Iterator[str]:
    for hit, is_doc in hits_then_navigation(answer):
        yield escaped_json(hit.as_dict() | {"navigation": is_doc})


def _files(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    for path in _counted(answer, view):
        yield view.paint("path", path) + ("\0" if view.null else "")


def _counts(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    for path, count in _counted(answer, view).items():
        yield view.paint("path", path) + ("\0" if view.null else ":") + str(count)


def _counted(answer: Answer, view: DisplayOptions) -> Counter[str]:
    hits = hits_then_navigation(answer)
    return Counter(view.path(hit.path, hit.repo) for hit, _ in hits)


def _columns(answer: Answer, view: DisplayOptions) -> Iterator[str]:
    rows = [
        (
            view.path(hit.path, hit.repo),
            f"{hit.start_line}-{hit.end_line}",
            "docs" if is_doc else hit.kind,
            escape_line(hit.symbol) or "-",
            f"{hit.score:.3f}",
        )
        for hit, is_doc in hits_then_navigation(answer)
    ]
    yield from format_columns(rows, aligned=view.terminal)

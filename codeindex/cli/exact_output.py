"""The shapes in which lines that match are printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import click

from codeindex.cli.output import print_note
from codeindex.cli.search_options import Given
from codeindex.config import environment
from codeindex.formatting import LONGEST_LINE, DisplayOptions, format_columns
from codeindex.search.exact.agent_lines import agent_lines
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.text.sanitize import escape_line, escaped_json

_Shape = Callable[[Sequence[GrepResult], Given, DisplayOptions], Iterator[str]]


def is_coloured(given: Given) -> bool:
    """Tell whether matches are to be painted."""
    if given.color != "auto":
        return given.color == "always"
    return sys.stdout.isatty() and not environment().get("NO_COLOR")


def write(found: Sequence[GrepResult], given: Given, *, roots: Mapping[str, Path]) -> None:
    """Print lines in the shape that was asked for."""
    terminal = sys.stdout.isatty()
    view = DisplayOptions(
        roots=roots,
        here=Path.cwd(),
        terminal=terminal,
        heading=terminal if given.heading is None else given.heading,
        colour=is_coloured(given),
        null=given.null,
        only_matching=given.only_matching,
    )
    for line in _shape(given)(found, given, view):
        # Painted or not as the view has it: click would take colours out of the names of files too.
        click.echo(line, nl=not line.endswith("\0"), color=True)  # noqa: TID251
    lines, files = sum(one.total_count for one in found), sum(len(one.counts) for one in found)
    if terminal or not lines:
        searched = sum(one.searched_files for one in found)
        print_note(f"{lines:,} lines in {files:,} of {searched:,} files")


def _shape(given: Given) -> _Shape:
    """Return the first shape that was asked for, the most exact first."""
    shapes = (
        (given.json and given.budget is not None, _json_of_budget),
        (given.json, _json),
        (given.jsonl, _jsonl),
        (given.files_with_matches, _files),
        (given.count, _counts),
        (given.columns, _columns),
        (given.budget is not None, _of_budget),
        (given.only_matching, _words_only),
    )
    return next((shape for asked, shape in shapes if asked), _text)


def _json(found: Sequence[GrepResult], _given: Given, _: DisplayOptions) -> Iterator[str]:
    """Yield one answer, or a list of those of several repositories."""
    answers = [one.as_dict() for one in found]
    yield escaped_json(answers[0] if len(answers) == 1 else answers, indent=2)


def _json_of_budget(found: Sequence[GrepResult], given: Given, _: DisplayOptions) -> Iterator[str]:
    for one in found:
        yield escaped_json(agent_lines(one, budget=given.budget or 0))


def _of_budget(found: Sequence[GrepResult], given: Given, _: DisplayOptions) -> Iterator[str]:
    for one in found:
        told = agent_lines(one, budget=given.budget or 0)
        yield from map(escape_line, told["lines"])
        if told.get("truncated"):
            print_note(
                f"left out for the budget: go on with --cursor {told['cursor']}, or raise it"
            )


def _jsonl(found: Sequence[GrepResult], _given: Given, _: DisplayOptions) -> Iterator[str]:
    for answer in found:
        for file in answer.as_dict()["results"]:
            for line in file["lines"]:
                yield escaped_json({"repo": file["repo"], "file_path": file["file_path"], **line})


def _files(found: Sequence[GrepResult], given: Given, view: DisplayOptions) -> Iterator[str]:
    for path, _ in _listed(found, given, view):
        yield view.paint("path", path) + ("\0" if view.null else "")


def _counts(found: Sequence[GrepResult], given: Given, view: DisplayOptions) -> Iterator[str]:
    for path, count in _listed(found, given, view):
        yield view.paint("path", path) + ("\0" if view.null else ":") + str(count)


def _listed(
    found: Sequence[GrepResult], given: Given, view: DisplayOptions
) -> Iterator[tuple[str, int]]:
    """Yield files with their counts: of each repository as many as are wanted."""
    for one in found:
        for path, count in islice(one.counts.items(), given.limit):
            yield view.path(path, one.repo), min(count, one.per_file or count)


def _columns(found: Sequence[GrepResult], _given: Given, view: DisplayOptions) -> Iterator[str]:
    rows = [
        (view.path(line.path, one.repo), str(line.line), line.text)
        for one in found
        for line in one.lines
    ]
    if rows:
        yield from format_columns(rows, aligned=view.terminal)


def _words_only(found: Sequence[GrepResult], _given: Given, view: DisplayOptions) -> Iterator[str]:
    for answer in found:
        for line in answer.matches:
            for start, end in line.spans:
                word = view.paint("match", escape_line(line.text[start:end]))
                yield _place(answer.repo, line, view) + word


def _text(found: Sequence[GrepResult], given: Given, view: DisplayOptions) -> Iterator[str]:
    """Yield lines as grep does: under the names of their files on a terminal."""
    has_context = bool(given.before_context or given.after_context or given.context)
    last = ("", "", 0)
    for answer in found:
        for line in answer.lines:
            place = (answer.repo, line.path)
            if view.heading and place != last[:2]:
                if last[2]:
                    yield ""
                yield view.paint("path", view.path(line.path, answer.repo))
            elif has_context and last[2] and (*place, line.line - 1) != last:
                yield "--"
            last = (*place, line.line)
            yield _place(answer.repo, line, view) + _painted(line, view)


def _place(repo: str, line: GrepLine, view: DisplayOptions) -> str:
    mark = ":" if line.is_match else "-"
    number = view.paint("line", str(line.line)) + mark
    if view.heading:
        return number
    return view.paint("path", view.path(line.path, repo)) + ("\0" if view.null else mark) + number


def _painted(line: GrepLine, view: DisplayOptions) -> str:
    is_long = view.terminal and len(line.text) > LONGEST_LINE
    text, rest = (line.text[:LONGEST_LINE], "…") if is_long else (str(line.text), "")
    pieces, at = [], 0
    for start, end in line.spans if view.colour else ():
        pieces += [escape_line(text[at:start]), view.paint("match", escape_line(text[start:end]))]
        at = end
    return "".join(pieces) + escape_line(text[at:]) + rest

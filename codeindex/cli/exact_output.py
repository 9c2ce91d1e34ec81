"""Print the lines that exact searches find, in the format that the options select."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.cli.display import display_options
from codeindex.cli.output import print_note, print_rendered
from codeindex.cli.search_options import SearchOptions
from codeindex.formatting import LONGEST_LINE, DisplayOptions, format_columns, paint_code
from codeindex.text.sanitize import escape_line, escaped_json
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.search.exact.agent_lines import AgentLinesDict
    from codeindex.search.exact.lines import GrepLine, GrepResult

_Format = Callable[["Sequence[GrepResult]", SearchOptions, DisplayOptions], "Iterator[str]"]


def print_lines(
    results: Sequence[GrepResult], options: SearchOptions, *, roots: Mapping[str, Path]
) -> None:
    """Print the lines in the selected format.

    On a terminal, or if there are no lines, also print a note with the number of lines.
    """
    view = display_options(options, roots)
    for line in _select_format(options)(results, options, view):
        print_rendered(line)
    lines = sum(result.total_count for result in results)
    if view.terminal or not lines:
        files = sum(len(result.counts) for result in results)
        searched = sum(result.searched_files for result in results)
        print_note(
            f"{plural(lines, 'line')} in {files:,} of {plural(searched, 'file')}"
            if searched
            else "No file was searched: none is indexed, or none passes the filters."
        )


def _select_format(options: SearchOptions) -> _Format:
    """Return the function that prints lines in the format that the options select.

    Without such an option, it is grep's format.
    """
    formats: tuple[tuple[bool, _Format], ...] = (
        (options.json and options.budget is not None, _format_agent_json),
        (options.json, _format_json),
        (options.jsonl, _format_jsonl),
        (options.files_with_matches, _format_files),
        (options.count, _format_counts),
        (options.columns, _format_table),
        (options.budget is not None, _format_agent_lines),
        (options.vimgrep, _format_vimgrep),
        (options.only_matching, _format_matches),
    )
    return next((formatter for selected, formatter in formats if selected), _format_text)


def _format_json(
    results: Sequence[GrepResult], _: SearchOptions, __: DisplayOptions
) -> Iterator[str]:
    """Yield the answer as JSON; answers of several repositories as a list."""
    answers = [result.as_dict() for result in results]
    yield escaped_json(answers[0] if len(answers) == 1 else answers, indent=2)


def _format_agent_json(
    results: Sequence[GrepResult], options: SearchOptions, _: DisplayOptions
) -> Iterator[str]:
    for result in results:
        yield escaped_json(_fit_budget(result, options))


def _format_agent_lines(
    results: Sequence[GrepResult], options: SearchOptions, _: DisplayOptions
) -> Iterator[str]:
    for result in results:
        answer = _fit_budget(result, options)
        yield from map(escape_line, answer["lines"])
        if answer.get("truncated"):
            print_note(
                f"lines were left out to fit the budget: continue with --cursor {answer['cursor']}"
            )


def _fit_budget(result: GrepResult, options: SearchOptions) -> AgentLinesDict:
    from codeindex.search.exact.agent_lines import agent_lines  # imports sqlite3

    return agent_lines(result, budget=options.budget or 0)


def _format_jsonl(
    results: Sequence[GrepResult], _: SearchOptions, __: DisplayOptions
) -> Iterator[str]:
    for result in results:
        for file in result.as_dict()["results"]:
            for line in file["lines"]:
                yield escaped_json({"repo": file["repo"], "file_path": file["file_path"], **line})


def _format_files(
    results: Sequence[GrepResult], options: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    for path, _ in _file_counts(results, options, view):
        yield view.paint("path", path) + ("\0" if view.null else "")


def _format_counts(
    results: Sequence[GrepResult], options: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    for path, count in _file_counts(results, options, view):
        yield view.paint("path", path) + ("\0" if view.null else ":") + str(count)


def _file_counts(
    results: Sequence[GrepResult], options: SearchOptions, view: DisplayOptions
) -> Iterator[tuple[str, int]]:
    """Yield (file, number of its lines to print). `--limit` limits the files of each repository."""
    for result in results:
        for path, count in islice(result.counts.items(), options.limit):
            yield view.path(path, result.repo), min(count, result.per_file or count)


def _format_table(
    results: Sequence[GrepResult], _: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    rows = [
        (view.path(line.path, result.repo), str(line.line), line.text)
        for result in results
        for line in result.lines
    ]
    if rows:
        yield from format_columns(rows, aligned=view.terminal)


def _format_matches(
    results: Sequence[GrepResult], _: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    for result in results:
        for line in result.matches:
            for start, end in line.spans:
                match = view.paint("match", escape_line(line.text[start:end]))
                yield _line_prefix(result.repo, line, view) + match


def _format_vimgrep(
    results: Sequence[GrepResult], _: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    """Yield `path:line:column:line` for each match; columns count bytes from 1, as in ripgrep."""
    for result in results:
        for line in result.matches:
            for start, _end in line.spans or ((0, 0),):
                column = len(line.text[:start].encode()) + 1
                yield f"{_line_prefix(result.repo, line, view)}{column}:{escape_line(line.text)}"


def _format_text(
    results: Sequence[GrepResult], options: SearchOptions, view: DisplayOptions
) -> Iterator[str]:
    """Yield the matching lines in grep's format.

    With headings, the lines of a file stand below its path.
    """
    has_context = bool(options.before_context or options.after_context or options.context)
    has_context = has_context or any(not line.is_match for it in results for line in it.lines)
    last = ("", "", 0)
    for result in results:
        for line in result.lines:
            file = (result.repo, line.path)
            if view.heading and file != last[:2]:
                if last[2]:
                    yield ""
                yield view.paint("path", view.path(line.path, result.repo))
            elif has_context and last[2] and (*file, line.line - 1) != last:
                yield "--"
            last = (*file, line.line)
            yield _line_prefix(result.repo, line, view) + _paint_matches(line, view)


def _line_prefix(repo: str, line: GrepLine, view: DisplayOptions) -> str:
    """Return what grep prints before a line: `path:line:`, or `line:` below a heading.

    For a context line, it is `path-line-` or `line-`.
    """
    separator = ":" if line.is_match else "-"
    number = view.paint("line", str(line.line)) + separator
    if view.heading:
        return number
    path = view.paint("path", view.path(line.path, repo))
    return path + ("\0" if view.null else separator) + number


def _paint_matches(line: GrepLine, view: DisplayOptions) -> str:
    is_long = view.terminal and len(line.text) > LONGEST_LINE
    text, ellipsis = (line.text[:LONGEST_LINE], "…") if is_long else (str(line.text), "")
    spans = [(start, end, "match") for start, end in line.spans]
    return paint_code(text, view, spans) + ellipsis

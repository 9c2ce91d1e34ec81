"""Print the answer of a ranked search in the selected format, and notes on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from codeindex.cli.display import display_options
from codeindex.cli.editor import open_in_editor
from codeindex.cli.highlighting import highlight_hits
from codeindex.cli.output import print_note, print_rendered
from codeindex.cli.pager import print_paged
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
from codeindex.search.pack.agent_text import flow_certainty, searched_files, untested_note
from codeindex.store.datadir.home import repositories
from codeindex.text.sanitize import escape_line, escaped_json
from codeindex.text.words import query_words
from codeindex.types import Answer, unparsed_suffix
from codeindex.types.report import plural

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


_MAX_SYMBOLS = 4
"""Most symbols of one name that are listed."""


def answer_notes(answer: Answer) -> Iterator[str]:
    """Yield notes about an answer: its reliability, missing data, and results left out."""
    yield from _confidence_notes(answer)
    if route := _route_note(answer):
        yield route
    for meta in (answer.meta, *answer.meta.get("routes", {}).values()):
        if reason := meta.get("reranker", {}).get("failed"):
            yield f"not reranked: {reason}"
    for repo, reason in answer.meta.get("failed", {}).items():
        yield f"{repo} was not searched: {reason}"
    if commits := answer.meta.get("commits"):
        yield "commits: " + ", ".join(f"{repo} {commit}" for repo, commit in commits.items())
    if answer.truncated:
        yield f"results were left out to fit the budget: continue with --cursor {answer.cursor}"
    yield from _gap_notes(answer)
    paths = dict.fromkeys(hit.path for hit in (*answer.hits, *answer.navigation) if hit.has_secrets)
    if paths:
        yield f"secrets are redacted in {', '.join(paths)}"


def _confidence_notes(answer: Answer) -> Iterator[str]:
    if answer.confidence == "weak":
        yield "weak: the code may not have this"
    if answer.missing_words and not answer.absence:
        yield f"no {searched_files(answer)} has {', '.join(answer.missing_words)}"


def _gap_notes(answer: Answer) -> Iterator[str]:
    # Relations need no vectors.
    vectors = 1.0 if "relation" in answer.meta else answer.readiness.vectors
    if total := answer.meta.get("likely_of"):
        yield (
            f"answered from {answer.coverage.indexed:,} of {total:,} files, the likeliest by their"
            " words; the others are being indexed"
        )
    elif answer.readiness.words < 1:
        yield f"words {answer.readiness.words:.0%}: the rest of the files is not searchable yet"
    if 0 < vectors < 1:
        yield f"vectors {vectors:.0%}: `codeindex index` embeds the rest, which finds more"
    yield from answer.refreshed.remarks()
    if answer.coverage.failed:
        files = plural(answer.coverage.failed, "file")
        yield f"{files} could not be indexed: codeindex files --skipped"


def _route_note(answer: Answer) -> str:
    """Return a note on how a question about relations or flows was answered.

    Return '' for other queries.
    """
    if relation := answer.meta.get("relation"):
        return _relation_note(relation, answer)
    if untested := answer.meta.get("untested"):
        return untested_note(untested)
    if answer.query_type == "relationship":
        nearest = " or ".join(answer.meta.get("nearest", ()))
        hint = f" (did you mean {nearest}?)" if nearest else ""
        return f"no symbol has the name in the question{hint}: these are ordinary results"
    if flow := answer.meta.get("flow"):
        return f"steps from {flow['from']} to {flow['to']}, {flow_certainty(flow)}"
    if answer.query_type == "flow":
        return "no path between the two is known: these are ordinary results"
    return ""


def _relation_note(relation: Mapping[str, Any], answer: Answer) -> str:
    """Return a note on an answer that lists relations, such as callers.

    The note counts the certain and the possible relations, and the files that were not parsed.
    """
    counts = f"{relation['resolved']} certain, {relation['ambiguous']} possible"
    textual = f", {relation['textual']} that only mention it" if "textual" in relation else ""
    unparsed = unparsed_suffix(len(relation["unparsed"]), relation["unparsed"])
    shown = len(answer.hits)
    rest = f" ({shown} shown: -m)" if shown < answer.total_count else ""
    subject = _format_symbols(relation["of"])
    return f"{relation['relation']} of {subject}: {counts}{textual}{rest}{unparsed}"


def _format_symbols(keys: Sequence[str]) -> str:
    """Return the symbols as a list; of many, only the number and the first ones."""
    if len(keys) <= _MAX_SYMBOLS:
        return ", ".join(keys)
    first = ", ".join(keys[:_MAX_SYMBOLS])
    return f"{len(keys)} symbols of this name ({first}, ...; give a full name to ask for one)"

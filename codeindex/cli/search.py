"""`codeindex search`."""

from __future__ import annotations

import sys
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_note
from codeindex.cli.search_options import Given, options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from codeindex.api.index import Index
    from codeindex.types import Answer, Filters

_MEANT = 4
"""Symbols that are named of those that a name may mean."""
_LONGEST_INPUT = 65_536
"""Bytes of standard input that are read: many times what a search reads of a query."""


@click.command()
@click.argument("query", required=False)
@click.argument("paths", nargs=-1)
@options()
@click.pass_context
def search(ctx: click.Context, /, query: str | None, paths: tuple[str, ...], **flags: Any) -> None:
    """Find code by meaning or by name, below PATHS or here.

    With `-`, or no QUERY and a pipe, the query is read from standard input. What was never indexed
    is indexed first. Letters match in either case. The exit status is grep's: 0 found, 1 nothing
    found, 2 error.

    With --all, -F or -e nothing is ranked: every line is printed that says QUERY, or that matches,
    letter by letter. -m shows fewer of each file; what is left out or could not be searched is
    counted.
    """
    from codeindex.cli.highlighting import begin
    from codeindex.config import limit_numpy_threads
    from codeindex.query.validation import check_not_blank

    limit_numpy_threads()
    given = Given(**flags)
    if given.is_exact:
        from codeindex.cli.exact_search import refuse_unfit, split

        refuse_unfit(given)
        text = "" if given.regex or given.files else _query(query)
        places = split(query, paths, given)
    elif given.files:
        text, places = "", ((query,) if query else ()) + paths
    else:
        text, places = _query(given.also[0] if query is None and given.also else query), paths
        check_not_blank(text)  # before anything is indexed for it
        begin(given.color)
    if given.repo or given.all_repos:
        from codeindex.cli.search_repositories import search_repositories

        found = search_repositories(text, places, given)
    else:
        found = _search_here(text, places, given)
    ctx.exit(0 if found else 1)


def _search_here(text: str, places: tuple[str, ...], given: Given) -> bool:
    """Search the one repository that the places lie in; say if anything was found."""
    from codeindex.api.index import Index
    from codeindex.store.datadir.roots import refuse_too_wide_root

    root, parts = _scope(places, given)
    refuse_too_wide_root(root)
    with Index.open(root) as index:
        filters = filters_of(given, parts)
        prepare(index, given)
        if given.files:
            return _list_files(index, given, filters)
        if given.is_exact:
            from codeindex.cli.exact_search import lines_of
            from codeindex.cli.exact_search import shown as lines_shown

            found = [lines_of(index, text, given, filters)]
            return lines_shown(found, given, {index.repository.name: index.root})
        ask = partial(_all_asked, index, given.also) if given.also else index.search
        answer = asked_for(ask, text, given, filters)
        return shown(answer, given, {index.repository.name: index.root})


def _query(given: str | None) -> str:
    if given is not None and given != "-":
        # Bytes that the locale could not read came as surrogates, which no store takes.
        return given.encode(errors="surrogateescape").decode(errors="replace")
    if given is None and sys.stdin.isatty():
        raise click.UsageError("Say what to look for: codeindex search QUERY.")
    return sys.stdin.buffer.read(_LONGEST_INPUT).decode("utf-8", errors="replace").strip()


def _scope(places: tuple[str, ...], given: Given) -> tuple[Path, tuple[str, ...]]:
    from codeindex.cli.scope import scope_of
    from codeindex.errors import ScopeError

    try:
        return scope_of(places)
    except ScopeError as error:
        hint = "A query of several words needs quotes."
        if given.regex:
            hint = "With -e all arguments are paths: give each text an -e of its own."
        elif given.files:
            hint = "With --files all arguments are paths."
        raise ScopeError(f"{error} {hint}") from None


def prepare(index: Index, given: Given) -> None:
    """Index what was never indexed, or what changed if that was asked for."""
    if given.hidden:
        print_note("--hidden: hidden files that git tracks are in the index anyway")
    if given.no_ignore:
        print_note("--no-ignore: ignored files are not indexed; `include_override` takes them in")
    if index.is_indexed and not given.sync:
        return
    from codeindex.cli.index import WAIT_SECONDS, summary
    from codeindex.cli.progress import Bar

    if not index.is_indexed:
        print_note(f"{index.repository.name} is not indexed yet; indexing its structure first")
    with Bar() as bar:
        report = index.sync(structure_only=not given.sync, wait_seconds=WAIT_SECONDS, progress=bar)
    print_note(summary(report))


def filters_of(given: Given, parts: tuple[str, ...]) -> Filters:
    """Return what the flags and the parts of the tree that were named let pass."""
    from codeindex.errors import QueryError
    from codeindex.languages import LANGUAGES
    from codeindex.search.filters import check_filters
    from codeindex.types import Filters

    languages = check_filters(Filters(languages=given.type)).languages
    if given.type_not:
        left_out = check_filters(Filters(languages=given.type_not)).languages
        languages = tuple(name for name in languages or LANGUAGES if name not in left_out)
        if not languages:
            raise QueryError("-t and -T together leave no language: drop one of them.")
    return Filters(
        languages=languages,
        globs=given.glob,
        paths=parts,
        kinds=given.kind,
        module=given.module or "",
    )


def _list_files(index: Index, given: Given, filters: Filters) -> bool:
    from codeindex.cli.files import print_paths

    paths = index.files(filters=filters, **_asked(given, "tests"))
    print_paths(paths, root=index.root, null=given.null, as_json=given.json)
    return bool(paths)


def _all_asked(index: Index, also: tuple[str, ...], query: str, **asked: Any) -> Answer:
    if {"cursor", "budget", "rerank"} & set(asked):
        raise click.UsageError("--cursor, --budget and --rerank cannot be combined with -q.")
    return index.search_many((query, *also), **asked)


def asked_for(
    ask: Callable[..., Answer], query: str, given: Given, filters: Filters, **more: Any
) -> Answer:
    """Ask with the flags that were given, and leave out what -S and -w do not let pass."""
    from codeindex.api.index import Index
    from codeindex.cli.word_filter import narrowed
    from codeindex.query.validation import MOST_RESULTS

    asked = _asked(given, "tests", "limit", "min_score", "cursor", "budget", "rerank") | more
    if not (given.smart_case or given.word_regexp):
        return ask(query, filters=filters, **asked)
    if given.cursor or given.budget:
        raise click.UsageError("--cursor and --budget cannot be combined with -S or -w.")
    limit = asked.pop("limit", signature(Index.search).parameters["limit"].default)
    return narrowed(
        ask(query, filters=filters, limit=MOST_RESULTS, **asked),
        cased=given.smart_case,
        whole=given.word_regexp,
        limit=limit,
    )


def _asked(given: Given, *names: str) -> dict[str, Any]:
    """Return the flags that were given, so that the library's defaults stay the only ones."""
    return {name: value for name in names if (value := getattr(given, name)) is not None}


def shown(answer: Answer, given: Given, roots: Mapping[str, Path]) -> bool:
    """Print an answer and what is to be said of it; say if anything was found."""
    from codeindex.cli.search_output import bounded, open_first, write

    answer = bounded(answer, given)
    write(answer, given, roots=roots)
    for sentence in _remarks(answer):
        print_note(sentence)
    if given.open and (answer.hits or answer.navigation):
        open_first(answer, roots)
    return bool(answer.hits or answer.navigation)


def _remarks(answer: Answer) -> Iterator[str]:
    """Yield how sure the answer is, what it does not rest on, and what it left out."""
    yield from _doubts(answer)
    if route := _route_taken(answer):
        yield route
    by_repo = answer.meta.get("routes", {}).values()
    for one in (answer.meta, *by_repo):
        if sentence := one.get("reranker", {}).get("failed"):
            yield f"not reranked: {sentence}"
    for repo, sentence in answer.meta.get("failed", {}).items():
        yield f"{repo} was not searched: {sentence}"
    if answer.truncated:
        yield f"left out for the budget: go on with --cursor {answer.cursor}, or raise it"
    yield from _gaps(answer)
    paths = dict.fromkeys(hit.path for hit in (*answer.hits, *answer.navigation) if hit.has_secrets)
    if paths:
        yield f"secrets were taken out of what is shown of {', '.join(paths)}"


def _doubts(answer: Answer) -> Iterator[str]:
    if answer.confidence == "weak":
        yield "weak: what is asked may not be here"
    if answer.missing_words and not answer.absence:
        yield f"no file has {', '.join(answer.missing_words)}"


def _gaps(answer: Answer) -> Iterator[str]:
    # A list of uses is complete without vectors.
    vectors = 1.0 if "relation" in answer.meta else answer.readiness.vectors
    if answer.readiness.words < 1:
        yield f"words {answer.readiness.words:.0%}: the rest of the files is not searchable yet"
    if not vectors:
        yield "no vectors: `codeindex status` says what would add them, which finds more"
    elif vectors < 1:
        yield f"vectors {vectors:.0%}: `codeindex index` embeds the rest, which finds more"
    yield from answer.refreshed.remarks()
    if answer.coverage.failed:
        yield f"{answer.coverage.failed} files could not be indexed: codeindex files --skipped"


def _route_taken(answer: Answer) -> str:
    """Say what became of a question that has a route of its own."""
    if relation := answer.meta.get("relation"):
        return _list_of(relation, answer)
    if answer.query_type == "relationship":
        near = " or ".join(answer.meta.get("nearest", ()))
        hint = f" (did you mean {near}?)" if near else ""
        return (
            f"nothing here goes by the name that is asked about{hint}: these are ordinary results"
        )
    if answer.query_type == "flow" and "flow" not in answer.meta:
        return "no way between the two is known: these are ordinary results"
    return ""


def _list_of(relation: Mapping[str, Any], answer: Answer) -> str:
    """Say what a complete list of uses is made of, and what it could not look into."""
    from codeindex.types import unparsed_suffix

    counts = f"{relation['resolved']} certain, {relation['ambiguous']} possible"
    rest = f", {relation['textual']} that only mention it" if "textual" in relation else ""
    doubt = unparsed_suffix(len(relation["unparsed"]))
    shown = len(answer.hits)
    part = f" ({shown} shown: -m)" if shown < answer.total_count else ""
    return f"{relation['relation']} of {_named(relation['of'])}: {counts}{rest}{part}{doubt}"


def _named(keys: Sequence[str]) -> str:
    """Name what a list is of; where a name means many, some, and how to ask for one."""
    if len(keys) <= _MEANT:
        return ", ".join(keys)
    shown = ", ".join(keys[:_MEANT])
    return f"{len(keys)} symbols called so ({shown}, ...; name one in full to ask for it alone)"

"""Run a ranked search with the options of the command line: sync, filter, limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.output import print_note
from codeindex.cli.progress import ProgressBar
from codeindex.cli.search_options import SearchOptions, given_parameters
from codeindex.cli.sync_output import WAIT_SECONDS, summarize_sync, sync_with_progress
from codeindex.cli.word_filter import filter_by_words
from codeindex.errors import QueryError
from codeindex.languages import LANGUAGES
from codeindex.query.validation import MOST_RESULTS
from codeindex.types import Filters

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types import Answer


def prepare_index(index: Index, options: SearchOptions) -> None:
    """Sync the index if there is none or if `--sync` is given.

    Print notes about options without effect.
    """
    if options.hidden:
        print_note("--hidden: hidden files that git tracks are in the index anyway")
    if options.no_ignore:
        print_note("--no-ignore: ignored files are not indexed; `include_override` takes them in")
    if index.is_indexed and not options.sync:
        return
    if not index.is_indexed:
        print_note(_not_indexed_note(index))
    print_note(summarize_sync(sync_with_progress(index, structure_only=not options.sync)))


def answer_when_ready(
    index: Index, options: SearchOptions, answer: Callable[[Index], bool], *, related: bool
) -> bool:
    """Call `answer` as soon as the index is ready, and return its result.

    `answer` searches, prints what it finds, and returns whether it found anything. With `related`,
    it needs the edges between files. Otherwise it is called in the middle of a first sync, as soon
    as all files are stored.
    """
    if index.is_indexed or options.sync or related:
        prepare_index(index, options)
        return answer(index)
    print_note(_not_indexed_note(index))
    with ProgressBar() as bar:
        once = _AnswerDuringSync(bar, index, answer)
        report = index.sync(wait_seconds=WAIT_SECONDS, progress=once, structure_only=True)
    print_note(summarize_sync(report))
    return once.result()


class _AnswerDuringSync:
    """A progress callback of a sync that calls `answer` once: before edges are resolved."""

    def __init__(self, bar: ProgressBar, index: Index, answer: Callable[[Index], bool]) -> None:
        self._bar, self._index, self._answer = bar, index, answer
        self._answered: Future[bool] = Future()

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase == "graph" and not self._answered.done():
            self._bar.clear()
            self._set_result(self._answer_early)
        self._bar(phase, done, total)

    def result(self) -> bool:
        """Return the result of `answer`, or raise its error.

        If it was not called yet, because the sync had no edges to resolve, call it now.
        """
        if not self._answered.done():
            self._set_result(lambda: self._answer(self._index))
        return self._answered.result()

    def _answer_early(self) -> bool:
        """Call `answer` on the index in the middle of the sync.

        The files are not compared with the index, since the sync has just read them.
        """
        flags = {"search.fresh": False}
        with codeindex.Index.open(self._index.root, root=True, flags=flags) as index:
            return self._answer(index)

    def _set_result(self, answer: Callable[[], bool]) -> None:
        try:
            found = answer()
            sys.stdout.flush()
        except Exception as error:  # noqa: BLE001 (raised again by `result`, when the sync is done)
            self._answered.set_exception(error)
        else:
            self._answered.set_result(found)


def _not_indexed_note(index: Index) -> str:
    return f"{index.repository.name} is not indexed yet; indexing its structure first"


def build_filters(options: SearchOptions, parts: tuple[str, ...]) -> Filters:
    """Return the filters that the options set; `parts` are the folders and files to search."""
    from codeindex.search.filters import check_filters  # imports numpy

    languages = check_filters(Filters(languages=options.type)).languages
    if options.type_not:
        excluded = check_filters(Filters(languages=options.type_not)).languages
        languages = tuple(name for name in languages or LANGUAGES if name not in excluded)
        if not languages:
            raise QueryError("-t and -T together leave no language: drop one of them.")
    return Filters(
        languages=languages,
        globs=options.glob,
        paths=parts,
        kinds=options.kind,
        module=options.module or "",
    )


def narrow_to_member(index: Index, options: SearchOptions, filters: Filters) -> Filters:
    """Limit the filters to the workspace member that `--member` names, if it is given.

    Raises QueryError for an unknown member, UsageError if paths are given too.
    """
    if options.member is None:
        return filters
    if filters.paths:
        raise click.UsageError("--member stands for a folder: leave out the PATHS beside it.")
    folder = index.overview.members().folder_of(options.member)
    return replace(filters, paths=(folder,) if folder else ())


def run_search(
    search: Callable[..., Answer],
    query: str,
    options: SearchOptions,
    filters: Filters,
    **parameters: Any,
) -> Answer:
    """Call `search` with the options that the user has given; return its answer.

    Results without a query word are dropped if `-S` or `-w` is given. `parameters` are passed on to
    `search`. Raises UsageError for options that contradict each other.
    """
    names = ("tests", "limit", "min_score", "cursor", "budget", "rerank")
    parameters = given_parameters(options, *names) | parameters
    if not (options.smart_case or options.word_regexp):
        return search(query, filters=filters, **parameters)
    if options.cursor or options.budget:
        raise click.UsageError("--cursor and --budget cannot be combined with -S or -w.")
    default_limit = signature(codeindex.Index.search).parameters["limit"].default
    limit = parameters.pop("limit", default_limit)
    return filter_by_words(
        search(query, filters=filters, limit=MOST_RESULTS, **parameters),
        match_case=options.smart_case,
        whole_words=options.word_regexp,
        limit=limit,
    )


def search_many(index: Index, more_queries: tuple[str, ...]) -> Callable[..., Answer]:
    """Return a function like `Index.search` that merges the results of several queries.

    They are its own query and `more_queries`.
    """

    def search(query: str, **parameters: Any) -> Answer:
        if {"cursor", "budget", "rerank"} & set(parameters):
            raise click.UsageError("--cursor, --budget and --rerank cannot be combined with -q.")
        return index.search_many((query, *more_queries), **parameters)

    return search

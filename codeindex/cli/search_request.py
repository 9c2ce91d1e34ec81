"""Run a ranked search with the options of the command line: sync, filter, limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.api.requests.core import SearchRequest
from codeindex.cli.search_options import SearchOptions, given_parameters
from codeindex.errors import QueryError
from codeindex.query.validation import MOST_RESULTS
from codeindex.search.word_filter import keep_word_matches
from codeindex.types import Answer, Filters

if TYPE_CHECKING:
    from codeindex.api.index import Index


def build_filters(options: SearchOptions, parts: tuple[str, ...]) -> Filters:
    """Return the filters that the options set; `parts` are the folders and files to search."""
    from codeindex.search.filters import check_filters, split_languages  # imports numpy

    given = (*options.type, *(f"!{name}" for name in options.type_not))
    languages = check_filters(Filters(languages=given)).languages
    wanted, excluded = split_languages(languages)
    if wanted and set(wanted) <= set(excluded):
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
        raise click.UsageError("--member names a folder: leave out the PATHS.")
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
    parameters = given_parameters(options, SearchRequest) | parameters
    if not (options.smart_case or options.word_regexp):
        return search(query, filters=filters, **parameters)
    if options.cursor or options.budget:
        raise click.UsageError("--cursor and --budget cannot be combined with -S or -w.")
    default_limit = signature(codeindex.Index.search).parameters["limit"].default
    limit = parameters.pop("limit", default_limit)
    return keep_word_matches(
        search(query, filters=filters, limit=MOST_RESULTS, **parameters),
        match_case=options.smart_case,
        whole_words=options.word_regexp,
        limit=limit,
    )


def search_many(index: Index, more_queries: tuple[str, ...]) -> Callable[..., Answer]:
    """Return a function that searches for its query and `more_queries`, and merges the results.

    The parameters are those of `Index.search`.
    """

    def search(query: str, **parameters: Any) -> Answer:
        if {"cursor", "budget", "rerank"} & set(parameters):
            raise click.UsageError("--cursor, --budget and --rerank cannot be combined with -q.")
        return index.search_many((query, *more_queries), **parameters)

    return search

"""Run a ranked search with the options of the command line: sync, filter, limit."""

from __future__ import annotations

import re
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
from codeindex.text.words import STOP_WORDS
from codeindex.types import Answer, Filters

if TYPE_CHECKING:
    from codeindex.api.index import Index

_WORD = re.compile(r"\w+")


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
    return _filter_by_words(
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


def has_query_word(text: str, query: str, *, match_case: bool, whole_words: bool) -> bool:
    """Tell whether a text contains a word of the query, stop words excepted.

    If the query has only stop words, they count. With `match_case`, as in ripgrep's smart case,
    case matters only if the query has capitals; then only its words with capitals count.
    """
    match_case = match_case and query != query.lower()
    words = [word for word in _WORD.findall(query) if not match_case or word != word.lower()]
    content_words = [word for word in words if word.lower() not in STOP_WORDS] or words
    if not content_words:
        return False
    alternatives = "|".join(map(re.escape, content_words))
    pattern = rf"(?<!\w)(?:{alternatives})(?!\w)" if whole_words else f"(?:{alternatives})"
    return re.search(pattern, text, 0 if match_case else re.IGNORECASE) is not None


def _filter_by_words(answer: Answer, *, match_case: bool, whole_words: bool, limit: int) -> Answer:
    """Return the answer with at most `limit` hits, only those with a word of the query."""
    hits, navigation = (
        tuple(
            hit
            for hit in results
            if has_query_word(
                hit.text, answer.query, match_case=match_case, whole_words=whole_words
            )
        )
        for results in (answer.hits, answer.navigation)
    )
    return replace(
        answer, hits=hits[:limit], navigation=navigation, total_count=len(hits), cursor=None
    )

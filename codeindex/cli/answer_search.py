"""Answer the query of a search in sentences: `codeindex search --answer`."""

from __future__ import annotations

from dataclasses import fields

import click

import codeindex
from codeindex.api.requests.answers import AskRequest
from codeindex.cli.ask import print_extract
from codeindex.cli.first_index import prepare_index
from codeindex.cli.scope import locate_target
from codeindex.cli.search_options import SearchOptions, given_parameters, refuse_options
from codeindex.cli.search_request import narrow_to_member
from codeindex.redact_query import redact_text
from codeindex.store.datadir.roots import refuse_too_wide_root
from codeindex.types import Filters

_ALLOWED = frozenset(
    {
        *("answer", "max_count", "limit", "member", "min_score", "repo", "sync", "json", "columns"),
        *("color", "no_pager", "line_number", "with_filename", "hidden", "no_ignore", "heading"),
    }
)
"""Options of `search` that `--answer` accepts: those that it uses, and those without effect."""


def refuse_list_options(options: SearchOptions) -> None:
    """Raise UsageError for options of `search` that have no meaning with `--answer`."""
    names = {field.name for field in fields(options)}
    refuse_options(options, names - _ALLOWED, "--answer")


def answer_question(query: str, paths: tuple[str, ...], options: SearchOptions) -> bool:
    """Print an answer to a question; return whether one was found.

    The question is about one repository, or one path in it; UsageError for several.
    """
    if len(paths) > 1 or len(options.repo) > 1:
        raise click.UsageError("--answer is about one repository or path: name one.")
    (path,) = paths or ("",)
    scope = locate_target(*options.repo or (path or ".",))
    part = path if options.repo else scope.part
    refuse_too_wide_root(scope.root)
    with codeindex.Index.open(scope.root) as index:
        prepare_index(index, options)
        filters = Filters(paths=(part,) if part else ())
        (part,) = narrow_to_member(index, options, filters).paths or ("",)
        parameters = given_parameters(options, AskRequest)
        answer = index.answers.ask(redact_text(query), part, **parameters)
        return print_extract(
            answer, index.refreshed(), as_json=options.json, columns=options.columns
        )

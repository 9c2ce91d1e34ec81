"""Define the options of `codeindex search` and `similar`, and hold their parsed values."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import Field, dataclass, field, fields
from functools import partial
from typing import Any, get_args

import click

from codeindex.api.requests import Request, parameters_of
from codeindex.cli.options import WHEN, When
from codeindex.types import TestScope

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _declare(help_text: str, *flags: str, default: Any, **settings: Any) -> Any:
    """Return a field for an option; `flags` are those besides the field's name."""
    return field(default=default, metadata={"flags": flags, "help": help_text, **settings})


_option = partial(_declare, default=None)
_flag = partial(_declare, default=False, is_flag=True)
_switch = partial(_declare, default=None, is_flag=True)
"""A pair of flags, `--name` and `--no-name`."""
_several = partial(_declare, default=(), multiple=True)
_lines = partial(_declare, default=0, type=click.IntRange(min=0))


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The parsed options of `search` and `similar`.

    None means that an option was not given, so that the library's default applies.
    """

    max_count: int | None = _option(
        "Most results, 1 to 100, docs included [default: 10 and some docs]; with -e, lines a file.",
        "-m",
        type=int,
    )
    limit: int | None = _option(
        "Same as -m; for -e and -F, the number of lines in all files.", type=int
    )
    all: bool = _flag("Every line with QUERY, ignoring case, and their number.")
    regex: tuple[str, ...] = _several(
        "Every line that matches this Python `re` pattern; all arguments are paths.", "-e"
    )
    fixed_strings: bool = _flag("Every line with QUERY, or with the text of -e, literally.", "-F")
    ast: str | None = _option(
        "Every match of this code: $A is one part, $$$A any number; all arguments are paths."
    )
    also: tuple[str, ...] = _several("Also search for this query; results are merged.", "-q")
    glob: tuple[str, ...] = _several("Only files that match; with a leading !, only others.", "-g")
    type: tuple[str, ...] = _several("Only this language: py, rust, cpp …", "-t", "--language")
    type_not: tuple[str, ...] = _several("All languages but this one.", "-T")
    kind: tuple[str, ...] = _several("Only this kind of code: function, class, method …", "-k")
    tests: TestScope | None = _option(
        "Whether results include tests.", type=click.Choice(get_args(TestScope))
    )
    module: str | None = _option("Only this module and those below it.")
    member: str | None = _option(
        "Only this member of the workspace; `codeindex members` lists them."
    )
    min_score: float | None = _option("Only results of at least this score, 0 to 1.", type=float)
    cursor: str | None = _option("Continue after the answer that returned this cursor.")
    repo: tuple[str, ...] = _several("Search this repository, by its name or a path in it.")
    all_repos: bool = _flag("Search every indexed repository.")
    budget: int | None = _option(
        "Most tokens of the answer for agents: results are shortened or left out.", type=int
    )
    ignore_case: bool = _flag("Ignore case in -e and -F; other searches always do.", "-i")
    smart_case: bool = _flag("Only results with the query's capitals, if it has any.", "-S")
    word_regexp: bool = _flag(
        "Only results with a query word as a whole word; for -e and -F, whole-word matches.", "-w"
    )
    after_context: int = _lines("Lines to show after a line.", "-A")
    before_context: int = _lines("Lines to show before a line.", "-B")
    context: int = _lines("Lines to show before and after a line.", "-C")
    content: bool = _flag("Show the full text of each result.")
    files_with_matches: bool = _flag("Print the paths only.", "-l")
    count: bool = _flag("Print the number of results of each file as path:number.", "-c")
    only_matching: bool = _flag("Print only the matching words.", "-o")
    vimgrep: bool = _flag("Print each match as path:line:column:line, for editors.")
    null: bool = _flag("Put a NUL byte after each path.", "-0")
    files: bool = _flag("List the files that would be searched; all arguments are paths.")
    json: bool = _flag("Print the whole answer as JSON.")
    jsonl: bool = _flag("Print each result as a line of JSON.")
    columns: bool = _flag("Print path, lines, kind, symbol and score; tab-separated in a pipe.")
    explain: bool = _flag("Show the contribution of each feature to each score.")
    rerank: bool | None = _switch(
        "Reorder the first results with a cross-encoder, as `search.reranker` does."
    )
    answer: bool = _flag("Answer in sentences that cite their sources, as `codeindex ask` does.")
    sync: bool = _flag("Index changes, including embedding, before searching.")
    line_number: bool = _flag("Accepted; lines are numbered anyway.", "-n")
    with_filename: bool = _flag("Accepted; paths are shown anyway.", "-H")
    hidden: bool = _flag("Accepted; hidden files that git tracks are indexed anyway.")
    no_ignore: bool = _flag("Accepted; ignored files are never indexed.")
    heading: bool | None = _switch("Group results under headings, as on a terminal.")
    color: When = _option("Colour names and code.", type=WHEN, default="auto")
    hyperlink: When = _option(
        "Print hyperlinks to lines, for terminals that open them.", type=WHEN, default="auto"
    )
    no_pager: bool = _flag("Print output longer than the screen without a pager.")
    open: bool = _flag("Open the first result in $VISUAL or $EDITOR, at its line.")

    def __post_init__(self) -> None:
        if self.limit is None and not self.is_exact:  # for ranked results, -m is the limit
            object.__setattr__(self, "limit", self.max_count)

    @property
    def is_exact(self) -> bool:
        """True if the options select an exact search."""
        return bool(self.all or self.regex or self.fixed_strings or self.ast is not None)


def refuse_options(options: SearchOptions, names: Collection[str], other: str) -> None:
    """Raise UsageError if the user gave an option in `names`, which `other` excludes.

    `names` are names of fields; `other` are flags as the message names them.
    """
    for option in fields(options):
        if option.name in names and getattr(options, option.name) != option.default:
            flag = f"--{option.name.replace('_', '-')}"
            raise click.UsageError(f"{flag} cannot be combined with {other}.")


def given_parameters(options: SearchOptions, request: type[Request]) -> dict[str, Any]:
    """Return {name: value} of the options that the user has given and a request takes."""
    names = parameters_of(request).keys() & {option.name for option in fields(options)}
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def search_options(*names: str) -> _Decorator:
    """Return a decorator that adds search options to a command: those in `names`, or all."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(fields(SearchOptions)):
            if not names or option.name in names:
                command = _click_option(option)(command)
        return command

    return decorate


def _click_option(option: Field[Any]) -> _Decorator:
    """Return the click option for a field of `SearchOptions`."""
    settings = dict(option.metadata)
    more: tuple[str, ...] = settings.pop("flags")
    flag = f"--{option.name.replace('_', '-')}"
    if settings.get("is_flag") and option.default is None:
        flag = f"{flag}/--no-{flag[2:]}"
    flags = sorted((*more, flag), key=lambda each: (each.startswith("--"), each != flag))
    return click.option(*flags, option.name, default=option.default, **settings)

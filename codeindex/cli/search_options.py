"""Define the options of `codeindex search` and `similar`, and hold their parsed values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import click

from codeindex.cli.options import WHEN, When
from codeindex.types import TestScope

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_LINES = click.IntRange(min=0)
_FLAG: dict[str, Any] = {"is_flag": True}

_OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any], str], ...] = (
    (
        ("-m", "--max-count"),
        {"type": int},
        "Most results, 1 to 100, docs included [default: 10 and some docs]; with -e, lines a file.",
    ),
    (("--limit",), {"type": int}, "Same as -m; for -e and -F, the number of lines in all files."),
    (("--all",), _FLAG, "Every line with QUERY, ignoring case, and their number."),
    (
        ("-e", "--regex"),
        {"multiple": True},
        "Every line that matches this Python `re` pattern; all arguments are paths.",
    ),
    (
        ("-F", "--fixed-strings"),
        _FLAG,
        "Every line with QUERY, or with the text of -e, literally.",
    ),
    (
        ("--ast",),
        {},
        "Every match of this code: $A is one part, $$$A any number; all arguments are paths.",
    ),
    (("-q", "--also"), {"multiple": True}, "Also search for this query; results are merged."),
    (("-g", "--glob"), {"multiple": True}, "Only files that match; with a leading !, only others."),
    (("-t", "--type", "--language"), {"multiple": True}, "Only this language: py, rust, cpp …"),
    (("-T", "--type-not"), {"multiple": True}, "All languages but this one."),
    (("-k", "--kind"), {"multiple": True}, "Only this kind of code: function, class, method …"),
    (
        ("--tests",),
        {"type": click.Choice(get_args(TestScope))},
        "Whether results include tests.",
    ),
    (("--module",), {}, "Only this module and those below it."),
    (("--member",), {}, "Only this member of the workspace; `codeindex members` lists them."),
    (("--min-score",), {"type": float}, "Only results of at least this score, 0 to 1."),
    (("--cursor",), {}, "Continue after the answer that returned this cursor."),
    (("--repo",), {"multiple": True}, "Search this repository, by its name or a path in it."),
    (("--all-repos",), _FLAG, "Search every indexed repository."),
    (
        ("--budget",),
        {"type": int},
        "Most tokens of the answer for agents: results are shortened or left out.",
    ),
    (("-i", "--ignore-case"), _FLAG, "Ignore case in -e and -F; other searches always do."),
    (("-S", "--smart-case"), _FLAG, "Only results with the query's capitals, if it has any."),
    (
        ("-w", "--word-regexp"),
        _FLAG,
        "Only results with a query word as a whole word; for -e and -F, whole-word matches.",
    ),
    (("-A", "--after-context"), {"type": _LINES, "default": 0}, "Lines to show after a line."),
    (("-B", "--before-context"), {"type": _LINES, "default": 0}, "Lines to show before a line."),
    (("-C", "--context"), {"type": _LINES, "default": 0}, "Lines to show before and after a line."),
    (("--content",), _FLAG, "Show the full text of each result."),
    (("-l", "--files-with-matches"), _FLAG, "Print the paths only."),
    (("-c", "--count"), _FLAG, "Print the number of results of each file as path:number."),
    (("-o", "--only-matching"), _FLAG, "Print only the matching words."),
    (("-0", "--null"), _FLAG, "Put a NUL byte after each path."),
    (("--files",), _FLAG, "List the files that would be searched; all arguments are paths."),
    (("--json",), _FLAG, "Print the whole answer as JSON."),
    (("--jsonl",), _FLAG, "Print each result as a line of JSON."),
    (("--columns",), _FLAG, "Print path, lines, kind, symbol and score; tab-separated in a pipe."),
    (("--explain",), _FLAG, "Show the contribution of each feature to each score."),
    (
        ("--rerank/--no-rerank",),
        {"default": None},
        "Reorder the first results with a cross-encoder, as `search.reranker` does.",
    ),
    (
        ("--answer",),
        _FLAG,
        "Answer in sentences that cite their sources, as `codeindex ask` does.",
    ),
    (("--sync",), _FLAG, "Index changes, including embedding, before searching."),
    (("-n", "--line-number"), _FLAG, "Accepted; lines are numbered anyway."),
    (("-H", "--with-filename"), _FLAG, "Accepted; paths are shown anyway."),
    (("--hidden",), _FLAG, "Accepted; hidden files that git tracks are indexed anyway."),
    (("--no-ignore",), _FLAG, "Accepted; ignored files are never indexed."),
    (
        ("--heading/--no-heading",),
        {"default": None},
        "Group results under headings, as on a terminal.",
    ),
    (("--color",), {"type": WHEN, "default": "auto"}, "Colour names and code."),
    (
        ("--hyperlink",),
        {"type": WHEN, "default": "auto"},
        "Print hyperlinks to lines, for terminals that open them.",
    ),
    (("--no-pager",), _FLAG, "Print output longer than the screen without a pager."),
    (("--open",), _FLAG, "Open the first result in $VISUAL or $EDITOR, at its line."),
)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The parsed options of `search` and `similar`.

    None means that an option was not given, so that the library's default applies.
    """

    max_count: int | None = None
    limit: int | None = None
    all: bool = False
    regex: tuple[str, ...] = ()
    fixed_strings: bool = False
    ast: str | None = None
    also: tuple[str, ...] = ()
    glob: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    type_not: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    tests: TestScope | None = None
    module: str | None = None
    member: str | None = None
    min_score: float | None = None
    cursor: str | None = None
    repo: tuple[str, ...] = ()
    all_repos: bool = False
    budget: int | None = None
    ignore_case: bool = False
    smart_case: bool = False
    word_regexp: bool = False
    after_context: int = 0
    before_context: int = 0
    context: int = 0
    content: bool = False
    files_with_matches: bool = False
    count: bool = False
    only_matching: bool = False
    null: bool = False
    files: bool = False
    json: bool = False
    jsonl: bool = False
    columns: bool = False
    explain: bool = False
    rerank: bool | None = None
    answer: bool = False
    sync: bool = False
    line_number: bool = False
    with_filename: bool = False
    hidden: bool = False
    no_ignore: bool = False
    heading: bool | None = None
    color: When = "auto"
    hyperlink: When = "auto"
    no_pager: bool = False
    open: bool = False

    def __post_init__(self) -> None:
        if self.limit is None and not self.is_exact:  # for ranked results, -m is the limit
            object.__setattr__(self, "limit", self.max_count)

    @property
    def is_exact(self) -> bool:
        """True if the options select an exact search."""
        return bool(self.all or self.regex or self.fixed_strings or self.ast is not None)


def given_parameters(options: SearchOptions, *names: str) -> dict[str, Any]:
    """Return {option name: value} for those of `names` that the user has given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def search_options(*names: str) -> _Decorator:
    """Return a decorator that adds search options to a command: those in `names`, or all."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for flags, settings, help_text in reversed(_OPTIONS):
            name = _field_name(flags)
            if not names or name in names:
                command = click.option(*flags, name, help=help_text, **settings)(command)
        return command

    return decorate


def _field_name(flags: tuple[str, ...]) -> str:
    """Return the name of the field of `SearchOptions` for an option.

    It is `max_count` for `--max-count`.
    """
    first = next(flag for flag in flags if flag.startswith("--"))
    return first.partition("/")[0].removeprefix("--").replace("-", "_")

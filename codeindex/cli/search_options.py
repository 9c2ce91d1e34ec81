"""The flags of `codeindex search`: a table, and what they say once parsed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import click

from codeindex.types import TestScope

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_LINES = click.IntRange(min=0)
_FLAG: dict[str, Any] = {"is_flag": True}
_WHEN = ("auto", "always", "never")

_OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any], str], ...] = (
    (
        ("-m", "--max-count"),
        {"type": int},
        "Most results, 1 to 100, docs included [default: 10 and some docs]; lines a file for -e.",
    ),
    (("--limit",), {"type": int}, "As -m; of -e and -F, lines of all files together."),
    (("--all",), _FLAG, "Every line that says QUERY, in either case, and how many there are."),
    (
        ("-e", "--regex"),
        {"multiple": True},
        "Every line that matches, by Python's `re`; all arguments are paths.",
    ),
    (
        ("-F", "--fixed-strings"),
        _FLAG,
        "Every line with QUERY, or with what -e says, as it stands.",
    ),
    (("-q", "--also"), {"multiple": True}, "Ask this too: each result once, for any question."),
    (("-g", "--glob"), {"multiple": True}, "Only files like this; with ! none of them."),
    (("-t", "--type", "--language"), {"multiple": True}, "Only this language: py, rust, cpp …"),
    (("-T", "--type-not"), {"multiple": True}, "All languages but this one."),
    (("-k", "--kind"), {"multiple": True}, "Only this kind of code: function, class, method …"),
    (
        ("--tests",),
        {"type": click.Choice(get_args(TestScope))},
        "What to do with tests.",
    ),
    (("--module",), {}, "Only this module and those below it."),
    (("--min-score",), {"type": float}, "Only results of at least this score, 0 to 1."),
    (("--cursor",), {}, "Go on where an answer with this cursor ended."),
    (("--repo",), {"multiple": True}, "Search this repository, by its name or a path in it."),
    (("--all-repos",), _FLAG, "Search every repository that is indexed."),
    (
        ("--budget",),
        {"type": int},
        "Most tokens of the answer as agents get it: less of each result, or fewer.",
    ),
    (("-i", "--ignore-case"), _FLAG, "What search does anyway; -e and -F do it when told."),
    (("-S", "--smart-case"), _FLAG, "Only results with the query's capitals, if it has any."),
    (
        ("-w", "--word-regexp"),
        _FLAG,
        "Only results with a word of the query as a whole word; of -e, -F whole matches.",
    ),
    (("-A", "--after-context"), {"type": _LINES, "default": 0}, "Lines to show after a line."),
    (("-B", "--before-context"), {"type": _LINES, "default": 0}, "Lines to show before a line."),
    (("-C", "--context"), {"type": _LINES, "default": 0}, "Both."),
    (("--content",), _FLAG, "Show each result whole."),
    (("-l", "--files-with-matches"), _FLAG, "Print the paths only."),
    (("-c", "--count"), _FLAG, "Print path:number of results."),
    (("-o", "--only-matching"), _FLAG, "Print the words that match, not their lines."),
    (("-0", "--null"), _FLAG, "Put a NUL byte after each path."),
    (("--files",), _FLAG, "List the files that would be searched; all arguments are paths."),
    (("--json",), _FLAG, "Print the whole answer as JSON."),
    (("--jsonl",), _FLAG, "Print each result as a line of JSON."),
    (("--columns",), _FLAG, "Print path, lines, kind, symbol and score, parted by tabs in a pipe."),
    (("--explain",), _FLAG, "Show what each signal adds to each score."),
    (
        ("--rerank/--no-rerank",),
        {"default": None},
        "Reorder the first results by a cross-encoder, as `search.reranker` does.",
    ),
    (("--sync",), _FLAG, "Index what changed, embedding included, before searching."),
    (("-n", "--line-number"), _FLAG, "Accepted; lines are numbered anyway."),
    (("-H", "--with-filename"), _FLAG, "Accepted; paths are shown anyway."),
    (("--hidden",), _FLAG, "Accepted; hidden files that git tracks are indexed anyway."),
    (("--no-ignore",), _FLAG, "Accepted; ignored files are never indexed."),
    (("--heading/--no-heading",), {"default": None}, "Results under headings, as on a terminal."),
    (("--color",), {"type": click.Choice(_WHEN), "default": "auto"}, "Colour names and code."),
    (
        ("--hyperlink",),
        {"type": click.Choice(_WHEN), "default": "auto"},
        "Link places, for terminals that open links.",
    ),
    (("--no-pager",), _FLAG, "Print what is longer than the screen without a pager."),
    (("--open",), _FLAG, "Open the first result in $VISUAL or $EDITOR, at its line."),
)


@dataclass(frozen=True, slots=True)
class Given:
    """The command line, typed; None is what was not given."""

    max_count: int | None = None
    limit: int | None = None
    all: bool = False
    regex: tuple[str, ...] = ()
    fixed_strings: bool = False
    also: tuple[str, ...] = ()
    glob: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    type_not: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    tests: TestScope | None = None
    module: str | None = None
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
    sync: bool = False
    line_number: bool = False
    with_filename: bool = False
    hidden: bool = False
    no_ignore: bool = False
    heading: bool | None = None
    color: Literal["auto", "always", "never"] = "auto"
    hyperlink: Literal["auto", "always", "never"] = "auto"
    no_pager: bool = False
    open: bool = False

    def __post_init__(self) -> None:
        if self.limit is None and not self.is_exact:  # results of no file: both mean the same
            object.__setattr__(self, "limit", self.max_count)

    @property
    def is_exact(self) -> bool:
        """Tell whether lines are asked for that say something letter by letter."""
        return bool(self.all or self.regex or self.fixed_strings)


def options(*wanted: str) -> _Decorator:
    """Decorate a command with flags of the table, in its order; with all if none is wanted."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for names, settings, text in reversed(_OPTIONS):
            name = _name(names)
            if not wanted or name in wanted:
                command = click.option(*names, name, help=text, **settings)(command)
        return command

    return decorate


def _name(names: tuple[str, ...]) -> str:
    """Return the field of `Given`: the first long name."""
    first = next(name for name in names if name.startswith("--"))
    return first.partition("/")[0].removeprefix("--").replace("-", "_")

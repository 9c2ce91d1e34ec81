"""Commands that are methods of `Index`: parameters from the signature, help from the docstring."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from codeindex.api.intelligence import Intelligence
from codeindex.api.tools import PARAMETERS
from codeindex.cli.output import remark, say, say_json, say_rows
from codeindex.errors import QueryError

if TYPE_CHECKING:
    from codeindex.types import RefreshResult
    from codeindex.types.report import Report


def command(name: str, *, shown: str = "") -> click.Command:
    """Make the command of a method, `shown` under another name in a group."""
    method = getattr(Intelligence, name.replace("-", "_"))
    parameters = [_parameter(one) for one in _own_parameters(method)]
    return click.Command(
        shown or name,
        callback=_callback(method.__name__),
        params=[*parameters, *_COMMON],
        help=inspect.getdoc(method),
    )


class _Object(click.ParamType):  # type: ignore[type-arg]  # generic for checkers alone
    """An object as JSON; a plain text is its one needed field, if it needs one only."""

    name = "json"

    def __init__(self, only: str = "") -> None:
        self._only = only

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if self._only and not value.lstrip().startswith("{"):
            return {self._only: value}
        try:
            found = json.loads(value)
        except ValueError:
            found = None
        return found if isinstance(found, dict) else self.fail("give a JSON object.", param, ctx)


_TYPES: dict[str, type | click.ParamType[Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "tuple[str, ...]": str,
    "tuple[ContradictionDict, ...]": _Object("description"),
    "tuple[FailureDict, ...]": _Object(),
}
"""Annotations are text here: what they name beyond these is not imported for a command line."""
_SHORT = {"limit": ("-m",)}
"""As `search` has it."""
_COMMON: list[click.Parameter] = [
    click.Option(["--repo"], default=".", help="A folder, or a registered repository's name."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."),
    click.Option(["--columns"], is_flag=True, help="Print a row a thing, cells parted by tabs."),
]


def _own_parameters(method: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())[1:]


def _parameter(one: inspect.Parameter) -> click.Parameter:
    """Positional parameters are arguments, keywords are options; annotations are strings here."""
    kind, choices, many = _type(str(one.annotation))
    required = one.default is inspect.Parameter.empty
    if one.kind is not inspect.Parameter.KEYWORD_ONLY:
        # Click takes a None that it is told of for a value, with which nothing is missing.
        own = {} if required else {"default": one.default}
        nargs = -1 if many else 1
        return click.Argument([one.name], required=required, type=kind, nargs=nargs, **own)
    flags = [*_SHORT.get(one.name, ()), f"--{one.name.replace('_', '-')}"]
    text = PARAMETERS.get(one.name)
    if kind is bool:
        return click.Option(flags, is_flag=True, default=one.default, help=text)
    return click.Option(
        flags,
        default=one.default,
        type=click.Choice(choices) if choices else kind,
        multiple=many,
        help=text,
        show_default=one.default not in {"", None} and not many,
    )


def _type(annotation: str) -> tuple[type | click.ParamType[Any], tuple[str, ...], bool]:
    """Return the plain type, the values that it is limited to, and whether there may be many."""
    if annotation.startswith("Literal["):
        return str, ast.literal_eval(f"({annotation[len('Literal[') : -1]},)"), False
    plain = annotation.removesuffix(" | None")
    return _TYPES[plain], (), plain.startswith("tuple")


def _callback(method: str) -> Callable[..., None]:
    def run(*, repo: str, as_json: bool, columns: bool, **arguments: Any) -> None:
        from codeindex.api.index import Index
        from codeindex.cli.scope import place_of_any
        from codeindex.redact_query import redact_arguments

        for name in _LONG.intersection(arguments):
            arguments[name] = _text_of(arguments[name])
        with Index.open(place_of_any(repo).root) as index:
            report = getattr(index, method)(**redact_arguments(arguments))
            refreshed = index.refreshed()
        show_report(report, refreshed, as_json=as_json, columns=columns)
        if getattr(report, "is_empty", False):  # of what looks for something: as `search` ends
            click.get_current_context().exit(_NOTHING)

    return run


def show_report(report: Report, refreshed: RefreshResult, *, as_json: bool, columns: bool) -> None:
    """Print a report, and as a part of it which files it does not rest on."""
    read_again, gaps = replace(refreshed, unread=(), unlooked=0, outdated=False), refreshed.gaps()
    for sentence in read_again.remarks():
        remark(sentence)
    if as_json:
        say_json({**incomplete(refreshed), **report.as_dict()})
    elif columns:
        for sentence in gaps:
            remark(sentence)
        header, rows = report.columns()
        say_rows([header, *rows])
    else:
        for line in (*gaps, *report.text()):
            say(line)


def incomplete(refreshed: RefreshResult) -> dict[str, Any]:
    """Return what JSON says, beside the fields of a report, of files that it does not rest on."""
    gaps = list(refreshed.gaps())
    return {"incomplete": gaps} if gaps else {}


_NOTHING = 1
_LONG = frozenset({"content", "synthesis"})
"""Texts that nobody types: `-` stands for standard input, a file's name for what is in it."""
_MOST_BYTES = 1 << 20
_LONGEST_NAME = 255
"""Characters of a path that somebody types; longer ones no system has to look up."""
_FILE = re.compile(r"\S+\.(?:md|markdown|rst|txt)")
"""A text of nothing else is meant to be a file's name."""


def _text_of(said: str) -> str:
    if said == "-":
        return _decoded(sys.stdin.buffer, "Standard input")
    if "\n" in said or len(said) > _LONGEST_NAME or not Path(said).is_file():
        if _FILE.fullmatch(said):
            raise QueryError(f"There is no file '{said}' here: give a file, a text, or `-`.")
        return said
    with Path(said).open("rb") as file:
        return _decoded(file, f"'{said}'")


def _decoded(file: IO[bytes], name: str) -> str:
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise QueryError(f"{name} is larger than 1 MB: no page is.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"{name} is not UTF-8: give text.") from None

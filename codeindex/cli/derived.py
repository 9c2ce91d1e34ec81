"""Derive commands from requests: fields become arguments and options, docstrings the help."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, is_typeddict

import click

import codeindex
from codeindex.api.cross_repository import WITH_USES_ELSEWHERE, add_uses_elsewhere
from codeindex.api.requests import Parameter, parameters_of, request_type
from codeindex.cli.options import columns_option, json_option, repo_option
from codeindex.cli.output import print_json, print_line, print_note, print_rows
from codeindex.cli.scope import locate_target
from codeindex.errors import QueryError
from codeindex.redact_query import redact_arguments
from codeindex.types import RefreshResult
from codeindex.types.report import Report


def derive_command(name: str, capability: str) -> click.Command:
    """Return a click command for a method of `Index`, such as `graph.callers`.

    Its arguments, options and help come from the method's request class.
    """
    request = request_type(capability)
    command = click.Command(
        name,
        callback=command_callback(capability),
        params=[*map(_click_parameter, parameters_of(request).values())],
        help=inspect.getdoc(request),
    )
    if capability in WITH_USES_ELSEWHERE:
        _also_in_option(command)
    return columns_option(json_option(repo_option(command)))


class _JsonObject(click.ParamType):  # type: ignore[type-arg]  # generic for checkers alone
    """The type of a click option that takes a JSON object.

    If the object has only one required field, a plain text is taken as the value of this field.
    """

    name = "json"

    def __init__(self, kind: Any) -> None:
        required = sorted(kind.__required_keys__)
        self._only = required[0] if len(required) == 1 else ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if self._only and not value.lstrip().startswith("{"):
            return {self._only: value}
        try:
            parsed = json.loads(value)
        except ValueError:
            parsed = None
        return parsed if isinstance(parsed, dict) else self.fail("give a JSON object.", param, ctx)


_SHORT = {"limit": ("-m",)}
"""Short flags by parameter, the same as those of `search`."""
_also_in_option = click.option(
    "--also-in",
    multiple=True,
    help="Also uses in this repository, by its name or a path in it; `all` for every one.",
)

OUTPUT_OPTIONS = frozenset({"as_json", "columns", "also_in"})
"""The parameters of a derived command that requests lack: the output format, and other
repositories."""


def _click_parameter(parameter: Parameter) -> click.Parameter:
    """Return the click argument or option for a parameter of a request.

    It is an option if the parameter is keyword-only.
    """
    kind = _click_type(parameter)
    if not parameter.keyword_only:
        # With a default of None, click would not require the argument.
        default = {} if parameter.is_required else {"default": parameter.default}
        nargs = -1 if parameter.is_list else 1
        return click.Argument(
            [parameter.name], required=parameter.is_required, type=kind, nargs=nargs, **default
        )
    flags = [*_SHORT.get(parameter.name, ()), f"--{parameter.name.replace('_', '-')}"]
    if parameter.kind is bool:
        return click.Option(
            flags, is_flag=True, default=parameter.default, help=parameter.help or None
        )
    return click.Option(
        flags,
        default=parameter.default,
        type=kind,
        multiple=parameter.is_list,
        help=parameter.help or None,
        show_default=parameter.default not in {"", None} and not parameter.is_list,
    )


def _click_type(parameter: Parameter) -> click.ParamType[Any] | type:
    if parameter.choices:
        return click.Choice(parameter.choices)
    kind: type = parameter.kind
    return _JsonObject(kind) if is_typeddict(kind) else kind


def command_callback(capability: str) -> Callable[..., None]:
    """Return a derived command's function: it calls the method of `Index` and prints the result."""
    request = request_type(capability)

    def run(
        *, repo: str, as_json: bool, columns: bool, also_in: tuple[str, ...] = (), **arguments: Any
    ) -> None:
        for name in _LONG.intersection(arguments):
            arguments[name] = _text_of(arguments[name])
        with codeindex.Index.open(locate_target(repo).root) as index:
            report = index.run(request(**redact_arguments(arguments)))
            if also_in:
                report = _with_uses_elsewhere(index, report, also_in)
            refreshed = index.refreshed()
        show_report(report, refreshed, as_json=as_json, columns=columns)
        if getattr(report, "is_empty", False):  # as for a search without results
            click.get_current_context().exit(_NOTHING)

    return run


def _with_uses_elsewhere(index: codeindex.Index, report: Any, names: tuple[str, ...]) -> Report:
    """Add to a report the uses in the repositories `names`; return the new report."""
    with codeindex.Workspace(allow_global=True) as workspace:
        scope = {"type": "repos", "repos": names}
        own = index.repository.name
        others = [workspace.index(name) for name in workspace.scope(scope).repos if name != own]
        added: Report = add_uses_elsewhere(index, report, others)
        return added


def show_report(report: Report, refreshed: RefreshResult, *, as_json: bool, columns: bool) -> None:
    """Print a report as text, columns or JSON, with notes on files that it does not cover."""
    read_again, gaps = RefreshResult(read=refreshed.read), refreshed.gaps()
    for sentence in read_again.remarks():
        print_note(sentence)
    if as_json:
        print_json({**incomplete(refreshed), **report.as_dict()})
    elif columns:
        for sentence in gaps:
            print_note(sentence)
        header, rows = report.columns()
        print_rows([header, *rows])
    else:
        for line in (*gaps, *report.text()):
            print_line(line)


def incomplete(refreshed: RefreshResult) -> dict[str, Any]:
    """Return the JSON field `incomplete`: sentences on files that a report does not cover.

    Return {} if it covers all files.
    """
    gaps = list(refreshed.gaps())
    return {"incomplete": gaps} if gaps else {}


_NOTHING = 1
_LONG = frozenset({"content", "synthesis"})
"""Parameters whose value may be `-` for standard input, or the name of a file to read."""
_MOST_BYTES = 1 << 20
_LONGEST_NAME = 255
"""Most characters of a file's name; a longer text is not looked up as a file."""
_FILE = re.compile(r"\S+\.(?:md|markdown|rst|txt)")
"""A text of this form is the name of a file, which must exist."""


def _text_of(given: str) -> str:
    if given == "-":
        return _decoded(sys.stdin.buffer, "Standard input")
    if "\n" in given or len(given) > _LONGEST_NAME or not Path(given).is_file():
        if _FILE.fullmatch(given):
            raise QueryError(f"There is no file '{given}' here: give a file, a text, or `-`.")
        return given
    with Path(given).open("rb") as file:
        return _decoded(file, f"'{given}'")


def _decoded(file: IO[bytes], name: str) -> str:
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise QueryError(f"{name} is larger than 1 MB, the limit of a page.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"{name} is not UTF-8: give text.") from None

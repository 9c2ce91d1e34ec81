"""The command line and the library say the same."""

import dataclasses
import inspect
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from codeindex import __version__
from codeindex.api.index import Index
from codeindex.cli import main
from codeindex.cli.command_table import COMMAND_GROUPS, COMMANDS
from codeindex.cli.search_options import SearchOptions
from codeindex.query.validation import MOST_RESULTS
from codeindex.types import Filters, SyncReport

CONTEXT = click.Context(main)


def commands() -> dict[str, click.Command]:
    """Every command by its words, those of groups too."""
    found = {}
    for name in COMMANDS:
        command = main.get_command(CONTEXT, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": one for inner, one in command.commands.items()}
    return found


def options_of(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option)]


@pytest.mark.parametrize("words", commands())
def test_every_command_and_option_has_help(words: str) -> None:
    command = commands()[words]
    assert command.help
    assert [one.opts for one in options_of(command) if not one.help] == []


def test_the_table_lists_commands_under_their_own_names() -> None:
    assert {words: one.name for words, one in commands().items() if " " not in words} == {
        name: name for name in COMMANDS
    }


def test_help_lists_few_commands_in_groups_and_all_on_request() -> None:
    shown = CliRunner().invoke(main, ["--help"]).stdout
    listed = [name for name, entry in COMMANDS.items() if not entry.is_hidden]
    assert len(listed) <= 24
    assert len(shown.splitlines()) <= 50
    assert [title for title in COMMAND_GROUPS if f"\n{title}:\n" not in shown] == []
    for words, names in (["--help"], listed), (["help", "--all"], list(COMMANDS)):
        lines = CliRunner().invoke(main, words).stdout.splitlines()
        commands_shown = [line.split()[0] for line in lines if re.match(r"  [a-z][a-z-]+  ", line)]
        assert commands_shown == names
    assert f"lists {len(COMMANDS) - len(listed)} more commands" in shown


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["serach", "x"], "Did you mean search?"),
        (["indx"], "Did you mean index"),
        (["help", "wikki"], "Did you mean wiki?"),
        (["tests", "x"], "Did you mean related-tests?"),
        (["mcp"], "Did you mean serve?"),
        (["symbol", "x"], "Did you mean explain-symbol?"),
        (["uses", "x"], 'To search for it: codeindex search "uses x"'),
        (["where is the parser"], 'codeindex search "where is the parser"'),
    ],
)
def test_a_mistyped_command_is_refused_with_advice(words: list[str], advice: str) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert advice in done.stderr


def test_help_of_a_command_is_its_own_help() -> None:
    for words in (["search"], ["wiki", "read"]):
        asked, own = (
            CliRunner().invoke(main, given, prog_name="codeindex").stdout
            for given in (["help", *words], [*words, "--help"])
        )
        assert asked == own


def test_help_tells_the_bounds_and_default_of_the_library() -> None:
    limit = next(one for one in options_of(commands()["search"]) if one.name == "max_count")
    default = inspect.signature(Index.search).parameters["limit"].default
    assert limit.help is not None
    assert limit.help.startswith(f"Most results, 1 to {MOST_RESULTS}, ")
    assert f"[default: {default} " in limit.help


def test_most_results_are_limited_by_one_letter_everywhere() -> None:
    limits = {
        words: one.opts
        for words, command in commands().items()
        for one in options_of(command)
        if "--limit" in one.opts and "-m" not in one.opts
    }
    apart = {"search", "similar"}  # -m is --max-count there, which `--limit` is but for -e and -F
    assert {words: opts for words, opts in limits.items() if words not in apart} == {}


def test_the_search_command_has_no_defaults_of_its_own() -> None:
    shared = set(inspect.signature(Index.search).parameters) & {
        one.name for one in dataclasses.fields(SearchOptions)
    }
    defaults = {one.name: one.default for one in options_of(commands()["search"])}
    assert {"limit", "tests", "min_score", "cursor", "budget", "rerank"} == shared
    assert [name for name in shared if isinstance(defaults[name], (str, int, float))] == []


def test_each_option_of_search_is_a_field_of_its_request() -> None:
    fields = {one.name for one in dataclasses.fields(SearchOptions)}
    assert {one.name for one in options_of(commands()["search"])} == fields
    assert {one.name for one in dataclasses.fields(Filters)} >= {"globs", "kinds", "module"}


def test_the_flags_of_index_are_those_of_a_sync() -> None:
    flags = {one.name for one in options_of(commands()["index"])}
    assert {"structure_only", "rebuild"} <= flags & set(inspect.signature(Index.sync).parameters)
    assert "seconds" in {one.name for one in dataclasses.fields(SyncReport)}


@pytest.mark.parametrize(
    "program", [["-m", "codeindex"], ["-c", "from codeindex.cli import main; main()"]]
)
def test_the_version_is_printed(program: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *program, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"codeindex {__version__}\n" == "codeindex 0.1.0\n"

"""Answer a question in sentences: `codeindex ask`."""

from __future__ import annotations

import shutil
from typing import Any

import click

import codeindex
from codeindex.ask.extract import Extract
from codeindex.cli.options import json_option
from codeindex.cli.output import print_json, print_line, print_note, print_rows
from codeindex.cli.scope import locate_target
from codeindex.redact_query import redact_text
from codeindex.types import RefreshResult
from codeindex.types.report import plural

_DEFAULT_ROUNDS = 3
"""Number of search rounds if `--agentic` is given without a number."""


@click.command()
@click.argument("query", metavar="QUESTION")
@click.argument("path", default="")
@click.option("--repo", default="", help="A folder, or the name of a registered repository.")
@click.option(
    "-m", "--limit", "--top-k", default=5, show_default=True, help="Most pieces of evidence."
)
@click.option(
    "--min-score", default=0.0, show_default=True, help="Lowest score of evidence, 0 to 1."
)
@click.option(
    "--llm-cmd",
    default=None,
    metavar="CMD",
    help="Command that writes the answer; it reads a prompt on standard input.",
)
@click.option(
    "--llm-seconds", default=120.0, show_default=True, help="Time limit of the command per round."
)
@click.option(
    "--agentic",
    type=int,
    is_flag=False,
    flag_value=_DEFAULT_ROUNDS,
    default=0,
    metavar="[N]",
    help="Search again for missing evidence, in at most N rounds (3).",
)
@json_option
@click.option("--columns", is_flag=True, help="Print a row for each piece of evidence.")
@click.pass_context
def ask_command(
    context: click.Context, /, query: str, path: str, repo: str, **options: Any
) -> None:
    """Answer QUESTION about PATH in sentences that cite their sources.

    The answer is composed of definitions, documents and the graph, without a language model. With
    --llm-cmd 'ollama run NAME', for example, a model writes it from the same evidence: the command
    receives the question and the evidence without secrets, and each sentence that the evidence
    does not support is marked. Otherwise nothing is sent anywhere. The exit status is 1 if there
    is no answer.
    """
    as_json, columns = options.pop("as_json"), options.pop("columns")
    llm_command = options.pop("llm_cmd")
    if llm_command is not None:
        options["llm_cmd"] = _check_not_empty(llm_command)
    scope = locate_target(repo or path or ".")
    part = path if repo else scope.part
    with codeindex.Index.open(scope.root) as index:
        answer = index.answers.ask(redact_text(query), part, **options)
        refreshed = index.refreshed()
    found = print_extract(answer, refreshed, as_json=as_json, columns=columns)
    context.exit(0 if found else 1)


def print_extract(
    answer: Extract, refreshed: RefreshResult, *, as_json: bool, columns: bool
) -> bool:
    """Print an answer and its notes; return whether anything was found."""
    in_answer = () if as_json or columns else tuple(refreshed.gaps())  # its text begins with them
    for note in (*refreshed.remarks(), *answer.notes):
        if note not in in_answer:
            print_note(note)
    if as_json:
        print_json(answer.as_dict())
    elif columns:
        header, rows = answer.columns()
        print_rows([header, *rows])
    else:
        for search_round in answer.rounds:
            print_note(
                _describe_round(search_round.query, search_round.matches, search_round.wanted)
            )
        for line in answer.text(shutil.get_terminal_size().columns):
            print_line(line)
    return answer.found


def _check_not_empty(llm_command: str) -> str:
    """Return the command unchanged; raise UsageError if it is blank.

    It is blank, for example, if the user's shell variable is not set.
    """
    if not llm_command.strip():
        raise click.UsageError("--llm-cmd is empty: give a command, like 'ollama run NAME'.")
    return llm_command


def _describe_round(query: str, matches: int, wanted: str) -> str:
    next_query = f"; then wanted: {wanted}" if wanted else ""
    return f"looked for: {query} ({plural(matches, 'piece')} of evidence{next_query})"

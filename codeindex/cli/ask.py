"""`codeindex ask`."""

from __future__ import annotations

from typing import Any

import click

from codeindex.cli.output import print_json, print_line, print_note, print_rows

_ROUNDS = 3
"""Of `--agentic` without a number."""


@click.command()
@click.argument("query", metavar="QUESTION")
@click.argument("path", default="")
@click.option("--repo", default="", help="A registered repository's name, or a folder.")
@click.option(
    "-m", "--limit", "--top-k", default=5, show_default=True, help="Most pieces of evidence."
)
@click.option("--min-score", default=0.0, show_default=True, help="Leave out places below, 0 to 1.")
@click.option(
    "--llm-cmd",
    default=None,
    metavar="CMD",
    help="Have the answer written by a command that reads a prompt on standard input.",
)
@click.option(
    "--llm-seconds", default=120.0, show_default=True, help="What the command may take a round."
)
@click.option(
    "--agentic",
    type=int,
    is_flag=False,
    flag_value=_ROUNDS,
    default=0,
    metavar="[N]",
    help="Look again for what is missing, in at most N rounds (3).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--columns", is_flag=True, help="Print a row a piece of evidence.")
@click.pass_context
def ask(context: click.Context, /, query: str, path: str, repo: str, **given: Any) -> None:
    """Answer QUESTION about PATH in sentences that each cite their place.

    They are put together from definitions, documents and the graph, without a language model. With
    --llm-cmd 'ollama run NAME' or the like, a model writes them from the same evidence: it is given
    the question and the evidence, secrets taken out, and each sentence that the evidence does not
    bear out is marked. Nothing is sent anywhere without it. Ends with status 1 if nothing answers.
    """
    from codeindex.api.index import Index
    from codeindex.cli.scope import place_of_any
    from codeindex.redact_query import redact_text

    as_json, columns = given.pop("as_json"), given.pop("columns")
    command = given.pop("llm_cmd")
    if command is not None:
        given["llm_cmd"] = _command(command)
    at = place_of_any(repo or path or ".")
    part = path if repo else at.part
    with Index.open(at.root) as index:
        found = index.answers.ask(redact_text(query), part, **given)
        remarks = (*index.refreshed().remarks(), *found.notes)
    for sentence in remarks:
        print_note(sentence)
    if as_json:
        print_json(found.as_dict())
    elif columns:
        header, rows = found.columns()
        print_rows([header, *rows])
    else:
        for one in found.rounds:
            print_note(_round(one.query, one.matches, one.wanted))
        for line in found.text():
            print_line(line)
    context.exit(0 if found.found else 1)


def _command(said: str) -> str:
    """Refuse a command that says nothing, as a variable that is not set leaves it."""
    if not said.strip():
        raise click.UsageError("--llm-cmd is empty: give a command, like 'ollama run NAME'.")
    return said


def _round(query: str, matches: int, wanted: str) -> str:
    more = f"; then wanted: {wanted}" if wanted else ""
    return f"looked for: {query} ({matches} pieces of evidence{more})"

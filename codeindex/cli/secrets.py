"""`codeindex secrets`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from codeindex.cli.output import print_json, print_line, print_note, print_text

_FOUND = 1


@click.group(invoke_without_command=True)
@click.option("--list", "as_list", is_flag=True, help="As `secrets list`.")
@click.pass_context
def secrets(context: click.Context, *, as_list: bool) -> None:
    """Review what was taken out as a secret, and say what is none."""
    if context.invoked_subcommand is None:
        if as_list:
            context.invoke(list_)
        else:
            print_text(context.get_help())


@secrets.command("list")
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(path: str = ".", *, as_json: bool = False) -> None:
    """List what was taken out of PATH: where, of what kind, and a fingerprint; never the secret."""
    from codeindex.api.index import Index
    from codeindex.cli.scope import place_of_any

    place = place_of_any(path)
    with Index.open(place.root) as index:
        report = index.overview.secrets(place.part)
    if as_json:
        print_json(report.as_dict())
        return
    for line in report.text():
        print_line(line)


@secrets.command()
@click.argument("fingerprint", default="")
@click.option("--path", "glob", default="", help="A glob or PATH:LINE, in every repository.")
@click.option("--reason", default="", help="Why, kept as a comment.")
@click.option("--force", is_flag=True, help="Also a fingerprint that nothing indexed has.")
def ignore(fingerprint: str, glob: str, *, reason: str, force: bool) -> None:
    """Say that the secret of FINGERPRINT is none, wherever it stands; kept in your own settings."""
    from codeindex.api.secret_review import (
        ignore_secret,
        parse_fingerprint,
        refuse_unknown_fingerprint,
    )
    from codeindex.errors import QueryError

    if bool(fingerprint) == bool(glob):
        raise QueryError("Name a fingerprint of `codeindex secrets list`, or --path and a glob.")
    entry = parse_fingerprint(fingerprint) if fingerprint else glob
    if fingerprint and not force:
        refuse_unknown_fingerprint(entry)
    file = ignore_secret(entry, reason=reason)
    print_line(f"{entry}: no secret any more from the next sync on ({file})")


@secrets.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, file: str, *, as_json: bool) -> None:
    """Print FILE, or `-`, as it would be kept; ends with status 1 if it has a secret."""
    from dataclasses import asdict

    from codeindex.api.secret_review import check_secrets
    from codeindex.config import load_settings
    from codeindex.errors import QueryError
    from codeindex.ingest.on_demand.secret_review import text_of_bytes
    from codeindex.ingest.read.decode import NotTextError

    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    config = load_settings(None).config
    name = "" if file == "-" else Path(file).name
    try:
        text = text_of_bytes(name, data, config.limits)
    except NotTextError as error:
        raise QueryError(f"'{file}' holds no text that would be indexed: {error}.") from error
    found = check_secrets(text, path=name, config=config)
    if as_json:
        print_json(asdict(found))
    else:
        for line in found.text.splitlines():
            print_line(line)
        for one in found.secrets:
            print_note(f"{one.line}:{one.column}  {one.kind}  {one.fingerprint}")
    context.exit(_FOUND if found.secrets else 0)

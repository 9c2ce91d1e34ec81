"""Review redacted secrets: `codeindex secrets`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

import codeindex
from codeindex.cli.command_group import CommandGroup
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note, print_text
from codeindex.cli.scope import locate_target
from codeindex.config import load_settings
from codeindex.errors import QueryError
from codeindex.ingest.read.decode import NotTextError

_SECRETS_FOUND = 1


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.option("--list", "as_list", is_flag=True, help="Same as `secrets list`.")
@click.pass_context
def secrets_group(context: click.Context, *, as_list: bool) -> None:
    """Review redacted secrets, and mark values that are not secret."""
    if context.invoked_subcommand is None:
        if as_list:
            context.invoke(secrets_list_command)
        else:
            print_text(context.get_help())


@secrets_group.command("list")
@path_argument
@json_option
def secrets_list_command(path: str = ".", *, as_json: bool = False) -> None:
    """List the redacted secrets of PATH: place, kind and fingerprint; never the secret."""
    scope = locate_target(path)
    with codeindex.Index.open(scope.root) as index:
        report = index.overview.secrets(scope.part)
    if as_json:
        print_json(report.as_dict())
        return
    for line in report.text():
        print_line(line)


@secrets_group.command("ignore")
@click.argument("fingerprint", default="")
@click.option("--path", "glob", default="", help="A glob or PATH:LINE, in every repository.")
@click.option("--reason", default="", help="The reason, kept as a comment.")
@click.option("--force", is_flag=True, help="Accept a fingerprint that no indexed secret has.")
def secrets_ignore_command(fingerprint: str, glob: str, *, reason: str, force: bool) -> None:
    """Mark the value with FINGERPRINT as not secret in every file; stored in your settings."""
    # Imports numpy.
    from codeindex.api.secret_review import (
        ignore_secret,
        parse_fingerprint,
        refuse_unknown_fingerprint,
    )

    if bool(fingerprint) == bool(glob):
        raise QueryError("Name a fingerprint of `codeindex secrets list`, or --path and a glob.")
    entry = parse_fingerprint(fingerprint) if fingerprint else glob
    if fingerprint and not force:
        refuse_unknown_fingerprint(entry)
    file = ignore_secret(entry, reason=reason)
    print_line(f"{entry}: not treated as a secret from the next sync on ({file})")


@secrets_group.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@json_option
@click.pass_context
def secrets_check_command(context: click.Context, file: str, *, as_json: bool) -> None:
    """Print FILE, or `-`, as the index would store it; the exit status is 1 if it has a secret."""
    from codeindex.api.secret_review import check_secrets  # imports numpy
    from codeindex.ingest.on_demand.secret_review import text_of_bytes

    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    config = load_settings(None).config
    name = "" if file == "-" else Path(file).name
    try:
        text = text_of_bytes(name, data, config.limits)
    except NotTextError as error:
        raise QueryError(f"'{file}' has no text to index: {error}.") from error
    redacted = check_secrets(text, path=name, config=config)
    if as_json:
        print_json(asdict(redacted))
    else:
        for line in redacted.text.splitlines():
            print_line(line)
        for secret in redacted.secrets:
            print_note(f"{secret.line}:{secret.column}  {secret.kind}  {secret.fingerprint}")
    context.exit(_SECRETS_FOUND if redacted.secrets else 0)

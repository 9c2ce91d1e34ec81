"""Show what is indexed: `codeindex status`."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

import codeindex
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import format_megabytes, print_json, print_note, print_rows
from codeindex.embed.choose import WITHOUT_TRANSFORMER
from codeindex.types import Status

_MAX_LANGUAGES = 8
"""Most languages that are printed; `codeindex files --languages` prints all."""
_MAX_UNPARSED = 3
"""Most incompletely parsed files that are printed; --json prints all."""


@click.command()
@path_argument
@json_option
def status_command(path: str, *, as_json: bool) -> None:
    """Show what is indexed for the repository of PATH, and whether it is up to date."""
    with codeindex.Index.open(path) as index:
        status = index.status()
    if as_json:
        print_json(asdict(status) | {"state": status.state()})
        return
    print_rows(_status_rows(status).items())
    for note in status.notes:
        print_note(f"note: {note}")


def _status_rows(status: Status) -> dict[str, str]:
    written = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(status.written_at))
    incomplete = "" if status.complete else "; the structure phase has not finished"
    languages = list(status.languages.items())[:_MAX_LANGUAGES]
    coverage, readiness = status.coverage, status.readiness
    return {
        "repository": status.repo,
        "root": status.root,
        "index": f"{status.folder} ({format_megabytes(status.size_bytes)})",
        "version": f"{status.version}, written {written}{incomplete}",
        "branch": f"{status.branch or '-'} {status.head[:12]}".strip(),
        "files": (
            f"{coverage.indexed:,} indexed, {coverage.skipped:,} skipped,"
            f" {coverage.failed:,} failed"
        ),
        "unparsed": _format_unparsed(status),
        "chunks": f"{status.chunks:,}",
        "symbols": f"{status.symbols:,}",
        "languages": ", ".join(f"{name} {count:,}" for name, count in languages) or "-",
        "compiler": status.compiler or "-",
        "readiness": f"words {readiness.words:.0%}, vectors {readiness.vectors:.0%}",
        "model": status.model or _format_next_model(status),
        "weights": status.tuned or "as shipped",
        "upgrade": "; ".join(status.upgrade) or "-",
        "chroma": str(status.chroma.get("path") or "not exported"),
    }


def _format_next_model(status: Status) -> str:
    if status.next_model.startswith(tuple(WITHOUT_TRANSFORMER.values())):
        return f"none; {status.next_model}"
    return f"none yet; `codeindex index` computes the vectors: {status.next_model}"


def _format_unparsed(status: Status) -> str:
    files = [f"{file.path} ({file.reason})" for file in status.unparsed[:_MAX_UNPARSED]]
    omitted = len(status.unparsed) - len(files)
    return "; ".join([*files, *([f"{omitted:,} more: --json"] if omitted else [])]) or "-"

"""`codeindex status`."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.types import Status

_MB = 1_000_000
_LANGUAGES = 8  # most files first; `codeindex files --languages` has all
_NAMED = 3  # files that could not be parsed wholly; --json has all


@click.command()
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(path: str, *, as_json: bool) -> None:
    """Say what is indexed for the repository of PATH, how fresh it is, and what it rests on."""
    from codeindex.api.index import Index

    with Index.open(path) as index:
        found = index.status()
    if as_json:
        print_json(asdict(found) | {"state": found.state()})
        return
    print_rows(_rows(found).items())
    for note in found.notes:
        print_note(f"note: {note}")


def _rows(found: Status) -> dict[str, str]:
    """Return what a person asks for, in the order they ask."""
    written = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(found.written_at))
    common = [f"{name} {count:,}" for name, count in list(found.languages.items())[:_LANGUAGES]]
    cover, chroma = found.coverage, found.chroma
    return {
        "repository": found.repo,
        "root": found.root,
        "index": f"{found.folder} ({found.size_bytes / _MB:.1f} MB)",
        "version": f"{found.version}, written {written}" + _unfinished(found),
        "branch": f"{found.branch or '-'} {found.head[:12]}".strip(),
        "files": f"{cover.indexed:,} indexed, {cover.skipped:,} skipped, {cover.failed:,} failed",
        "unparsed": _unparsed(found),
        "chunks": f"{found.chunks:,}",
        "symbols": f"{found.symbols:,}",
        "languages": ", ".join(common) or "-",
        "readiness": f"words {found.readiness.words:.0%}, vectors {found.readiness.vectors:.0%}",
        "model": found.model or _model_to_come(found),
        "weights": found.tuned or "as shipped",
        "upgrade": "; ".join(found.upgrade) or "-",
        "chroma": f"{chroma['path']}" if chroma.get("path") else "not exported",
    }


def _model_to_come(found: Status) -> str:
    if found.next_model.startswith("words only"):
        return f"none; {found.next_model}"
    return f"none yet; `codeindex index` makes the vectors: {found.next_model}"


def _unparsed(found: Status) -> str:
    named = [f"{one.path} ({one.reason})" for one in found.unparsed[:_NAMED]]
    more = len(found.unparsed) - len(named)
    return "; ".join([*named, f"{more:,} more: --json" if more else ""]).rstrip("; ") or "-"


def _unfinished(found: Status) -> str:
    return "" if found.complete else "; the structure phase has not finished"

"""`codeindex upgrade-embeddings`."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_json, print_note, print_text

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.ingest.sync.estimate import UpgradeEstimate
    from codeindex.ingest.sync.upgrade import UpgradeResult

_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class _Given:
    """The command line, typed."""

    path: str
    model: str
    yes: bool
    confirm: bool
    back: bool
    as_json: bool


@click.command("upgrade-embeddings")
@click.argument("path", default=".")
@click.option("--model", default="", metavar="ID", help="The model to change to.")
@click.option("--yes", is_flag=True, help="Begin without asking.")
@click.option("--confirm", is_flag=True, help="Delete what the last upgrade kept.")
@click.option("--back", is_flag=True, help="Return to the model of before the last upgrade.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def upgrade_embeddings(ctx: click.Context, /, **options: Any) -> None:
    """Change the embedding model of the repository of PATH.

    Says first what it takes. The old vectors answer until all new ones are there, and are kept
    until --confirm deletes them; --back returns to them. Interrupt it at any time: the same
    command goes on. Without options: how far it is.
    """
    from codeindex.api.index import Index
    from codeindex.logs import INDEXER, enable_log_file

    given = _Given(**options)
    if sum((bool(given.model), given.confirm, given.back)) > 1:
        raise click.UsageError("Use one of --model, --confirm and --back.")
    enable_log_file(INDEXER)
    with Index.open(given.path) as index:
        if given.confirm:
            _confirmed(index, as_json=given.as_json)
        elif given.back:
            _changed(index, "", as_json=given.as_json)
        elif not given.model:
            _stands(index, as_json=given.as_json)
        elif given.yes or _agreed(index, given.model, as_json=given.as_json):
            _changed(index, given.model, as_json=given.as_json)
        else:
            ctx.exit(1)


def _confirmed(index: Index, *, as_json: bool) -> None:
    freed = index.admin.confirm_upgrade()
    _print({"deleted_bytes": freed}, f"deleted ({freed / _MB:.1f} MB)", as_json=as_json)


def _stands(index: Index, *, as_json: bool) -> None:
    found = index.admin.upgrade_standing()
    said = found.sentences() or (f"{found.live or 'no model'}; no upgrade is under way",)
    _print(asdict(found), "\n".join(said), as_json=as_json)


def _agreed(index: Index, model: str, *, as_json: bool) -> bool:
    """Say what it takes, and ask; without a person to ask, only say."""
    found = index.admin.upgrade_estimate(model)
    _print(asdict(found), "\n".join(_estimate(found)), as_json=as_json)
    if as_json or not sys.stdin.isatty():
        print_note("nothing was changed: --yes begins")
        return False
    return click.confirm("Begin?", err=True)


def _estimate(found: UpgradeEstimate) -> list[str]:
    from codeindex.search.rank.weights import FITTED_MODEL

    (low, high), former = found.seconds, found.former or "no model"
    needed, free = found.needed_bytes / _MB, found.free_bytes / _MB
    lines = [
        f"{found.repo}: {found.chunks:,} chunks, from {former} to {found.model}",
        f"time: {_span(low)} to {_span(high)} (from {found.sampled} chunks, measured just now)",
        f"disk: about {needed:.0f} MB more until it is confirmed; {free:,.0f} MB are free",
    ]
    if found.known:
        lines.insert(1, f"in the cache already: about {found.known:,}")
    if found.model != FITTED_MODEL:
        lines.append(
            f"scores: their scale was fitted with {FITTED_MODEL}; with another model results have"
            " an order as before, but a score is no measured chance"
        )
    return lines


def _span(seconds: float) -> str:
    if seconds < 1:
        return "under a second"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"  # noqa: PLR2004


def _changed(index: Index, model: str, *, as_json: bool) -> None:
    from codeindex.cli.progress import Bar

    with Bar() as bar:
        if model:
            done = index.admin.upgrade_embeddings(model, progress=bar)
        else:
            done = index.admin.undo_upgrade(progress=bar)
    _print(asdict(done), _summary(done), as_json=as_json)
    for note in done.notes:
        print_note(f"note: {note}")
    if model:
        print_note(
            f"{done.former or 'the index without a model'} is kept: `codeindex upgrade-embeddings"
            " --confirm` deletes it, `--back` returns to it"
        )


def _summary(done: UpgradeResult) -> str:
    said = f"{done.repo}: made with {done.model} now (before: {done.former or 'no model'})"
    return f"{said}, {done.embedded:,} chunks embedded in {done.seconds:.1f} s"


def _print(values: dict[str, object], text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print_text(text)

"""Change the embedding model of an index: `codeindex upgrade-embeddings`."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import format_megabytes, print_json, print_note, print_text
from codeindex.cli.progress import ProgressBar
from codeindex.logs import INDEXER, enable_log_file
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.ingest.sync.estimate import UpgradeEstimate
    from codeindex.ingest.sync.upgrade import UpgradeResult

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class _UpgradeOptions:
    path: str
    model: str
    yes: bool
    confirm: bool
    back: bool
    as_json: bool


@click.command()
@path_argument
@click.option("--model", default="", metavar="ID", help="The new model.")
@click.option("--yes", is_flag=True, help="Begin without asking.")
@click.option("--confirm", is_flag=True, help="Delete the vectors that the last upgrade kept.")
@click.option("--back", is_flag=True, help="Return to the model before the last upgrade.")
@json_option
@click.pass_context
def upgrade_embeddings_command(context: click.Context, /, **arguments: Any) -> None:
    """Change the embedding model of the repository of PATH.

    Shows time and disk space first. Searches use the old vectors until all new vectors exist, and
    the old ones are kept until --confirm deletes them; --back returns to them. An interrupted
    upgrade continues with the same command. Without options, the state of the upgrade is shown.
    """
    options = _UpgradeOptions(**arguments)
    if sum((bool(options.model), options.confirm, options.back)) > 1:
        raise click.UsageError("Use one of --model, --confirm and --back.")
    enable_log_file(INDEXER)
    with codeindex.Index.open(options.path) as index:
        if options.confirm:
            freed = index.admin.confirm_upgrade()
            text = f"deleted ({format_megabytes(freed)})"
            _print({"deleted_bytes": freed}, text, as_json=options.as_json)
        elif options.back:
            _upgrade(index, "", as_json=options.as_json)
        elif not options.model:
            _print_state(index, as_json=options.as_json)
        elif options.yes or _confirm(index, options.model, as_json=options.as_json):
            _upgrade(index, options.model, as_json=options.as_json)
        else:
            context.exit(1)


def _print_state(index: Index, *, as_json: bool) -> None:
    state = index.admin.upgrade_standing()
    sentences = state.sentences() or (f"{state.live or 'no model'}; no upgrade is under way",)
    _print(asdict(state), "\n".join(sentences), as_json=as_json)


def _confirm(index: Index, model: str, *, as_json: bool) -> bool:
    """Print the estimate and ask; return whether to begin, False if nobody can be asked."""
    estimate = index.admin.upgrade_estimate(model)
    _print(asdict(estimate), "\n".join(_format_estimate(estimate)), as_json=as_json)
    if as_json or not sys.stdin.isatty():
        print_note("nothing was changed: add --yes to begin")
        return False
    return click.confirm("Begin?", err=True)


def _format_estimate(estimate: UpgradeEstimate) -> list[str]:
    from codeindex.search.rank.weights import FITTED_MODEL  # imports numpy

    (low, high), former = estimate.seconds, estimate.former or "no model"
    needed, free = estimate.needed_bytes / _MEGABYTE, estimate.free_bytes / _MEGABYTE
    duration = f"{_format_seconds(low)} to {_format_seconds(high)}"
    lines = [
        f"{estimate.repo}: {plural(estimate.chunks, 'chunk')}, from {former} to {estimate.model}",
        f"time: {duration} (from {plural(estimate.sampled, 'chunk')}, measured just now)",
        f"disk: about {needed:.0f} MB more until it is confirmed; {free:,.0f} MB are free",
    ]
    if estimate.known:
        lines.insert(1, f"in the cache already: about {estimate.known:,}")
    if estimate.model != FITTED_MODEL:
        lines.append(
            f"scores: their scale was fitted with {FITTED_MODEL}; with another model, scores order"
            " results, but they are not measured probabilities"
        )
    return lines


def _format_seconds(seconds: float) -> str:
    if seconds < 1:
        return "under a second"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"  # noqa: PLR2004


def _upgrade(index: Index, model: str, *, as_json: bool) -> None:
    """Change an index to `model`, or back to its former model if `model` is ''."""
    with ProgressBar() as bar:
        if model:
            result = index.admin.upgrade_embeddings(model, progress=bar)
        else:
            result = index.admin.undo_upgrade(progress=bar)
    _print(asdict(result), _format_result(result), as_json=as_json)
    for note in result.notes:
        print_note(f"note: {note}")
    if model:
        print_note(
            f"{result.former or 'the index without a model'} is kept: `codeindex"
            " upgrade-embeddings --confirm` deletes it, `--back` returns to it"
        )


def _format_result(result: UpgradeResult) -> str:
    former = result.former or "no model"
    return (
        f"{result.repo}: uses {result.model} now (before: {former}),"
        f" {plural(result.embedded, 'chunk')} embedded in {result.seconds:.1f} s"
    )


def _print(values: dict[str, object], text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print_text(text)

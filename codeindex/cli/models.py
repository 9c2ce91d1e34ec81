"""List, download, check and add models: `codeindex models`."""

from __future__ import annotations

from pathlib import Path

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.options import json_option
from codeindex.cli.output import format_megabytes, print_json, print_line, print_rows
from codeindex.cli.progress import ProgressBar
from codeindex.config import data_home, load_settings
from codeindex.embed.add import add_model
from codeindex.embed.choose import model_statuses
from codeindex.embed.fetch import pull_model
from codeindex.embed.installed import verify_model_files
from codeindex.embed.lock import DEFAULT_MODEL, Model, ModelKind, find_model, load_lock
from codeindex.store.datadir.home import prepare_home


@click.group(cls=CommandGroup)
def models_group() -> None:
    """List, download, check and add models; models.lock pins their bytes."""


@models_group.command("list")
@json_option
def models_list_command(*, as_json: bool) -> None:
    """List every known model and whether its files are here."""
    rows = [
        {
            "id": model.id,
            "state": state,
            "kind": model.kind,
            "source": model.source,
            "dimension": model.dimension,
            "bytes": _size_bytes(model),
        }
        for model, state in model_statuses(data_home())
    ]
    if as_json:
        print_json(rows)
        return
    print_rows([str(value) for value in row.values()] for row in rows)


@models_group.command("pull")
@click.argument("model_id", metavar="[ID]", default="")
def models_pull_command(model_id: str) -> None:
    """Download the model ID, or the default model, and check its bytes."""
    prepare_home(data_home())
    model = find_model(load_lock(data_home()), model_id or DEFAULT_MODEL, kind=None)
    with ProgressBar() as bar:
        pull_model(data_home(), model, offline=load_settings(None).config.offline, progress=bar)
    _print_ready(model)


@models_group.command("verify")
@click.argument("model_id", metavar="[ID]", default="")
def models_verify_command(model_id: str) -> None:
    """Check every byte of the model ID, or of all installed models."""
    if model_id:
        models = [find_model(load_lock(data_home()), model_id, kind=None)]
    else:
        models = [model for model, state in model_statuses(data_home()) if state != "absent"]
    for model in models:
        verify_model_files(data_home(), model)
        _print_ready(model)


@models_group.command("add")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--id", "model_id", default="", help="Id of the model; default: the folder's name.")
@click.option(
    "--kind",
    type=click.Choice(("embedding", "reranker")),
    help="Kind of the model; default: as its config.json says.",
)
def models_add_command(folder: Path, *, model_id: str, kind: ModelKind | None) -> None:
    """Copy the model in FOLDER, pin its bytes, and run it once.

    The model is a sentence-embedding model, or a cross-encoder that reranks results.
    """
    prepare_home(data_home())
    model = add_model(data_home(), folder, model_id=model_id, kind=kind)
    detail = f"{model.dimension} dimensions" if model.kind == "embedding" else model.kind
    print_line(f"{model.id}: added ({format_megabytes(_size_bytes(model))}, {detail})")


def _print_ready(model: Model) -> None:
    print_line(f"{model.id}: ready ({format_megabytes(_size_bytes(model))})")


def _size_bytes(model: Model) -> int:
    return sum(file.size for file in model.files)

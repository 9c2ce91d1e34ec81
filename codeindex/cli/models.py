"""`codeindex models`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_line, print_rows

if TYPE_CHECKING:
    from codeindex.embed.lock import Model, ModelKind

_MB = 1_000_000


@click.group()
def models() -> None:
    """List, download, check and add models; models.lock pins their bytes."""


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(*, as_json: bool) -> None:
    """List every known model and whether its files are here."""
    from codeindex.config import data_home
    from codeindex.embed.choose import model_statuses

    rows = [
        {
            "id": one.id,
            "state": state,
            "kind": one.kind,
            "source": one.source,
            "dimension": one.dimension,
            "bytes": sum(file.size for file in one.files),
        }
        for one, state in model_statuses(data_home())
    ]
    if as_json:
        print_json(rows)
        return
    print_rows([str(value) for value in row.values()] for row in rows)


@models.command()
@click.argument("model_id", metavar="[ID]", default="")
def pull(model_id: str) -> None:
    """Download a model, the default one if none is named, and check its bytes."""
    from codeindex.cli.progress import Bar
    from codeindex.config import data_home, load_settings
    from codeindex.embed.fetch import pull_model
    from codeindex.embed.lock import DEFAULT_MODEL, find_model, load_lock
    from codeindex.store.datadir.home import prepare_home

    prepare_home(data_home())
    model = find_model(load_lock(data_home()), model_id or DEFAULT_MODEL, kind=None)
    with Bar() as bar:
        pull_model(data_home(), model, offline=load_settings(None).config.offline, progress=bar)
    print_line(f"{model.id}: ready ({_size(model)})")


@models.command()
@click.argument("model_id", metavar="[ID]", default="")
def verify(model_id: str) -> None:
    """Check every byte of a model, or of all that are here."""
    from codeindex.config import data_home
    from codeindex.embed.choose import model_statuses
    from codeindex.embed.installed import verify_model_files
    from codeindex.embed.lock import find_model, load_lock

    here = [model for model, state in model_statuses(data_home()) if state != "absent"]
    for model in [find_model(load_lock(data_home()), model_id, kind=None)] if model_id else here:
        verify_model_files(data_home(), model)
        print_line(f"{model.id}: ready ({_size(model)})")


@models.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--id", "model_id", default="", help="Id to give it; else the folder's name.")
@click.option(
    "--kind",
    type=click.Choice(("embedding", "reranker")),
    help="What it is for; else as its config.json says.",
)
def add(folder: Path, *, model_id: str, kind: ModelKind | None) -> None:
    """Copy the model in FOLDER, pin its bytes, and try it once.

    It is a sentence-embedding model, or a cross-encoder that reranks results.
    """
    from codeindex.config import data_home
    from codeindex.embed.add import add_model
    from codeindex.store.datadir.home import prepare_home

    prepare_home(data_home())
    model = add_model(data_home(), folder, model_id=model_id, kind=kind)
    what = f"{model.dimension} dimensions" if model.kind == "embedding" else model.kind
    print_line(f"{model.id}: added ({_size(model)}, {what})")


def _size(model: Model) -> str:
    return f"{sum(one.size for one in model.files) / _MB:.1f} MB"

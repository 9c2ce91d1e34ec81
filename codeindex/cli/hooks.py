"""`codeindex hooks`: those of git; an agent's are answered by `codeindex hook`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.hooks.git.hooks_folder import Folder
    from codeindex.hooks.git.install import Hook

_INCOMPLETE = 1
"""The exit status if a hook is not what was asked for, as grep's is if nothing was found."""
_PATH = click.argument("path", default=".")
_DRY = click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def hooks() -> None:
    """Have git keep the index of a repository up to date: whenever HEAD moves, in the background.

    A git command neither waits for it nor fails with it. Hooks of others stay as they are.
    """


@hooks.command()
@_PATH
@_DRY
@_JSON
def install(path: str, *, dry_run: bool, as_json: bool) -> None:
    """Install hooks after merges, checkouts, rebases and commits of PATH's repository.

    Without a `default_branch` in the settings, any branch is followed.
    """
    from codeindex.hooks.git.install import install as put

    folder, found = _found(path)
    for one in found if not dry_run else ():
        put(one)
    words = {"absent": "would be installed", "outdated": "would be renewed"} if dry_run else {}
    _show(folder, found if dry_run else _found(path)[1], words, as_json=as_json)
    if any(one.state == "refused" for one in found):
        raise click.exceptions.Exit(_INCOMPLETE)


@hooks.command()
@_PATH
@_DRY
@_JSON
def uninstall(path: str, *, dry_run: bool, as_json: bool) -> None:
    """Remove what `install` has added, and nothing else."""
    from codeindex.hooks.git.install import uninstall as take

    folder, found = _found(path)
    for one in found if not dry_run else ():
        take(one)
    would = "would be removed"
    words = {"installed": would, "outdated": would} if dry_run else {}
    _show(folder, found if dry_run else _found(path)[1], words, as_json=as_json)


@hooks.command()
@_PATH
@_JSON
def status(path: str, *, as_json: bool) -> None:
    """Say which hooks are installed; with status 1 if any is not."""
    folder, found = _found(path)
    _show(folder, found, {}, as_json=as_json)
    if any(one.state != "installed" for one in found):
        raise click.exceptions.Exit(_INCOMPLETE)


@hooks.command(hidden=True)
@click.argument("name")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def run(name: str, words: tuple[str, ...]) -> None:
    """Do what the hook NAME is for: git's hooks call this."""
    from codeindex.hooks.git.sync_after_git import run as work

    work(name, words)


def _found(path: str) -> tuple[Folder, list[Hook]]:
    from codeindex.hooks.git.hooks_folder import hooks_folder
    from codeindex.hooks.git.install import hooks_in
    from codeindex.store.datadir.roots import locate_root

    folder = hooks_folder(locate_root(path).root)
    return folder, hooks_in(folder)


def _show(folder: Folder, found: Sequence[Hook], words: dict[str, str], *, as_json: bool) -> None:
    rows = [(one.name, words.get(one.state, one.state), str(one.path)) for one in found]
    reasons = dict.fromkeys(one.why for one in found if one.why)
    if as_json:
        keys = ("name", "state", "path")
        listed = [
            dict(zip(keys, row, strict=True)) | {"why": one.why}
            for row, one in zip(rows, found, strict=True)
        ]
        print_json({"hooks": listed, "note": folder.note})
        return
    print_rows(rows)
    for note in (*reasons, *([folder.note] if folder.note else [])):
        print_note(f"note: {note}")

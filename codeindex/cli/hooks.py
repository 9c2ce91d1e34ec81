"""Install, remove and run git hooks: `codeindex hooks`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.options import dry_run_option, json_option, path_argument
from codeindex.cli.output import print_json, print_note, print_rows
from codeindex.hooks.git.hooks_folder import HooksFolder, find_hooks_folder
from codeindex.hooks.git.install import GitHook, install_hook, read_hooks, uninstall_hook
from codeindex.store.datadir.roots import locate_root

_INCOMPLETE = 1
"""The exit status if a hook is not installed."""
_NO_LABELS: Mapping[str, str] = MappingProxyType({})


@click.group(cls=CommandGroup)
def hooks_group() -> None:
    """Sync the index of a repository in the background whenever git moves HEAD.

    Git commands do not wait for the sync and do not fail with it. Other hooks are kept.
    """


@hooks_group.command("install")
@path_argument
@dry_run_option
@json_option
def hooks_install_command(path: str, *, dry_run: bool, as_json: bool) -> None:
    """Install hooks after merges, checkouts, rebases and commits of PATH's repository.

    Every branch is synced unless the setting `default_branch` names one.
    """
    folder, hooks = _read_hooks_at(path)
    labels = _NO_LABELS
    if dry_run:
        labels = {"absent": "would be installed", "outdated": "would be updated"}
    else:
        for hook in hooks:
            install_hook(hook)
        folder, hooks = _read_hooks_at(path)
    _print_hooks(folder, hooks, labels, as_json=as_json)
    if any(hook.state == "refused" for hook in hooks):
        raise click.exceptions.Exit(_INCOMPLETE)


@hooks_group.command("uninstall")
@path_argument
@dry_run_option
@json_option
def hooks_uninstall_command(path: str, *, dry_run: bool, as_json: bool) -> None:
    """Remove the lines that `install` added, and nothing else."""
    folder, hooks = _read_hooks_at(path)
    labels = _NO_LABELS
    if dry_run:
        labels = dict.fromkeys(("installed", "outdated"), "would be removed")
    else:
        for hook in hooks:
            uninstall_hook(hook)
        folder, hooks = _read_hooks_at(path)
    _print_hooks(folder, hooks, labels, as_json=as_json)


@hooks_group.command("status")
@path_argument
@json_option
def hooks_status_command(path: str, *, as_json: bool) -> None:
    """Print the state of each hook; the exit status is 1 if any is not installed."""
    folder, hooks = _read_hooks_at(path)
    _print_hooks(folder, hooks, _NO_LABELS, as_json=as_json)
    if any(hook.state != "installed" for hook in hooks):
        raise click.exceptions.Exit(_INCOMPLETE)


@hooks_group.command("run", hidden=True)
@click.argument("name")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def hooks_run_command(name: str, words: tuple[str, ...]) -> None:
    """Do the work of the git hook NAME; the installed hooks call this."""
    from codeindex.hooks.git.sync_after_git import sync_after_git  # imports the whole library

    sync_after_git(name, words)


def _read_hooks_at(path: str) -> tuple[HooksFolder, list[GitHook]]:
    folder = find_hooks_folder(locate_root(path).root)
    return folder, read_hooks(folder)


def _print_hooks(
    folder: HooksFolder, hooks: Sequence[GitHook], labels: Mapping[str, str], *, as_json: bool
) -> None:
    """Print the name, state (in the words of `labels`) and path of each hook."""
    rows = [(hook.name, labels.get(hook.state, hook.state), str(hook.path)) for hook in hooks]
    if as_json:
        keys = ("name", "state", "path")
        listed = [
            dict(zip(keys, row, strict=True)) | {"why": hook.why}
            for row, hook in zip(rows, hooks, strict=True)
        ]
        print_json({"hooks": listed, "note": folder.note})
        return
    print_rows(rows)
    reasons = dict.fromkeys(hook.why for hook in hooks if hook.why)
    for note in (*reasons, *([folder.note] if folder.note else [])):
        print_note(f"note: {note}")

"""Where git looks for its hooks, and whether ours may be there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError

_OF_THE_USER = {"global", "system"}
_NAME = "post-merge"


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the hooks of a work tree are; `refusal` says why none of ours can be there."""

    path: Path
    refusal: str = ""
    note: str = ""


def hooks_folder(path: Path) -> Folder:
    """Find the folder from which git runs the hooks of the work tree that `path` is in.

    GitError if it is in none.
    """
    root = git.find_work_tree(path)
    if root is None:
        raise GitError(f"'{path}' is in no git repository: there are no hooks to install.")
    setting, scope = git.read_hooks_path(root)
    common = git.resolve_git_folders(root).common
    folder = root / setting if setting else common / "hooks"
    resolved = folder.resolve()
    if folder.exists() and not folder.is_dir():
        return Folder(folder, f"git runs no hooks here: core.hooksPath is '{setting}'.")
    if resolved.is_relative_to(common):
        return Folder(folder)
    if resolved.is_relative_to(root):
        return _in_tree(root, folder, resolved)
    if scope in _OF_THE_USER:
        note = "These hooks are run in all of your repositories; only indexed ones are synced."
        return Folder(folder, note=note)
    whose = f"core.hooksPath, {scope}" if setting else "a link"
    return Folder(folder, f"The hooks folder '{folder}' leads out of the repository ({whose}).")


def _in_tree(root: Path, folder: Path, resolved: Path) -> Folder:
    """Allow a folder in the work tree if it stays on this machine, as husky's `.husky/_` does."""
    hook = (resolved / _NAME).relative_to(root).as_posix()
    if git.filter_ignored(root, [hook]):
        note = "Whatever made this folder may make it anew: then install the hooks again."
        return Folder(folder, note=note)
    return Folder(
        folder,
        f"The hooks in '{folder}' are files of the repository, and ours would name this machine's"
        " Python: call `codeindex index` in them yourself, or use `codeindex watch`.",
    )

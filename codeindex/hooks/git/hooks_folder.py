"""Find the folder of git's hooks, and decide whether hooks may be installed there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError

_USER_SCOPES = {"global", "system"}
_ANY_HOOK = "post-merge"


@dataclass(frozen=True, slots=True)
class HooksFolder:
    """The hooks folder of a work tree, and whether hooks can be installed in it.

    `refusal` is the reason why they cannot, '' if they can. `note` is a remark for the user.
    """

    path: Path
    refusal: str = ""
    note: str = ""


def find_hooks_folder(path: Path) -> HooksFolder:
    """Return the folder from which git runs the hooks of the work tree around `path`.

    Raise GitError outside a work tree.
    """
    root = git.find_work_tree(path)
    if root is None:
        git.require_git()
        raise GitError(f"'{path}' is in no git repository: there are no hooks to install.")
    setting, scope = git.read_hooks_path(root)
    common = git.resolve_git_folders(root).common
    folder = root / setting if setting else common / "hooks"
    resolved = folder.resolve()
    if folder.exists() and not folder.is_dir():
        return HooksFolder(folder, f"git runs no hooks here: core.hooksPath is '{setting}'.")
    if resolved.is_relative_to(common):
        return HooksFolder(folder)
    if resolved.is_relative_to(root):
        return _in_tree(root, folder, resolved)
    if scope in _USER_SCOPES:
        note = "These hooks are run in all of your repositories; only indexed ones are synced."
        return HooksFolder(folder, note=note)
    whose = f"core.hooksPath, {scope}" if setting else "a link"
    return HooksFolder(
        folder, f"The hooks folder '{folder}' leads out of the repository ({whose})."
    )


def _in_tree(root: Path, folder: Path, resolved: Path) -> HooksFolder:
    """Return the hooks folder for a folder in the work tree; refuse it if git can track its files.

    Git ignores `.husky/_`, for example. Hooks that git tracks would give everybody this machine's
    paths.
    """
    hook = (resolved / _ANY_HOOK).relative_to(root).as_posix()
    if git.filter_ignored(root, [hook]):
        note = "The tool that created this folder may recreate it: then install the hooks again."
        return HooksFolder(folder, note=note)
    return HooksFolder(
        folder,
        f"The hooks in '{folder}' are files of the repository, and ours would name this machine's"
        " Python: call `codeindex index` in them yourself, or use `codeindex watch`.",
    )

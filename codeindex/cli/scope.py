"""Find the root of the paths on a command line, and the parts of it that they name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from codeindex import git
from codeindex.errors import QueryError
from codeindex.store.datadir.roots import RootScope, locate_root


def locate_target(target: str) -> RootScope:
    """Return the root of the repository that contains `target`, and the path of `target` below it.

    `target` is a file or folder, or the name of a registered repository.
    """
    path = Path(target).expanduser()
    if not os.path.isfile(path):  # noqa: PTH113 (pathlib raises for names with odd characters)
        return locate_root(target)
    scope = locate_root(path.parent)
    return replace(scope, part=f"{scope.part}/{path.name}".removeprefix("/"))


def locate_targets(targets: Sequence[str]) -> tuple[Path, tuple[str, ...]]:
    """Return (common root of all targets, their paths below it).

    The paths are () if a target is the root itself. Without targets, the current folder is the
    target. Raises QueryError for several roots.
    """
    scopes = [locate_target(target) for target in targets or (".",)]
    roots = sorted({scope.root for scope in scopes})
    if len(roots) > 1:
        raise QueryError(
            f"The paths are in different repositories ('{roots[0]}', '{roots[1]}'):"
            " search one at once."
        )
    parts = [scope.part for scope in scopes]
    return roots[0], () if "" in parts else tuple(dict.fromkeys(parts))


def refuse_link_out(file: Path, root: Path) -> None:
    """Raise QueryError if `file`, a place to write to, is in a repository and leads out of it.

    Repositories are `root`, a path without links, and the git repositories around `file`. By a link
    in one of them, the command could overwrite any file of the user.
    """
    place = Path(os.path.abspath(file))  # noqa: PTH100 (links stay in it)
    target = Path(os.path.realpath(file))
    for folder in place.parents:
        real = Path(os.path.realpath(folder))
        is_repository = real == root or git.has_repository(folder)
        if is_repository and not target.is_relative_to(real):
            raise QueryError(
                f"'{file}' leads out of the repository '{folder}' by a link: name '{target}' itself"
                " to write there."
            )

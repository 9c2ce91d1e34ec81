"""Resolve a path or repository name that a user types to an index root."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codeindex import git
from codeindex.config import data_home
from codeindex.errors import RootError, ScopeError
from codeindex.store.datadir.home import repository_at_root, repository_by_name
from codeindex.text.words import folded_form


@dataclass(frozen=True, slots=True)
class RootScope:
    """The root of a repository, and the path below it that the user named.

    `part` is '' if the user named the root itself.
    """

    root: Path
    part: str


def find_root(path: str | Path, *, root: bool = False) -> RootScope:
    """Return the root to which a folder belongs: the top of its git work tree.

    The folder itself is the root if it is in no work tree, if it is registered as a root, or with
    `root=True`. Raise RootError if `path` is not a folder, or is in a git dir such as `.git`.
    """
    refuse_address(path)
    try:
        resolved = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # RuntimeError: a loop of links, an unknown ~user
        raise RootError(_absent(path)) from None
    if not resolved.is_dir():
        raise RootError(f"'{path}' is a file: name its folder.")
    if root or repository_at_root(data_home(), resolved):
        return RootScope(resolved, "")
    top = git.find_work_tree(resolved)
    if top is None and (git_dir := git.find_git_dir(resolved)):
        raise RootError(
            f"'{git_dir}' is a folder of git itself: name a work tree, or index it on purpose with"
            f" `codeindex index --root {path}`."
        )
    if top is None or top == resolved:
        return RootScope(resolved, "")
    return RootScope(top, resolved.relative_to(top).as_posix())


def locate_root(path: str | Path, *, root: bool = False) -> RootScope:
    """Return the root that a user means by a path or by the name of an indexed repository.

    An existing path takes precedence over a name. Raise RootError or ScopeError if there is
    neither.
    """
    _refuse_no_path(path)
    return _registered(str(path)) or find_root(path, root=root)


def refuse_address(path: str | Path) -> None:
    """Raise RootError if `path` is the address of a repository, such as `https://…` or `git@…`."""
    if "://" in str(path) or str(path).startswith("git@"):
        raise RootError(f"'{path}' is an address, not a folder: clone it first.")


def refuse_too_wide_root(root: Path) -> None:
    """Raise RootError if `root` is a whole disk or a home folder, and has no index yet."""
    known = repository_at_root(data_home(), root)
    if known is not None and known.catalog.exists():
        return
    if root in {Path(root.anchor), Path.home().resolve()}:
        raise RootError(
            f"'{root}' is not one project: name a folder in it, or index all of it on purpose with"
            f" `codeindex index --root {root}`."
        )


def _refuse_no_path(path: Any) -> None:
    """Raise RootError if `path` is '' or no path at all, such as None from a script's mistake."""
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise RootError(f"path is {path!r}: use a folder or the name of an indexed repository.")


def _registered(text: str) -> RootScope | None:
    """Return the root of the repository called `text`; None if `text` is a path instead of a name.

    A name may end with a slash. Raise ScopeError or RootError if no repository has the name.
    """
    name = text.rstrip("/")
    if os.path.exists(os.path.expanduser(text)) or {"/", "\\"} & set(name) or name in {"", "."}:  # noqa: PTH110, PTH111 (pathlib's raise for odd names)
        return None
    try:
        return RootScope(repository_by_name(data_home(), name).root, "")
    except ScopeError as error:
        if name != text:
            raise RootError(_absent(text)) from None
        near = _spelt_otherwise(text)
        rest = f": {near}" if near else f". {error}"
        raise ScopeError(f"There is no file or folder '{text}' here{rest}") from None


def _absent(path: str | Path) -> str:
    hint = _spelt_otherwise(path) or "check the path, or see `codeindex repos` for names."
    return f"There is no file or folder '{path}': {hint}"


def _spelt_otherwise(path: str | Path) -> str:
    """Return a hint at the path that differs from `path` in case or Unicode form alone, or ''."""
    found = Path()
    try:
        for part in Path(path).expanduser().parts:
            exact, wanted = found / part, folded_form(part)
            entries = [exact] if os.path.lexists(exact) else found.iterdir()
            found = next(entry for entry in entries if folded_form(entry.name) == wanted)
    except (OSError, RuntimeError, StopIteration, ValueError):
        return ""
    return "" if str(found) == str(path) else f"did you mean '{found}'?"

"""Find work trees, their git folders, and what is checked out."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import GitError
from codeindex.git.folders import GitFolders
from codeindex.git.process import TIMEOUT, find_git, git_error_message, git_process, run_git


@dataclass(frozen=True, slots=True)
class GitHead:
    """The checked-out branch and commit.

    `branch` is None if HEAD is detached, `commit` is None before the first commit.
    """

    branch: str | None
    commit: str | None


def find_work_tree(path: Path) -> Path | None:
    """Return the top folder of the work tree around `path`; None outside one, or without git.

    It looks for `.git` itself, because an untrusted repository can change git's answer by
    `core.worktree`.
    """
    if find_git() is None:
        return None
    resolved = path.resolve()
    if ".git" in resolved.parts:
        return None
    folders = (resolved, *resolved.parents)
    return next((folder for folder in folders if has_repository(folder)), None)


def read_head(root: Path) -> GitHead:
    """Return branch and commit of the work tree at `root`."""
    arguments = ("HEAD^{commit}", "--symbolic-full-name", "HEAD")  # one process: it runs often
    process = git_process("rev-parse", "--quiet", *arguments, cwd=root, timeout=TIMEOUT)
    if process.returncode:  # before the first commit
        return GitHead(_line_or_none("symbolic-ref", "--quiet", "--short", "HEAD", cwd=root), None)
    commit, *names = process.stdout.decode(errors="replace").split() or (None,)
    name = names[0] if names else "HEAD"  # damaged references have no name; git does not fail
    return GitHead(name.removeprefix("refs/heads/") if name != "HEAD" else None, commit)


def resolve_commit(root: Path, name: str) -> str:
    """Return the hash of the commit that a branch, tag or revision expression names.

    Raise GitError if there is no such commit, and for an exclusion like `^main`. A `name` that
    starts with a dash is not read as an option.
    """
    arguments = ("--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    commit = run_git("rev-parse", *arguments, cwd=root).decode("ascii").strip()
    if commit.startswith("^"):
        raise GitError(f"{name!r} excludes a commit: name the commit itself.")
    return commit


def resolve_git_folders(root: Path) -> GitFolders:
    """Return the git folders of the work tree at `root`, with links resolved."""
    options = ("--absolute-git-dir", "--git-common-dir")  # one by one: names can contain newlines
    outputs = (run_git("rev-parse", option, cwd=root) for option in options)
    own, common = (os.fsdecode(output.removesuffix(b"\n")) for output in outputs)
    return GitFolders(Path(own).resolve(), (root / common).resolve())


def read_hooks_path(root: Path) -> tuple[str, str]:
    """Return (value, scope) of `core.hooksPath`, scope like `local`; ('', '') if it is not set.

    The value that `codeindex.git.process` sets to disable hooks has the scope `command` and is
    skipped.
    """
    arguments = ("-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    process = git_process("config", *arguments, cwd=root, timeout=TIMEOUT)
    fields = iter(os.fsdecode(process.stdout).split("\0")[:-1])
    values = [(value, scope) for scope, value in zip(fields, fields, strict=True)]
    configured = (entry for entry in reversed(values) if entry[1] != "command")
    return next(configured, ("", ""))


def is_shallow(root: Path) -> bool:
    """Tell whether the repository is a shallow clone, in which counts of commits are too low."""
    return run_git("rev-parse", "--is-shallow-repository", cwd=root).strip() == b"true"


def has_repository(folder: Path) -> bool:
    """Tell whether `folder` is the top of a work tree: it has a `.git` file or a `.git` folder.

    A `.git` folder without a HEAD does not count.
    """
    entry = folder / ".git"
    try:
        mode = entry.stat().st_mode
        return stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and (entry / "HEAD").exists())
    except OSError:
        return False


def _line_or_none(command: str, *args: str, cwd: Path) -> str | None:
    """Run a git command that prints one line; return the line, None if nothing is printed.

    Exit status 1 is no error, because with `--quiet` it means that there is no value.
    """
    process = git_process(command, *args, cwd=cwd, timeout=TIMEOUT)
    if process.returncode > 1:
        raise GitError(git_error_message(command, cwd, process.stderr))
    return process.stdout.decode(errors="replace").strip() or None

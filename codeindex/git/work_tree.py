"""What work tree a path is of, where git keeps its own files, and what is checked out."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import GitError
from codeindex.git.hang_guard import git_folders
from codeindex.git.process import TIMEOUT, find_git, git_error_message, git_process, run_git


@dataclass(frozen=True, slots=True)
class GitHead:
    """What is checked out: no branch when detached, no commit before the first one."""

    branch: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class GitFolders:
    """Where git keeps its own files: `own` of this work tree, `common` of all that share them."""

    own: Path
    common: Path


def find_work_tree(path: Path) -> Path | None:
    """Return the work tree that `path` is in, or None where there is none or no git.

    It is looked for here and not asked for: git would answer with whatever `core.worktree` of an
    untrusted repository says.
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
    asked = ("HEAD^{commit}", "--symbolic-full-name", "HEAD")  # in one start: each sync asks
    done = git_process("rev-parse", "--quiet", *asked, cwd=root, timeout=TIMEOUT)
    if done.returncode:  # before the first commit
        return GitHead(_line_or_none("symbolic-ref", "--quiet", "--short", "HEAD", cwd=root), None)
    commit, *names = done.stdout.decode(errors="replace").split() or (None,)
    name = names[0] if names else "HEAD"  # damaged references have no name, and no failure
    return GitHead(name.removeprefix("refs/heads/") if name != "HEAD" else None, commit)


def resolve_commit(root: Path, name: str) -> str:
    """Return the digest of the commit that a branch, tag or expression names; GitError for none.

    What is typed is never an option, and never leaves commits out, as `^main` does.
    """
    asked = ("--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    found = run_git("rev-parse", *asked, cwd=root).decode("ascii").strip()
    if found.startswith("^"):
        raise GitError(f"{name!r} leaves a commit out: name the commit itself.")
    return found


def resolve_git_folders(root: Path) -> GitFolders:
    """Return the folders that belong to the work tree at `root`, resolved."""
    asked = ("--absolute-git-dir", "--git-common-dir")  # one by one: names may hold any line's end
    said = (run_git("rev-parse", one, cwd=root) for one in asked)
    own, common = (os.fsdecode(one.removesuffix(b"\n")) for one in said)
    return GitFolders(Path(own).resolve(), (root / common).resolve())


def read_hooks_path(root: Path) -> tuple[str, str]:
    """Return `core.hooksPath` and whose it is (`local`, `global`, …); '' and '' for none.

    Ours, which keeps hooks from being run, is told from the others by its scope.
    """
    asked = ("-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    done = git_process("config", *asked, cwd=root, timeout=TIMEOUT)
    fields = iter(os.fsdecode(done.stdout).split("\0")[:-1])
    found = [(value, scope) for scope, value in zip(fields, fields, strict=True)]
    return next((one for one in reversed(found) if one[1] != "command"), ("", ""))


def is_shallow(root: Path) -> bool:
    """Tell whether the history is cut off, so that counting commits says little."""
    return run_git("rev-parse", "--is-shallow-repository", cwd=root).strip() == b"true"


def read_git_folders(top: Path) -> GitFolders:
    """Return the folders that the files of a work tree name, which may not be there.

    They are read as git would, for each sync asks: no process is started.
    """
    return GitFolders(*git_folders(top))


def has_repository(folder: Path) -> bool:
    """Tell whether `folder` is the top of a work tree, as git would: an empty `.git` is none."""
    entry = folder / ".git"
    try:
        mode = entry.stat().st_mode
        return stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and (entry / "HEAD").exists())
    except OSError:
        return False


def _line_or_none(command: str, *args: str, cwd: Path) -> str | None:
    """Return the first line; with `--quiet`, git says "there is none" by exit code 1."""
    done = git_process(command, *args, cwd=cwd, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(git_error_message(command, cwd, done.stderr))
    return done.stdout.decode(errors="replace").strip() or None

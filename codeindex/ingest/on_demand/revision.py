"""Compare the files on disk with a commit, and read files as they are in that commit."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError, QueryError
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.languages import language_for_path
from codeindex.types import FileChange, PreparedFile, SourceFile

_RENAMED = b"RC"
_NEAREST = 3


def commit_to_index(root: Path, ref: str) -> str:
    """Return the hash of the commit that a branch, tag or revision expression names.

    Raise QueryError if there is none, or if `root` is in no git repository.
    """
    if git.find_work_tree(root) is None:
        git.require_git()
        raise QueryError(f"'{root}' is in no git repository: there is nothing to compare with.")
    try:
        return git.resolve_commit(root, ref)
    except GitError as error:
        raise QueryError(f"git knows no commit {ref!r} here{_hint(root, ref)}") from error


def _hint(root: Path, ref: str) -> str:
    """Return the last part of the error message for an unknown commit.

    It names similar branches and tags, or gives advice.
    """
    names = git.run_git("for-each-ref", "--format=%(refname:short)", cwd=root).decode(
        errors="replace"
    )
    near = difflib.get_close_matches(ref, names.split(), _NEAREST)
    if near:
        return f": did you mean {' or '.join(near)}?"
    shallow = " (the clone is shallow: `git fetch --unshallow` gets the rest)"
    return f"{shallow if git.is_shallow(root) else ''}: name a branch, a tag, or HEAD~3."


def changes_since(root: Path, commit: str) -> tuple[FileChange, ...]:
    """Return the files below `root` that differ from the commit, including untracked files."""
    options = ("--name-status", "-z", "--relative", "--find-renames", commit, "--")
    found = {
        change.path: change for change in _parse_changes(git.run_git("diff", *options, cwd=root))
    }
    for raw, lines in git.find_unnoticed_changes(root, commit, git.list_tracked(root)):
        path = raw.decode("utf-8", "replace")
        found[path] = FileChange(path, "modified" if lines else "removed", path)
    untracked = git.run_git("ls-files", "-z", "--others", "--exclude-standard", cwd=root)
    for name in filter(None, untracked.split(b"\0")):
        path = name.decode("utf-8", "replace")
        gone = found.get(path)  # removed from git's index, but still on the disk
        is_back = gone is not None and gone.status == "removed"
        found[path] = (
            FileChange(path, "modified", path) if is_back else FileChange(path, "added", "")
        )
    return tuple(found[path] for path in sorted(found))


def _parse_changes(output: bytes) -> Iterator[FileChange]:
    fields = iter(output.rstrip(b"\0").split(b"\0") if output else ())
    for status in fields:
        path = next(fields).decode("utf-8", "replace")
        if status[:1] in _RENAMED:
            yield FileChange(next(fields).decode("utf-8", "replace"), "modified", path)
        elif status == b"A":
            yield FileChange(path, "added", "")
        else:
            yield FileChange(path, "removed" if status == b"D" else "modified", path)


def read_files_at(
    pool: WorkerPool, paths: Iterable[str], *, commit: str
) -> dict[str, PreparedFile]:
    """Return the files at `paths` as of `commit`, by their paths in the commit.

    They are parsed and redacted like files on disk. Only files in languages with symbols are read.
    """
    wanted = []
    for path in paths:
        language = language_for_path(path)
        if language and language.symbols:
            wanted.append(SourceFile(path, language.name, 0, 0, 0, revision=commit))
    return {file.path: file for file in pool.prepare(wanted)}

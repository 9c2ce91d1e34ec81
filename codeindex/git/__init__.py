"""Run git for reading, without running programs that a repository configures.

In: a folder and a read command. Out: git's output, or a GitError.
A repository's configuration can name programs for its pager, diffs, filters, file watcher,
signatures and transports; reading an untrusted repository must start none of them.
"""

from __future__ import annotations

from codeindex.git.folders import GitFolders, find_git_dir, read_git_folders
from codeindex.git.listing import (
    TrackedPath,
    filter_ignored,
    find_ignore_rule,
    ignore_settings,
    list_files,
    list_ignored_files,
    list_ignored_folders,
    list_tracked,
    list_unchecked_files,
)
from codeindex.git.process import git_version, require_git, run_git
from codeindex.git.unnoticed import find_unnoticed_changes
from codeindex.git.work_tree import (
    GitHead,
    find_work_tree,
    has_repository,
    is_shallow,
    read_head,
    read_hooks_path,
    resolve_commit,
    resolve_git_folders,
)

__all__ = [
    "GitFolders",
    "GitHead",
    "TrackedPath",
    "filter_ignored",
    "find_git_dir",
    "find_ignore_rule",
    "find_unnoticed_changes",
    "find_work_tree",
    "git_version",
    "has_repository",
    "ignore_settings",
    "is_shallow",
    "list_files",
    "list_ignored_files",
    "list_ignored_folders",
    "list_tracked",
    "list_unchecked_files",
    "read_git_folders",
    "read_head",
    "read_hooks_path",
    "require_git",
    "resolve_commit",
    "resolve_git_folders",
    "run_git",
]

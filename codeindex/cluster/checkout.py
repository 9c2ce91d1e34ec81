"""Keep a work tree of each repository that this machine builds or serves, at one commit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import filelock

from codeindex.cluster.repository_list import RepositorySource
from codeindex.config import data_home
from codeindex.errors import LockedError
from codeindex.git.fetch import check_out_commit
from codeindex.store.datadir.home import checkouts_folder, prepare_home, register, repositories

_LOCK_SECONDS = 600.0
"""Longest wait for another process of this machine that builds or loads the same repository."""
INDEX_FLAGS = {"search.fresh": False}
"""Settings of an index of a checkout. Queries do not look for edited files, because nobody edits a
checkout; files that an answer cites are still compared with the index."""


def checkout_folder(source: RepositorySource) -> Path:
    """Return the folder of this machine for the checkout of a repository; it need not exist."""
    digest = hashlib.sha256(f"{source.name}\0{source.url}\0{source.branch}".encode()).hexdigest()
    return checkouts_folder(data_home()) / digest[:16]


@contextmanager
def locked_checkout(source: RepositorySource, commit: str) -> Iterator[Path]:
    """Check out a commit of a repository, and lock the work tree during the block.

    Yield the work tree. If the repository had another address or branch before, the index of that
    work tree is renamed. Raise GitError if the commit cannot be fetched, and LockedError if another
    process holds the lock for ten minutes.
    """
    folder = checkout_folder(source)
    prepare_home(data_home())
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        with filelock.FileLock(f"{folder}.lock", timeout=_LOCK_SECONDS, mode=0o600):
            check_out_commit(folder, source.url, commit)
            _rename_former_index(source.name, folder.resolve())
            yield folder
    except filelock.Timeout as error:
        raise LockedError(
            f"'{source.name}' is being built or loaded by another process of this machine: try"
            " again later."
        ) from error


def _rename_former_index(name: str, folder: Path) -> None:
    """Rename the index called `name` if its work tree is another checkout than `folder`.

    Another checkout exists if the repository had another address or branch before. Indexes outside
    of this machine's checkouts are not renamed. A program that still serves the former index goes
    on.
    """
    for former in repositories(data_home()):
        if former.name == name and former.root.parent == folder.parent and former.root != folder:
            register(replace(former, name=f"{name}-{former.root.name}"), rename=True)

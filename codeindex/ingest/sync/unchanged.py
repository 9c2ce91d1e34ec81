"""Skip the stages of a sync if the tree is as the last sync left it.

Discovery classifies every path, which takes 17 µs a file; comparing size and times takes 3. So the
catalog keeps what else the last discovery depended on.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sqlite3
from pathlib import Path

from codeindex import git
from codeindex.config import data_home
from codeindex.errors import GitError
from codeindex.freshness.tree_scan import watched_times
from codeindex.ingest.discover.exclusions import TEST_FOLDERS, exclusion_rows, output_folders
from codeindex.ingest.read.documents.pdf import is_pdf_supported
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import unordered_stats
from codeindex.store.catalog.skipped_files import skipped_paths
from codeindex.store.catalog.watched_places import read_watched
from codeindex.types import Discovery

_NOTE = "discovery"
"""Key of `meta` for the last discovery of the whole tree: `inputs`, the result of
`discovery_inputs`, and `notes`."""
_SUBMODULES = ".gitmodules"


def discovery_inputs(root: Path) -> str:
    """Return a digest of what affects discovery besides files, folders and settings.

    This is the built-in rules, the data folder, the support of PDFs, and the settings of git. It is
    "" if git fails, and for a tree with submodules, because their git indexes are not watched.
    """
    if (root / _SUBMODULES).exists():
        return ""
    top = git.find_work_tree(root)
    try:
        settings = git.ignore_settings(root) if top else None
    except GitError:
        return ""
    parts = (_built_in_rules(), is_pdf_supported(), str(data_home()), str(top), settings)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _built_in_rules() -> str:
    tests = sorted((name, language.tests) for name, language in LANGUAGES.items())
    outputs = sorted((folder, sorted(files)) for folder, files in output_folders().items())
    return hashlib.sha256(
        repr((exclusion_rows(), outputs, TEST_FOLDERS, tests)).encode()
    ).hexdigest()


def record_discovery(catalog: Catalog, inputs: str, discovery: Discovery) -> None:
    """Store the notes of a discovery, and its `inputs` (the result of `discovery_inputs`).

    Call it once all files of the discovery are in the catalog.
    """
    record = json.dumps({"inputs": inputs, "notes": discovery.notes})
    if catalog.note(_NOTE) != record:
        with catalog.writing():
            catalog.put_note(_NOTE, record)


def recorded_discovery(catalog: Catalog, root: Path, inputs: str) -> Discovery | None:
    """Return the last discovery, without its files, if a new one would find the same.

    Return None if the tree or `inputs` may have changed since.
    """
    known = json.loads(catalog.note(_NOTE) or "{}")
    if not inputs or known.get("inputs") != inputs:
        return None
    if not is_tree_unchanged(root, catalog.connection):
        return None
    return Discovery((), skipped_paths(catalog.connection), tuple(known["notes"]))


def is_tree_unchanged(root: Path, connection: sqlite3.Connection) -> bool:
    """Tell whether all files and watched paths have the recorded sizes and times.

    If so, no file was edited, added, removed or excluded since the last sync. If in doubt, the
    result is False: for a file whose times prove nothing, the sync recorded a time that no file
    has. It takes 3 µs a file.
    """
    top, lstat = f"{root}/", os.lstat
    try:
        for path, size, mtime_ns, ctime_ns in unordered_stats(connection):
            now = lstat(top + path)
            if now.st_ctime_ns != ctime_ns or now.st_mtime_ns != mtime_ns or now.st_size != size:
                return False
    except (OSError, ValueError):
        return False
    return all(
        times == watched[2:] for watched, times in watched_times(root, read_watched(connection))
    )

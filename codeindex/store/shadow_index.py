"""Manage shadow indexes: indexes under construction, and an index that an upgrade has replaced.

They lie in the folder of the index that they shadow. A shadow index is a `Repository` with the same
key, so that both use the same cache entries.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from codeindex.errors import DamagedError, NewerFormatError, StoreError
from codeindex.files.write import create_private_file
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository
from codeindex.store.locks.owner import is_locked

ShadowRole = Literal["rebuild", "upgrade", "former", "leaving"]
"""Indexes under construction are `rebuild` and `upgrade` (to another model). `former` is the index
that an upgrade has replaced; `leaving` is such an index before it is renamed to `former`."""
EXTERNAL_FILES = ("segments/*", "chroma/gen-*", "graph-*")
"""Globs of the files that a catalog refers to. Their names are random, so links to the files of one
index never replace files of another index."""
_MB = 1_000_000
TARGET_MODEL_NOTE = "upgrade_to"
"""Key in `meta`; the value is the id of the model with which a shadow index is being built."""


def shadow_of(repository: Repository, role: ShadowRole) -> Repository:
    """Return the shadow index of a repository with the role `role`; it need not exist.

    A shadow index lies in the folder of the index in use.
    """
    return replace(repository, folder=repository.folder / f"{role}-{repository.key}")


def delete_shadows(repository: Repository, *roles: ShadowRole) -> None:
    """Delete the second (shadow) indexes of a repository that have these roles."""
    for role in roles:
        shutil.rmtree(shadow_of(repository, role).folder, ignore_errors=True)


def published_state(repository: Repository) -> Generation:
    """Return the newest generation of an index.

    It is an empty one if the index is absent, damaged or of a newer version. Raise StoreError if
    the index cannot be read now, for example because too many files are open.
    """
    if not repository.catalog.exists():
        return Generation()
    try:
        with (
            translate_sqlite_errors(repository.catalog),
            Catalog.open(repository.catalog) as catalog,
        ):
            return catalog.generation()
    except (DamagedError, NewerFormatError):
        return Generation()


def link_external_files(source: Repository, target: Repository) -> None:
    """Hard-link the files of `source` outside of the catalog to `target`, or copy them.

    They are the segments, the Chroma collection and the exported graph.
    """
    for path in (path for pattern in EXTERNAL_FILES for path in source.folder.glob(pattern)):
        there = target.folder / path.relative_to(source.folder)
        there.parent.mkdir(mode=0o700, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, there, copy_function=_linked, dirs_exist_ok=True)
        else:
            _linked(path, there)


def _linked(source: str | Path, target: str | Path) -> None:
    """Hard-link `source` to `target`, replacing an earlier file; copy it if linking fails."""
    with suppress(OSError):
        if Path(target).samefile(source):
            return
        Path(target).unlink()
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def copy_catalog(source: Repository, target: Repository) -> None:
    """Replace the catalog of `target` by a copy of the catalog of `source`, in one transaction."""
    create_private_file(target.catalog)
    with (
        translate_sqlite_errors(target.catalog),
        closing(sqlite3.connect(source.catalog)) as given,
        closing(sqlite3.connect(target.catalog)) as taken,
    ):
        given.backup(taken)


@dataclass(frozen=True, slots=True)
class UpgradeStatus:
    """State of the change to another model; meanwhile a second index is built with that model.

    `live`, `making` and `former` are ids of models: of the index in use, of the one being built,
    and of the one that was replaced; '' if there is none. `done` of `chunks` chunks have a vector
    of the model `making`.
    """

    live: str
    making: str = ""
    done: int = 0
    chunks: int = 0
    is_running: bool = False
    former: str = ""
    former_bytes: int = 0
    is_kept: bool = False
    """Whether the index from before the last upgrade exists, even if that index had no model."""

    def sentences(self) -> tuple[str, ...]:
        """Return sentences about an unfinished change of model and a kept former index.

        They say what the user can do.
        """
        sentences = []
        if self.making:
            far = f"{self.done:,} of {self.chunks:,} chunks"
            go_on = f"`codeindex upgrade-embeddings --model {self.making}` goes on"
            state = "running" if self.is_running else f"interrupted, {go_on}"
            sentences.append(f"to {self.making}: {far}; {state}")
        if self.is_kept:
            sentences.append(
                f"{self.former or 'the index without a model'} from before the upgrade is kept"
                f" ({self.former_bytes / _MB:.1f} MB): `codeindex upgrade-embeddings --confirm`"
                " deletes it, `--back` returns to it"
            )
        return tuple(sentences)


def upgrade_status(repository: Repository) -> UpgradeStatus:
    """Return the state of a change to another model; remains of a finished change are ignored."""
    live = published_state(repository).model
    former, fresh = shadow_of(repository, "former"), shadow_of(repository, "upgrade")
    found = UpgradeStatus(model_id(live))
    if former.catalog.exists() and (kept := published_state(former)).model != live:
        size = disk_usage([former.folder])
        found = replace(found, former=model_id(kept.model), former_bytes=size, is_kept=True)
    if not fresh.catalog.exists() or (made := published_state(fresh)).model == live != "":
        return found
    wanted, chunks = _wanted(fresh)
    done = sum(segment.rows for segment in made.of_kind("dense"))
    return replace(
        found,
        making=model_id(made.model) or wanted,
        done=min(done, chunks),
        chunks=chunks,
        is_running=is_locked(fresh.folder),
    )


def _wanted(fresh: Repository) -> tuple[str, int]:
    """Return (id of the model for which the index is being built, number of its chunks).

    Return ("", 0) if the catalog cannot be read.
    """
    try:
        with translate_sqlite_errors(fresh.catalog), Catalog.open(fresh.catalog) as catalog:
            (chunks,) = catalog.connection.execute("SELECT count(*) FROM chunks").fetchone()
            return catalog.note(TARGET_MODEL_NOTE), chunks
    except StoreError:
        return "", 0


def model_id(identity: str) -> str:
    """Return the id of a model: `"name"` for the model identity `"name@digest/512"`."""
    return identity.partition("@")[0]

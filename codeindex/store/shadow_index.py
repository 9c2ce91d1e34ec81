"""Other indexes of a repository, in folders of its own: one being made, one that is kept.

Each is a `Repository` under the same key, so that the caches are the same.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from codeindex.errors import StoreError
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository, create_private_file
from codeindex.store.locks.owner import is_locked

ShadowRole = Literal["rebuild", "upgrade", "former", "leaving"]
"""Made anew; made with another model; kept from before an upgrade; on its way to be kept."""
EXTERNAL_FILES = ("segments/*", "chroma/gen-*", "graph-*")
"""What a catalog names beside itself; each has a random name, so that nothing is overwritten."""
_MB = 1_000_000
TARGET_MODEL_NOTE = "upgrade_to"
"""The note of a catalog that says which model it is being made with."""


def shadow_of(repository: Repository, role: ShadowRole) -> Repository:
    """Return where the index of this role is, or would be."""
    return replace(repository, folder=repository.folder / f"{role}-{repository.key}")


def delete_shadows(repository: Repository, *roles: ShadowRole) -> None:
    """Delete the indexes of these roles."""
    for role in roles:
        shutil.rmtree(shadow_of(repository, role).folder, ignore_errors=True)


def published_state(repository: Repository) -> Generation:
    """Return what an index has published; nothing if there is none, or none that can be read."""
    try:
        with (
            translate_sqlite_errors(repository.catalog),
            Catalog.open(repository.catalog) as catalog,
        ):
            return catalog.generation()
    except StoreError:
        return Generation()


def link_external_files(source: Repository, target: Repository) -> None:
    """Give what a catalog names to another folder too: by links where the disk has them."""
    for path in (path for pattern in EXTERNAL_FILES for path in source.folder.glob(pattern)):
        there = target.folder / path.relative_to(source.folder)
        there.parent.mkdir(mode=0o700, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, there, copy_function=_linked, dirs_exist_ok=True)
        else:
            _linked(path, there)


def _linked(source: str | Path, target: str | Path) -> None:
    """Link a file; copy it where links cannot be made, and over a copy that a kill cut short."""
    with suppress(OSError):
        if Path(target).samefile(source):
            return
        Path(target).unlink()
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def copy_catalog(source: Repository, target: Repository) -> None:
    """Put a catalog over another, in one transaction of that."""
    create_private_file(target.catalog)
    with (
        translate_sqlite_errors(target.catalog),
        closing(sqlite3.connect(source.catalog)) as given,
        closing(sqlite3.connect(target.catalog)) as taken,
    ):
        given.backup(taken)


@dataclass(frozen=True, slots=True)
class UpgradeStatus:
    """How far an upgrade of the model is; ids are '' where there is nothing of the kind."""

    live: str
    making: str = ""
    done: int = 0
    chunks: int = 0
    is_running: bool = False
    former: str = ""
    former_bytes: int = 0
    is_kept: bool = False
    """Whether the index of before the last upgrade is there; it may have been without a model."""

    def sentences(self) -> tuple[str, ...]:
        """Say what is under way or kept, and what to do about it."""
        said = []
        if self.making:
            far = f"{self.done:,} of {self.chunks:,} chunks"
            go_on = f"`codeindex upgrade-embeddings --model {self.making}` goes on"
            state = "running" if self.is_running else f"interrupted, {go_on}"
            said.append(f"to {self.making}: {far}; {state}")
        if self.is_kept:
            said.append(
                f"{self.former or 'the index without a model'} of before is kept"
                f" ({self.former_bytes / _MB:.1f} MB): `codeindex upgrade-embeddings --confirm`"
                " deletes it, `--back` returns to it"
            )
        return tuple(said)


def upgrade_status(repository: Repository) -> UpgradeStatus:
    """Look for an upgrade of an index; what is left of one that is over does not count."""
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
    """Return the model that an index is made with, and its chunks so far."""
    try:
        with translate_sqlite_errors(fresh.catalog), Catalog.open(fresh.catalog) as catalog:
            (chunks,) = catalog.connection.execute("SELECT count(*) FROM chunks").fetchone()
            return catalog.note(TARGET_MODEL_NOTE), chunks
    except StoreError:
        return "", 0


def model_id(identity: str) -> str:
    """Return the model's id of an identity `id@digest/max_tokens`."""
    return identity.partition("@")[0]

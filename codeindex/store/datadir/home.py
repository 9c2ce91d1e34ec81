"""The data folder and the repositories registered in it.

<home>/repos/<name>-<id8>/   one index; id8 is of the resolved root
<home>/cache/…  <home>/models/…
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO

from codeindex.errors import ScopeError, StoreError
from codeindex.redact_query import redact_text

_OFFERED = 8
"""Names that are offered in place of one that is unknown."""
_LONGEST_NAME = 60
"""Characters; four bytes each, a suffix and the id8 fit into the 255 bytes of a file name."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A root that is indexed under a name."""

    name: str
    root: Path
    folder: Path

    @property
    def key(self) -> str:
        return self.folder.name.rpartition("-")[2]

    @property
    def catalog(self) -> Path:
        return self.folder / "catalog.sqlite"

    @property
    def segments(self) -> Path:
        return self.folder / "segments"


def prepare_home(home: Path) -> None:
    """Make the data folder, private to its user; StoreError if it is not ours to use."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = home.stat()
    except OSError as error:
        raise StoreError(
            f"The data folder '{home}' cannot be made ({error.strerror}): set CODEINDEX_HOME to one"
            " that you can write."
        ) from error
    if hasattr(os, "getuid"):
        if info.st_uid != os.getuid():
            raise StoreError(
                f"The data folder '{home}' belongs to another user: set CODEINDEX_HOME to your own."
            )
        if stat.S_IMODE(info.st_mode) & 0o077:
            home.chmod(0o700)


def repositories(home: Path) -> list[Repository]:
    """Return every registered repository, by name."""
    found = map(_entry, sorted((home / "repos").glob("*/root.json")))
    return sorted((one for one in found if one is not None), key=lambda one: one.name)


def _entry(path: Path) -> Repository | None:
    """Read a registration; None for one that is absent, half made or no longer whole."""
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        return Repository(str(entry["name"]), Path(entry["root"]), path.parent)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def repository_at_root(home: Path, root: Path) -> Repository | None:
    """Return the repository registered for exactly this resolved root."""
    return next((one for one in repositories(home) if one.root == root), None)


def repository_by_name(home: Path, name: str) -> Repository:
    """Return the repository of that name; ScopeError lists the names that are nearest to it."""
    every = repositories(home)
    for one in every:
        if one.name == name:
            return one
    near = get_close_matches(name, [one.name for one in every], n=_OFFERED, cutoff=0)
    names = ", ".join(near) or "none yet"
    raise ScopeError(f"No repository is called {name!r} (indexed: {names}).")


def repository_for_root(home: Path, root: Path, *, name: str) -> Repository:
    """Return the repository of `root`, or what it would be: `name` or, if taken, `name-2`."""
    known = repository_at_root(home, root)
    if known is not None:
        return known
    taken = {one.name for one in repositories(home)}
    base = wanted = _as_name(redact_text(name))
    number = 2
    while wanted in taken:
        wanted = f"{base}-{number}"
        number += 1
    return Repository(wanted, root, _folder(home, root, wanted))


def repository_named(home: Path, root: Path, name: str) -> Repository:
    """Return the repository of `root` under a name that its user chose, a new one if need be.

    ScopeError if another repository has the name, or if none can.
    """
    if name != _as_name(name):
        raise ScopeError(f"No repository can be called {name!r}: choose '{_as_name(name)}'.")
    for one in repositories(home):
        if one.name == name and one.root != root:
            raise ScopeError(
                f"The repository of '{one.root}' is called {name!r} already: choose another name."
            )
    known = repository_at_root(home, root)
    return Repository(name, root, known.folder if known else _folder(home, root, name))


def _as_name(text: str) -> str:
    """Replace what a folder's name or a command line could misread."""
    return re.sub(r"[^\w.+-]+", "-", text)[:_LONGEST_NAME].strip("-.") or "root"


def _folder(home: Path, root: Path, name: str) -> Path:
    import hashlib  # 3 ms, for what is not registered yet

    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    return home / "repos" / f"{name}-{key}"


_FILES = ("catalog.sqlite", "root.json", "writer.lock", "writer.json", "flags.json", "tuned.json")
_FOLDERS = ("segments", "chroma")


def misplaced_paths(repository: Repository) -> list[Path]:
    """Return the folders that stand where an index has files, and the other way round."""
    files = (repository.folder / one for one in _FILES)
    folders = (repository.folder / one for one in _FOLDERS)
    return [
        *(one for one in files if one.exists() and not one.is_file()),
        *(one for one in folders if one.exists() and not one.is_dir()),
    ]


def move_misplaced_aside(repository: Repository) -> None:
    """Rename what is misplaced, so that it can be made again; OSError where that is not allowed."""
    import shutil

    for path in misplaced_paths(repository):
        aside = path.with_name(f"{path.name}.broken")
        shutil.rmtree(aside, ignore_errors=True)
        path.replace(aside)


def is_registered(repository: Repository) -> bool | None:
    """Tell whether it can be read whose index a folder is; None where nobody wrote it down."""
    entry = repository.folder / "root.json"
    return _entry(entry) is not None if entry.exists() else None


def register(repository: Repository, *, rename: bool = False) -> Repository:
    """Make the repository's folder and write down whose it is; return it as it is written down.

    A name that was written down before stays, unless `rename`; the folder keeps its first one.
    """
    entry = repository.folder / "root.json"
    try:
        move_misplaced_aside(repository)
    except OSError as error:
        raise StoreError(
            f"The index folder '{repository.folder}' cannot be put right ({error.strerror}): see"
            " who owns it."
        ) from error
    known = _entry(entry)
    if known is not None and not (rename and known.name != repository.name):
        return known
    try:
        repository.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps({"name": repository.name, "root": str(repository.root)})
        write_atomically(entry, text.encode())
    except OSError as error:
        raise StoreError(
            f"The index folder '{repository.folder}' cannot be made ({error.strerror}):"
            " see who owns it and whether the disk is full."
        ) from error
    return repository


def fingerprint_key_file(home: Path) -> Path:
    """Return where the key lies that secrets are told again by; it is made when first needed."""
    return home / "fingerprint.key"


def fingerprint_key(home: Path) -> bytes:
    """Return the key, made now if there is none: the first of two that make one wins."""
    import secrets

    prepare_home(home)
    file = fingerprint_key_file(home)
    with contextlib.suppress(FileExistsError):
        handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as new:
            new.write(secrets.token_bytes(32))
    return file.read_bytes()


def create_private_file(path: Path) -> None:
    """Make an empty file that its owner alone may read, if there is none.

    Whatever stands in the way shows when the file is opened for writing.
    """
    with contextlib.suppress(OSError):
        path.touch(mode=0o600, exist_ok=False)


@contextlib.contextmanager
def write_private_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that its owner alone may read; it is on the disk after the block."""
    create_private_file(path)
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Replace a small file so that a reader sees the old or the new one, never a part."""
    import tempfile  # 5 ms, for writers only

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

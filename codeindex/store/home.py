"""The data folder and the repositories registered in it.

<home>/repos/<name>-<id8>/   one index; id8 is of the resolved root
<home>/cache/…  <home>/models/…
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import ScopeError, StoreError

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
    def vectors(self) -> Path:
        return self.folder / "vectors"


def prepare_home(home: Path) -> None:
    """Make the data folder, private to its user; StoreError if it is not ours to use."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = home.stat()
    except OSError as error:
        raise StoreError(
            f"The data folder {home} cannot be made ({error.strerror}): set CODEINDEX_HOME to one"
            " that you can write."
        ) from error
    if hasattr(os, "getuid"):
        if info.st_uid != os.getuid():
            raise StoreError(
                f"The data folder {home} belongs to another user: set CODEINDEX_HOME to your own."
            )
        if stat.S_IMODE(info.st_mode) & 0o077:
            home.chmod(0o700)


def repositories(home: Path) -> list[Repository]:
    """Return every registered repository, by name."""
    found = []
    for path in sorted((home / "repos").glob("*/root.json")):
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            found.append(Repository(str(entry["name"]), Path(entry["root"]), path.parent))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # a folder being made or removed; doctor reports it
    return sorted(found, key=lambda one: one.name)


def at_root(home: Path, root: Path) -> Repository | None:
    """Return the repository registered for exactly this resolved root."""
    return next((one for one in repositories(home) if one.root == root), None)


def by_name(home: Path, name: str) -> Repository:
    """Return the repository of that name; ScopeError lists the names there are."""
    every = repositories(home)
    for one in every:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in every) or "none yet"
    raise ScopeError(f"No repository is called {name!r} (indexed: {names}).")


def repository_of(home: Path, root: Path, *, name: str) -> Repository:
    """Return the repository of `root`, or what it would be: `name` or, if taken, `name-2`."""
    known = at_root(home, root)
    if known is not None:
        return known
    taken = {one.name for one in repositories(home)}
    base = wanted = re.sub(r"[^\w.+-]+", "-", name)[:_LONGEST_NAME].strip("-.") or "root"
    number = 2
    while wanted in taken:
        wanted = f"{base}-{number}"
        number += 1
    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    return Repository(wanted, root, home / "repos" / f"{wanted}-{key}")


def register(repository: Repository) -> None:
    """Make the repository's folder and write down whose it is, if that was not done before."""
    entry = repository.folder / "root.json"
    if entry.exists():
        return
    try:
        repository.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps({"name": repository.name, "root": str(repository.root)})
        write_atomically(entry, text.encode())
    except OSError as error:
        raise StoreError(
            f"The index folder {repository.folder} cannot be made ({error.strerror})."
        ) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a small file so that a reader sees the old or the new one, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

"""Manage the data folder and the repositories registered in it.

<home>/repos/<name>-<id8>/   one index; id8 is the start of a digest of the resolved root
<home>/cache/…  <home>/models/…
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from codeindex.errors import ScopeError, StoreError
from codeindex.files.write import write_atomically
from codeindex.redact_query import redact_text

_OFFERED = 8
"""Number of names that are suggested for an unknown name."""
_LONGEST_NAME = 60
"""Most characters of a name. With four bytes each, a suffix and the id8, a folder name still fits
into 255 bytes."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository's root, the name under which it is registered, and the folder of its index."""

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
    """Create the data folder, private to the user; raise StoreError if it cannot be used."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = home.stat()
    except OSError as error:
        raise StoreError(
            f"The data folder '{home}' cannot be created ({error.strerror}): set CODEINDEX_HOME"
            " to one that you can write."
        ) from error
    refuse_other_owner(home)
    if hasattr(os, "getuid") and stat.S_IMODE(info.st_mode) & 0o077:
        home.chmod(0o700)


def refuse_other_owner(folder: Path) -> None:
    """Raise StoreError if `folder` belongs to another user.

    It is the data folder or a folder in it; it need not exist. Root could write to the folder of
    another user, who could not read what it writes.
    """
    if hasattr(os, "getuid") and folder.exists() and folder.stat().st_uid != os.getuid():
        raise StoreError(
            f"The data folder '{folder}' belongs to another user: set CODEINDEX_HOME to your own."
        )


def checkouts_folder(home: Path) -> Path:
    """Return the folder of the work trees that a cluster checks out.

    A repository there may have the same name as a repository that the user has indexed elsewhere.
    """
    return home / "cluster"


_UNREADABLE_NOW = {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
"""Error numbers that say nothing about the file itself."""


def repositories(home: Path) -> list[Repository]:
    """Return all registered repositories, sorted by name, without damaged registrations.

    If a checkout of a cluster has the same name as the user's own repository, the user's comes
    first. Raise StoreError if the data folder cannot be read.
    """
    try:
        folders = sorted((home / "repos").iterdir())  # glob hides errors since Python 3.13
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as error:
        raise StoreError(
            f"The data folder '{home}' cannot be read ({error.strerror}): see who owns it, or set"
            " CODEINDEX_HOME to your own."
        ) from error
    found = (_entry(folder / "root.json") for folder in folders)
    return sorted(
        (entry for entry in found if entry is not None),
        key=lambda entry: (entry.name, _is_checkout(home, entry.root)),
    )


def _is_checkout(home: Path, root: Path) -> bool:
    folder = checkouts_folder(home)
    return root.parent.name == folder.name and root.parent == folder.resolve()


def _entry(path: Path) -> Repository | None:
    """Read a registration; return None if it is absent, incomplete or damaged.

    Raise StoreError if the system cannot read it now: else an index would be said not to exist.
    """
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        return Repository(str(entry["name"]), Path(entry["root"]), path.parent)
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, OSError) and error.errno in _UNREADABLE_NOW:
            raise StoreError(f"'{path}' cannot be read now: {error.strerror}.") from error
        return None


def repository_at_root(home: Path, root: Path) -> Repository | None:
    """Return the repository registered for exactly this root, None if there is none.

    `root` is an absolute path without links.
    """
    return next((repository for repository in repositories(home) if repository.root == root), None)


def repository_by_name(home: Path, name: str) -> Repository:
    """Return the repository called `name`; without one, raise a ScopeError with similar names."""
    every = repositories(home)
    for repository in every:
        if repository.name == name:
            return repository
    near = get_close_matches(name, [repository.name for repository in every], n=_OFFERED, cutoff=0)
    names = ", ".join(near) or "none yet"
    raise ScopeError(f"No repository is called {name!r} (indexed: {names}).")


def repository_for_root(home: Path, root: Path, *, name: str) -> Repository:
    """Return the registered repository of `root`, or a new one that is not registered yet.

    The new one is named `name`, without secrets and without characters that are unsafe in file
    names. If another repository has this name, the new one is named `name-2`, `name-3` and so on.
    """
    known = repository_at_root(home, root)
    if known is not None:
        return known
    others = [each for each in repositories(home) if not _is_checkout(home, each.root)]
    names = {each.name for each in others}
    base = wanted = _as_name(redact_text(name))
    number = 2
    while wanted in names:
        wanted = f"{base}-{number}"
        number += 1
    return Repository(wanted, root, _folder(home, root, wanted))


def repository_named(home: Path, root: Path, name: str) -> Repository:
    """Return the repository of `root` with a name that the user chose, without registering it.

    Raise ScopeError if another repository has the name, or if the name is not valid. Only names of
    the same kind conflict: a checkout of a cluster may have the same name as the user's repository.
    """
    if name != _as_name(name):
        raise ScopeError(f"No repository can be called {name!r}: choose '{_as_name(name)}'.")
    is_checkout = _is_checkout(home, root)
    for repository in repositories(home):
        is_same_kind = _is_checkout(home, repository.root) == is_checkout
        if repository.name == name and repository.root != root and is_same_kind:
            raise ScopeError(
                f"The repository of '{repository.root}' is called {name!r} already:"
                " choose another name."
            )
    known = repository_at_root(home, root)
    return Repository(name, root, known.folder if known else _folder(home, root, name))


def _as_name(text: str) -> str:
    """Return a name for a folder: characters that are unsafe in it or on command lines become `-`.

    At most `_LONGEST_NAME` characters are kept; a name without safe characters becomes "root".
    """
    return re.sub(r"[^\w.+-]+", "-", text)[:_LONGEST_NAME].strip("-.") or "root"


def _folder(home: Path, root: Path, name: str) -> Path:
    import hashlib  # 3 ms, only for unregistered roots

    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    return home / "repos" / f"{name}-{key}"


_FILES = ("catalog.sqlite", "root.json", "writer.lock", "writer.json", "flags.json", "tuned.json")
_FOLDERS = ("segments", "chroma")


def misplaced_paths(repository: Repository) -> list[Path]:
    """Return an index's paths that are folders instead of files, or files instead of folders."""
    files = (repository.folder / name for name in _FILES)
    folders = (repository.folder / name for name in _FOLDERS)
    return [
        *(file for file in files if file.exists() and not file.is_file()),
        *(folder for folder in folders if folder.exists() and not folder.is_dir()),
    ]


def move_misplaced_aside(repository: Repository) -> None:
    """Rename the paths of `misplaced_paths` to `*.broken`, so that a sync can create them again."""
    import shutil

    for path in misplaced_paths(repository):
        aside = path.with_name(f"{path.name}.broken")
        shutil.rmtree(aside, ignore_errors=True)
        path.replace(aside)


def is_registered(repository: Repository) -> bool | None:
    """Tell whether the file `root.json`, which registers the repository, can be read.

    Return None if the file is missing.
    """
    entry = repository.folder / "root.json"
    return _entry(entry) is not None if entry.exists() else None


def register(repository: Repository, *, rename: bool = False) -> Repository:
    """Create the folder and registration of a repository; return the registered repository.

    A registered repository keeps its name unless `rename` is set. Its folder is never renamed.
    """
    entry = repository.folder / "root.json"
    try:
        move_misplaced_aside(repository)
    except OSError as error:
        raise StoreError(
            f"The index folder '{repository.folder}' cannot be repaired ({error.strerror}): see"
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
            f"The index folder '{repository.folder}' cannot be created ({error.strerror}):"
            " see who owns it and whether the disk is full."
        ) from error
    return repository


def fingerprint_key_file(home: Path) -> Path:
    """Return the path of the file with the secret key for fingerprints of secrets."""
    return home / "fingerprint.key"


def fingerprint_key(home: Path) -> bytes:
    """Return the secret key for fingerprints of secrets; create it if it is absent.

    If two processes create it at once, both return the key of the first. Raise StoreError if it
    cannot be created or read.
    """
    import secrets

    prepare_home(home)
    file = fingerprint_key_file(home)
    try:
        with contextlib.suppress(FileExistsError):
            handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as new:
                new.write(secrets.token_bytes(32))
        return file.read_bytes()
    except OSError as error:
        raise StoreError(
            f"The key '{file}' cannot be created or read ({error.strerror}): see who owns it."
        ) from error

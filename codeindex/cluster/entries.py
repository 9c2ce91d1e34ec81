"""Store which repositories a cluster has, with the commit of each one's bundle.

The store has `repositories/KEY.json`, the entry of a repository, and `bundles/KEY/`, its bundle.
KEY is a hash of the name, so that a name cannot lead out of the folder. An entry is written after
its bundle.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields

from codeindex.cluster.repository_list import RepositorySource
from codeindex.errors import CodeIndexError, GitError, SharingError
from codeindex.git.fetch import check_remote
from codeindex.ingest.bundle.layout import MANIFEST, PARTS_FOLDER, is_part_name
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.objects.open import open_store

ENTRY_FORMAT = 1
"""Version of the entry format; increase it when older readers could misread an entry."""
_FOLDER = "repositories"
_MOST_BYTES = 65_536
_MOST_CHARACTERS = 2_000
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_QUERY = re.compile("[?#]")
_READS = 16
"""Number of entries that are read concurrently; an object store answers in tens of milliseconds."""


@dataclass(frozen=True, slots=True)
class StoredRepository:
    """A repository in the store: its source, and the commit of which its stored index was built.

    `built_at`, the time of that build, is in seconds since 1970 by the clock of the builder; it is
    only displayed.
    """

    name: str
    url: str
    branch: str
    commit: str
    files: int
    built_at: int

    @property
    def source(self) -> RepositorySource:
        """The repository's name, and the address and branch for git to fetch from."""
        return RepositorySource(self.name, self.url, self.branch)


@dataclass(frozen=True, slots=True)
class StoredRepositories:
    """The repositories of an object store by name; `problems` has a message per unusable entry."""

    by_name: dict[str, StoredRepository]
    problems: tuple[str, ...]


def repository_key(name: str) -> str:
    """Return the key of a repository in object names: 32 hexadecimal digits made from its name."""
    return hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:32]


def bundle_place(place: str, name: str) -> str:
    """Return the folder or URL of a repository's bundle in the store at `place`."""
    end = _QUERY.search(place) if "://" in place else None
    at = end.start() if end else len(place)
    return f"{place[:at].rstrip('/')}/bundles/{repository_key(name)}{place[at:]}"


def write_entry(place: str, entry: StoredRepository) -> None:
    """Write or replace a repository's entry in the store at `place` (a folder or URL).

    The entry tells the source and the commit of the stored index. Raise SharingError if it fails.
    """
    data = json.dumps({"format": ENTRY_FORMAT, **asdict(entry)}, indent=1).encode()
    open_store(place).put(_entry_name(entry.name), data)


def read_entry(place: str, name: str) -> StoredRepository | None:
    """Return the entry of a repository in the store at `place`; None if there is none.

    Raise SharingError if the entry is malformed.
    """
    data = open_store(place).get(_entry_name(name), most=_MOST_BYTES)
    return None if data is None else parse_entry(data, _entry_name(name))


def open_listable(place: str) -> ObjectStore:
    """Open the store at `place`; raise SharingError if it is a web server, which lists nothing."""
    store = open_store(place)
    if not store.can_list:
        raise SharingError(
            f"'{store.place}' cannot tell which repositories it has: give a cluster a folder,"
            " `s3://…`, `gs://…` or `az://…`."
        )
    return store


def delete_entry(place: str, name: str) -> None:
    """Delete a repository's entry and its index from the store at `place` (a folder or URL).

    It is no error if they do not exist.
    """
    open_store(place).delete(_entry_name(name))
    bundle = open_store(bundle_place(place, name))
    for stored in (MANIFEST, *filter(is_part_name, bundle.names(PARTS_FOLDER))):
        bundle.delete(stored)


def read_entries(place: str) -> StoredRepositories:
    """Return the repositories that the object store at `place` (a folder or URL) has.

    An unusable entry becomes a message in `problems`. Raise SharingError if the store cannot be
    read or listed.
    """
    store = open_listable(place)
    names = [name for name in store.names(_FOLDER) if name.endswith(".json")]
    with ThreadPoolExecutor(_READS) as threads:
        found = list(threads.map(lambda name: _read(store, name), names))
    entries = [entry for entry in found if isinstance(entry, StoredRepository)]
    return StoredRepositories(
        {entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)},
        tuple(problem for problem in found if isinstance(problem, str)),
    )


def _read(store: ObjectStore, name: str) -> StoredRepository | str | None:
    data = store.get(name, most=_MOST_BYTES)
    if data is None:  # deleted meanwhile
        return None
    try:
        return parse_entry(data, name)
    except CodeIndexError as error:
        return str(error)


def parse_entry(data: bytes, name: str) -> StoredRepository:
    """Parse the entry in `data`; `name` is its file in the store, `repositories/KEY.json`.

    Raise SharingError if it is malformed, of a newer format, or of a repository with another key.
    """
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _malformed(name, "is not JSON") from error
    if not isinstance(given, dict) or type(given.get("format")) is not int:
        raise _malformed(name, "has no format")
    if given["format"] > ENTRY_FORMAT:
        raise SharingError(
            f"'{name}' was written by a newer codeindex (format {given['format']}, this one knows"
            f" {ENTRY_FORMAT}): upgrade codeindex-local on this machine."
        )
    kinds: Iterable[tuple[str, type]] = (
        (field.name, int if field.name in {"files", "built_at"} else str)
        for field in fields(StoredRepository)
    )
    if any(type(given.get(key)) is not kind for key, kind in kinds):
        raise _malformed(name, "lacks a field")
    entry = StoredRepository(
        **{field.name: given[field.name] for field in fields(StoredRepository)}
    )
    _check(entry, name)
    return entry


def _check(entry: StoredRepository, name: str) -> None:
    texts = (entry.name, entry.url, entry.branch)
    if any(len(text) > _MOST_CHARACTERS or not text.isprintable() for text in texts):
        raise _malformed(name, "has a text that cannot be printed")
    if _entry_name(entry.name) != name:
        raise _malformed(name, "is of another repository than its name says")
    if not _COMMIT.fullmatch(entry.commit):
        raise _malformed(name, "has no commit")
    try:
        check_remote(entry.url)
    except GitError as error:
        raise _malformed(name, "has no address of a repository") from error


def _entry_name(name: str) -> str:
    return f"{_FOLDER}/{repository_key(name)}.json"


def _malformed(name: str, problem: str) -> SharingError:
    return SharingError(f"'{name}' of the store {problem}: index its repository again.")

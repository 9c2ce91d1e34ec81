"""Read a bundle: fetch its parts, verify them, and find the record of a file."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from codeindex.errors import SharingError
from codeindex.ingest.bundle.layout import (
    MANIFEST,
    MOST_MANIFEST_BYTES,
    MOST_PART_BYTES,
    BundleManifest,
    BundlePart,
    BundleVersions,
    parse_manifest,
    unpack_part,
)
from codeindex.ingest.bundle.record_place import RecordPlace
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.segments.vector_codes import are_codes, decode_vectors
from codeindex.types.array_types import Vector

_FETCHES = 8
"""Parts that are fetched at a time: an object store answers in tens of milliseconds."""
_KEY_BYTES = 32
_PATH = re.compile(rb'\{"path":("(?:[^"\\]|\\.)*"),')
Report = Callable[[int, int], None]
"""Called with (parts fetched, parts in all)."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle whose records (parses of files) and edges were fetched to this machine.

    `notes` are sentences about the parts that cannot be used.
    """

    manifest: BundleManifest
    notes: tuple[str, ...]
    _places: dict[str, RecordPlace]
    _edges: tuple[Path, ...]
    _fetch: Callable[[BundlePart], Path]

    def locate(self, path: str) -> RecordPlace | None:
        """Return where the record of the file at `path` is stored; None if there is none."""
        return self._places.get(path)

    def edge_lines(self) -> Iterator[bytes]:
        """Yield one line of JSON for each file: its edges in the bundle."""
        for path in self._edges:
            with path.open("rb") as handle:
                yield from handle

    def vectors(self, model: str, dimension: int) -> BundleVectors | None:
        """Fetch the vectors; return None if the bundle has none of this model and dimension."""
        manifest = self.manifest
        if (manifest.model, manifest.dimension) != (model, dimension) or not manifest.vectors:
            return None
        return BundleVectors(map(self._fetch, manifest.vectors), dimension)


class BundleVectors:
    """The vectors of a bundle in memory-mapped files, by the digest of model and text.

    Nothing proves that a vector belongs to its digest. So these vectors never enter the embedding
    cache, which indexes of other repositories use.
    """

    def __init__(self, files: Iterator[Path], dimension: int) -> None:
        row = np.dtype([("key", f"V{_KEY_BYTES}"), ("codes", "i1", (dimension,))])
        # an empty file cannot be mapped
        filled = (file for file in files if file.stat().st_size)
        self._parts = [np.memmap(file, dtype=row, mode="r") for file in filled]
        self._rows = {
            key.tobytes(): (number, at)
            for number, part in enumerate(self._parts)
            for at, key in enumerate(part["key"])
        }

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        """Return {key: vector} for those of `keys` that the bundle has.

        A key is a hexadecimal digest of model and text. Rows that code no unit vector are left out.
        """
        found = {}
        for key in keys:
            place = self._rows.get(bytes.fromhex(key))
            if place is not None:
                codes = np.array(self._parts[place[0]]["codes"][place[1]])
                if are_codes(codes):
                    found[key] = decode_vectors(codes)
        return found


@contextmanager
def open_bundle(
    store: ObjectStore, folder: Path, versions: BundleVersions, report: Report
) -> Iterator[Bundle]:
    """Fetch a bundle into `folder`, and delete the folder after the `with` block.

    Parses that were made with other `versions` are not fetched; `report` is called with (parts
    fetched, parts in all). Raise SharingError if there is no bundle, if it is damaged or malformed,
    or if the store cannot be reached.
    """
    manifest = read_manifest(store)
    if manifest is None:
        raise SharingError(
            f"There is no bundle in '{store.place}': write one there with `codeindex export --to`."
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield _fetch_bundle(store, folder, manifest, versions, report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_manifest(store: ObjectStore) -> BundleManifest | None:
    """Return the manifest of a store; None if the store has no bundle.

    Raise SharingError if the manifest is malformed.
    """
    data = store.get(MANIFEST, most=MOST_MANIFEST_BYTES)
    return None if data is None else parse_manifest(data)


def _fetch_bundle(
    store: ObjectStore,
    folder: Path,
    manifest: BundleManifest,
    versions: BundleVersions,
    report: Report,
) -> Bundle:
    def fetch(part: BundlePart) -> Path:
        return _fetch(store, folder, part)

    if manifest.versions != versions:
        return Bundle(manifest, (_other_versions(manifest, versions),), {}, (), fetch)
    parts = (*manifest.records, *manifest.edges)
    _check_space(folder, manifest)
    with ThreadPoolExecutor(_FETCHES) as threads:
        files = []
        for number, file in enumerate(threads.map(fetch, parts), 1):
            report(number, len(parts))
            files.append(file)
    records = files[: len(manifest.records)]
    places = dict(place for file in records for place in _places(file))
    return Bundle(manifest, (), places, tuple(files[len(records) :]), fetch)


def _check_space(folder: Path, manifest: BundleManifest) -> None:
    """Raise SharingError if the parts would take more than half of the free space in `folder`.

    A part of 65 kB can unpack to 64 MB, so that a small bundle could fill a disk.
    """
    unpacked = sum(part.unpacked for part in manifest.parts)
    if unpacked > shutil.disk_usage(folder).free // 2:
        raise SharingError(
            f"The bundle unpacks to {unpacked // 10**6:,} MB, more than half of the free space of"
            f" '{folder.parent}': free some, or index without it. Nothing was changed."
        )


def _fetch(store: ObjectStore, folder: Path, part: BundlePart) -> Path:
    """Fetch and verify one part; return the file with its unpacked bytes."""
    file = folder / part.digest
    if not file.exists():
        packed = store.get(part.name, most=MOST_PART_BYTES)
        if packed is None:
            raise SharingError(
                f"The bundle in '{store.place}' is incomplete: part {part.digest[:12]} is missing."
                " Try again if somebody is writing it now, else export it again."
            )
        file.write_bytes(unpack_part(part, packed))
    return file


def _places(file: Path) -> Iterator[tuple[str, RecordPlace]]:
    """Yield (path of the recorded file, place of the record) for each record in a part."""
    offset = 0
    with file.open("rb") as handle:
        for line in handle:
            path = _recorded_path(line)
            if path:
                yield path, RecordPlace(str(file), offset, len(line))
            offset += len(line)


def _recorded_path(line: bytes) -> str:
    """Return the path at the beginning of a record; '' if it is malformed."""
    start = _PATH.match(line)
    try:
        path: str = json.loads(start[1]) if start else ""
    except ValueError:
        return ""
    return path


def _other_versions(manifest: BundleManifest, versions: BundleVersions) -> str:
    made = manifest.versions
    if made.grammars != versions.grammars:
        return (
            f"The bundle was parsed by other grammars ({made.grammars}; here:"
            f" {versions.grammars}), so the files are parsed here."
        )
    is_newer = (made.catalog, made.content) > (versions.catalog, versions.content)
    return (
        f"The bundle was written by {'a newer' if is_newer else 'an older'} codeindex, so the files"
        f" are parsed here: {'upgrade codeindex-local' if is_newer else 'export it again'}."
    )

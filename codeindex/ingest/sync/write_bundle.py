"""Write a bundle: the parses, edges and vectors of an index, in parts named by their digest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeindex.config import Config
from codeindex.errors import NotIndexedError, SharingError
from codeindex.graph.update import TREE_NOTE
from codeindex.ingest.bundle.layout import (
    MANIFEST,
    MOST_MANIFEST_BYTES,
    MOST_PART_BYTES,
    PART_BYTES,
    PARTS_FOLDER,
    BundleManifest,
    BundlePart,
    dump_manifest,
    is_own_manifest,
    is_part_name,
    pack_part,
    parse_manifest,
    vector_row_bytes,
)
from codeindex.ingest.bundle.records import record_line
from codeindex.ingest.sync.bundle_versions import current_versions
from codeindex.ingest.sync.embedding import embedding_cache_key, text_to_embed
from codeindex.ingest.sync.settings_digest import matches_settings
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.catalog.parsed_files import parsed_chunks, parsed_files, parsed_symbols
from codeindex.store.datadir.home import Repository
from codeindex.store.graph.stored_resolutions import portable_resolutions
from codeindex.store.objects.object_store import ObjectStore
from codeindex.store.segments.checksums import intact_rows
from codeindex.store.segments.vectors import live_chunk_ids, match_live, read_segment

_STORED = 0
"""Compression level of vectors: their bytes are noise."""


@dataclass(frozen=True, slots=True)
class BundleSummary:
    """The manifest of a written bundle, and the address of its store (`place`).

    `new_bytes` is the size of the parts that the store did not have yet.
    """

    place: str
    manifest: BundleManifest
    new_bytes: int

    @property
    def total_bytes(self) -> int:
        """The bytes of all parts as stored, compressed."""
        return sum(part.size for part in self.manifest.parts)


def write_bundle(repository: Repository, store: ObjectStore, config: Config) -> BundleSummary:
    """Write the published index of a repository as a bundle, in place of an earlier bundle.

    The manifest comes last, so that readers find the old or the new bundle. Parts of the former
    bundle are kept for its readers, older ones are deleted. Raise NotIndexedError if the index is
    not complete, and SharingError if it was made with other settings than `config`, if the store
    cannot be written or has a manifest of another tool.
    """
    former = _former_manifest(store)
    with (
        translate_sqlite_errors(repository.catalog),
        Catalog.open(repository.catalog) as catalog,
        catalog.reading() as generation,
    ):
        if not generation.complete:
            raise NotIndexedError("The index is not finished yet: run `codeindex index` first.")
        if not generation.settings or not matches_settings(generation.settings, config):
            raise SharingError(
                "The rules for secrets and files, or codeindex itself, changed after the last sync:"
                " run `codeindex sync`, then export."
            )
        writer = _PartWriter(store)
        records = tuple(writer.write(_records(catalog)))
        edges = tuple(writer.write(_edges(catalog)))
        tree = catalog.note(TREE_NOTE)
        dimension, vectors = _write_vectors(repository, catalog, generation, writer)
    manifest = BundleManifest(
        repository=repository.name,
        commit=generation.head,
        versions=current_versions(),
        tree=tree,
        model=generation.model if vectors else "",
        dimension=dimension,
        files=sum(part.rows for part in records),
        records=records,
        edges=edges,
        vectors=vectors,
    )
    store.put(MANIFEST, dump_manifest(manifest))
    if former:
        _delete_old_parts(store, (*manifest.parts, *former.parts))
    return BundleSummary(store.place, manifest, writer.new_bytes)


def _former_manifest(store: ObjectStore) -> BundleManifest | None:
    """Return the manifest that the new bundle will replace; None if it is missing or malformed.

    Raise SharingError if the place has a `manifest.json` that is no bundle's.
    """
    data = store.get(MANIFEST, most=MOST_MANIFEST_BYTES)
    if data is None:
        return None
    if not is_own_manifest(data):
        raise SharingError(
            f"'{store.place}' has a {MANIFEST} that is not of a bundle: give the bundle a folder of"
            " its own."
        )
    try:
        return parse_manifest(data)
    except SharingError:
        return None


class _PartWriter:
    """Compresses parts, and writes those that the store does not have yet."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self.new_bytes = 0

    def write(self, lines: Iterable[bytes]) -> Iterator[BundlePart]:
        """Write lines of JSON as parts of about `PART_BYTES` each; yield the parts."""
        block: list[bytes] = []
        size = 0
        for line in lines:
            if size and size + len(line) > PART_BYTES:
                yield self.put(b"".join(block), len(block))
                block, size = [], 0
            block.append(line)
            size += len(line)
        if block:
            yield self.put(b"".join(block), len(block))

    def put(self, data: bytes, rows: int, *, level: int = 6) -> BundlePart:
        """Compress `data` and write it as one part, unless the store has this part already.

        Return the description of the part. `rows` is the number of records, `level` the compression
        level.
        """
        part, packed = pack_part(data, rows, level=level)
        if not self._store.exists(part.name):
            self._store.put(part.name, packed)
            self.new_bytes += len(packed)
        return part


def _records(catalog: Catalog) -> Iterator[bytes]:
    connection = catalog.connection
    for file in parsed_files(connection):
        symbols, chunks = parsed_symbols(connection, file.id), parsed_chunks(connection, file.id)
        line = record_line(file, symbols, chunks)
        if line and len(line) <= MOST_PART_BYTES:
            yield line


def _edges(catalog: Catalog) -> Iterator[bytes]:
    for resolution in portable_resolutions(catalog.connection):
        line = json.dumps(resolution, separators=(",", ":")).encode("ascii") + b"\n"
        if len(line) <= MOST_PART_BYTES:
            yield line


def _write_vectors(
    repository: Repository, catalog: Catalog, generation: Generation, writer: _PartWriter
) -> tuple[int, tuple[BundlePart, ...]]:
    """Write all vectors that have a valid checksum; return (dimension, parts written).

    The dimension is the number of components of a vector.
    """
    parts: list[BundlePart] = []
    dimension = 0
    live = live_chunk_ids(catalog)
    for segment in generation.of_kind("dense"):
        ids, codes = read_segment(repository.segments, segment)
        dimension = codes.shape[1]
        alive, _ = match_live(live, ids)
        alive = alive[intact_rows(repository.segments, segment, ids, codes)[alive]]
        step = max(1, PART_BYTES // vector_row_bytes(dimension))
        for start in range(0, len(alive), step):
            block = alive[start : start + step]
            keys = (
                embedding_cache_key(generation.model, text_to_embed(catalog, chunk_id))
                for chunk_id in ids[block].tolist()
            )
            data = b"".join(
                bytes.fromhex(key) + row.tobytes()
                for key, row in zip(keys, codes[block], strict=True)
            )
            parts.append(writer.put(data, len(block), level=_STORED))
    return dimension if parts else 0, tuple(parts)


def _delete_old_parts(store: ObjectStore, kept: Iterable[BundlePart]) -> None:
    """Delete the parts of earlier bundles, and no file that is not named as a part is."""
    names = {part.name for part in kept}
    for name in list(store.names(PARTS_FOLDER)):
        if name not in names and is_part_name(name):
            store.delete(name)

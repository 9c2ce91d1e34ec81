"""Define the manifest of a bundle: the list of its parts, and the versions that made them.

A bundle is `manifest.json` and the parts that it names, `parts/<SHA-256 of the part>`. A part is
compressed by zlib. Records and edges are JSON lines, one a file, sorted by path; vectors are bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from codeindex.errors import SharingError

BUNDLE_FORMAT = 2
"""Increase this number when a reader of the former format could misread a bundle."""
MANIFEST = "manifest.json"
PARTS_FOLDER = "parts"
PART_BYTES = 4 * 1024 * 1024
"""Bytes of records after which a part ends: a reader holds one part in memory."""
MOST_PART_BYTES = 64 * 1024 * 1024
"""Most bytes of a part, packed or not; a single file of a megabyte takes less than ten of them."""
MOST_MANIFEST_BYTES = 16 * 1024 * 1024
CHECKED_FILES = 16
"""Files that an import parses itself, and files whose edges it resolves itself, to check a bundle.
To parse them takes a tenth of a second, and a bundle of which every fifth record differs is found
out in 97 of 100 cases."""
_MOST_PARTS = 100_000
_MOST_ROWS = 1_000_000_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BEGINNING = b'{"bundle":'
"""How a manifest begins, without blanks: `dump_manifest` writes this key first."""
_MOST_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class BundlePart:
    """A compressed file of a bundle: its SHA-256 (`digest`) and its stored `size` in bytes.

    `unpacked` is its size in bytes without compression. `rows` counts its records, files with
    edges, or vectors.
    """

    digest: str
    size: int
    unpacked: int
    rows: int

    @property
    def name(self) -> str:
        """The path of the part in the object store: `parts/<SHA-256>`."""
        return f"{PARTS_FOLDER}/{self.digest}"


@dataclass(frozen=True, slots=True)
class BundleVersions:
    """The versions of catalog format, content rules and grammars, on which a parse depends.

    Parses in a bundle that were made with other versions are not used.
    """

    catalog: int
    content: int
    grammars: str


@dataclass(frozen=True, slots=True)
class BundleManifest:
    """The content of a bundle's manifest file: repository, commit, versions and parts.

    `tree` is the digest of all paths and manifests (`graph.update`); `files` counts the records;
    `model` is the identity of the model of its vectors, "" if it has none.
    """

    repository: str
    commit: str
    versions: BundleVersions
    tree: str
    model: str
    dimension: int
    files: int
    records: tuple[BundlePart, ...]
    edges: tuple[BundlePart, ...]
    vectors: tuple[BundlePart, ...]

    @property
    def parts(self) -> tuple[BundlePart, ...]:
        """All parts of the bundle: first those with records, then edges, then vectors."""
        return (*self.records, *self.edges, *self.vectors)


def is_part_name(name: str) -> bool:
    """Tell whether an object of this name is a part of a bundle: `parts/<SHA-256>`."""
    folder, _, digest = name.rpartition("/")
    return folder == PARTS_FOLDER and _DIGEST.fullmatch(digest) is not None


def pack_part(data: bytes, rows: int, *, level: int = 6) -> tuple[BundlePart, bytes]:
    """Compress `data` with zlib; return (description of the part, its compressed bytes).

    `rows` is the number of records in it, `level` the compression level of zlib.
    """
    packed = zlib.compress(data, level)
    digest = hashlib.sha256(packed).hexdigest()
    return BundlePart(digest, len(packed), len(data), rows), packed


def unpack_part(part: BundlePart, packed: bytes) -> bytes:
    """Decompress the bytes `packed` of a part of a bundle.

    Raise SharingError if digest or size differ from the description `part`.
    """
    if len(packed) != part.size or hashlib.sha256(packed).hexdigest() != part.digest:
        raise SharingError(
            f"Part {part.digest[:12]} of the bundle is damaged: its digest differs. Export"
            " the bundle again; nothing of it was used."
        )
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, part.unpacked + 1)
    except zlib.error as error:
        raise _malformed(f"part {part.digest[:12]} cannot be unpacked") from error
    if len(data) != part.unpacked or not unpacker.eof:
        raise _malformed(f"part {part.digest[:12]} has another size than stated")
    return data


def dump_manifest(manifest: BundleManifest) -> bytes:
    """Return the manifest as JSON."""
    return json.dumps({"bundle": BUNDLE_FORMAT, **asdict(manifest)}, indent=1).encode()


def is_own_manifest(data: bytes) -> bool:
    """Tell whether a file called like a manifest was written as one, even if it is damaged.

    Many tools have a `manifest.json`; theirs must not be replaced.
    """
    beginning = b"".join(data[:100].split())[: len(_BEGINNING)]
    return _BEGINNING.startswith(beginning)


def parse_manifest(data: bytes) -> BundleManifest:
    """Parse a manifest; raise SharingError if it is malformed or has a newer format."""
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _malformed("its manifest is not JSON") from error
    if not isinstance(given, dict) or type(given.get("bundle")) is not int:
        raise _malformed("its manifest has no format")
    if given["bundle"] > BUNDLE_FORMAT:
        raise SharingError(
            f"The bundle was written by a newer codeindex (format {given['bundle']}, this one knows"
            f" {BUNDLE_FORMAT}): upgrade codeindex-local, or index without the bundle."
        )
    if given["bundle"] < BUNDLE_FORMAT:
        raise SharingError(
            f"The bundle was written by an older codeindex (format {given['bundle']}, this one"
            f" has {BUNDLE_FORMAT}): export it again with this version."
        )
    versions = given.get("versions")
    if not isinstance(versions, dict):
        raise _malformed("its manifest has no versions")
    manifest = BundleManifest(
        repository=_text(given, "repository"),
        commit=_text(given, "commit"),
        versions=BundleVersions(
            _number(versions, "catalog"), _number(versions, "content"), _text(versions, "grammars")
        ),
        tree=_text(given, "tree"),
        model=_text(given, "model"),
        dimension=_number(given, "dimension", most=65_536),
        files=_number(given, "files"),
        records=_parts(given, "records"),
        edges=_parts(given, "edges"),
        vectors=_parts(given, "vectors"),
    )
    _check_rows(manifest)
    return manifest


def vector_row_bytes(dimension: int) -> int:
    """Return the bytes of one vector in a part: its SHA-256 key and `dimension` int8 codes."""
    return hashlib.sha256().digest_size + dimension


def _check_rows(manifest: BundleManifest) -> None:
    if sum(part.rows for part in manifest.records) != manifest.files:
        raise _malformed("its parts have another number of files than its manifest")
    width = vector_row_bytes(manifest.dimension)
    if any(part.unpacked != part.rows * width for part in manifest.vectors):
        raise _malformed("its vectors have another size than its manifest states")


def _parts(given: Mapping[str, Any], key: str) -> tuple[BundlePart, ...]:
    listed = given.get(key)
    if not isinstance(listed, list) or len(listed) > _MOST_PARTS:
        raise _malformed(f"its manifest has no list of {key}")
    return tuple(_part(item) for item in listed)


def _part(item: object) -> BundlePart:
    names = {field.name for field in fields(BundlePart)}
    if not isinstance(item, dict) or item.keys() != names:
        raise _malformed("its manifest describes a part in another way")
    digest = _text(item, "digest")
    if not _DIGEST.fullmatch(digest):
        raise _malformed("a part has no digest")
    return BundlePart(
        digest,
        _number(item, "size", most=MOST_PART_BYTES),
        _number(item, "unpacked", most=MOST_PART_BYTES),
        _number(item, "rows"),
    )


def _number(given: Mapping[str, Any], key: str, *, most: int = _MOST_ROWS) -> int:
    value = given.get(key)
    if type(value) is not int or not 0 <= value <= most:
        raise _malformed(f"`{key}` is not a number up to {most:,}")
    return value


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str) or len(value) > _MOST_CHARACTERS or not value.isprintable():
        raise _malformed(f"`{key}` is not a text")
    return value


def _malformed(problem: str) -> SharingError:
    return SharingError(
        f"The bundle cannot be used: {problem}. Export it again; nothing of it was used."
    )

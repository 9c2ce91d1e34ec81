"""Compute and verify the checksums of segments, to detect damaged and foreign files.

Searches map segments without reading them whole, so only `codeindex verify` compares checksums.
Dense vectors, the data that costs most to compute, also have a CRC-32 per row: if a block of the
disk is damaged, only its rows are lost.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from codeindex.errors import DamagedError, refuse_shortage
from codeindex.files import arrays
from codeindex.files.digest import sha256_of
from codeindex.files.write import write_private_file
from codeindex.store.catalog.connection import Segment
from codeindex.types.array_types import Codes, Flags, Ids

_SUMS = ".sums.npy"
_VECTORS = (".ids.npy", ".npy")
_ENDS = {"words": (".words",), "dense": (*_VECTORS, _SUMS)}


def segment_files(folder: Path, segment: Segment) -> tuple[Path, ...]:
    """Return the paths of a segment's files in `folder`; the files need not exist."""
    ends = _ENDS.get(segment.kind, _VECTORS)
    return tuple(folder / f"{segment.name}{end}" for end in ends)


def with_checksum(folder: Path, segment: Segment) -> Segment:
    """Return the segment with the checksum of its files, which have been written completely.

    For dense vectors, also write the file with the CRC-32 of each row.
    """
    if segment.kind == "dense":
        with (folder / f"{segment.name}.ids.npy").open("rb") as handle:
            ids = arrays.read_array(handle)
        codes = arrays.map_array(folder / f"{segment.name}.npy")
        with write_private_file(folder / f"{segment.name}{_SUMS}") as file:
            np.save(file, np.fromiter(_sums(ids, codes), np.uint32), allow_pickle=False)
    return replace(segment, digest=_digest(folder, segment))


def verify_checksum(folder: Path, segment: Segment) -> None:
    """Raise DamagedError if the segment's files differ from its recorded checksum.

    A segment without a recorded checksum ("") only has to be readable.
    """
    try:
        same = segment.digest in {"", _digest(folder, segment)}
    except OSError as error:
        refuse_shortage(error)
        raise DamagedError(f"Segment {segment.name} cannot be read ({error.strerror}).") from error
    if not same:
        raise DamagedError(f"Segment {segment.name} was changed after it was written.")


def intact_rows(folder: Path, segment: Segment, ids: Ids, codes: Codes) -> Flags:
    """Return a flag for each row: True if the CRC-32 of its codes equals the stored one.

    All flags are False if the segment has no stored CRC-32 sums.
    """
    try:
        with (folder / f"{segment.name}{_SUMS}").open("rb") as handle:
            sums = arrays.read_array(handle)
    except (OSError, ValueError):
        sums = np.zeros(0, np.uint32)
    if sums.shape != ids.shape or sums.dtype != np.uint32:
        return np.zeros(len(ids), dtype=bool)
    same: Flags = sums == np.fromiter(_sums(ids, codes), np.uint32)
    return same


def _sums(ids: Ids, codes: Codes) -> Iterator[int]:
    """Yield a CRC-32 over the chunk id and the codes of each row; a row takes a microsecond."""
    for item_id, row in zip(ids, codes, strict=True):
        yield zlib.crc32(np.ascontiguousarray(row).data, zlib.crc32(item_id.tobytes()))


def _digest(folder: Path, segment: Segment) -> str:
    """Return a digest of the SHA-256 sums of a segment's files; it takes 1 to 2 ms per megabyte."""
    own = "".join(map(sha256_of, segment_files(folder, segment)))
    return hashlib.sha256(own.encode("ascii")).hexdigest()[:32]

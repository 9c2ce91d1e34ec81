"""Read `.npy` files without evaluating their headers.

`numpy.load` parses each header as Python source. If two threads parse at once, CPython before
3.11.9 and 3.12.3 fails with "AST constructor recursion depth mismatch" (gh-106905).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '(<[fiu][248]|\|i1)', 'fortran_order': False, "
    rb"'shape': \((\d+),(?: (\d+))?\), \}\s*"
)
"""The header that `numpy.save` writes for an array of numbers with one or two dimensions."""


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map the array in a `.npy` file into memory, read-only.

    Raise ValueError if the file has no array or is truncated.
    """
    with path.open("rb") as handle:
        kind, shape = _header(handle)
        start = handle.tell()
    return np.memmap(path, dtype=kind, mode="r", offset=start, shape=shape)


def read_array(handle: IO[bytes]) -> npt.NDArray[Any]:
    """Read the array in a `.npy` stream; raise ValueError if it has none or is truncated."""
    kind, shape = _header(handle)
    return np.frombuffer(handle.read(), dtype=kind).reshape(shape)


def _header(handle: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    magic, size = handle.read(len(_MAGIC)), handle.read(2)
    header = _HEADER.fullmatch(handle.read(int.from_bytes(size, "little")))
    if magic != _MAGIC or header is None:
        raise ValueError("it does not begin as an array")
    kind, *shape = header.groups()
    return np.dtype(kind.decode()), tuple(int(length) for length in shape if length is not None)

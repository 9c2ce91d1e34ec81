"""Reading numpy's files without compiling their headers.

`numpy.load` has each header parsed as Python source; where two threads parse at once, CPython
before 3.11.9 and 3.12.3 fails with "AST constructor recursion depth mismatch" (gh-106905).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '(<[fiu][248])', 'fortran_order': False, 'shape': \((\d+),(?: (\d+))?\), \}\s*"
)
"""What `numpy.save` writes for a list or a table of numbers."""


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map an array of a file, read-only; ValueError if it is none, or shorter than it says."""
    with path.open("rb") as handle:
        kind, shape = _header(handle)
        start = handle.tell()
    return np.memmap(path, dtype=kind, mode="r", offset=start, shape=shape)


def read_array(handle: IO[bytes]) -> npt.NDArray[Any]:
    """Read an array; ValueError if it is none, or shorter than it says."""
    kind, shape = _header(handle)
    return np.frombuffer(handle.read(), dtype=kind).reshape(shape)


def _header(handle: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    magic, size = handle.read(len(_MAGIC)), handle.read(2)
    found = _HEADER.fullmatch(handle.read(int.from_bytes(size, "little")))
    if magic != _MAGIC or found is None:
        raise ValueError("it does not begin as an array")
    kind, *shape = found.groups()
    return np.dtype(kind.decode()), tuple(int(one) for one in shape if one is not None)

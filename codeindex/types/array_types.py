"""Name the types of numpy arrays. The names are texts, so importing them does not import numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Flags: TypeAlias = "npt.NDArray[np.bool_]"
Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Counts: TypeAlias = "npt.NDArray[np.uint16]"
Ints: TypeAlias = "npt.NDArray[np.int64]"
Ids: TypeAlias = "npt.NDArray[np.int64]"
"""Ids of chunks or files."""
Floats: TypeAlias = "npt.NDArray[np.float32]"
Doubles: TypeAlias = "npt.NDArray[np.float64]"
Vector: TypeAlias = "npt.NDArray[np.float32]"
"""A vector of a text, or one number for each of several vectors."""
Matrix: TypeAlias = "npt.NDArray[np.float32]"
"""Unit vectors, shape (rows, dimensions)."""
Codes: TypeAlias = "npt.NDArray[np.int8]"
"""Vectors as int8 codes, shape (rows, dimensions)."""

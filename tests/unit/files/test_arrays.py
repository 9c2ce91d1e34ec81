"""Arrays come back as numpy wrote them, and nothing else comes back at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from codeindex.files import arrays

WRITTEN = arrays_of.arrays(
    dtype=st.sampled_from(["<f4", "<f8", "<i4", "<i8", "<u4"]),
    shape=arrays_of.array_shapes(max_dims=2, max_side=20),
)


@given(WRITTEN)
def test_what_was_saved_is_read_and_mapped(
    tmp_path_factory: pytest.TempPathFactory, written: np.ndarray[tuple[int, ...]]
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "one.npy"
    np.save(path, written)
    np.testing.assert_array_equal(arrays.map_array(path), written)
    with path.open("rb") as handle:
        np.testing.assert_array_equal(arrays.read_array(handle), written)


def test_an_empty_array_is_read(tmp_path: Path) -> None:
    np.save(tmp_path / "none.npy", np.empty(0, dtype=np.int64))
    with (tmp_path / "none.npy").open("rb") as handle:
        assert arrays.read_array(handle).shape == (0,)


@pytest.mark.parametrize("kept", [0, 5, 9, 40, 128, 150])
def test_what_was_cut_short_is_refused(tmp_path: Path, kept: int) -> None:
    np.save(tmp_path / "one.npy", np.arange(20))
    path = tmp_path / "cut.npy"
    path.write_bytes((tmp_path / "one.npy").read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"\w"):
        arrays.map_array(path)
    with path.open("rb") as handle, pytest.raises(ValueError, match=r"\w"):
        arrays.read_array(handle)


def test_an_array_of_objects_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pickled.npy"
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="does not begin"):
        arrays.map_array(path)

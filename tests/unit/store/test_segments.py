"""Vectors on disk, against plain arrays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from codeindex.errors import DamagedError
from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.vector_codes import (
    are_codes,
    decode_vectors,
    dot_products,
    encode_vectors,
    inverse_lengths,
)
from codeindex.store.segments.vectors import (
    Vectors,
    new_segment,
    read_segment,
    write_segment,
)

RNG = np.random.default_rng(3)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def rows(count: int) -> np.ndarray:
    """Return unit vectors that int8 codes keep without loss."""
    return decode_vectors(encode_vectors(RNG.standard_normal((count, 3), dtype=np.float32)))


def unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@given(
    parts=st.lists(st.sets(st.integers(1, 60), max_size=12), max_size=4),
    alive=st.sets(st.integers(1, 60), max_size=30),
)
def test_scores_are_those_of_the_living_rows_whatever_the_segments(
    parts: list[set[int]], alive: set[int]
) -> None:
    seen: set[int] = set()
    expected = dict.fromkeys(alive, 0.0)
    query = rows(1)[0]
    with TemporaryDirectory() as folder:
        segments = []
        for part in parts:
            ids = ints(*(part - seen))  # a chunk has one row of a kind
            seen |= part
            matrix = rows(len(ids))
            segments.append(write_segment(Path(folder), "dense", ids, matrix))
            expected |= {
                int(i): float(r @ query)
                for i, r in zip(ids, matrix, strict=True)
                if int(i) in alive
            }
        live = ints(*sorted(alive))
        vectors = Vectors(Path(folder), segments, live)
        np.testing.assert_allclose(vectors.scores(query), [expected[i] for i in live], atol=1e-5)
        assert set(live[vectors.present].tolist()) == alive & seen


def test_vectors_that_are_asked_for_by_id_are_placed_and_newer_ones_computed(
    tmp_path: Path,
) -> None:
    matrix, query = rows(4), rows(1)[0]
    segment = write_segment(tmp_path, "dense", ints(1, 2, 3, 4), matrix)
    vectors = Vectors(tmp_path, [segment], ints(1, 3, 4))
    given_scores = np.array([0.5, 0.25], np.float32)
    out = vectors.scores_of(ints(2, 3), given_scores, query, since=3)
    np.testing.assert_allclose(out, [0.0, 0.25, matrix[3] @ query], atol=1e-6)


UNIT_VECTORS = arrays(
    np.float32,
    st.tuples(st.integers(0, 600), st.integers(1, 8)),
    elements=st.floats(-1, 1, width=32),
).map(unit)


@given(vectors=UNIT_VECTORS)
def test_codes_keep_the_direction_of_a_vector_and_survive_decoding(vectors: np.ndarray) -> None:
    codes = encode_vectors(vectors)
    decoded = decode_vectors(codes)
    present = vectors.any(axis=1)
    assert not codes[~present].any()
    assert are_codes(codes[present]).all()
    assert ((decoded * vectors).sum(axis=1)[present] > 0.9999).all()
    np.testing.assert_array_equal(encode_vectors(decoded), codes)


@given(vectors=UNIT_VECTORS, seed=st.integers(0, 9))
def test_products_of_codes_are_the_cosines_of_their_vectors(vectors: np.ndarray, seed: int) -> None:
    query = np.random.default_rng(seed).standard_normal(vectors.shape[1:], dtype=np.float32)
    codes = encode_vectors(vectors)
    cosines = dot_products(codes, query) * inverse_lengths(codes)
    np.testing.assert_allclose(cosines, decode_vectors(codes) @ query, atol=1e-4)


def test_no_segments_and_no_chunks_are_no_trouble(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path, (), ints())
    assert vectors.coverage == 1.0
    assert vectors.dimension == 0
    assert len(vectors.scores(np.zeros(3, np.float32))) == 0
    assert len(vectors.scores_of(ints(1), np.ones(1, np.float32), rows(1)[0], since=0)) == 0
    assert Vectors(tmp_path, (), ints(1, 2)).coverage == 0.0


def test_a_segment_of_no_rows_can_be_written_and_read(tmp_path: Path) -> None:
    segment = write_segment(tmp_path, "dense", ints(), np.zeros((0, 3), np.float32))
    assert read_segment(tmp_path, segment)[1].shape == (0, 3)


@pytest.mark.parametrize("name", ["{}.npy", "{}.ids.npy"])
@pytest.mark.parametrize("damage", ["absent", "empty", "truncated", "garbage", "pickle"])
def test_a_damaged_segment_is_named_and_not_executed(
    tmp_path: Path, name: str, damage: str
) -> None:
    segment = write_segment(tmp_path, "dense", ints(1, 2), rows(2))
    path = tmp_path / name.format(segment.name)
    data = path.read_bytes()
    if damage == "absent":
        path.unlink()
    elif damage == "pickle":
        with path.open("wb") as handle:
            np.save(handle, np.array([{}, {}], dtype=object), allow_pickle=True)
    else:
        path.write_bytes({"empty": b"", "truncated": data[:-1], "garbage": b"x" * 500}[damage])
    with pytest.raises(DamagedError, match=segment.name):
        read_segment(tmp_path, segment)


def test_a_segment_of_another_length_than_was_published_is_damaged(tmp_path: Path) -> None:
    segment = write_segment(tmp_path, "dense", ints(1, 2), rows(2))
    with pytest.raises(DamagedError, match="wrong shape"):
        read_segment(tmp_path, Segment("dense", segment.name, 3))


def test_vectors_of_another_type_are_damaged(tmp_path: Path) -> None:
    segment = write_segment(tmp_path, "dense", ints(1, 2), rows(2))
    np.save(tmp_path / f"{segment.name}.npy", np.zeros((2, 3)))
    with pytest.raises(DamagedError, match="wrong shape"):
        read_segment(tmp_path, segment)


def test_rows_may_be_filled_bit_by_bit(tmp_path: Path) -> None:
    with new_segment(tmp_path, "token", ints(5, 7), 3) as (segment, matrix):
        matrix[0], matrix[1] = 1, 2
    ids, stored = read_segment(tmp_path, segment)
    assert ids.tolist() == [5, 7]
    np.testing.assert_array_equal(stored, [[1, 1, 1], [2, 2, 2]])


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE that fails a write")
def test_a_disk_that_is_full_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    program = (
        "import resource, signal, sys; import numpy as np; from pathlib import Path\n"
        "from codeindex.store.segments.vectors import write_segment\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "ids = np.arange(1000, dtype=np.int64)\n"
        "try: write_segment(Path(sys.argv[1]), 'dense', ids, np.ones((1000, 300), np.float32))\n"
        "except OSError: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(tmp_path)], capture_output=True, check=True
    )
    assert done.stdout == b"refused\n"

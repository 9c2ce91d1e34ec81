"""Token vectors against the formula, written out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.embed.packing import pack_counts
from codeindex.embed.static_model import StaticModel
from codeindex.embed.token_vectors import TokenStatistics, learn_statistics, token_vectors
from codeindex.errors import DamagedError

CODES = np.random.default_rng(5).integers(-127, 128, (12, 4), dtype=np.int8)
FACTORS = np.linspace(0.005, 0.02, 12, dtype=np.float32)
MODEL = StaticModel("static@1", CODES, FACTORS)
TABLE = CODES * FACTORS[:, None]
TEXTS = st.lists(
    st.dictionaries(st.integers(0, 11), st.integers(1, 400), max_size=6), min_size=1, max_size=8
)


def bytes_of(texts: Sequence[Mapping[int, int]]) -> list[bytes]:
    return [pack_counts(Counter(text)) for text in texts]


def learned(texts: Sequence[Mapping[int, int]]) -> tuple[np.ndarray, TokenStatistics]:
    out = np.empty((len(texts), 4), np.float32)
    return out, learn_statistics(lambda: bytes_of(texts), MODEL, out)


@given(TEXTS)
def test_a_text_is_the_weighted_mean_of_its_tokens(texts: list[dict[int, int]]) -> None:
    out, statistics = learned(texts)
    means = np.zeros((len(texts), 4))
    for row, text in enumerate(texts):
        seen = {token: sum(token in other for other in texts) for token in text}
        weights = {
            token: np.log((len(texts) + 1) / (seen[token] + 1)) * np.log1p(min(count, 255))
            for token, count in text.items()
        }
        total = max(sum(weights.values()), 1e-6)
        for token, weight in weights.items():
            means[row] += weight / total * TABLE[token]
    np.testing.assert_allclose(statistics.mean, means.mean(axis=0), atol=1e-4)
    rest = means - means.mean(axis=0)
    norms = np.linalg.norm(rest, axis=1)
    sure = norms > 1e-3  # the direction of next to nothing is noise
    np.testing.assert_allclose(out[sure], rest[sure] / norms[sure, None], atol=1e-2)


@given(TEXTS)
def test_a_single_text_gets_the_vector_it_had_when_it_was_learned_from(
    texts: list[dict[int, int]],
) -> None:
    out, statistics = learned(texts)
    again = token_vectors(bytes_of(texts), statistics, MODEL)
    alone = np.stack([token_vectors([one], statistics, MODEL)[0] for one in bytes_of(texts)])
    np.testing.assert_array_equal(again, out)
    np.testing.assert_array_equal(alone, out)


@given(TEXTS, st.randoms())
def test_the_order_of_the_texts_does_not_matter(
    texts: list[dict[int, int]], random: Random
) -> None:
    shuffled = random.sample(texts, len(texts))
    np.testing.assert_array_equal(learned(texts)[1].idf, learned(shuffled)[1].idf)
    np.testing.assert_allclose(learned(texts)[1].mean, learned(shuffled)[1].mean, atol=1e-5)


def test_every_row_is_of_length_one_or_nothing() -> None:
    out, _ = learned([{1: 2, 3: 1}, {}, {4: 1}, {1: 1, 5: 9}])
    norms = np.linalg.norm(out, axis=1)
    assert all(abs(norm - 1) < 1e-5 or norm < 1e-5 for norm in norms)


def test_statistics_come_back_as_they_were_saved(tmp_path: Path) -> None:
    _, statistics = learned([{1: 2}, {3: 1}])
    statistics.save(tmp_path / "s.npz")
    back = TokenStatistics.load(tmp_path / "s.npz")
    np.testing.assert_array_equal(back.idf, statistics.idf)
    np.testing.assert_array_equal(back.mean, statistics.mean)


@pytest.mark.parametrize("damage", ["absent", "empty", "garbage", "truncated", "flipped", "other"])
def test_broken_statistics_are_damaged(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "s.npz"
    learned([{1: 2}, {3: 1}])[1].save(path)
    data = path.read_bytes()
    if damage == "absent":
        path.unlink()
    elif damage == "other":
        np.savez(path, other=np.zeros(3))
    else:
        flipped = bytes(255 - byte if at in range(60, 90) else byte for at, byte in enumerate(data))
        kinds = {"empty": b"", "garbage": b"x" * 99, "truncated": data[:-30], "flipped": flipped}
        path.write_bytes(kinds[damage])
    with pytest.raises(DamagedError, match=r"s\.npz"):
        TokenStatistics.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_a_pipe_in_place_of_the_statistics_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "statistics.npz")
    with pytest.raises(DamagedError, match="or not a file"):
        TokenStatistics.load(tmp_path / "statistics.npz")

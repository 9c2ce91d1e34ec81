"""Nearness is relative: the scale and the offset of a model's cosines do not change it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.search.rank.nearness import (
    UNRELATED_TOPICS,
    nearest_to_topics,
    relative_nearness,
)

COSINES = st.floats(min_value=0.05, max_value=0.6)


@given(
    st.lists(COSINES, min_size=8, max_size=32).filter(lambda values: np.std(values) > 0.01),
    COSINES,
    st.floats(min_value=0.2, max_value=1.5),
    st.floats(min_value=-0.04, max_value=0.3),
)
def test_another_models_scale_and_offset_change_nothing(
    unrelated: list[float], nearest: float, scale: float, offset: float
) -> None:
    own = relative_nearness(nearest, np.array(unrelated, np.float32))
    other_unrelated = np.array(unrelated, np.float32) * np.float32(scale) + np.float32(offset)
    other = relative_nearness(nearest * scale + offset, other_unrelated)
    assert other == pytest.approx(own, abs=0.01)


def test_equal_cosines_of_all_topics_give_a_finite_nearness() -> None:
    assert np.isfinite(relative_nearness(0.5, np.full(32, 0.25, np.float32)))


def test_each_topic_is_compared_by_its_nearest_chunk() -> None:
    cosines = {
        topic: np.array([-0.5, at / 100, 0.0], np.float32)
        for at, topic in enumerate(UNRELATED_TOPICS)
    }
    nearest = nearest_to_topics(lambda topic: cosines[topic])
    assert nearest.tolist() == pytest.approx([at / 100 for at in range(len(UNRELATED_TOPICS))])

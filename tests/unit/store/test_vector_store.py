"""When a collection of Chroma is built again; tests/flow/test_nearest.py builds some."""

import numpy as np
import pytest

from codeindex.store.catalog.connection import CollectionState
from codeindex.store.exports.vector_store import needs_collection

STATE: CollectionState = {"model": "m", "rows": 100, "last": 100}


@pytest.mark.parametrize(
    ("live", "expected"),
    [
        (range(1, 101), False),
        (range(1, 111), False),
        (range(1, 131), True),
        (range(31, 101), True),
        (range(101, 201), True),
        ([*range(1, 96), *range(101, 106)], False),
    ],
    ids=["same", "few newer", "many newer", "many deleted", "all replaced", "few replaced"],
)
def test_a_collection_is_built_again_when_a_fifth_of_it_is_out_of_date(
    live: range | list[int], expected: bool
) -> None:
    ids = np.array(live, dtype=np.int64)
    assert needs_collection(STATE, model="m", live=ids) is expected


def test_a_collection_of_another_model_is_built_again_unless_nothing_is_indexed() -> None:
    assert needs_collection(STATE, model="other", live=np.arange(1, 3))
    assert not needs_collection({}, model="m", live=np.arange(0))

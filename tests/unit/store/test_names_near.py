"""Names that are offered for one that is not there."""

from __future__ import annotations

import difflib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from codeindex.store.symbols.declarations import _NEAR, _may_be_near

_NAMES = st.text("abcd_", min_size=1, max_size=9)


@given(_NAMES, _NAMES)
def test_no_name_that_is_near_is_left_out_for_its_letters(wanted: str, name: str) -> None:
    near = bool(difflib.get_close_matches(wanted, [name], 1, _NEAR))
    assert _may_be_near(name, Counter(wanted), len(wanted)) or not near


def test_a_name_of_other_letters_is_not_compared() -> None:
    assert not _may_be_near("write", Counter("redis"), 5)
    assert _may_be_near("reds", Counter("redis"), 5)

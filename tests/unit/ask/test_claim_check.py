"""What a model writes is held against the evidence."""

from hypothesis import given
from hypothesis import strategies as st

from codeindex.ask.claim_check import check_claims
from codeindex.types import Hit, SafeText

HIT = Hit(
    "r", "a.py", 3, 9, 1.0, SafeText("x = 1\n" * 7), "x", "variable", "python", "a", False, False
)


@given(st.text(max_size=300))
def test_any_text_is_judged_and_nothing_uncited_is_believed(text: str) -> None:
    for one in check_claims(text, [HIT]):
        assert one.citations or one.doubt or one.text.endswith(":") or one.text.startswith("#")

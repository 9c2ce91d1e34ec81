"""Evidence is data in the prompt of a model."""

from hypothesis import given
from hypothesis import strategies as st

from codeindex.ask.prompt import build_prompt
from codeindex.types import Hit, SafeText


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_evidence_ends_its_block(query: str, text: str) -> None:
    hit = Hit("r", text or "a", 1, 1, 1.0, SafeText(text), text, "file", "text", "", False, False)
    said = build_prompt(query, [hit], may_search=False)
    tag = said.split("between <")[1].split(" ")[0]
    assert said.count(f"</{tag}>") == 2  # in the rules, and behind the evidence

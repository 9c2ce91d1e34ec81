"""Counting the bytes of a request's head."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeindex.mcp.connection_limits import RequestHead


@given(
    st.integers(0, 60),
    st.integers(0, 200),
    st.lists(st.integers(1, 40), min_size=1, max_size=20),
    st.integers(1, 80),
)
def test_only_the_head_counts_however_it_is_cut(
    lines: int, body: int, cuts: list[int], most: int
) -> None:
    head = b"a" * lines
    sent = head + b"\r\n\r\n" + b"b" * body
    limit, at, fits = RequestHead(most), 0, True
    for cut in cuts:
        if at > len(head) + 3:
            break  # the head is complete
        fits = fits and limit.fits(sent[at : at + cut])
        at += cut
    seen = min(at, len(head))
    assert fits or seen + 3 > most
    if at >= len(head) + 4 and len(head) > most:
        assert not fits

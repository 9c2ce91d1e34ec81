"""Where repositories are placed."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex.cluster.placement import COPIES, place_repository

SHARES = st.lists(st.text("abc0123-", min_size=1, max_size=4), min_size=1, max_size=8, unique=True)


@settings(max_examples=30)
@given(name=st.text(max_size=20), shares=SHARES)
def test_a_repository_is_in_two_shares_whatever_their_order(name: str, shares: list[str]) -> None:
    holders = place_repository(name, shares)
    assert len(set(holders)) == len(holders) == min(COPIES, len(shares))
    assert holders == place_repository(name, sorted(shares))


@settings(max_examples=30)
@given(name=st.text(max_size=20), shares=SHARES)
def test_only_the_repositories_of_a_lost_share_move(name: str, shares: list[str]) -> None:
    holders = place_repository(name, shares)
    for lost in shares:
        left = [share for share in shares if share != lost]
        now = place_repository(name, left)
        kept = [share for share in holders if share != lost]
        assert list(now[: len(kept)]) == kept


def test_shares_get_about_the_same_number() -> None:
    shares = [str(number) for number in range(4)]
    counts = Counter(
        share for number in range(2000) for share in place_repository(f"repo-{number}", shares)
    )
    assert all(900 < counts[share] < 1100 for share in shares)

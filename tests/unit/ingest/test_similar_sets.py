"""Groups of sets that are nearly the same."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.derive.similar_sets import NameSet, group_similar, jaccard

_SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=12)


@given(_SETS, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_each_group_lies_around_one_of_its_members(sets: list[NameSet], threshold: float) -> None:
    signatures = dict(enumerate(sets))
    for group in group_similar(signatures, least=2, threshold=threshold):
        assert len(group) >= 2
        assert any(
            all(jaccard(signatures[centre], signatures[one]) >= threshold for one in group)
            for centre in group
        )


@given(_SETS)
def test_nothing_is_in_two_groups_and_no_group_is_missed(sets: list[NameSet]) -> None:
    signatures = dict(enumerate(sets))
    groups = list(group_similar(signatures, least=2, threshold=0.5))
    grouped = [one for group in groups for one in group]
    assert len(grouped) == len(set(grouped))
    left = [names for one, names in signatures.items() if one not in grouped and names]
    assert all(jaccard(one, other) < 0.5 for at, one in enumerate(left) for other in left[at + 1 :])


@given(_SETS, st.randoms())
def test_the_order_of_equal_files_changes_no_group_of_signatures(
    sets: list[NameSet], random: Random
) -> None:
    distinct = sorted(set(sets), key=sorted)
    numbered = list(enumerate(distinct))
    before = list(group_similar(dict(numbered), least=2, threshold=0.5))
    random.shuffle(numbered)
    after = list(group_similar(dict(sorted(numbered)), least=2, threshold=0.5))
    assert before == after

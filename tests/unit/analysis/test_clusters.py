"""Files that change together."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from codeindex.analysis.overview.clusters import find_clusters

_COMMITS = st.lists(st.integers(1, 255), max_size=30)
"""Sets of eight files, as bits."""


def test_files_of_the_same_commits_are_a_group() -> None:
    commits = [["a.py", "b.py", "c.py"]] * 4 + [["d.py", "e.py"]] * 3 + [["f.py"]] * 9
    first, second = find_clusters(commits, {("b.py", "a.py")})
    assert (first.files, first.commits, first.strength) == (("a.py", "b.py", "c.py"), 4, 1.0)
    assert (second.files, second.commits) == (("d.py", "e.py"), 3)
    assert (first.linked, second.linked) == (True, False)


def test_twice_is_chance_and_a_file_of_every_commit_belongs_to_none() -> None:
    commits = [["a.py", "b.py"]] * 2 + [["log.md", f"{one}.py"] for one in "cdefgh" * 4]
    assert find_clusters(commits, set()) == ()


def test_a_chain_of_pairs_does_not_become_one_group() -> None:
    names = [f"{number:02}.py" for number in range(20)]
    pairs = pairwise(names)
    found = find_clusters([list(pair) for pair in pairs for _ in range(4)], set())
    assert max(len(one.files) for one in found) <= 4


@given(_COMMITS)
def test_every_file_is_in_one_group_at_most_whatever_the_order(sets: list[int]) -> None:
    commits = [[name for at, name in enumerate("abcdefgh") if one >> at & 1] for one in sets]
    found = find_clusters(commits, set())
    members = [path for one in found for path in one.files]
    assert len(members) == len(set(members))
    assert all(0 < one.strength <= 1 and one.commits >= 3 for one in found)
    assert find_clusters(commits[::-1], set()) == found

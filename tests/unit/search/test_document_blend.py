"""Sections among the hits of how-to questions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeindex.search.rank.document_blend import BLEND_WINDOW, insert_sections
from codeindex.search.rank.ranker import RankedChunk

_SCORES = st.integers(0, 100).map(lambda one: one / 100)
_HITS = st.lists(st.tuples(_SCORES, st.booleans()), max_size=8)


def _ranked(scores: list[tuple[float, bool]]) -> tuple[list[RankedChunk], set[int]]:
    """Return hits, best first, and the ids of those that are code."""
    ordered = sorted(scores, key=lambda one: -one[0])
    hits = [RankedChunk(number, score) for number, (score, _) in enumerate(ordered)]
    return hits, {number for number, (_, is_code) in enumerate(ordered) if is_code}


@given(_HITS, st.lists(_SCORES, min_size=1, max_size=2), st.booleans(), st.booleans())
def test_sections_stand_beside_code(
    scores: list[tuple[float, bool]], chances: list[float], names_code: bool, is_ranked: bool
) -> None:
    hits, code = _ranked(scores)
    documents = [one.chunk_id for one in hits if one.chunk_id not in code]
    first = documents[-1] if is_ranked and documents else 100  # the ranker may have it too
    chances.sort(reverse=True)
    sections = [RankedChunk(first + at * 1000, chance) for at, chance in enumerate(chances)]
    order = insert_sections(
        hits, sections, is_code=lambda one: one.chunk_id in code, names_code=names_code
    )

    ids = [one.chunk_id for one in order]
    mine = [one.chunk_id for one in sections]
    assert sorted(ids) == sorted({one.chunk_id for one in hits} | set(mine))
    was = [one.chunk_id for one in hits]
    assert [one for one in ids if one in code] == [one for one in was if one in code]
    assert [one for one in ids if one in mine] == mine
    others = [one for one in was if one not in code and one not in mine]
    assert [one for one in ids if one in others] == others
    if code:
        before = was.index(min(code))
        most = before if names_code else max(before, BLEND_WINDOW - 1)
        assert ids.index(min(code)) <= most


@given(_HITS, _SCORES)
def test_one_section_is_among_the_first_three(
    scores: list[tuple[float, bool]], chance: float
) -> None:
    hits, code = _ranked(scores)
    section = RankedChunk(100, chance)
    order = insert_sections(
        hits, [section], is_code=lambda one: one.chunk_id in code, names_code=False
    )
    at = order.index(section)
    assert at < BLEND_WINDOW or order[BLEND_WINDOW - 1].chunk_id in code
    if len(code) == len(hits):
        assert at < BLEND_WINDOW
        assert all(one.score >= chance for one in order[: min(at, BLEND_WINDOW - 1)])


def test_a_likelier_section_leads_unless_the_question_names_code() -> None:
    hits, section = (
        [RankedChunk(1, 0.3), RankedChunk(2, 0.2), RankedChunk(3, 0.1)],
        RankedChunk(9, 0.9),
    )
    for names_code, expected in ((False, [9, 1, 2, 3]), (True, [1, 9, 2, 3])):
        order = insert_sections(
            hits, [section], is_code=lambda one: one.chunk_id < 8, names_code=names_code
        )
        assert [one.chunk_id for one in order] == expected


def test_two_sections_leave_a_place_to_code() -> None:
    hits = [RankedChunk(1, 0.8), RankedChunk(2, 0.7), RankedChunk(3, 0.6)]
    sections = [RankedChunk(8, 0.2), RankedChunk(9, 0.1)]
    order = insert_sections(hits, sections, is_code=lambda one: one.chunk_id < 8, names_code=False)
    assert [one.chunk_id for one in order] == [1, 8, 9, 2, 3]

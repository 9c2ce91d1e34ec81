"""Keep the hits of an answer that have a word of its query, in its case or as a whole word."""

from __future__ import annotations

import re
from dataclasses import replace

from codeindex.text.words import STOP_WORDS
from codeindex.types import Answer

_WORD = re.compile(r"\w+")


def has_query_word(text: str, query: str, *, match_case: bool, whole_words: bool) -> bool:
    """Tell whether a text contains a word of the query, stop words excepted.

    If the query has only stop words, they count. With `match_case`, as in ripgrep's smart case,
    case matters only if the query has capitals; then only its words with capitals count.
    """
    match_case = match_case and query != query.lower()
    words = [word for word in _WORD.findall(query) if not match_case or word != word.lower()]
    content_words = [word for word in words if word.lower() not in STOP_WORDS] or words
    if not content_words:
        return False
    alternatives = "|".join(map(re.escape, content_words))
    pattern = rf"(?<!\w)(?:{alternatives})(?!\w)" if whole_words else f"(?:{alternatives})"
    return re.search(pattern, text, 0 if match_case else re.IGNORECASE) is not None


def keep_word_matches(answer: Answer, *, match_case: bool, whole_words: bool, limit: int) -> Answer:
    """Return the answer with at most `limit` hits, only those with a word of the query."""
    hits, navigation = (
        tuple(
            hit
            for hit in results
            if has_query_word(
                hit.text, answer.query, match_case=match_case, whole_words=whole_words
            )
        )
        for results in (answer.hits, answer.navigation)
    )
    return replace(
        answer, hits=hits[:limit], navigation=navigation, total_count=len(hits), cursor=None
    )

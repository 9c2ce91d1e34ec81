"""ripgrep's -S and -w: fewer results, by the letters of the query."""

from __future__ import annotations

import re
from dataclasses import replace

from codeindex.text.words import STOP_WORDS
from codeindex.types import Answer

_WORD = re.compile(r"\w+")


def has_word(text: str, query: str, *, cased: bool, whole: bool) -> bool:
    """Tell whether a text has a word of the query: in its case if it has capitals, or whole.

    A query without capitals has no case to keep, as in ripgrep's smart case.
    """
    cased = cased and query != query.lower()
    found = [word for word in _WORD.findall(query) if not cased or word != word.lower()]
    telling = [word for word in found if word.lower() not in STOP_WORDS] or found
    if not telling:
        return False
    either = "|".join(map(re.escape, telling))
    pattern = rf"(?<!\w)(?:{either})(?!\w)" if whole else f"(?:{either})"
    return re.search(pattern, text, 0 if cased else re.IGNORECASE) is not None


def narrowed(answer: Answer, *, cased: bool, whole: bool, limit: int) -> Answer:
    """Keep the results that have a word of the query, at most `limit` of them."""
    kept = [
        tuple(hit for hit in hits if has_word(hit.text, answer.query, cased=cased, whole=whole))
        for hits in (answer.hits, answer.navigation)
    ]
    return replace(
        answer,
        hits=kept[0][:limit],
        navigation=kept[1],
        total_count=len(kept[0]),
        cursor=None,
    )

"""Pieces of code that say a question word for word: messages that are pasted, as code spells them.

What a program prints has more about it than its source (times, levels, values), so a run of words
is enough if it is long, or most of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.named import Named
from codeindex.search.retrieve import WordScores, word_scores
from codeindex.store.parts import marks
from codeindex.words import STOP_WORDS, query_words

if TYPE_CHECKING:
    import sqlite3

    from codeindex.search.corpus import Corpus

_LOOKED_AT = 30
"""Pieces that are read, those with most of the question's words."""
_LONG, _SHORT = 5, 3
"""Words in a row that tell by themselves, and those that do if they are most of the question."""
_TELLING = 3
"""Words of a run that are no stop words."""
_MOSTLY = 0.6
_LEAST, _FULLER = 4.0, 4.0
"""Added to the log-odds, the second in proportion to the share of the question. Set, as the lengths
above, by 192 messages of twelve repositories: docs/quality.md."""
_MOST_WORDS = 100
"""Words of a question that are read."""
_WORD = re.compile(r"[^\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}


def verbatim(
    connection: sqlite3.Connection, corpus: Corpus, words: WordScores, text: str
) -> tuple[Named, ...]:
    """Return the lines where code begins to say the question, of those that say most of it."""
    said = [one.lower() for one in _WORD.findall(text)][:_MOST_WORDS]
    if not _tells(said):
        return ()
    found = [
        (run, file_id, start, piece)
        for file_id, start, piece in _pieces(connection, corpus, words, text)
        if (run := _longest(said, _plain(piece)))
    ]
    longest = max((run.count(" ") + 1 for run, *_ in found), default=0)
    share = longest / len(said)
    if longest < (_SHORT if share >= _MOSTLY else _LONG):
        return ()
    lift = _LEAST + _FULLER * share
    return tuple(
        Named(file_id, start + _line(run, piece), lift, "its words, in a row")
        for run, file_id, start, piece in found
        if run.count(" ") + 1 == longest
    )


def _pieces(
    connection: sqlite3.Connection, corpus: Corpus, words: WordScores, text: str
) -> Iterator[tuple[int, int, str]]:
    """Yield pieces of code that may say it: file, first line and text. Tests only quote it."""
    terms = query_words(text)
    named = [one for one in terms if one.isalpha()]  # times and levels would outweigh the rest
    scores = words.bm25 if named == terms else word_scores(corpus.words, named).bm25
    scores = np.where(corpus.is_code[corpus.chunk_file], scores, 0.0)
    count = min(_LOOKED_AT, len(scores))
    if not count:
        return
    best = np.argpartition(-scores, count - 1)[:count]
    ids = corpus.chunk_ids[best[scores[best] > 0]].tolist()
    yield from connection.execute(
        f"SELECT file_id, start_line, text FROM chunks WHERE id IN ({marks(ids)}) ORDER BY id",  # noqa: S608 (marks)
        ids,
    )


def _tells(run: Sequence[str]) -> bool:
    return sum(one not in STOP_WORDS for one in run) >= _TELLING


def _plain(text: str) -> str:
    words = text.translate(_BLANKS).lower().split()  # a third of the time of `re`
    return f" {' '.join(words)} "


def _longest(said: Sequence[str], plain: str) -> str:
    """Return the longest telling run of words that a text has in this order; "" for none."""
    best = ""
    for start in range(len(said)):
        length = best.count(" ") + 2 if best else 1
        while start + length <= len(said):
            run = " ".join(said[start : start + length])
            if f" {run} " not in plain:
                break
            best, length = run, length + 1
    return best if _tells(best.split()) else ""


def _line(run: str, piece: str) -> int:
    """Return how many lines of a piece are before a run that it has."""
    pattern = re.compile(r"[\W_]+".join(map(re.escape, run.split())), re.IGNORECASE)
    found = pattern.search(piece)
    return piece.count("\n", 0, found.start()) if found else 0

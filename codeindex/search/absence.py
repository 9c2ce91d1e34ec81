"""Whether what is asked is there at all: a bar learned from the index, and a literal look below it.

A question is denied if a third of its words or more stand in no file (such as `somebody` do not
count), if no chunk has enough of the rest, and if the model, where there is one, finds nothing that
is nearer than what it finds for topics of other trades. Both bars are learned from the index:
questions that are made of its own text, a word of three exchanged for one that it does not have,
against topics below that it does not speak of, a word or two of three exchanged for its own. The
model finds something near to any topic, so that its bar is above nearly all of these: half way to
the other questions, flask answered 11 topics of 100, and 3 so.
`tests/benchmarks/absence.py` counts the mistakes, with other topics and other questions.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from posixpath import commonprefix
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.bar import HIGHEST, LOWEST, USUAL, Bar
from codeindex.search.corpus import Corpus
from codeindex.search.retrieve import Scores, word_scores
from codeindex.store.declarations import like_literal
from codeindex.types import Absence
from codeindex.words import STOP_WORDS, query_words

if TYPE_CHECKING:
    import sqlite3

    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]
    Vector = npt.NDArray[np.float32]

_TOPICS = (
    "rhubarb compote sweetness", "knitting needle gauge", "opera soprano rehearsal",
    "trombone slide lubricant", "origami crane folding", "lighthouse fog horn",
    "giraffe feeding enclosure", "hockey penalty minutes", "trampoline spring stiffness",
    "orthodontist braces tightening", "cathedral organ pipes", "tulip bulb planting",
    "plumber leaking faucet", "saxophone reed moisture", "gondola cable inspection",
    "badminton racket stringing", "mushroom spore counting", "fencing sabre duel",
    "waffle batter thickness", "carpenter dovetail joint", "ostrich egg hatching",
    "kayak paddle length", "archery bow draw", "quilt stitching density",
    "panda bamboo diet", "escalator handrail speed", "hammock rope knots",
    "pottery kiln glaze", "mustard seed grinding", "ballet pirouette balance",
    "sauna steam temperature", "cheese rind ageing",
)  # fmt: skip
"""Topics of other trades than programming."""
_SAMPLE = 32
_EXCHANGED = 3
"""Of so many words of a known question one is exchanged for a foreign one."""
_TELLING = (3, 6)
"""Words of a known question."""
_FILLERS = frozenset((
    "somebody", "someone", "something", "anybody", "anyone", "anything", "everybody",
    "everyone", "everything", "nobody", "whoever", "whatever", "whenever", "wherever",
    "somewhere", "anywhere", "everywhere", "sometimes", "meanwhile", "beforehand", "afterwards",
    "again", "already", "almost", "always", "ever", "never", "often", "once", "soon", "twice",
    "maybe", "perhaps", "quite", "rather", "really", "earlier", "later",
))  # fmt: skip
"""Words that are in questions and rarely in code: that no file says them says nothing."""
PART = 3
"""One of so many words of a question, at least, has to be missing."""
_ADVERB = "ly"
_LITERAL = 4
"""Letters from which a word is looked for inside of others too: shorter ones are everywhere."""
_ENDINGS, _STEM = 3, 5
"""A word is said where all of it but an ending stands, and no less than so many letters."""
_FEWEST = 8
"""Questions of either kind from which something can be learned."""
_NEARLY = 95
"""Percentile of either kind of question that the bar is put between."""


Dense = Callable[[str], "Vector | None"]
"""Gives the model's cosines of all chunks with a text; None without a model."""
Asked = tuple[str, Dense]


def absence(
    asked: Asked, connection: sqlite3.Connection, corpus: Corpus, scores: Scores, allowed: Flags
) -> Absence | None:
    """Say that what is asked is not in the files that are allowed; None if it may be."""
    text, dense = asked
    if scores.named or not scores.terms or not len(corpus.chunk_ids):
        return None
    chunks = allowed[corpus.chunk_file]
    best = float(scores.words.anywhere[chunks].max(initial=0.0))
    if best >= HIGHEST:  # which spares most questions the learning
        return None
    missing = [one for one in scores.terms if _is_missing(corpus, one, chunks)]
    wanted = _spelt(text, missing) if missing else {}
    if PART * len(wanted) < len(_spelt(text, scores.terms)):
        return None  # most of the question is spoken of
    bar = corpus.learned.bar(lambda: learned(connection, corpus, dense))
    nearest = float(scores.dense[chunks].max(initial=0.0))
    if best >= bar.words or (scores.dense.any() and nearest >= bar.dense):
        return None
    unsaid = _unsaid(connection, corpus, wanted, allowed)
    if not unsaid:
        return None
    indexed = allowed & corpus.is_indexed
    complete = corpus.readiness.words == 1.0 and "failed" not in corpus.statuses
    return Absence(verified=complete, files_scanned=int(indexed.sum()), missing=unsaid)


def _is_missing(corpus: Corpus, term: str, chunks: Flags) -> bool:
    return not chunks[corpus.words.occurrences(term).positions].any()


def _spelt(text: str, terms: Sequence[str]) -> dict[str, str]:
    """Return words as the question has them, each with the letters that all its forms have."""
    found = {}
    for said in re.findall(r"\w+", text):
        own = [one for one in query_words(said) if one in terms]
        if own and not is_filler(said.lower()):
            stem = commonprefix([said.lower(), own[-1]])
            found[said] = stem[: max(_STEM, len(said) - _ENDINGS)]
    return found


def is_filler(word: str) -> bool:
    return word in _FILLERS or word.endswith(_ADVERB)


def _unsaid(
    connection: sqlite3.Connection, corpus: Corpus, words: Mapping[str, str], allowed: Flags
) -> tuple[str, ...]:
    """Return the words that are not in the text of the files, as letters inside of others either.

    All text is read once, which takes 20 ms for 10 MB: few questions come here.
    """
    long = {said: letters for said, letters in words.items() if len(letters) >= _LITERAL}
    if not long:
        return tuple(words)
    has = ", ".join(["max(text LIKE ? ESCAPE '\\')"] * len(long))
    only, ids = "", []
    if not allowed.all():
        ids = corpus.file_ids[allowed].tolist()
        only = " WHERE file_id IN (SELECT value FROM json_each(?))"
    wanted = [f"%{like_literal(one)}%" for one in long.values()]
    row = connection.execute(
        f"SELECT {has} FROM chunks{only}",  # noqa: S608 (constants)
        (*wanted, *([json.dumps(ids)] if only else [])),
    ).fetchone()
    said = {word for word, is_said in zip(long, row, strict=True) if is_said}
    return tuple(word for word in words if word not in said)


def learned(connection: sqlite3.Connection, corpus: Corpus, dense: Dense) -> Bar:
    """Set both bars between questions that the index answers and such as it does not."""
    foreign = [one.split() for one in _TOPICS if _is_foreign(corpus, one)]
    own = _own_words(connection)
    if min(len(foreign), len(own)) < _FEWEST:
        return Bar(dense=_between(_nearest(foreign, dense), []))
    strange = cycle(word for one in foreign for word in one)
    known = [
        [next(strange) if at % _EXCHANGED == 1 else w for at, w in enumerate(one)] for one in own
    ]
    said = cycle([*(words[-1] for words in own), *(words[0] for words in own)])
    half = [
        [word if at <= place % 2 else next(said) for at, word in enumerate(one)]
        for place, one in enumerate(foreign)
    ]
    words = _between([_covered(corpus, one) for one in half], [_covered(corpus, o) for o in known])
    near = _nearest(half, dense)
    return Bar(
        words=min(max((words + USUAL) / 2, LOWEST), HIGHEST),
        dense=max(_between(near, _nearest(known, dense)), _between(near, [])),
    )


def _is_foreign(corpus: Corpus, topic: str) -> bool:
    return not any(corpus.words.frequency(one) for one in query_words(topic))


def _own_words(connection: sqlite3.Connection) -> list[list[str]]:
    """Return the telling words of first sentences of documentation, of files all over the index."""
    (highest,) = connection.execute("SELECT coalesce(max(id), 0) FROM symbols").fetchone()
    step = max(highest // (4 * _SAMPLE), 1)
    rows = connection.execute(
        "SELECT doc FROM symbols WHERE id % ? = 0 AND doc != '' ORDER BY id LIMIT ?",
        (step, 4 * _SAMPLE),
    )
    found = list(filter(None, (_telling(doc) for (doc,) in rows)))
    return found[:: max(len(found) // _SAMPLE, 1)][:_SAMPLE]


def _telling(doc: str) -> list[str]:
    least, most = _TELLING
    plain = re.findall(r"(?<![\w.`])[A-Za-z][a-z]+(?![\w`(])", re.split(r"[.:;]\s|\n\n", doc)[0])
    words = list(dict.fromkeys(one.lower() for one in plain if one.lower() not in STOP_WORDS))
    return words[:most] if len(words) >= least else []


def _covered(corpus: Corpus, words: Sequence[str]) -> float:
    """Return the most of a question's idf that a chunk has."""
    found = word_scores(corpus.words, query_words(" ".join(words)))
    return float(found.anywhere.max(initial=0.0))


def _nearest(questions: Sequence[Sequence[str]], dense: Dense) -> list[float]:
    """Return the cosine of the chunk that is nearest to each question; nothing without a model."""
    found = (dense(" ".join(one)) for one in questions)
    return [float(one.max(initial=0.0)) for one in found if one is not None]


def _between(low: Sequence[float], high: Sequence[float]) -> float:
    """Return what lies between nearly all low values and nearly all high ones."""
    if not low:
        return math.inf
    top = float(np.percentile(low, _NEARLY))
    if not high:
        return top
    return (top + float(np.percentile(high, 100 - _NEARLY))) / 2

"""Lines of code that hold a pasted message: its literal, with values in the place of placeholders.

A literal is split at its placeholders, and its pieces are looked for in the question, in order.
What the question has besides (program names, times, codes, values) does not matter. Where no
literal fits, a long run of the question's words is looked for in any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.search.names.boosts import NameMatch
from codeindex.search.retrieve.scores import WordScores, score_words
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import STOP_WORDS, query_words

if TYPE_CHECKING:
    import sqlite3

    import numpy.typing as npt

    from codeindex.search.retrieve.corpus import Corpus

_LOOKED_AT = 30
"""Chunks that are read for each of two orders: BM25, and the share of the question's words."""
_LONG, _SHORT = 5, 3
"""Words in a row that tell by themselves, and those that do if they are most of the question."""
_TELLING = 2
"""Words of a match that are no stop words."""
_MOSTLY = 0.6
_LEAST, _FULLER = 12.0, 4.0
"""Added to the log-odds, the second in proportion to the share of the question: all other features
of a place that has the words of a message sum up to about 12. None of 117 questions that are no
messages gets it (`tests/benchmarks/messages.py` tells how messages fare)."""
_MOST_WORDS = 100
"""Words of a question that are read."""
_WORD = re.compile(r"[^\W_]+")
_BLANKS = bytes(one if one > 127 or chr(one).isalnum() else 32 for one in range(256))  # noqa: PLR2004 (ASCII)
"""A table for `bytes.translate`, which is ten times faster than that of a `str`."""
_STOP = 0.3
"""What a stop word of a match counts beside another word."""
_UNSAID = 0.6
"""What a word counts that the literal has and the question has not."""
_STRING = re.compile(
    r'"""(?:[^"]|"(?!""))*+"""'
    r"|'''(?:[^']|'(?!''))*+'''"
    r'|"(?:[^"\\\n]|\\[\s\S])*+"'
    r"|(?<![\w&<])'(?:[^'\\\n]|\\[\s\S])*+'"
    r"|`(?:[^`\\]|\\[\s\S])*+`"
)
_JOINS = re.compile(
    r"\s*(?:[A-Z]\w{0,20}\s*|\\\s*)?(?:[frbuFRBULc$@]{1,2})?"
    r"|\s*(?:\+\+?|\.\.?|<<|<>|&|~)[^;{}]{0,120}?(?:\+\+?|\.\.?|<<|<>|&|~)\s*[fru$@]?"
    r"|\s*(?:\+\+?|\.\.?|<<|<>|&|~)\s*[fru$@]?"
)
"""What stands between two literals that make one text."""
_FIRST_BRACE = r"[$#%\\]?\{[^{}\n]{0,80}\}|\\\((?:[^()\n]|\([^()\n]{0,80}\)){0,80}\)"
_LONGEST_JOIN = 160
_HOLE = re.compile(
    rf"{_FIRST_BRACE}|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzjt])?[a-zA-Z@]"
    r"|%<\w+>[a-z]|\$\w+(?:->\w+|\[\w+\])?|\x00"
)
_ESCAPED = re.compile(r"\\(?:[nrtse0abfv\"'`\\$#/]|x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{4}\}?|\s+)")
_NOISE = re.compile(
    r"[A-Za-z]?:?(?:[/\\][\w.-]{1,80}){2,}|\b\w{1,80}(?:\.\w{1,80}){2,}|\b\w{0,80}(?:Error|Exception)\b"
)
"""Paths, qualified names and types of errors, which programs put before and into messages."""
_LEVELS = frozenset(
    re.findall(
        r"\w+",
        "error err warn warning info debug trace fatal critical notice npm exception"
        " thread main panicked at in line why do i get what does mean how to fix",
    )
)
"""Words that programs and people put before a message."""


class _Literal(NamedTuple):
    """A text of code: where it begins, and the runs of words between its placeholders."""

    start: int
    runs: tuple[tuple[str, ...], ...]


class _Chunk(NamedTuple):
    """A chunk with its first line; `plain` are its words in lower case, between blanks."""

    file_id: int
    start: int
    text: str
    plain: str


class _Match(NamedTuple):
    """How much of a question a text of code says: the weight and number of its words."""

    weight: float
    words: int
    file_id: int
    line: int


def match_message(
    connection: sqlite3.Connection, corpus: Corpus, words: WordScores, text: str
) -> tuple[NameMatch, ...]:
    """Return the lines where code begins to say the question, of those that say most of it."""
    said = [one.lower() for one in _WORD.findall(text)][:_MOST_WORDS]
    if len(said) < _SHORT or not _tells(said):
        return ()
    scores = _scores(corpus, words, text)
    chunks = list(_chunks(connection, corpus, scores, said))
    core = _core(text)
    found = list(_literals_said(chunks, said, core))
    found = found or list(_runs_said(chunks, said))
    best = max((one.weight for one in found), default=0.0)
    return tuple(
        NameMatch(
            one.file_id,
            one.line,
            _LEAST + _FULLER * min(one.words / core, 1.0),
            "its words, in a row",
        )
        for one in found
        if one.weight == best
    )


def _scores(
    corpus: Corpus, words: WordScores, text: str
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return BM25 and coverage of the question's words that are no numbers or codes.

    Both are 0 for chunks that have too few of the words to say a message.
    """
    terms = query_words(text)
    named = [one for one in terms if one.isalpha()]  # times and levels would outweigh the rest
    found = words if named == terms else score_words(corpus.words, named)
    counts = np.zeros(len(found.bm25), dtype=np.uint16)
    for one in found.occurrences:
        counts[one.positions] += 1
    enough = counts >= min(_SHORT, len(found.occurrences))
    return found.bm25 * enough, found.anywhere * enough


def _chunks(
    connection: sqlite3.Connection,
    corpus: Corpus,
    scores: Iterable[npt.NDArray[np.float32]],
    said: Sequence[str],
) -> Iterator[_Chunk]:
    """Yield the chunks of code that have two words of the question in a row; tests only quote."""
    ids: set[int] = set()
    allowed = corpus.is_code[corpus.chunk_file]
    for column in scores:
        masked = np.where(allowed, column, 0.0)
        if count := min(_LOOKED_AT, len(masked)):
            best = np.argpartition(-masked, count - 1)[:count]
            ids.update(corpus.chunk_ids[best[masked[best] > 0]].tolist())
    pairs = {f" {a} {b} " for a, b in pairwise(said) if not STOP_WORDS.issuperset((a, b))}
    asked = sorted(ids)
    rows = connection.execute(
        "SELECT file_id, start_line, text FROM chunks"  # noqa: S608 (placeholders)
        f" WHERE id IN ({placeholders(asked)}) ORDER BY id",
        asked,
    )
    for file_id, start, text in rows:
        plain = f" {' '.join(_words(text))} "
        if any(one in plain for one in pairs):
            yield _Chunk(file_id, start, text, plain)


def _literals_said(chunks: Iterable[_Chunk], said: Sequence[str], core: int) -> Iterator[_Match]:
    """Yield the literals that the question says, wholly or long enough."""
    spoken = f" {' '.join(said)} "
    every = set(said)
    for file_id, start, text, _ in chunks:
        for one in string_literals(text):
            own = {word for run in one.runs for word in run}
            if len((own & every) - STOP_WORDS) < _TELLING:
                continue
            weight, words, whole, longest = _fit(one.runs, spoken)
            if _is_message(words, whole=whole, longest=longest, core=core):
                line = start + text.count("\n", 0, one.start)
                yield _Match(weight, words, file_id, line)


def _is_message(words: int, *, whole: bool, longest: int, core: int) -> bool:
    """Tell whether so much of a literal, with such a longest run, is more than a coincidence."""
    if longest >= _LONG or (whole and words > _SHORT):
        return True
    return words >= _SHORT and words >= _MOSTLY * core


def _fit(runs: Sequence[Sequence[str]], spoken: str) -> tuple[float, int, bool, int]:
    """Return weight and number of the words said in order, if all were, and the longest run."""
    at, weight, words, longest, whole = 0, 0.0, 0, 0, True
    for run in runs:
        found = spoken.find(f" {' '.join(run)} ", at)
        kept: Sequence[str] = run
        if found < 0:
            whole = False
            kept, found = _longest_part(run, spoken, at)
        if kept:
            at = found + len(" ".join(kept)) + 1
            words += len(kept)
            longest = max(longest, len(kept))
        weight += _weight(kept) * (1.0 + _UNSAID) - _UNSAID * _weight(run)
    return weight, words, whole, longest


def _longest_part(run: Sequence[str], spoken: str, at: int) -> tuple[Sequence[str], int]:
    """Return the longest part of a run that is said after a place, and where; two words or more."""
    best: Sequence[str] = ()
    where = at
    for start in range(len(run)):
        end = start + max(len(best) + 1, 2)
        while end <= len(run):
            found = spoken.find(f" {' '.join(run[start:end])} ", at)
            if found < 0:
                break
            best, where, end = run[start:end], found, end + 1
    return best, where


def _weight(run: Iterable[str]) -> float:
    return sum((_STOP if one in STOP_WORDS else 1.0 for one in run), 0.0)


def _core(text: str) -> int:
    """Return how many words of a question may be of a message: no path, type, code or level."""
    words = _WORD.findall(_NOISE.sub(" ", text))[:_MOST_WORDS]
    telling = [one for one in words if one.isalpha() and one.lower() not in _LEVELS]
    return max(len(telling), 1)


def string_literals(text: str) -> Iterator[_Literal]:
    """Yield the texts of a piece of code, those that are put together as one."""
    start, end, parts = -1, -1, [""]
    for found in _STRING.finditer(text):
        if start >= 0 and (gap := _joined(text, end, found.start())) is not None:
            parts += [gap, _inner(found[0])]
        else:
            if start >= 0:
                yield _Literal(start, _runs_of("".join(parts)))
            start, parts = found.start(), [_inner(found[0])]
        end = found.end()
    if start >= 0:
        yield _Literal(start, _runs_of("".join(parts)))


def _joined(text: str, start: int, end: int) -> str | None:
    """Return what stands for the code between two literals: a value or nothing; None apart."""
    if end - start > _LONGEST_JOIN or not _JOINS.fullmatch(text, start, end):
        return None
    return "\0" if re.search(r"\w", text[start:end].rstrip("frbuFRBULc$@")) else ""


def _inner(spelt: str) -> str:
    return spelt[3:-3] if spelt[:3] in {'"""', "'''"} else spelt[1:-1]


def _runs_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the runs of words between placeholders; a word glued to a placeholder is left out."""
    plain = _HOLE.sub("\0", _ESCAPED.sub(" ", text))
    pieces = re.sub(r"[^\W_]*\0[^\W_]*", "\0", plain).split("\0")
    return tuple(run for run in map(tuple, map(_words, pieces)) if run)


def _words(text: str) -> list[str]:
    """Return the runs of letters and digits of a text in lower case."""
    return text.lower().encode(errors="replace").translate(_BLANKS).decode().split()


def _tells(run: Iterable[str]) -> bool:
    return sum(one not in STOP_WORDS for one in run) >= _TELLING


def _runs_said(chunks: Iterable[_Chunk], said: Sequence[str]) -> Iterator[_Match]:
    """Yield where any text of code has a long run of the question's words."""
    for file_id, start, text, plain in chunks:
        run = _longest(said, plain)
        words = run.count(" ") + 1 if run else 0
        if words >= (_SHORT if words >= _MOSTLY * len(said) else _LONG):
            yield _Match(float(words), words, file_id, start + _line(run, text))


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
    return best if sum(one not in STOP_WORDS for one in best.split()) > _TELLING else ""


def _line(run: str, piece: str) -> int:
    """Return how many lines of a piece are before a run that it has."""
    pattern = re.compile(r"[\W_]+".join(map(re.escape, run.split())), re.IGNORECASE)
    found = pattern.search(piece)
    return piece.count("\n", 0, found.start()) if found else 0

"""Find the string literal in code that produced a pasted message.

A literal is split at its placeholders, and its pieces are searched in the query, in order. Other
words of the query (program names, times, codes, values) do not matter. If no literal matches, a
long run of the query's words is searched in the whole text of the chunks.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.search.names.boosts import FULL_SHARE_BOOST, MESSAGE_BOOST, NameMatch
from codeindex.search.retrieve.scores import WordScores, score_words
from codeindex.store.catalog.chunks import chunk_blocks_by_id
from codeindex.text.words import STOP_WORDS, query_words
from codeindex.types.array_types import Floats

if TYPE_CHECKING:
    from codeindex.search.retrieve.corpus import Corpus


_CHUNKS_PER_ORDER = 30
"""Most chunks that are read from each of two rankings: by BM25 and by coverage."""
_LONG_RUN, _SHORT_RUN = 5, 3
"""Lengths in words. A run as long as the first proves a message; a shorter one, down to the second,
does so only if it covers most of the query."""
_MIN_CONTENT_WORDS = 2
"""Least words of a match that are not stop words."""
_MOST = 0.8
"""Least share of the query's message words that a short run must cover. With 0.6, six questions of
key words (of 384) counted as messages, five of them at a wrong place; of 176 messages in eleven
repositories as many were found."""
_MAX_WORDS = 100
"""Most words of a query that are read."""
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")
"""Matches the words of one name, such as `X-Forwarded-For`: in a run they count as one word."""
_ASCII_END = 127
_NON_WORD_TO_BLANK = bytes(
    byte if byte > _ASCII_END or chr(byte).isalnum() else 32 for byte in range(256)
)
"""A table for `bytes.translate`, which is ten times faster than `str.translate`."""
_STOP_WORD_WEIGHT = 0.3
"""Weight of a stop word in a match; other words weigh 1."""
_UNMATCHED_COST = 0.6
"""Cost of a word of the literal that is missing from the query."""
_STRING = re.compile(
    r'"""(?:[^"]|"(?!""))*+"""'
    r"|'''(?:[^']|'(?!''))*+'''"
    r'|"(?:[^"\\\n]|\\[\s\S])*+"'
    r"|(?<![\w&<])'(?:[^'\\\n]|\\[\s\S])*+'"
    r"|`(?:[^`\\]|\\[\s\S])*+`"
)
_CONCATENATION = re.compile(
    r"\s*(?:[A-Z]\w{0,20}\s*|\\\s*)?(?:[frbuFRBULc$@]{1,2})?"
    r"|\s*(?:\+\+?|\.\.?|<<|<>|&|~)[^;{}]{0,120}?(?:\+\+?|\.\.?|<<|<>|&|~)\s*[fru$@]?"
    r"|\s*(?:\+\+?|\.\.?|<<|<>|&|~)\s*[fru$@]?"
)
"""Code between two literals that are concatenated into one text."""
_INTERPOLATION = r"[$#%\\]?\{[^{}\n]{0,80}\}|\\\((?:[^()\n]|\([^()\n]{0,80}\)){0,80}\)"
_MAX_CONCATENATION = 160
"""Most characters of code between two literals that are concatenated."""
_PLACEHOLDER = re.compile(
    rf"{_INTERPOLATION}|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzjt])?[a-zA-Z@]"
    r"|%<\w+>[a-z]|\$\w+(?:->\w+|\[\w+\])?|\x00"
)
_ESCAPE = re.compile(r"\\(?:[nrtse0abfv\"'`\\$#/]|x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{4}\}?|\s+)")
_NOISE = re.compile(
    r"[A-Za-z]?:?(?:[/\\][\w.-]{1,80}){2,}|\b\w{1,80}(?:\.\w{1,80}){2,}|\b\w{0,80}(?:Error|Exception)\b"
)
"""Paths, qualified names and error types, which programs print before and inside messages."""
_PREFIX_WORDS = frozenset(
    re.findall(
        r"\w+",
        "error err warn warning info debug trace fatal critical notice npm exception"
        " thread main panicked at in line why do i get what does mean how to fix",
    )
)
"""Words that programs or people write before a message."""


class _Literal(NamedTuple):
    """A string literal in code: its offset, and the sequences of words in it.

    A placeholder such as `{}` or `%s` ends a sequence (`runs`).
    """

    start: int
    runs: tuple[tuple[str, ...], ...]


class _Chunk(NamedTuple):
    """A chunk; `plain` has its words in lower case, each between blanks."""

    file_id: int
    start_line: int
    text: str
    plain: str


class _Match(NamedTuple):
    """A line of code whose text matches the query.

    `words` is the number of words that both have in common; `weight` tells how well they match.
    """

    weight: float
    words: int
    file_id: int
    line: int


class _Fit(NamedTuple):
    """How well a string literal in code matches a query that may be a message.

    `is_whole` is true if all its words between placeholders occur in order. `longest` is the number
    of words of the longest sequence that occurs.
    """

    weight: float
    words: int
    is_whole: bool
    longest: int


def match_message(
    connection: sqlite3.Connection, corpus: Corpus, scores: WordScores, text: str
) -> tuple[NameMatch, ...]:
    """Return the lines of code whose text best matches the message `text`; () if none does."""
    names = _query_names(text)
    query = [word for name in names for word in name]
    content_words = sum(word not in STOP_WORDS for word in query)
    if len(query) < _SHORT_RUN or content_words < _MIN_CONTENT_WORDS:
        return ()
    orders = _candidate_scores(corpus, scores, text)
    chunks = list(_candidate_chunks(connection, corpus, orders, query))
    message_words = _count_message_words(text)
    matches = list(_match_literals(chunks, query, message_words))
    matches = matches or list(_match_runs(chunks, names))
    best = max((match.weight for match in matches), default=0.0)
    return tuple(
        NameMatch(
            match.file_id,
            match.line,
            MESSAGE_BOOST + FULL_SHARE_BOOST * min(match.words / message_words, 1.0),
            "its words in this order",
        )
        for match in matches
        if match.weight == best
    )


def _query_names(text: str) -> list[tuple[str, ...]]:
    """Return the names and single words of a query, each as its words in lower case.

    `set max_size` gives `("set",)` and `("max", "size")`.
    """
    found: list[tuple[str, ...]] = []
    left = _MAX_WORDS
    for name in _JOINED.findall(text):
        words = tuple(word.lower() for word in _WORD.findall(name))[:left]
        left -= len(words)
        if words:
            found.append(words)
    return found


def _candidate_scores(corpus: Corpus, scores: WordScores, text: str) -> tuple[Floats, Floats]:
    """Return (BM25, coverage) of each chunk for the alphabetic words of the query.

    Coverage is the share of the query's idf that the chunk contains. Both are 0 for chunks that
    have too few of these words to contain a message.
    """
    terms = query_words(text)
    alphabetic = [term for term in terms if term.isalpha()]  # numbers would dominate
    if alphabetic != terms:
        scores = score_words(corpus.words, alphabetic)
    counts = np.zeros(len(scores.bm25), dtype=np.uint16)
    for occurrences in scores.occurrences:
        counts[occurrences.positions] += 1
    is_enough = counts >= min(_SHORT_RUN, len(scores.occurrences))
    return scores.bm25 * is_enough, scores.coverage * is_enough


def _candidate_chunks(
    connection: sqlite3.Connection, corpus: Corpus, orders: Iterable[Floats], query: Sequence[str]
) -> Iterator[_Chunk]:
    """Yield the chunks of code outside of tests that may contain the message.

    They are the best by any of `orders` (scores of all chunks) and contain two adjacent words of
    the query.
    """
    ids: set[int] = set()
    allowed = corpus.is_code[corpus.chunk_file]
    for scores in orders:
        best = corpus.best_chunks(np.where(allowed, scores, 0.0), _CHUNKS_PER_ORDER)
        ids.update(corpus.chunk_ids[best].tolist())
    pairs = {f" {a} {b} " for a, b in pairwise(query) if not STOP_WORDS.issuperset((a, b))}
    for file_id, start_line, text in chunk_blocks_by_id(connection, sorted(ids)):
        plain = f" {' '.join(_plain_words(text))} "
        if any(pair in plain for pair in pairs):
            yield _Chunk(file_id, start_line, text, plain)


def _match_literals(
    chunks: Iterable[_Chunk], query: Sequence[str], message_words: int
) -> Iterator[_Match]:
    """Yield the string literals that the query contains in full or in a long enough part.

    `message_words` is the number of words of the query that may belong to a message.
    """
    spoken = f" {' '.join(query)} "
    query_set = set(query)
    for file_id, start_line, text, _ in chunks:
        for literal in string_literals(text):
            words = {word for run in literal.runs for word in run}
            if len((words & query_set) - STOP_WORDS) < _MIN_CONTENT_WORDS:
                continue
            fit = _fit_literal(literal.runs, spoken)
            if _is_message(fit, message_words):
                line = start_line + text.count("\n", 0, literal.start)
                yield _Match(fit.weight, fit.words, file_id, line)


def _is_message(fit: _Fit, message_words: int) -> bool:
    """Tell whether a literal has so many words in common with the query that it is no coincidence.

    `message_words` is the number of words of the query that may belong to a message.
    """
    if fit.longest >= _LONG_RUN or (fit.is_whole and fit.words > _SHORT_RUN):
        return True
    return fit.words >= _SHORT_RUN and fit.words >= _MOST * message_words


def _fit_literal(runs: Sequence[Sequence[str]], spoken: str) -> _Fit:
    """Compare a literal with the words of a query, `spoken`.

    Search the literal's sequences of words (`runs`) in order, each after the previous one.
    """
    at, weight, words, longest, is_whole = 0, 0.0, 0, 0, True
    for run in runs:
        start = spoken.find(f" {' '.join(run)} ", at)
        kept: Sequence[str] = run
        if start < 0:
            is_whole = False
            kept, start = _longest_part(run, spoken, at)
        if kept:
            at = start + len(" ".join(kept)) + 1
            words += len(kept)
            longest = max(longest, len(kept))
        weight += _weight(kept) * (1.0 + _UNMATCHED_COST) - _UNMATCHED_COST * _weight(run)
    return _Fit(weight, words, is_whole, longest)


def _longest_part(run: Sequence[str], spoken: str, at: int) -> tuple[Sequence[str], int]:
    """Return (the longest part of `run` that occurs in `spoken` after `at`, its offset).

    The part has two words or more; it is () if none occurs.
    """
    best: Sequence[str] = ()
    best_offset = at
    for start in range(len(run)):
        end = start + max(len(best) + 1, 2)
        while end <= len(run):
            offset = spoken.find(f" {' '.join(run[start:end])} ", at)
            if offset < 0:
                break
            best, best_offset, end = run[start:end], offset, end + 1
    return best, best_offset


def _weight(run: Iterable[str]) -> float:
    return sum((_STOP_WORD_WEIGHT if word in STOP_WORDS else 1.0 for word in run), 0.0)


def _count_message_words(text: str) -> int:
    """Count the words that may belong to a message; at least 1.

    Paths, type names, codes and log levels do not count.
    """
    words = _WORD.findall(_NOISE.sub(" ", text))[:_MAX_WORDS]
    telling = [word for word in words if word.isalpha() and word.lower() not in _PREFIX_WORDS]
    return max(len(telling), 1)


def string_literals(text: str) -> Iterator[_Literal]:
    """Yield the string literals in code; concatenated literals are yielded as one."""
    start, end, parts = -1, -1, [""]
    for match in _STRING.finditer(text):
        joint = _concatenation(text, end, match.start()) if start >= 0 else None
        if joint is not None:
            parts += [joint, _content(match[0])]
        else:
            if start >= 0:
                yield _Literal(start, _runs("".join(parts)))
            start, parts = match.start(), [_content(match[0])]
        end = match.end()
    if start >= 0:
        yield _Literal(start, _runs("".join(parts)))


def _concatenation(text: str, start: int, end: int) -> str | None:
    """Tell whether code joins the literals before and after it, as `+` does.

    `start` and `end` are the offsets of the code in `text`. Return "" for literals that are
    directly joined, a placeholder if values stand between them, and None for other code.
    """
    if end - start > _MAX_CONCATENATION or not _CONCATENATION.fullmatch(text, start, end):
        return None
    return "\0" if re.search(r"\w", text[start:end].rstrip("frbuFRBULc$@")) else ""


def _content(literal: str) -> str:
    return literal[3:-3] if literal[:3] in {'"""', "'''"} else literal[1:-1]


def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the sequences of words between the placeholders of a literal.

    Words attached to a placeholder, as in `%s_id`, are left out.
    """
    plain = _PLACEHOLDER.sub("\0", _ESCAPE.sub(" ", text))
    pieces = re.sub(r"[^\W_]*\0[^\W_]*", "\0", plain).split("\0")
    return tuple(run for run in map(tuple, map(_plain_words, pieces)) if run)


def _plain_words(text: str) -> list[str]:
    """Return the words of a text (runs of letters and digits) in lower case."""
    return text.lower().encode(errors="replace").translate(_NON_WORD_TO_BLANK).decode().split()


def _match_runs(chunks: Iterable[_Chunk], names: Sequence[tuple[str, ...]]) -> Iterator[_Match]:
    """Yield for each chunk the line with a long sequence of the query's words, if there is one.

    `names` are the words of the query; those of one name are in one tuple and count as one word.
    """
    for file_id, start_line, text, plain in chunks:
        run = _longest_run(names, plain)
        if len(run) >= (_SHORT_RUN if len(run) >= _MOST * len(names) else _LONG_RUN):
            line = start_line + _line_offset(" ".join(run), text)
            yield _Match(float(len(run)), len(run), file_id, line)


def _longest_run(names: Sequence[tuple[str, ...]], plain: str) -> Sequence[str]:
    """Return the longest sequence of adjacent `names` that occurs in `plain`.

    Each item is one name, its words joined by blanks. Return () if at most `_MIN_CONTENT_WORDS` of
    the items are not stop words.
    """
    items = [" ".join(name) for name in names]
    best: Sequence[str] = ()
    for start in range(len(items)):
        end = start + len(best) + 1
        while end <= len(items) and f" {' '.join(items[start:end])} " in plain:
            best, end = items[start:end], end + 1
    content_words = sum(item not in STOP_WORDS for item in best)
    return best if content_words > _MIN_CONTENT_WORDS else ()


def _line_offset(run: str, text: str) -> int:
    """Return how many lines of `text` are before the words `run`; 0 if they are not found."""
    pattern = re.compile(r"[\W_]+".join(map(re.escape, run.split())), re.IGNORECASE)
    match = pattern.search(text)
    return text.count("\n", 0, match.start()) if match else 0

"""Split text into stemmed words, in the same way for indexing and for queries.

Identifiers are split at underscores and in camel case, and lightly stemmed. The whole identifier
counts as a word too, so that `validateToken`, `validate_token` and `validate token` match.
"""

from __future__ import annotations

import functools
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain

_RUN = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_BETWEEN_RUNS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_CJK_LETTERS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(128) if chr(code).isalnum()}
_SMALL = rf"[^\W\d_A-Z{_CJK_LETTERS}]"
"""A letter that does not begin a new part of a name. It includes accented capitals, because `re`
cannot tell their case."""
_LONGEST_RUN = 64
"""Most characters of a run that counts as a word: longer runs are data (base64, hashes)."""
_SHORTEST_STEMMED = 4
"""Letters of the shortest word that is stemmed."""

STOP_WORDS = frozenset(
    {
        *("a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because"),
        *("been", "but", "by", "can", "code", "could", "did", "do", "does", "doing", "done"),
        *("each", "every", "file", "files", "find", "for", "from", "get", "gets", "give", "given"),
        *("had", "has", "have", "here", "how", "i", "if", "in", "into", "is", "it", "its", "just"),
        *("let", "like", "made", "make", "makes", "many", "me", "more", "most", "much", "must"),
        *("my", "no", "not", "of", "on", "once", "one", "only", "or", "other", "our", "out"),
        *("over", "own", "same", "see", "shall", "she", "should", "show", "so", "some", "such"),
        *("than", "that", "the", "their", "them", "then", "there", "these", "they", "this"),
        *("those", "through", "to", "too", "under", "until", "up", "us", "use", "used", "uses"),
        *("using", "very", "via", "want", "was", "way", "we", "were", "what", "when", "where"),
        *("which", "while", "who", "why", "will", "with", "within", "without", "work", "works"),
        *("would", "you", "your"),
    }
)
"""Words that queries ignore; a query that consists of stop words keeps them."""


def normal_form(text: str) -> str:
    """Return `text` in the Unicode form NFKC, in which equivalent texts are equal."""
    if text.isascii():
        return text
    lines = text.split("\n")  # most lines of a file have only ASCII, and none changes another one
    return "\n".join(
        line if line.isascii() else unicodedata.normalize("NFKC", line) for line in lines
    )


def folded_form(text: str) -> str:
    """Return a text that is equal for names which differ only in case or Unicode form."""
    return normal_form(text).casefold()


def unicode_forms(text: str) -> list[str]:
    """Return the distinct ways to write `text` in Unicode, such as `é` as one or two characters.

    The first is `text` itself, the last has full-width letters.
    """
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC")]
    return list(dict.fromkeys((text, *forms, forms[-1].translate(_FULL_WIDTH))))


def normal_name(name: str) -> str:
    """Return an identifier in the Unicode form NFKC; leave operators unchanged."""
    is_word = not name.isascii() and any(map(str.isalpha, name))
    return unicodedata.normalize("NFKC", name) if is_word else name


def stemmed_words(text: str) -> list[str]:
    """Return the stemmed words of `text` in order; an identifier follows its parts as one word.

    `validateToken` gives `validate`, `token`, `validatetoken`, each stemmed.
    """
    runs = [run for run in _RUN.findall(normal_form(text)) if len(run) <= _LONGEST_RUN]
    return list(chain.from_iterable(map(_words, runs)))


def stemmed_text(*texts: str) -> str:
    """Return the stemmed words of texts as one text, separated by blanks, for word segments."""
    text = " ".join(texts)
    if not text.isascii():
        return " ".join(stemmed_words(text))
    return " ".join(filter(None, map(_stemmed_run, ascii_runs(text))))


def ascii_runs(text: str) -> list[str]:
    """Return the runs of letters, digits and underscores in an ASCII text.

    Five times as fast as a regular expression.
    """
    return text.translate(_BETWEEN_RUNS).split()


@functools.lru_cache(maxsize=65_536)
def _stemmed_run(run: str) -> str:
    """Return the stemmed words of one run of letters and digits, separated by blanks.

    Return "" if it has no words.
    """
    bare = run.strip("_")
    return " ".join(_words(bare)) if 0 < len(bare) <= _LONGEST_RUN else ""


def stemmed_parts(text: str) -> list[str]:
    """Return the stemmed words of `text` in order; identifiers give only their parts."""
    split = (_split(run) for run in _RUN.findall(normal_form(text)))
    return [part for parts in split for part in (parts[:-1] if len(parts) > 1 else parts)]


@functools.lru_cache(maxsize=65_536)
def part_set(text: str) -> frozenset[str]:
    """Return the distinct stemmed words of `text`, as `stemmed_parts` splits it."""
    return frozenset(stemmed_parts(text))


def part_offsets(name: str) -> list[int]:
    """Return the offsets at which the parts of a name start: 0 and 8 for `validateToken`."""
    return [part.start() for part in _part().finditer(name)]


def query_words(text: str) -> list[str]:
    """Return the distinct stemmed words of a query, without stop words.

    A query of stop words only keeps them.
    """
    every = list(dict.fromkeys(stemmed_words(text)))
    return [word for word in every if word not in stop_stems()] or every


@functools.cache
def stop_stems() -> frozenset[str]:
    """Return the stop words in stemmed form, which is the form of indexed words."""
    return frozenset(map(stem_word, STOP_WORDS))


IDENTIFIER = re.compile(r"[^\W\d]\w{2,79}")
"""A name that is recorded for a file. Names of under three characters are left out because most
files have them; names are cut after 80 characters."""


def names_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches one of these names where it is no part of a longer word."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)")


def word_offsets(text: str, name: str) -> Iterator[int]:
    """Yield the offsets in `text` where `name` is no part of a longer word.

    For a few names in a long text this is much faster than `names_pattern`.
    """
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_is_word(text[at - 1 : at]) or _is_word(text[end : end + 1])):
            yield at
        at = text.find(name, at + 1)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def name_checksum(name: str) -> int:
    """Return the CRC-32 of the NFKC form of a name.

    The index stores these numbers to know which names occur in a file.
    """
    return zlib.crc32(normal_form(name).encode())


def fold_name(name: str) -> str:
    """Return the key under which symbols are looked up: NFKC, lower case, without underscores."""
    return normal_form(name).replace("_", "").lower()


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{_CJK_LETTERS}]+")


@functools.cache
def _part() -> re.Pattern[str]:
    """Return the regular expression for one part of a name, such as `Token` in `validateToken`.

    It is compiled on first use: its CJK ranges take 10 ms, and not all commands need it.
    """
    return re.compile(rf"[A-Z]+(?!{_SMALL})|[A-Z]?{_SMALL}+|\d+|[{_CJK_LETTERS}]+")


@functools.lru_cache(maxsize=65_536)
def _words(run: str) -> tuple[str, ...]:
    cjk = () if run.isascii() else _cjk().findall(run)
    pairs = [piece[i : i + 2] for piece in cjk for i in range(max(1, len(piece) - 1))]
    return (*pairs, *_split(run))


def _split(run: str) -> tuple[str, ...]:
    parts = _part().findall(run)
    if len(parts) <= 1:
        return (stem_word(run.lower()),)
    return (*(stem_word(part.lower()) for part in parts), fold_name(run))


@functools.lru_cache(maxsize=65_536)
def stem_word(word: str) -> str:
    """Strip the commonest English endings of a lower-case word; keep at least three letters."""
    if len(word) < _SHORTEST_STEMMED or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_STEMMED:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) >= len(ending) + 4:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if len(word) > _SHORTEST_STEMMED and word.endswith("e") else word

"""What no file has: words of a question, a name, a quoted text.

Nothing is shown for a single name or a quoted text that is in no file, after the text of every file
that the filters let pass was read, and for a question of which no word is anywhere, however it is
split or spelt, and no vector is near. Anything else is ranked.
"""

from __future__ import annotations

import functools
import json
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from posixpath import commonprefix
from typing import TYPE_CHECKING

from codeindex.languages import for_path
from codeindex.query.classify import Classification, QueryType
from codeindex.query.identifiers import is_identifier
from codeindex.search.names.query_name import extract_name, strip_call
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.unsearched_files import count_unsearched_files, has_unsearched_code
from codeindex.store.catalog.sql_values import like_literal
from codeindex.text.words import STOP_WORDS, fold, stem, words
from codeindex.types import Absence, Filters

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]

_FILLERS = frozenset((
    "somebody", "someone", "something", "anybody", "anyone", "anything", "everybody",
    "everyone", "everything", "nobody", "whoever", "whatever", "whenever", "wherever",
    "somewhere", "anywhere", "everywhere", "sometimes", "meanwhile", "beforehand", "afterwards",
    "again", "already", "almost", "always", "ever", "never", "often", "once", "soon", "twice",
    "maybe", "perhaps", "quite", "rather", "really", "earlier", "later",
))  # fmt: skip
"""Words that are in questions and rarely in code: that no file has them says nothing."""
_ADVERB = "ly"
_LITERAL = 4
"""Letters from which a word is looked for inside of others too: shorter ones are everywhere."""
_ENDINGS, _STEM = 3, 5
"""A word occurs where all of it but an ending stands, and no less than so many letters."""
_SHORTEST_PART = 3
"""Letters of each of two words that a word may be joined of."""
_ONE_SLIP, _LONGEST = 5, 40
"""Letters from which one slip of the finger is forgiven, as in names, and to which it is tried."""
_NAME = re.compile(r"[\w$@~?!]+(?:(?:::|->|[.#/\\:])[\w$@~?!]+)*")
_QUOTED = re.compile(r"([\"'`])([^\"'`\n]*\s[^\"'`\n]*)\1")


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class QueryVocabulary:
    """A question, and the files that its filters let pass."""

    connection: sqlite3.Connection
    corpus: Corpus
    text: str
    filters: Filters
    allowed: Flags

    @functools.cached_property
    def chunks(self) -> Flags:
        return self.allowed[self.corpus.chunk_file]

    @functools.cached_property
    def content(self) -> tuple[str, ...]:
        """Return the distinct words that say what is asked for, as they are written."""
        said = dict.fromkeys(re.findall(r"\w+", self.text))
        return tuple(one for one in said if not _says_nothing(one))

    @functools.cached_property
    def found(self) -> frozenset[str]:
        """Return those of the content that are words of these files; a name is one as a whole."""
        return frozenset(one for one in self.content if any(map(self.occurs, _wholes(one))))

    @functools.cached_property
    def unknown(self) -> tuple[str, ...]:
        """Return the content if none of it, nor a part of it, is a word of these files."""
        parts = (part for one in self.content for part in words(one))
        return () if any(map(self.occurs, parts)) else self.content

    def occurs(self, term: str) -> bool:
        """Tell whether any chunk of the allowed files contains a stemmed word."""
        places = self.corpus.words.occurrences(term).positions
        return bool(self.chunks[places].any())


def _wholes(word: str) -> list[str]:
    """Return the terms of which one says a word: of a compound the last, of CJK any pair."""
    terms = words(word)
    return terms[-1:] if word.isascii() else terms


def _says_nothing(word: str) -> bool:
    said = word.lower()
    return said in STOP_WORDS or is_filler_word(said) or not words(word)


def is_filler_word(word: str) -> bool:
    return word in _FILLERS or word.endswith(_ADVERB)


def find_missing_words(asked: QueryVocabulary) -> tuple[str, ...]:
    """Return the words of a question that no file has, as a word or as a part of one."""
    return tuple(one for one in asked.content if not _stands(asked, one))


def _stands(asked: QueryVocabulary, word: str) -> bool:
    if word in asked.found:
        return True
    return any(map(asked.occurs, _holding(asked, word)))


def _holding(asked: QueryVocabulary, word: str) -> list[str]:
    """Return words of the index that have a word in them, or begin with all of it but an ending."""
    said = fold(word)
    start = commonprefix([said, words(word)[-1]])
    start = said if is_identifier(word) else start[: max(_STEM, len(said) - _ENDINGS)]
    if len(start) < _LITERAL:
        return []
    held = asked.corpus.words.holding(start)
    return sorted(one for one in held if one.startswith(start) or said in one)


def respell_words(asked: QueryVocabulary, unknown: Sequence[str]) -> str:
    """Return words of these files that are meant by unknown ones: parts of them, or misspelt."""
    return " ".join(found for one in unknown if (found := _respelt(asked, one)))


def _respelt(asked: QueryVocabulary, word: str) -> str:
    said = fold(word)
    if len(said) > _LONGEST:
        return ""
    for at in range(_SHORTEST_PART, len(said) - _SHORTEST_PART + 1):
        if not is_identifier(word) and all(map(asked.occurs, map(stem, (said[:at], said[at:])))):
            return f"{said[:at]} {said[at:]}"
    near = [] if len(said) < _ONE_SLIP else [stem(one) for one in _slipped(said)]
    return _commonest(asked, near) or _commonest(asked, _holding(asked, word))


def _commonest(asked: QueryVocabulary, terms: Sequence[str]) -> str:
    """Return the term that most chunks have, of those that these files have; "" for none."""
    counts = {one: asked.corpus.words.frequency(one) for one in terms}
    likely = sorted((one for one in counts if counts[one]), key=lambda one: (-counts[one], one))
    return next(filter(asked.occurs, likely), "")


def _slipped(word: str) -> Iterator[str]:
    """Yield what one letter added, dropped or changed, or two swapped, make of a word."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            yield before + letter + after[1:]


def find_absence(
    asked: QueryVocabulary,
    question: Classification,
    missing: Sequence[str],
    *,
    is_near: bool,
    occurs: bool,
) -> Absence | None:
    """Say that nothing can be shown; None where something may be what is meant, or nothing is read.

    `is_near` tells whether a vector is near to the question, `occurs` whether a word of it is in
    the files, however it is spelt.
    """
    if not missing or not len(asked.corpus.chunk_ids):
        return None
    literal = _literal(asked, question, missing, is_near=is_near)
    if literal and not respell_words(asked, (literal,)):
        is_there = _is_in_text(asked, literal)
        return None if is_there else build_absence(asked, (literal,), is_literal=True)
    if is_near or occurs or not asked.unknown or len(missing) < len(asked.content):
        return None
    return (
        None if respell_words(asked, missing) else build_absence(asked, missing, is_literal=False)
    )


def _literal(
    asked: QueryVocabulary, question: Classification, missing: Sequence[str], *, is_near: bool
) -> str:
    """Return the name or the quoted text that a question is; "" where it is none.

    A plain word may as well be a topic that something near is about.
    """
    if quoted := _QUOTED.fullmatch(asked.text.strip()):
        return quoted[2].strip()
    name = strip_call(extract_name(asked.text, question) or "")
    if not _NAME.fullmatch(name):
        return ""
    parts = [one for one in re.findall(r"\w+", name) if not one.isdigit()]
    if question.type is not QueryType.SYMBOL and not set(asked.content) <= set(parts):
        return ""
    if len(parts) > 1 and for_path(name.rstrip(":0123456789")):
        del parts[-1]  # the ending of a file
    last = parts[-1] if parts else ""
    may_be_topic = not last or (
        not is_identifier(last) and (is_near or last.upper() == last.lower())
    )
    return last if last in missing and not may_be_topic else ""


def _is_in_text(asked: QueryVocabulary, literal: str) -> bool:
    """Tell whether an allowed file, or its path, contains a text; ASCII case is ignored.

    All text is read once, which takes 20 ms for 10 MB: few questions come here.
    """
    only, ids = "", []
    if not asked.allowed.all():
        ids = [json.dumps(asked.corpus.file_ids[asked.allowed].tolist())]
        only = " AND file_id IN (SELECT value FROM json_each(?))"
    like = f"%{like_literal(literal)}%"
    (found,) = asked.connection.execute(
        f"SELECT EXISTS (SELECT 1 FROM chunks WHERE text LIKE ? ESCAPE '\\'{only})",  # noqa: S608 (constants)
        (like, *ids),
    ).fetchone()
    paths = (path for path, is_in in zip(asked.corpus.paths, asked.allowed, strict=True) if is_in)
    return bool(found) or any(literal.lower() in path.lower() for path in paths)


def build_absence(asked: QueryVocabulary, missing: Sequence[str], *, is_literal: bool) -> Absence:
    """Return that these words are in no file; verified for a name or a quoted text alone."""
    corpus = asked.corpus
    failed = any(corpus.statuses[at] == "failed" for at in asked.allowed.nonzero()[0].tolist())
    is_read = not (failed or has_unsearched_code(asked.connection, asked.filters))
    return Absence(
        verified=is_literal and corpus.readiness.words == 1.0 and is_read,
        files_scanned=int((asked.allowed & corpus.is_indexed).sum()),
        missing=tuple(missing),
        not_searched=count_unsearched_files(asked.connection, asked.filters, minified=True),
    )

"""Decide to show no results, because the files do not contain what the query asks for.

A query that is a single name or a quoted text is absent if no text that passes the filters contains
it. Any other query is absent if none of its words occurs, in any spelling, and no vector is near.
All other queries are ranked.
"""

from __future__ import annotations

import functools
import re
import sqlite3
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from posixpath import commonprefix

from codeindex.languages import language_for_path
from codeindex.query.classify import Classification, QueryType
from codeindex.query.identifiers import is_identifier
from codeindex.search.names.query_name import extract_name, strip_call
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.unsearched_files import count_unsearched_code, count_unsearched_files
from codeindex.store.catalog.chunks import is_text_in_chunks
from codeindex.text.words import STOP_WORDS, fold_name, normal_form, stem_word, stemmed_words
from codeindex.types import Absence, Filters
from codeindex.types.array_types import Flags

_FILLERS = frozenset((
    "somebody", "someone", "something", "anybody", "anyone", "anything", "everybody",
    "everyone", "everything", "nobody", "whoever", "whatever", "whenever", "wherever",
    "somewhere", "anywhere", "everywhere", "sometimes", "meanwhile", "beforehand", "afterwards",
    "again", "already", "almost", "always", "ever", "never", "often", "once", "soon", "twice",
    "maybe", "perhaps", "quite", "rather", "really", "earlier", "later",
))  # fmt: skip
"""Words of questions that code rarely contains, so that their absence proves nothing."""
_ADVERB = "ly"
_MIN_INFIX_LENGTH = 4
"""Least letters of a word that is searched inside other words; too many contain a shorter word."""
_MAX_ENDING, _MIN_STEM = 3, 5
"""A word counts as present if its stem begins an indexed term: the dropped ending has at most 3
letters, the stem at least 5."""
_MIN_PART = 3
"""Least letters of each part when a word is split in two."""
_MIN_LENGTH_ONE_TYPO, _MAX_LENGTH = 5, 40
"""Least letters of a word that may have one typo, and most letters of a word that is respelt."""
_NAME = re.compile(r"[\w$@~?!]+(?:(?:::|->|[.#/\\:])[\w$@~?!]+)*")
_QUOTED = re.compile(r"([\"'`])([^\"'`\n]*\s[^\"'`\n]*)\1")

_NEAR_WORD = 1.64
"""If the nearest vector is at least this near, a plain word that no file contains is not called
absent, because code may express it in other words. 95 % of unrelated topics are farther away (.89
of 180 absurd ones were). In a shop of five files, `payment`, `wallet`, `purchase` and `customer`
reach 1.9 to 3.8; `zeppelin`, `giraffe` and `trampoline` reach .7 to 1.5."""


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class QueryVocabulary:
    """The content words of a query, and which of them occur in the files that pass the filters.

    Content words are all except stop words and filler words. `allowed` tells for each file of the
    corpus whether it passes the filters.
    """

    connection: sqlite3.Connection
    corpus: Corpus
    text: str
    filters: Filters
    allowed: Flags

    @functools.cached_property
    def chunks(self) -> Flags:
        """For each chunk, whether its file passes the filters."""
        return self.allowed[self.corpus.chunk_file]

    @functools.cached_property
    def content(self) -> tuple[str, ...]:
        """The distinct content words of the query in the order and spelling of the query."""
        distinct = dict.fromkeys(re.findall(r"\w+", self.text))
        return tuple(word for word in distinct if not _is_empty_word(word))

    @functools.cached_property
    def present(self) -> frozenset[str]:
        """The content words that occur in a file that passes the filters.

        An identifier must occur as a whole: its parts do not suffice.
        """
        return frozenset(word for word in self.content if any(map(self.occurs, _whole_terms(word))))

    @functools.cached_property
    def unknown(self) -> tuple[str, ...]:
        """All content words of the query, or () if any of them or of their parts occurs.

        Only files that pass the filters count.
        """
        parts = (part for word in self.content for part in stemmed_words(word))
        return () if any(map(self.occurs, parts)) else self.content

    def occurs(self, term: str) -> bool:
        """Tell whether `term`, a stemmed word, occurs in a file that passes the filters."""
        positions = self.corpus.words.occurrences(term).positions
        return bool(self.chunks[positions].any())


def _whole_terms(word: str) -> list[str]:
    """Return stemmed terms of a word; a text that has any of them has the word as a whole.

    For an ASCII word that is the undivided word, without its parts (`foo` and `bar` of `fooBar`).
    For a CJK word they are all its terms.
    """
    terms = stemmed_words(word)
    return terms[-1:] if word.isascii() else terms


def _is_empty_word(word: str) -> bool:
    lower = word.lower()
    return lower in STOP_WORDS or is_filler_word(lower) or not stemmed_words(word)


def is_filler_word(word: str) -> bool:
    return word in _FILLERS or word.endswith(_ADVERB)


def find_missing_words(vocabulary: QueryVocabulary) -> tuple[str, ...]:
    """Return the query's content words that occur in no file that passes the filters.

    A word also counts as present if an indexed term contains it or begins with its stem.
    """
    return tuple(
        word
        for word in vocabulary.content
        if word not in vocabulary.present
        and not any(map(vocabulary.occurs, _terms_containing(vocabulary, word)))
    )


def _terms_containing(vocabulary: QueryVocabulary, word: str) -> list[str]:
    """Return the terms in the index that contain a word or begin with the stem of the word."""
    folded = fold_name(word)
    start = commonprefix([folded, stemmed_words(word)[-1]])
    start = folded if is_identifier(word) else start[: max(_MIN_STEM, len(folded) - _MAX_ENDING)]
    if len(start) < _MIN_INFIX_LENGTH:
        return []
    terms = vocabulary.corpus.words.words_containing(start)
    return sorted(term for term in terms if term.startswith(start) or folded in term)


def respell_words(vocabulary: QueryVocabulary, unknown: Sequence[str]) -> str:
    """Return other spellings of unknown words that occur in the files; "" if there are none.

    Another spelling splits a word in two or corrects a typo.
    """
    respelt = (_respell_word(vocabulary, word) for word in unknown)
    return " ".join(filter(None, respelt))


def _respell_word(vocabulary: QueryVocabulary, word: str) -> str:
    folded = fold_name(word)
    if len(folded) > _MAX_LENGTH:
        return ""
    for split in range(_MIN_PART, len(folded) - _MIN_PART + 1):
        parts = (folded[:split], folded[split:])
        if not is_identifier(word) and all(map(vocabulary.occurs, map(stem_word, parts))):
            return " ".join(parts)
    is_long = len(folded) >= _MIN_LENGTH_ONE_TYPO
    corrected = [stem_word(edit) for edit in _one_typo_edits(folded)] if is_long else []
    return _commonest(vocabulary, corrected) or _commonest(
        vocabulary, _terms_containing(vocabulary, word)
    )


def _commonest(vocabulary: QueryVocabulary, terms: Sequence[str]) -> str:
    """Return the most frequent of `terms` that occurs in a file that passes the filters.

    Return "" if none occurs.
    """
    counts = {term: vocabulary.corpus.words.frequency(term) for term in terms}
    known = [term for term in counts if counts[term]]
    ordered = sorted(known, key=lambda term: (-counts[term], term))
    return next(filter(vocabulary.occurs, ordered), "")


def _one_typo_edits(word: str) -> Iterator[str]:
    """Yield all words at one typo: a letter added, dropped or changed, or two letters swapped."""
    for position in range(len(word) + 1):
        before, after = word[:position], word[position:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            yield before + letter + after[1:]


def find_absence(
    vocabulary: QueryVocabulary,
    question: Classification,
    missing: Sequence[str],
    *,
    nearness: Callable[[], float],
    near: float,
    occurs: bool,
) -> Absence | None:
    """Return an `Absence` if no results must be shown; None if the query is to be ranked.

    `missing` are the content words that no file contains. `occurs` tells whether any term of the
    query occurs, even in another spelling. `nearness` computes how near the nearest vector is
    (`relative_nearness`) and is called only if the words do not decide. The query is ranked if
    the result is at least `near`.
    """
    if not missing or not len(vocabulary.corpus.chunk_ids):
        return None
    literal = _literal(vocabulary, question, missing, nearness)
    if literal and not respell_words(vocabulary, (literal,)):
        if _is_in_text(vocabulary, literal):
            return None
        return build_absence(vocabulary, (literal,), is_literal=True)
    if occurs or not vocabulary.unknown or len(missing) < len(vocabulary.content):
        return None
    if nearness() >= near or respell_words(vocabulary, missing):
        return None
    return build_absence(vocabulary, missing, is_literal=False)


def _literal(
    vocabulary: QueryVocabulary,
    question: Classification,
    missing: Sequence[str],
    nearness: Callable[[], float],
) -> str:
    """Return the name or quoted text of which the query consists; "" for other queries.

    A plain word counts as a topic instead of a name if a vector is near enough to it.
    """
    if quoted := _QUOTED.fullmatch(vocabulary.text.strip()):
        return quoted[2].strip()
    name = strip_call(extract_name(vocabulary.text, question) or "")
    if not _NAME.fullmatch(name):
        return ""
    parts = [part for part in re.findall(r"\w+", name) if not part.isdigit()]
    if question.type is not QueryType.SYMBOL and not set(vocabulary.content) <= set(parts):
        return ""
    if len(parts) > 1 and language_for_path(name.rstrip(":0123456789")):
        del parts[-1]  # a file suffix, not a name
    last = parts[-1] if parts else ""
    if last not in missing:
        return ""
    may_be_topic = not is_identifier(last) and (
        last.upper() == last.lower() or nearness() >= _NEAR_WORD
    )
    return "" if may_be_topic else last


def _is_in_text(vocabulary: QueryVocabulary, literal: str) -> bool:
    """Tell whether `literal` occurs in the text or the path of any file that passes the filters.

    The case of ASCII letters is ignored.
    """
    corpus, allowed = vocabulary.corpus, vocabulary.allowed
    file_ids = None if allowed.all() else corpus.file_ids[allowed].tolist()
    if is_text_in_chunks(vocabulary.connection, literal, file_ids):
        return True
    paths = (path for path, is_in in zip(corpus.paths, allowed, strict=True) if is_in)
    return any(literal.lower() in normal_form(path).lower() for path in paths)


def build_absence(
    vocabulary: QueryVocabulary, missing: Sequence[str], *, is_literal: bool
) -> Absence:
    """Return an `Absence`: a report that the words `missing` occur in no file.

    It is `verified` only if `is_literal` (the query is a name or a quoted text) and if all files
    have been read.
    """
    corpus, allowed = vocabulary.corpus, vocabulary.allowed
    connection, filters = vocabulary.connection, vocabulary.filters
    has_failed = any(corpus.statuses[file] == "failed" for file in allowed.nonzero()[0].tolist())
    is_all_read = not (has_failed or count_unsearched_code(connection, filters))
    return Absence(
        verified=is_literal and corpus.readiness.words == 1.0 and is_all_read,
        files_scanned=int((allowed & corpus.is_indexed).sum()),
        missing=tuple(missing),
        not_searched=count_unsearched_files(connection, filters, minified=True),
    )

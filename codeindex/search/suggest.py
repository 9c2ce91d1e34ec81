"""Suggest indexed words for a query without results, or with words that do not occur."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from codeindex.config import load_synonyms
from codeindex.languages import LANGUAGES
from codeindex.search.abstention import is_filler_word
from codeindex.search.advice import NO_MATCH_ADVICE
from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.chunks import chunk_texts
from codeindex.store.catalog.connection import Catalog
from codeindex.store.segments.word_index import WordIndex
from codeindex.text.words import STOP_WORDS, part_offsets, stem_word, stemmed_words, stop_stems
from codeindex.types.report import plural

_MAX_SUGGESTIONS = 5
"""Most suggestions of one answer."""
_MAX_AREAS = 3
_MAX_QUERY_WORDS = 24
"""Most words of a query that are considered."""
_MIN_LENGTH = 4
"""Least letters of a word that is searched inside other words; too many contain a shorter word."""
_MAX_LENGTH = 40
"""Most letters of a word whose parts are searched; longer words have too many parts."""
_COMPANION_SAMPLE = 200
"""Most chunks that are read to find the words that occur together with a word."""
_SPELLING_SAMPLE = 3
"""Most chunks that are read to find how a word is written."""
_MIN_SHARED_CHUNKS = 3
"""A companion must occur in at least this many chunks of the sample."""
_WORD = re.compile(r"[^\W\d_]+")
_IDENTIFIER = re.compile(r"[^\W\d]\w+")

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "api": ("endpoint", "rest", "http", "route"),
    "auth": ("authentication", "login", "session", "token", "credential"),
    "authentication": ("auth", "login", "session", "token"),
    "cache": ("redis", "memory", "store", "ttl"),
    "config": ("configuration", "settings", "options", "env"),
    "database": ("db", "mongo", "sql", "storage"),
    "db": ("database", "mongo", "sql", "storage", "persistence"),
    "error": ("exception", "failure", "fault", "issue"),
    "file": ("document", "blob", "storage", "upload"),
    "http": ("request", "response", "api", "rest", "endpoint"),
    "kafka": ("queue", "message", "celery", "async"),
    "log": ("logging", "logger", "audit", "trace"),
    "queue": ("message", "celery", "async", "kafka", "rabbit"),
    "test": ("spec", "unit", "integration", "mock"),
    "timeout": ("expiry", "ttl", "deadline", "retry"),
    "user": ("account", "profile", "member", "person"),
}
"""Words of similar meaning; the user's `synonyms.yaml` adds to them."""


@dataclass(frozen=True, slots=True)
class TermSuggestion:
    """A word of the index; `count` is the number of chunks that contain it."""

    term: str
    count: int

    def __str__(self) -> str:
        return f"Try: '{self.term}' ({plural(self.count, 'result')})"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Sentences to show, and the modules in which the suggested words are most frequent."""

    sentences: tuple[str, ...]
    areas: tuple[str, ...] = ()


NO_SUGGESTIONS = Suggestions(())


def suggest_terms(catalog: Catalog, corpus: Corpus, query: str) -> Suggestions:
    """Suggest other words for a query without results; if none are known, give general advice."""
    sources = (_corrections, _synonyms, _parts, _companions)
    if terms := _collect(catalog, corpus, _content_words(query), sources):
        return _to_suggestions(corpus, terms)
    is_complete = corpus.readiness.words == 1.0 and corpus.is_indexed.any()
    return Suggestions(NO_MATCH_ADVICE[:1] if is_complete else NO_MATCH_ADVICE)


def suggest_replacements(
    catalog: Catalog, corpus: Corpus, query: str, *, is_weak: bool
) -> Suggestions:
    """Suggest corrections and synonyms for the words of a query that are not in the index.

    If there are none and the answer is weak (`is_weak`), suggest synonyms that occur more often
    than the words of the query.
    """
    content = [word for word in _content_words(query) if not is_filler_word(word)]
    unknown = [word for word in content if not corpus.words.frequency(stem_word(word))]
    terms = _collect(catalog, corpus, unknown, (_corrections, _synonyms)) if unknown else {}
    if not terms and is_weak:
        terms = _collect(catalog, corpus, content, (_commoner_synonyms,))
    return _to_suggestions(corpus, terms) if terms else NO_SUGGESTIONS


def _content_words(query: str) -> list[str]:
    """Return the distinct words of a query in lower case, without stop words."""
    distinct = dict.fromkeys(map(str.lower, _WORD.findall(query)))
    return [word for word in distinct if word not in STOP_WORDS][:_MAX_QUERY_WORDS]


def _to_suggestions(corpus: Corpus, terms: Mapping[str, TermSuggestion]) -> Suggestions:
    ordered = sorted(terms.values(), key=_by_frequency)
    return Suggestions(tuple(map(str, ordered)), _areas(corpus, terms))


def _by_frequency(suggestion: TermSuggestion) -> tuple[int, str]:
    return -suggestion.count, suggestion.term


_Source = Callable[["Catalog", Corpus, list[str]], Iterator[TermSuggestion]]


def _collect(
    catalog: Catalog, corpus: Corpus, query: list[str], sources: Iterable[_Source]
) -> dict[str, TermSuggestion]:
    """Return {stem: suggestion}, most frequent first.

    `sources` are functions that yield suggestions; they are called in order until there are enough.
    """
    suggestions: dict[str, TermSuggestion] = {}
    query_stems = {stem_word(word) for word in query}
    for source in sources:
        for suggestion in sorted(source(catalog, corpus, query), key=_by_frequency):
            term = stem_word(suggestion.term)
            is_new = _can_suggest(suggestion.term) and term not in query_stems
            if is_new and len(suggestions) < _MAX_SUGGESTIONS:
                suggestions.setdefault(term, suggestion)
        if len(suggestions) == _MAX_SUGGESTIONS:
            break
    return suggestions


def _can_suggest(term: str) -> bool:
    """Tell whether a term may be suggested; stop words, numbers and single letters may not."""
    return bool(_IDENTIFIER.fullmatch(term)) and stem_word(term.lower()) not in stop_stems()


def _corrections(catalog: Catalog, corpus: Corpus, query: list[str]) -> Iterator[TermSuggestion]:
    """Yield corrections of the words that the index does not contain.

    A correction is an indexed word that differs by one typo, but not in the first letter.
    """
    for word in query:
        term = stem_word(word)
        if len(term) > _MIN_LENGTH and not corpus.words.frequency(term):
            near = corpus.words.words_near(term, slips=1)
            yield from _as_written(catalog, corpus, (it for it in near if it[0] == word[0]))


def _as_written(catalog: Catalog, corpus: Corpus, terms: Iterable[str]) -> Iterator[TermSuggestion]:
    """Yield each stemmed term as the word that texts most often write for it.

    Terms that no text contains as a word are left out.
    """
    for term in terms:
        if form := _commonest_form(catalog, corpus, term):
            yield TermSuggestion(form, corpus.words.frequency(term))


def _synonyms(_: Catalog, corpus: Corpus, query: list[str]) -> Iterator[TermSuggestion]:
    own = load_synonyms()
    for word in query:
        for synonym in (*SYNONYMS.get(word, ()), *own.get(word, ())):
            if count := corpus.words.frequency(stem_word(synonym.lower())):
                yield TermSuggestion(synonym, count)


def _commoner_synonyms(
    catalog: Catalog, corpus: Corpus, query: list[str]
) -> Iterator[TermSuggestion]:
    for word in query:
        least = corpus.words.frequency(stem_word(word))
        found = _synonyms(catalog, corpus, [word])
        yield from (synonym for synonym in found if synonym.count > least)


def _parts(catalog: Catalog, corpus: Corpus, query: list[str]) -> Iterator[TermSuggestion]:
    """Yield indexed words that contain a query word, or are the beginning or end of a query word.

    A beginning or end must have more than half of the letters.
    """
    suitable = [word for word in query if _MIN_LENGTH <= len(word) <= _MAX_LENGTH]
    terms = {term for word in suitable for term in _related_terms(corpus.words, word)}
    query_stems = {stem_word(word) for word in suitable}
    counted = ((-corpus.words.frequency(term), term) for term in terms - query_stems)
    commonest = (term for count, term in sorted(counted) if count and _can_suggest(term))
    yield from _as_written(catalog, corpus, islice(commonest, _MAX_SUGGESTIONS))


def _related_terms(index_words: WordIndex, word: str) -> Iterator[str]:
    """Yield stemmed terms of the index that contain `word`, then stemmed parts of `word`.

    The parts are beginnings and endings with more than half of the letters; the index may not have
    them.
    """
    yield from (
        term for term in index_words.words_containing(stem_word(word)) if len(term) >= _MIN_LENGTH
    )
    shortest = max(_MIN_LENGTH, len(word) // 2 + 1)
    for size in range(shortest, len(word)):
        yield from map(stem_word, (word[:size], word[-size:]))


def _companions(catalog: Catalog, corpus: Corpus, query: list[str]) -> Iterator[TermSuggestion]:
    """Yield words that are typical for the chunks with a word of the query, by tf-idf."""
    counts = Counter[str]()
    for term in map(stem_word, query):
        for text in _texts_with(catalog, corpus, term, limit=_COMPANION_SAMPLE):
            counts.update(
                sorted(set(stemmed_words(text)))
            )  # sorted, so that the order is the same in every process
    weights = {
        word: count * math.log(len(corpus.chunk_ids) / max(corpus.words.frequency(word), 1))
        for word, count in counts.most_common(_COMPANION_SAMPLE)
        if count >= _MIN_SHARED_CHUNKS and _is_companion(word)
    }
    ordered = sorted(weights, key=lambda word: (-weights[word], word))[:_MAX_SUGGESTIONS]
    yield from _as_written(catalog, corpus, ordered)


def _is_companion(word: str) -> bool:
    return len(word) >= _MIN_LENGTH and word.isalpha() and _can_suggest(word)


def _commonest_form(catalog: Catalog, corpus: Corpus, term: str) -> str:
    """Return the word that texts most often write for a stemmed word; "" if no text contains it."""
    forms = Counter(
        form
        for text in _texts_with(catalog, corpus, term, limit=_SPELLING_SAMPLE)
        for identifier in _IDENTIFIER.findall(text)
        for form in _forms(identifier, term)
    )
    return max(forms, key=lambda form: (forms[form], form), default="")


def _forms(identifier: str, term: str) -> Iterator[str]:
    """Yield the identifier if the term is its stem, otherwise its parts whose stem is the term.

    For `validate_token`, the term `validatetoken` yields the identifier, `token` yields `token`.
    """
    terms = stemmed_words(identifier)
    if terms[-1:] == [term]:
        yield identifier if len(terms) > 1 else identifier.lower()
    elif term in terms:
        bounds = pairwise([*part_offsets(identifier), len(identifier)])
        parts = (identifier[start:end].strip("_").lower() for start, end in bounds)
        yield from (part for part in parts if stem_word(part) == term)


def _texts_with(catalog: Catalog, corpus: Corpus, term: str, *, limit: int) -> list[str]:
    """Return the texts of the chunks that contain a stemmed word, lowest ids first."""
    chunks = np.sort(corpus.chunk_ids[corpus.words.occurrences(term).positions])[:limit]
    return [text for _, text in chunk_texts(catalog.connection, chunks.tolist())]


def _areas(corpus: Corpus, terms: Iterable[str]) -> tuple[str, ...]:
    """Return the modules in which the terms occur most, such as `shop.cart`.

    A module is cut to its first two names.
    """
    chunks = np.concatenate([corpus.words.occurrences(term).positions for term in terms])
    files = corpus.chunk_file[np.unique(chunks)]
    areas = Counter(
        ".".join(corpus.modules[file].split(".")[:2])
        for file in files[~corpus.is_test[files]].tolist()
        if corpus.modules[file] and LANGUAGES[corpus.languages[file]].symbols
    )
    ordered = sorted(areas, key=lambda area: (-areas[area], area))
    return tuple(ordered[:_MAX_AREAS])

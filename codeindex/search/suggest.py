"""What to try when nothing, or not all of a question, was found: words that the index does have."""

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
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.segments.word_index import WordIndex
from codeindex.text.words import STOP_WORDS, humps, stem, stop_stems, words

_MOST = 5
"""Suggestions of one answer (B5)."""
_AREAS = 3
_MOST_ASKED = 24
"""Words of a long question that are looked at."""
_SHORTEST = 4
"""Letters of a word that may be a part of another: shorter ones are in too many."""
_LONGEST = 40
"""Longer words have too many parts to look for, and are hardly ever made of words."""
_SAMPLE = 200
"""Chunks that are read for what stands beside a word."""
_LOOKED_AT = 3
"""Chunks that are read for how a word is written."""
_TOGETHER = 3
"""Chunks that two words must share to have to do with each other."""
_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"[^\W\d]\w+")
"""An identifier; nothing else is suggested."""

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
"""Words for nearly the same (seed 4); the user's `synonyms.yaml` adds to them."""


@dataclass(frozen=True, slots=True)
class TermSuggestion:
    """A word of the index; `count` is the number of chunks that have it."""

    term: str
    count: int

    def __str__(self) -> str:
        return f"Try: '{self.term}' ({self.count} result{'s' if self.count != 1 else ''})"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Sentences to show, and the modules that the suggested words are from."""

    sentences: tuple[str, ...]
    areas: tuple[str, ...] = ()


NO_SUGGESTIONS = Suggestions(())


def suggest_terms(catalog: Catalog, corpus: Corpus, query: str) -> Suggestions:
    """Suggest other words for a question that found nothing; advice where there are none."""
    found = _best(catalog, corpus, _telling(query), (_near, _synonyms, _parts, _companions))
    if found:
        return _told(corpus, found)
    is_whole = corpus.readiness.words == 1.0 and corpus.is_indexed.any()
    return Suggestions(NO_MATCH_ADVICE[:1] if is_whole else NO_MATCH_ADVICE)


def suggest_replacements(catalog: Catalog, corpus: Corpus, query: str) -> Suggestions:
    """Suggest words of the same meaning for those of a question that the index does not have."""
    telling = [one for one in _telling(query) if not is_filler_word(one)]
    unknown = [one for one in telling if not corpus.words.frequency(stem(one))]
    found = _best(catalog, corpus, unknown, (_near, _synonyms)) if unknown else {}
    return _told(corpus, found) if found else NO_SUGGESTIONS


def _telling(query: str) -> list[str]:
    """Return the words of a question that say something, each once, and not without end."""
    words_asked = dict.fromkeys(map(str.lower, _WORD.findall(query)))
    return [one for one in words_asked if one not in STOP_WORDS][:_MOST_ASKED]


def _told(corpus: Corpus, found: Mapping[str, TermSuggestion]) -> Suggestions:
    ordered = sorted(found.values(), key=_commonest)
    return Suggestions(tuple(map(str, ordered)), _areas(corpus, found))


def _commonest(one: TermSuggestion) -> tuple[int, str]:
    return -one.count, one.term


_Source = Callable[[Catalog, Corpus, list[str]], Iterator[TermSuggestion]]


def _best(
    catalog: Catalog, corpus: Corpus, asked: list[str], sources: Iterable[_Source]
) -> dict[str, TermSuggestion]:
    """Return the commonest suggestions by their stems; of the later sources if there is room."""
    found: dict[str, TermSuggestion] = {}
    said = {stem(one) for one in asked}
    for source in sources:
        for one in sorted(source(catalog, corpus, asked), key=_commonest):
            if _is_told(one.term) and stem(one.term) not in said and len(found) < _MOST:
                found.setdefault(stem(one.term), one)
        if len(found) == _MOST:
            break
    return found


def _is_told(term: str) -> bool:
    """Tell whether a term can be suggested: no stop word, no number, no single letter."""
    return bool(_RUN.fullmatch(term)) and stem(term.lower()) not in stop_stems()


def _near(catalog: Catalog, corpus: Corpus, asked: list[str]) -> Iterator[TermSuggestion]:
    """Yield words of the index that are one slip away from a word that it does not have."""
    for word in asked:
        term = stem(word)
        if len(term) > _SHORTEST and not corpus.words.frequency(term):
            near = corpus.words.near(term, slips=1)
            yield from _written(catalog, corpus, (one for one in near if one[0] == word[0]))


def _written(catalog: Catalog, corpus: Corpus, terms: Iterable[str]) -> Iterator[TermSuggestion]:
    """Yield terms as they are written; such as are nowhere written so are left out."""
    for term in terms:
        if form := _as_written(catalog, corpus, term):
            yield TermSuggestion(form, corpus.words.frequency(term))


def _synonyms(_: Catalog, corpus: Corpus, asked: list[str]) -> Iterator[TermSuggestion]:
    own = load_synonyms()
    for word in asked:
        for other in (*SYNONYMS.get(word, ()), *own.get(word, ())):
            if count := corpus.words.frequency(stem(other.lower())):
                yield TermSuggestion(other, count)


def _parts(catalog: Catalog, corpus: Corpus, asked: list[str]) -> Iterator[TermSuggestion]:
    """Yield words of the index that have a word of the question in them, or are a part of one."""
    long = [one for one in asked if _SHORTEST <= len(one) <= _LONGEST]
    fitting = {term for word in long for term in _around(corpus.words, word)}
    said = {stem(one) for one in long}
    counted = ((-corpus.words.frequency(term), term) for term in fitting - said)
    commonest = (term for count, term in sorted(counted) if count and _is_told(term))
    yield from _written(catalog, corpus, islice(commonest, _MOST))


def _around(known: WordIndex, word: str) -> Iterator[str]:
    """Yield what has a word in it, and what makes up the larger part of it, at either end."""
    yield from (term for term in known.holding(stem(word)) if len(term) >= _SHORTEST)
    shortest = max(_SHORTEST, len(word) // 2 + 1)
    for size in range(shortest, len(word)):
        yield from map(stem, (word[:size], word[-size:]))


def _companions(catalog: Catalog, corpus: Corpus, asked: list[str]) -> Iterator[TermSuggestion]:
    """Yield the words that most set apart the chunks that have a word of the question."""
    known, beside = corpus.words, Counter[str]()
    for term in map(stem, asked):
        for text in _texts(catalog, corpus, term, most=_SAMPLE):
            beside.update(sorted(set(words(text))))  # in the same order in every process
    telling = {
        word: count * math.log(len(corpus.chunk_ids) / max(known.frequency(word), 1))
        for word, count in beside.most_common(_SAMPLE)
        if count >= _TOGETHER and len(word) >= _SHORTEST and word.isalpha() and _is_told(word)
    }
    ordered = sorted(telling, key=lambda one: (-telling[one], one))[:_MOST]
    yield from _written(catalog, corpus, ordered)


def _as_written(catalog: Catalog, corpus: Corpus, term: str) -> str:
    """Return the commonest way in which a stemmed word is written, "" if it is only a part."""
    forms = Counter(
        form
        for text in _texts(catalog, corpus, term, most=_LOOKED_AT)
        for run in _RUN.findall(text)
        for form in _forms(run, term)
    )
    return max(forms, key=lambda one: (forms[one], one), default="")


def _forms(run: str, term: str) -> Iterator[str]:
    """Yield an identifier that a term is, or the words of it that are the term."""
    made_of = words(run)
    if made_of[-1:] == [term]:
        yield run if len(made_of) > 1 else run.lower()
    elif term in made_of:
        bounds = pairwise([*humps(run), len(run)])
        parts = (run[start:end].strip("_").lower() for start, end in bounds)
        yield from (one for one in parts if stem(one) == term)


def _texts(catalog: Catalog, corpus: Corpus, term: str, *, most: int) -> list[str]:
    """Return the oldest chunks that have a word."""
    ids = np.sort(corpus.chunk_ids[corpus.words.occurrences(term).positions])[:most].tolist()
    sql = f"SELECT text FROM chunks WHERE id IN ({placeholders(ids)}) ORDER BY id"  # noqa: S608 (marks)
    return [text for (text,) in catalog.connection.execute(sql, ids)]


def _areas(corpus: Corpus, terms: Iterable[str]) -> tuple[str, ...]:
    """Return the modules where the words occur most, two names deep."""
    chunks = np.concatenate([corpus.words.occurrences(one).positions for one in terms])
    files = corpus.chunk_file[np.unique(chunks)]
    areas = Counter(
        ".".join(corpus.modules[file].split(".")[:2])
        for file in files[~corpus.is_test[files]].tolist()
        if corpus.modules[file] and LANGUAGES[corpus.languages[file]].symbols
    )
    ordered = sorted(areas, key=lambda one: (-areas[one], one))
    return tuple(ordered[:_AREAS])

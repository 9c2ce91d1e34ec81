"""What to try when nothing, or not all of a question, was found: words that the index does have."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from codeindex.config import load_synonyms
from codeindex.languages import LANGUAGES
from codeindex.store.catalog import Catalog
from codeindex.words import STOP_WORDS, stem, words

_MOST = 5
"""Suggestions of one answer (B5)."""
_AREAS = 3
_MOST_ASKED = 24
"""Words of a long question that are looked at."""
_SHORTEST = 4
"""Letters of a word that may be a part of another: shorter ones are in too many."""
_SAMPLE = 200
"""Chunks that are read for what stands beside a word."""
_TOGETHER = 3
"""Chunks that two words must share to have to do with each other."""
_ADVICE = (
    "Try broader search terms",
    "Check if the repository is indexed: codeindex status",
)
_WORD = re.compile(r"[^\W\d_]+")

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
class Suggestion:
    """A word of the index; `count` is the number of chunks that have it."""

    term: str
    count: int

    def __str__(self) -> str:
        return f"Try: '{self.term}' ({self.count} result{'s' if self.count != 1 else ''})"


@dataclass(frozen=True, slots=True)
class Suggested:
    """Sentences to show, and the modules that the suggested words are from."""

    sentences: tuple[str, ...]
    areas: tuple[str, ...] = ()


NO_SUGGESTION = Suggested(())


def suggested(catalog: Catalog, query: str) -> Suggested:
    """Suggest other words for a question that found nothing; advice where there are none."""
    asked = _telling(query)
    found = _best(catalog, asked, (_synonyms, _parts, _companions))
    return _told(catalog, found) if found else Suggested(_ADVICE)


def suggested_instead(catalog: Catalog, query: str) -> Suggested:
    """Suggest words of the same meaning for those of a question that the index does not have."""
    unknown = [one for one in _telling(query) if not catalog.frequency(stem(one))]
    found = _best(catalog, unknown, (_synonyms,)) if unknown else {}
    return _told(catalog, found) if found else NO_SUGGESTION


def _telling(query: str) -> list[str]:
    """Return the words of a question that say something, each once, and not without end."""
    words_asked = dict.fromkeys(map(str.lower, _WORD.findall(query)))
    return [one for one in words_asked if one not in STOP_WORDS][:_MOST_ASKED]


def _told(catalog: Catalog, found: Mapping[str, Suggestion]) -> Suggested:
    ordered = sorted(found.values(), key=lambda one: (-one.count, one.term))
    return Suggested(tuple(map(str, ordered)), _areas(catalog, list(found)))


_Source = Callable[[Catalog, list[str]], Iterator[Suggestion]]


def _best(catalog: Catalog, asked: list[str], sources: Iterable[_Source]) -> dict[str, Suggestion]:
    """Return the commonest suggestions by their stems; of the later sources if there is room."""
    found: dict[str, Suggestion] = {}
    said = {stem(one) for one in asked}
    for source in sources:
        best = sorted(source(catalog, asked), key=lambda one: (-one.count, one.term))
        for one in best:
            if stem(one.term) not in said and len(found) < _MOST:
                found.setdefault(stem(one.term), one)
        if len(found) == _MOST:
            break
    return found


def _synonyms(catalog: Catalog, asked: list[str]) -> Iterator[Suggestion]:
    own = load_synonyms()
    for word in asked:
        for other in (*SYNONYMS.get(word, ()), *own.get(word, ())):
            if count := catalog.frequency(stem(other.lower())):
                yield Suggestion(other, count)


def _parts(catalog: Catalog, asked: list[str]) -> Iterator[Suggestion]:
    """Yield words of the index that have a word of the question in them, or are a part of one."""
    long = [one for one in asked if len(one) >= _SHORTEST]
    if not long:
        return
    bare = [stem(one) for one in long]
    fits = " OR ".join(["instr(term, ?) OR instr(?, term)"] * len(bare))
    rows = catalog.connection.execute(
        f"SELECT term, doc FROM temp.vocabulary WHERE length(term) >= {_SHORTEST} AND ({fits})"  # noqa: S608 (marks)
        " ORDER BY doc DESC",
        [one for pair in zip(bare, long, strict=True) for one in pair],
    )
    fitting = (row for row in rows if any(_is_part(row[0], word) for word in long))
    for term, count in islice(fitting, _MOST + len(long)):  # with those that are asked themselves
        yield Suggestion(_as_written(catalog, term), count)


def _is_part(term: str, word: str) -> bool:
    bare = stem(word)
    return term != bare and (bare in term or (term in word and len(term) * 2 > len(word)))


def _companions(catalog: Catalog, asked: list[str]) -> Iterator[Suggestion]:
    """Yield the words that most set apart the chunks that have a word of the question."""
    (total,) = catalog.connection.execute("SELECT count(*) FROM chunks").fetchone()
    known = [stem(one) for one in asked if catalog.frequency(stem(one))]
    beside: Counter[str] = Counter()
    for term in known:
        rows = catalog.connection.execute(
            "SELECT body FROM words WHERE words MATCH ? LIMIT ?", (f'"{term}"', _SAMPLE)
        )
        beside.update(word for (body,) in rows for word in set(body.split()))
    telling = {
        word: count * math.log(total / max(catalog.frequency(word), 1))
        for word, count in beside.most_common(_SAMPLE)
        if count >= _TOGETHER and len(word) >= _SHORTEST and word.isalpha()
    }
    for word in sorted(telling, key=lambda one: (-telling[one], one))[:_MOST]:
        yield Suggestion(_as_written(catalog, word), catalog.frequency(word))


def _as_written(catalog: Catalog, term: str) -> str:
    """Return the commonest way in which a stemmed word is written where it occurs."""
    rows = catalog.connection.execute(
        "SELECT c.text FROM words w JOIN chunks c ON c.id = w.rowid WHERE words MATCH ? LIMIT 3",
        (f'"{term}"',),
    )
    forms = Counter(
        one.lower()
        for (text,) in rows
        for one in re.findall(rf"(?i){re.escape(term[:3])}[^\W\d_]*", text)
        if term in words(one)
    )
    return max(forms, key=lambda one: (forms[one], one), default=term)


def _areas(catalog: Catalog, terms: list[str]) -> tuple[str, ...]:
    """Return the modules where the words occur most, two names deep."""
    quoted = " OR ".join(f'"{one}"' for one in terms)
    rows = catalog.connection.execute(
        "SELECT f.module, f.language FROM words w JOIN chunks c ON c.id = w.rowid JOIN files f"
        " ON f.id = c.file_id WHERE words MATCH ? AND NOT f.is_test AND f.module != ''",
        (quoted,),
    )
    areas = Counter(
        ".".join(module.split(".")[:2]) for module, language in rows if LANGUAGES[language].symbols
    )
    ordered = sorted(areas, key=lambda one: (-areas[one], one))
    return tuple(ordered[:_AREAS])

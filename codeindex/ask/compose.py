"""Compose the answer to a question from what was found: code, documents and caveats."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from codeindex.ask.code_places import CodePlace, find_code
from codeindex.ask.documents import Quote, quote_sections
from codeindex.ask.extract import Extract, Sentence
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.relation_sentences import flow_sentences, usage_sentences
from codeindex.text.words import stemmed_words
from codeindex.types import Answer, Filters, Hit

_MOST_PLACES, _MOST_PLACES_BELOW = 3, 2
"""Most definitions in an answer, and of how many the code is shown below a quote or in doubt."""
_MOST_QUOTES = 2
"""Most quotes in an answer: of 36 questions that documents answer (`howto.jsonl`), the right
section is the first one for 20 and among two for 25."""
_LEAST_QUOTE, _SURE_QUOTE = 0.02, 0.1
"""Least probability of a section that is quoted, and of one after which less code is shown. Of 36
questions that documents answer (`howto.jsonl`), the best section has .02 for 34 and .1 for 28; of
45 that code answers (`places.jsonl`), for 13 and 2."""
_LEADING_SHARE = 0.25
"""A section comes before code if its probability is at least this share of the code's: for 33 of
those 36 questions and 6 of those 45."""
_MOST_MISSING_SHARE = 0.5
"""A question has no answer if words that occur in no file have this share of its weight, the search
is unsure, and no section is probable enough."""
_LEAST_MISSING_SHARE = 0.25
"""Missing words are mentioned from this share of the question's weight on."""


@dataclass(frozen=True, slots=True)
class AskResults:
    """The search results from which the answer to one question is made.

    `answer` is the search of all files, `sections` are the hits of a search of documents. `filters`
    are those of both. `files` is the number of indexed files.
    """

    answer: Answer
    sections: tuple[Hit, ...]
    filters: Filters
    question: WeightedQuestion
    files: int

    @property
    def is_weak(self) -> bool:
        """Whether the search says that the repository may not have what was asked."""
        return self.answer.confidence == "weak" or not self.answer.hits

    @property
    def missing_share(self) -> float:
        """How much of the question consists of words that are in no file, 0 to 1.

        The words of the question are weighted by their rarity.
        """
        words = (part for word in self.answer.missing_words for part in stemmed_words(word))
        return self.question.weight_of(self.question.terms(words))


def compose_extract(connection: sqlite3.Connection, results: AskResults, *, limit: int) -> Extract:
    """Return the answer to a question, or sentences that say that the index has no answer.

    It shows at most `limit` places and quotes. An answer about uses, or about a flow of calls, is
    based on all hits of the search.
    """
    answer, question = results.answer, results.question
    if "relation" in answer.meta and answer.hits:
        return _extract(results, usage_sentences(connection, answer), answer.hits)
    if "flow" in answer.meta and answer.hits:
        return _extract(results, list(flow_sentences(answer.meta["flow"])), answer.hits)
    most = min(limit, _MOST_PLACES)
    places = find_code(connection, answer, question, results.filters, most=most)
    least = answer.meta.get("min_score") or 0.0
    places = [place for place in places if place.hit.score >= least]
    quotes = _find_quotes(connection, results, places)[: min(limit, _MOST_QUOTES)]
    is_probable = any(quote.score >= _LEAST_QUOTE for quote in quotes)
    is_absent = results.missing_share >= _MOST_MISSING_SHARE and results.is_weak and not is_probable
    if is_absent or not (places or quotes):
        return _extract(results, list(_not_found(results)), (), found_any=False)
    is_sure = bool(quotes) and quotes[0].score >= _SURE_QUOTE
    is_doubtful = results.is_weak and not is_sure
    if _is_led_by_code(places, quotes, results):
        quotes = quotes[: limit - len(places)]
        shown = _MOST_PLACES_BELOW if is_doubtful else _MOST_PLACES
        body = [*_code(places, shown), *_quoted(quotes[:1])]
    else:
        places = places[: limit - len(quotes)]
        shown = _MOST_PLACES_BELOW if not is_sure else 0 if question.wants_instructions else 1
        body = [*_quoted(quotes), *_code(places, shown)]
    sentences = [*_caveats(results, is_doubtful=is_doubtful), *body, *_missing_note(results)]
    evidences = [*(quote.hit for quote in quotes), *(place.hit for place in places)]
    evidences.sort(key=lambda hit: -hit.score)
    return _extract(results, sentences, evidences)


def _find_quotes(
    connection: sqlite3.Connection, results: AskResults, places: Sequence[CodePlace]
) -> list[Quote]:
    """Return quotes of the sections that are probable enough, the best first.

    All are if there is no other code than tests. If the question asks what something is, the best
    are those whose heading is its name.
    """
    question = results.question
    least = 0.0 if all(place.is_test for place in places) else _LEAST_QUOTE
    sections = [hit for hit in results.sections if hit.score >= least]
    if question.wants_definition:
        sections.sort(key=lambda hit: not question.is_name(hit.heading_path))
    return quote_sections(connection, sections, question)


def _is_led_by_code(
    places: Sequence[CodePlace], quotes: Sequence[Quote], results: AskResults
) -> bool:
    """Tell whether code comes before the quotes of documents."""
    if not (places and quotes):
        return True
    question, heading = results.question, quotes[0].hit.heading_path
    if question.wants_place or (question.wants_definition and question.is_name(heading)):
        return question.wants_place
    is_less = quotes[0].score < _LEADING_SHARE * places[0].hit.score
    return is_less and not results.is_weak


def _quoted(quotes: Iterable[Quote]) -> Iterator[Sentence]:
    return chain.from_iterable(quote.sentences() for quote in quotes)


def _code(places: Sequence[CodePlace], shown: int) -> Iterator[Sentence]:
    """Yield the code of the first `shown` places, and the names of the others."""
    for place in places[:shown]:
        yield from place.sentences()
    yield from (place.pointer() for place in places[shown:])


_NOT_IN_READ = "Not found in the files as they were read."
_WEAK = "It is not sure that this repository has an answer; the nearest documents and code are:"


def _caveats(results: AskResults, *, is_doubtful: bool) -> Iterator[Sentence]:
    """Yield the warnings that come before an answer: what was not read, and doubt."""
    refreshed = results.answer.refreshed
    if gaps := " ".join(refreshed.gaps()):
        yield Sentence(gaps, (), "absence")
    elif is_doubtful:
        yield Sentence(_WEAK, (), "absence")


def _missing_note(results: AskResults) -> Iterator[Sentence]:
    """Yield a sentence that names the words of the question which occur in no file.

    Yield nothing if they are a small part of the question, or if files were not read.
    """
    is_complete = results.answer.refreshed.is_complete
    if is_complete and results.missing_share >= _LEAST_MISSING_SHARE:
        yield from _missing_words(results, "Note: the")


def _not_found(results: AskResults) -> Iterator[Sentence]:
    """Yield the sentences that say why there is no answer, then suggestions."""
    answer = results.answer
    if not answer.refreshed.is_complete:
        yield Sentence(" ".join((_NOT_IN_READ, *answer.refreshed.gaps())), (), "absence")
    else:
        reason = answer.message or "Not found here: no definition and no document answers this."
        missing = list(_missing_words(results, "Not found here: the"))
        yield from missing or [Sentence(reason, (), "absence")]
    for text in answer.suggestions:
        yield Sentence(text, (), "absence")


def _missing_words(results: AskResults, lead: str) -> Iterator[Sentence]:
    """Yield one sentence with the words of the question that occur in no file, after `lead`.

    Yield nothing if every word occurs.
    """
    answer = results.answer
    if answer.missing_words:
        named = ", ".join(f"`{word}`" for word in answer.missing_words)
        noun = "word is" if len(answer.missing_words) == 1 else "words are"
        skipped = answer.coverage.skipped + answer.coverage.failed
        left = f", besides {skipped:,} that are not indexed" if skipped else ""
        text = f"{lead} {noun} in none of the {results.files:,} indexed files{left}: {named}."
        yield Sentence(text, (), "absence")


def _extract(
    results: AskResults,
    sentences: Sequence[Sentence],
    evidences: Sequence[Hit],
    *,
    found_any: bool = True,
) -> Extract:
    answer = results.answer
    return Extract(
        query=answer.query,
        sentences=tuple(sentences),
        evidences=tuple(evidences),
        found=found_any,
        total=answer.total_count,
        meta={
            "scope": answer.meta.get("scope"),
            "topK": answer.meta.get("limit"),
            "minScore": answer.meta.get("min_score"),
            "llmModel": None,
            "collection": answer.meta.get("collection"),
            "totalMatches": answer.total_count,
            "contextsUsed": len(evidences),
            "elapsedMs": answer.meta.get("elapsed_ms"),
        },
    )

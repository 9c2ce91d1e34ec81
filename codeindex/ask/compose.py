"""Compose the answer to a question from search results: definitions, quotes and caveats."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from codeindex.ask.definitions import (
    Excerpt,
    FoundDefinition,
    commented_function,
    definition_sentences,
    described_definition,
    example_sentence,
    found_definitions,
    further_sentences,
    is_test_code,
    named_definition,
)
from codeindex.ask.excerpts import read_excerpts
from codeindex.ask.extract import Citation, Extract, Sentence, SentencePart
from codeindex.ask.near_quotes import TextNearness, near_quotes
from codeindex.ask.passages import Passage, strip_markup
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.relation_sentences import flow_sentences, usage_sentences
from codeindex.ask.sections import SectionQuote
from codeindex.languages import LANGUAGES
from codeindex.search.rank.document_blend import BLEND_WINDOW
from codeindex.text.words import stemmed_words
from codeindex.types import Answer, Hit

if TYPE_CHECKING:
    from codeindex.search.near_chunks import NearChunk

_MOST_MISSING_SHARE = 0.5
"""A question has no answer if words that occur in no file have this share of its weight, the search
is unsure, and nothing that it found scores `_LEAST_SCORE`."""
_MOST_DEFINITIONS = 4
"""Most definitions in an answer. The function that answers the question is among the first five
hits for 51 of 55 labelled questions, and is the first hit for 39."""
_LEAST_MISSING_SHARE = 0.25
"""Missing words are mentioned from this share of the question's weight on."""
_MOST_QUOTES = 2
_MOST_NAMED = 3
"""Most definitions that are named, without code, after quoted documents."""
_WEIGHT_OF_SEARCH = 0.3
"""How much the order of the search counts in that of definitions; it is divided by the rank."""
_LEAST_VALUE, _LEAST_VALUE_FOR_INSTRUCTIONS = 0.45, 0.25
"""Least score of a quote, and the same if the question asks how to do something: documents answer
that even in other words. These and the following numbers were set by reading the answers to fifty
questions on ten repositories."""
_LEAST_SCORE, _LEAST_SCORE_IF_WEAK = 0.2, 1.2
"""Least score of the best source of an answer that is not doubtful, and the same if the search is
unsure. Of 81 questions with labelled functions about nine repositories (`places.jsonl`), the first
function is right for 1 of 18 if it scores less than 0.2, for 21 of 63 otherwise."""
_LEAST_CODE = 0.4
"""Least score of code that is shown after quotes: it is right for 4 of 11 then, else for 2 of
19."""
_SHORTEST_COMMENT = 120
"""Least length of a comment that is quoted without its code, in characters."""
_CLOSE, _CLEARLY_BETTER = 0.15, 0.15
"""How much less a second quote may score than the first; how much more a second definition must."""
_MORE_FOR_INSTRUCTIONS, _MORE_IF_FOUND_FIRST, _MORE_FOR_OTHERS = -0.6, -0.3, 0.3
"""By how much the score of a quote must exceed that of code to come before it: if the question asks
how to do something; if the first hit of the search is a document; otherwise."""


@dataclass(frozen=True, slots=True)
class AskResults:
    """The search results from which the answer to one question is made.

    `answer` is the search of all files. `near` are the chunks whose vectors are nearest to the
    question or, if there are none, the hits of a search of prose. `files` is the number of indexed
    files. `nearness` compares texts with the question by vectors; None without vectors.
    """

    answer: Answer
    near: tuple[NearChunk, ...]
    question: WeightedQuestion
    files: int
    nearness: TextNearness | None = None

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

    It is based on at most `limit` hits. An answer about uses, or about a flow of calls, is based on
    all hits of the search.
    """
    meta = results.answer.meta
    if "relation" in meta and results.answer.hits:
        return _extract(results, usage_sentences(connection, results.answer), results.answer.hits)
    if "flow" in meta and results.answer.hits:
        return _extract(results, list(flow_sentences(meta["flow"])), results.answer.hits)
    found = _definitions(connection, results, limit=limit)
    first_hits = results.answer.hits[:BLEND_WINDOW]
    near = near_quotes(connection, results.near, first_hits, results.question, results.nearness)
    quotes, commented = _split_quotes(connection, near, results.question)
    excerpts = _excerpts(connection, results, [*found, *commented])
    is_absent = results.missing_share >= _MOST_MISSING_SHARE and results.is_weak
    if (is_absent and _best_score(excerpts, quotes) < _LEAST_SCORE) or not (excerpts or quotes):
        return _extract(results, list(_not_found(results)), (), found_any=False)
    if _is_doubtful(results, excerpts, quotes):
        sentences = [*_caveats(results), *_nearest(results, excerpts, quotes)]
    else:
        sentences = [*_body(results, excerpts, quotes), *_missing_note(results)]
    definitions = [excerpt.definition for excerpt in excerpts]
    return _extract(results, sentences, _evidences(definitions, quotes)[:limit])


def _split_quotes(
    connection: sqlite3.Connection, quotes: Sequence[SectionQuote], question: WeightedQuestion
) -> tuple[list[SectionQuote], list[FoundDefinition]]:
    """Return (quotes to show alone, definitions to show instead of quoted comments).

    A comment inside a function is understood only beside its code, and documentation only beside
    the name that it describes, so the definition is shown.
    """
    commented = [
        (quote, commented_function(connection, quote) or described_definition(connection, quote))
        for quote in quotes
    ]
    least = _LEAST_VALUE_FOR_INSTRUCTIONS if question.wants_instructions else _LEAST_VALUE
    alone = [
        quote
        for quote, function in commented
        if not function and quote.score >= least and _stands_alone(quote)
    ]
    functions = [
        function
        for _, function in commented
        if function and function.node and not is_test_code(function.node)
    ]
    return alone[:_MOST_QUOTES], functions[:_MOST_QUOTES]


def _stands_alone(quote: SectionQuote) -> bool:
    """Tell whether a quote is of a document, or of a comment that is long enough to be a text."""
    is_document = LANGUAGES[quote.hit.language].prose
    return is_document or len(quote.passage.text if quote.passage else "") >= _SHORTEST_COMMENT


def _excerpts(
    connection: sqlite3.Connection, results: AskResults, definitions: Iterable[FoundDefinition]
) -> list[Excerpt]:
    """Return the definitions, each with the lines to show, best first.

    Definitions keep the order of the search unless the lines of a later one answer clearly
    better. Each is there once, with the quoted part of its documentation if there is one.
    """
    excerpts = read_excerpts(connection, list(definitions), results.question, results.nearness)
    ranks: dict[Citation, int] = {}
    for excerpt in excerpts:
        if not excerpt.definition.comment:
            ranks.setdefault(excerpt.definition.citation, len(ranks) + 1)

    def value(excerpt: Excerpt) -> float:
        rank = ranks.get(excerpt.definition.citation)
        return excerpt.score + (_WEIGHT_OF_SEARCH / rank if rank else 0.0)

    if not results.question.wants_definition:
        excerpts.sort(key=lambda excerpt: -value(excerpt))
    distinct: dict[Citation, Excerpt] = {}
    for excerpt in excerpts:
        first = distinct.setdefault(excerpt.definition.citation, excerpt)
        if excerpt.definition.is_described and not first.definition.comment:
            distinct[first.definition.citation] = replace(first, definition=excerpt.definition)
    return list(distinct.values())


def _is_doubtful(
    results: AskResults, excerpts: Sequence[Excerpt], quotes: Sequence[SectionQuote]
) -> bool:
    """Tell whether the best source is too unlike the question to count as its answer.

    A search that is not complete is doubtful, too. A doubtful answer begins with a warning, and
    shows one source only.
    """
    if not results.answer.refreshed.is_complete:
        return True
    best = _best_score(excerpts, quotes)
    return best < (_LEAST_SCORE_IF_WEAK if results.is_weak else _LEAST_SCORE)


def _best_score(excerpts: Sequence[Excerpt], quotes: Sequence[SectionQuote]) -> float:
    scores = [excerpt.score for excerpt in excerpts[:1]] + [quote.score for quote in quotes[:1]]
    return max(scores, default=0.0)


def _nearest(
    results: AskResults, excerpts: Sequence[Excerpt], quotes: Sequence[SectionQuote]
) -> list[Sentence]:
    """Return the sentences of a doubtful answer: one source, then the names of definitions."""
    question = results.question
    named = _named(excerpts, question)
    if quotes and not (excerpts and not _is_led_by_documents(results, quotes[0], excerpts[0])):
        quoted = _quote_sentences([replace(quotes[0], example=())])
        return [*quoted, *islice(named, _MOST_NAMED)]
    code = definition_sentences(excerpts[0], question)
    return [*code, *islice(named, 1, _MOST_NAMED)]


def _quote_sentences(quotes: Iterable[SectionQuote]) -> list[Sentence]:
    """Return the sentences that quote sections.

    For each quote, they are the quoted text and then the code example beside it.
    """
    sentences = []
    for quote in quotes:
        if quote.passage:
            sentences.append(_quote(quote.passage))
        elif heading := quote.hit.heading_path.rpartition(" > ")[2]:
            place = Citation(quote.hit.path, quote.hit.start_line)
            sentences.append(Sentence(heading, (place,), "document"))
        if quote.example:
            sentences.append(example_sentence(quote.hit, quote.example))
    return sentences


def _definitions(
    connection: sqlite3.Connection, results: AskResults, *, limit: int
) -> list[FoundDefinition]:
    """Return the definitions in the hits: functions, types and the like that answer the question.

    If the question asks for a definition, the symbol that it names comes first.
    """
    hits, question = results.answer.hits, results.question
    most = min(limit, _MOST_DEFINITIONS)
    found = found_definitions(connection, hits, question, most=most)
    if not (question.wants_definition and hits):
        return found
    named = named_definition(connection, hits[0], question)
    if named is None:
        return found
    return [named, *(other for other in found if other.citation != named.citation)][:most]


def _body(
    results: AskResults, excerpts: Sequence[Excerpt], quotes: Sequence[SectionQuote]
) -> list[Sentence]:
    """Return the sentences of an answer, the best source first.

    `excerpts` are the sources in code, `quotes` those in documents. Quotes lead if they answer
    better, but not if the question asks where something is. After quotes, code is shown only if it
    answers too, and after instructions it is only named.
    """
    question = results.question
    if not excerpts:
        return _quote_sentences(quotes[:1])
    first, *others = excerpts
    if quotes and _is_led_by_documents(results, quotes[0], first):
        shown = [quote for quote in quotes if quote.score >= quotes[0].score - _CLOSE]
        named = _named([first, *others], question)
        is_shown = first.score >= _LEAST_CODE and not question.wants_instructions
        code = list(definition_sentences(first, question)) if is_shown else []
        return [*_quote_sentences(shown), *code, *islice(named, is_shown, _MOST_NAMED)]
    close = [
        other
        for other in others[:1]
        if other.score >= first.score + _CLEARLY_BETTER and not other.definition.comment
    ]
    code = [
        sentence
        for excerpt in (first, *close)
        for sentence in definition_sentences(excerpt, question)
    ]
    margin = _MORE_FOR_OTHERS if question.wants_place else -_CLOSE
    beside = _quote_sentences(
        quote
        for quote in quotes[:1]
        if LANGUAGES[quote.hit.language].prose and quote.score >= first.score + margin
    )
    return [*code, *beside, *islice(_named(others[len(close) :], question), _MOST_NAMED)]


def _named(excerpts: Iterable[Excerpt], question: WeightedQuestion) -> Iterator[Sentence]:
    return further_sentences((excerpt.definition for excerpt in excerpts), question)


def _is_led_by_documents(results: AskResults, quote: SectionQuote, excerpt: Excerpt) -> bool:
    """Tell whether a quote of a document answers the question better than code does."""
    question, hits = results.question, results.answer.hits
    if question.wants_definition or question.wants_place:
        return False
    if question.wants_instructions:
        is_document = LANGUAGES[quote.hit.language].prose
        return is_document and quote.score >= excerpt.score + _MORE_FOR_INSTRUCTIONS
    found_first = hits and LANGUAGES[hits[0].language].prose
    margin = _MORE_IF_FOUND_FIRST if found_first else _MORE_FOR_OTHERS
    return quote.score >= excerpt.score + margin


def _quote(passage: Passage) -> Sentence:
    hit = passage.hit
    page = f", page {hit.page}" if hit.page and LANGUAGES[hit.language].document == "page" else ""
    heading = hit.heading_path.rpartition(" > ")[2]
    where = f" — {heading}{page}" if heading or page else ""
    part: SentencePart = "document" if LANGUAGES[hit.language].prose else "comment"
    return Sentence(f"“{strip_markup(passage.text)}”{where}", (passage.citation,), part)


_NOT_IN_READ = "Not found in the files as they were read."
_WEAK = "This repository may not have this; the nearest code and documents are:"


def _caveats(results: AskResults) -> Iterator[Sentence]:
    """Yield the warnings that come before a doubtful answer.

    They name important words that occur in no file, and say if the confidence is low.
    """
    yield from _missing_note(results)
    if results.answer.refreshed.is_complete:
        yield Sentence(_WEAK, (), "absence")


def _missing_note(results: AskResults) -> Iterator[Sentence]:
    """Yield a sentence with the words that occur in no file, if they are important.

    If some changes of the tree were not read, yield a sentence that says so instead.
    """
    refreshed = results.answer.refreshed
    if not refreshed.is_complete:
        if gaps := " ".join(refreshed.gaps()):
            yield Sentence(gaps, (), "absence")
    elif results.missing_share >= _LEAST_MISSING_SHARE:
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


def _evidences(definitions: Sequence[FoundDefinition], quotes: Sequence[SectionQuote]) -> list[Hit]:
    """Return the hits on which the definitions and the quotes are based, best score first."""
    hits = [definition.hit for definition in definitions]
    sections = {(quote.hit.path, quote.hit.start_line): quote for quote in reversed(quotes)}
    hits += [replace(quote.hit, score=min(1.0, quote.score)) for quote in sections.values()]
    return sorted(hits, key=lambda hit: -hit.score)


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

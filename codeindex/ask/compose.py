"""Compose the answer to a question from search results: definitions, quotes and caveats."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from codeindex.ask.definitions import (
    FoundDefinition,
    code_sentence,
    definition_sentences,
    found_definitions,
    further_sentences,
    named_definition,
)
from codeindex.ask.extract import Citation, Extract, Sentence
from codeindex.ask.near_quotes import near_quotes
from codeindex.ask.passages import (
    Passage,
    find_passages,
    is_quotable,
    strip_markup,
)
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.relation_sentences import flow_sentences, usage_sentences
from codeindex.ask.sections import (
    CLEARLY_MORE,
    MOST_SECTIONS,
    SectionQuote,
    quote_section,
    whole_section,
)
from codeindex.languages import LANGUAGES
from codeindex.search.rank.document_blend import BLEND_WINDOW
from codeindex.store.catalog.chunks import document_sections
from codeindex.text.words import stemmed_words
from codeindex.types import Answer, Hit, SafeText

if TYPE_CHECKING:
    from codeindex.search.near_chunks import NearChunk

_MOST_MISSING_SHARE = 0.5
"""A question has no answer if words that occur in no file have more than this share of its
weight."""
_MOST_DEFINITIONS = 4
"""Most definitions in an answer. The function that answers the question is among the first five
hits for 51 of 55 labelled questions, and is the first hit for 39."""
_LEAST_MISSING_SHARE = 0.25
"""Missing words are mentioned from this share of the question's weight on."""
_LEAST_SCORE_SHARE = 0.5
"""Least score of a further definition, as a share of the first one's. Of labelled functions behind
the first, 66 of 68 reach it; so do 81 of 91 others."""
_CLOSE_SCORE_SHARE = 0.75
"""Least score of a second definition whose code is shown, as a share of the first one's."""
_MOST_QUOTES = 2
_MOST_NAMED = 3
"""Most definitions that are named, without code, after quoted documents."""
_LEAST_SECTION_SCORE, _LEAST_SHARE = 0.06, 0.25
"""Least score of a quoted section, and least share of the question's weight in the quote. Of the
sections that reach both, for a hundred questions, four of five were about the question."""
_LEAST_LEADING = 0.3
"""If the question asks for a reason, a quote with at least this share comes before code."""
_LEAST_LEADING_HOW = 0.85
"""The same if the question asks how something works; this share includes nearness."""
_LEAST_BESIDE_CODE = 0.85
"""Least share, nearness included, of a quote that is shown below code. For fifty questions, two of
the 14 quotes below it were about the question."""
_LEAST_FURTHER = 0.3
"""Least score of the second section, as a share of the first one's."""
_LEAST_PASSAGE = 0.6
"""Least score of a sentence from a section that the search did not find. Of 88 sentences for 70
questions, about three of four above this score were about the question, one of four below it."""
_LEAST_PASSAGE_BESIDE_CODE = 0.75
"""The same, if the search found code first and the question asks how something works."""
_MOST_DOCUMENTS = 8
"""Most documents that are read."""


@dataclass(frozen=True, slots=True)
class AskResults:
    """The search results from which the answer to one question is made.

    `answer` is the search of all files. `near` are the chunks whose vectors are nearest to the
    question; () if the index has no vectors. Only then `documents` has the hits of a search of
    prose. `files` is the number of indexed files.
    """

    answer: Answer
    documents: tuple[Hit, ...]
    near: tuple[NearChunk, ...]
    question: WeightedQuestion
    files: int

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
    definitions = _definitions(connection, results, limit=limit)
    quotes = _document_quotes(connection, results)
    if results.missing_share >= _MOST_MISSING_SHARE or not (definitions or quotes):
        return _extract(results, list(_not_found(results)), (), found_any=False)
    sentences = [*_caveats(results), *_body(results, definitions, quotes)]
    return _extract(results, sentences, _evidences(definitions, quotes)[:limit])


def _document_quotes(connection: sqlite3.Connection, results: AskResults) -> list[SectionQuote]:
    """Return quotes of documents and comments that fit the question, best first.

    They are those with the nearest vectors; without vectors, those with the question's words.
    """
    if results.near:
        first_hits = results.answer.hits[:BLEND_WINDOW]
        quotes = near_quotes(connection, results.near, first_hits, results.question)
        return quotes[:_MOST_QUOTES]
    sections = _section_quotes(connection, results)
    passages = _passages(connection, results)
    best = max((quote.score for quote in sections), default=0.0)
    sentences = [
        SectionQuote(passage.hit, passage, (), passage.score)
        for passage in passages
        if not sections or passage.score > best + CLEARLY_MORE
    ]
    return [*sentences, *sections][:_MOST_QUOTES]


def _section_quotes(connection: sqlite3.Connection, results: AskResults) -> list[SectionQuote]:
    """Return quotes of the document sections among the first hits; changelogs are left out."""
    question = results.question
    hits = [
        hit
        for hit in results.answer.hits[:BLEND_WINDOW]
        if LANGUAGES[hit.language].prose
        and hit.score >= _LEAST_SECTION_SCORE
        and is_quotable(hit.path, question)
    ]
    found: dict[tuple[str, int], SectionQuote] = {}
    for hit in hits:
        section = whole_section(connection, hit)
        quote = quote_section(hit, section, question, least=_LEAST_SHARE)
        if quote and hit.score >= hits[0].score * _LEAST_FURTHER:
            found.setdefault((section.path, section.start_line), quote)
    return list(found.values())


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
            sentences.append(code_sentence(quote.hit, quote.example))
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


def _passages(connection: sqlite3.Connection, results: AskResults) -> list[Passage]:
    """Return the document sentences that best match the question.

    Return none if the question asks for a place in code.
    """
    question = results.question
    if question.wants_place and not _is_document_first(results):
        return []
    may_lead = question.wants_definition or question.wants_reason or _is_document_first(results)
    least = _LEAST_PASSAGE if may_lead else _LEAST_PASSAGE_BESIDE_CODE
    sections = _sections(connection, results)
    return find_passages(sections, question, least=least, most=_MOST_QUOTES)


def _body(
    results: AskResults, definitions: Sequence[FoundDefinition], quotes: Sequence[SectionQuote]
) -> list[Sentence]:
    """Return the sentences of an answer, the best source first.

    `definitions` are the sources in code, `quotes` those in documents. Quotes lead if they answer
    better; after quoted instructions or reasons, code is only named, not shown.
    """
    question = results.question
    if not definitions:
        return _quote_sentences(quotes)
    others = _others(definitions)
    is_led = bool(quotes) and _is_led_by_documents(results, quotes[0], definitions[0])
    if is_led and not _explains_with_code(results):
        named = further_sentences([definitions[0], *others], question)
        return [*_quote_sentences(quotes), *islice(named, _MOST_NAMED)]
    close = _close_scores(definitions[0], others, question)
    code = [
        sentence
        for definition in (definitions[0], *close)
        for sentence in definition_sentences(definition, question)
    ]
    more = further_sentences(others[len(close) :], question)
    if is_led:
        return [*_quote_sentences(quotes), *code, *more]
    least = _LEAST_BESIDE_CODE if results.near else 0.0
    beside = _quote_sentences(quote for quote in quotes if quote.score >= least)
    return [*code, *beside, *more]


def _is_led_by_documents(
    results: AskResults, quote: SectionQuote, definition: FoundDefinition
) -> bool:
    """Tell whether a quote of a document answers the question better than code does."""
    question = results.question
    is_comment = not LANGUAGES[quote.hit.language].prose
    if question.wants_definition or (is_comment and _says_as_much(definition, quote, question)):
        return False
    if question.wants_place and results.answer.confidence != "weak":
        return _is_document_first(results)
    if question.wants_place and is_comment:
        return False
    if question.wants_instructions or question.wants_place:
        return True
    least = _LEAST_LEADING if question.wants_reason else _LEAST_LEADING_HOW
    return quote.score >= least


def _says_as_much(
    definition: FoundDefinition, quote: SectionQuote, question: WeightedQuestion
) -> bool:
    """Tell whether a definition in code matches the question as well as a quote does.

    Its name and description are compared with the text of the quote.
    """
    node = definition.node
    own = question.share_in(f"{node.name} {node.doc}") if node else 0.0
    return own > 0 and own >= question.share_in(quote.passage.text if quote.passage else "")


def _explains_with_code(results: AskResults) -> bool:
    """Tell whether an answer explains with code even if documents answer better.

    It does if the first hit is code and the question does not ask for instructions, a reason or a
    place.
    """
    question = results.question
    wants_text = question.wants_instructions or question.wants_reason or question.wants_place
    return not (wants_text or _is_document_first(results))


def _others(definitions: Sequence[FoundDefinition]) -> list[FoundDefinition]:
    """Return the definitions to name after the first one, each name once.

    Those with a much lower score than the first are left out.
    """
    first = {definition.name: definition for definition in reversed(definitions)}
    least = definitions[0].hit.score * _LEAST_SCORE_SHARE if definitions else 0.0
    return [
        definition
        for definition in definitions[1:]
        if definition.hit.score >= least and first[definition.name] is definition
    ]


def _close_scores(
    first: FoundDefinition, others: Sequence[FoundDefinition], question: WeightedQuestion
) -> Sequence[FoundDefinition]:
    """Return the second definition if it is to be shown beside the first, else ().

    It is shown if its score is close to the first one's, and if the question does not ask for a
    definition, instructions or a reason.
    """
    wants_one = question.wants_definition or question.wants_instructions or question.wants_reason
    if wants_one or not others:
        return ()
    return others[:1] if others[0].hit.score >= first.hit.score * _CLOSE_SCORE_SHARE else ()


def _is_document_first(results: AskResults) -> bool:
    if results.question.wants_instructions:
        return True
    hits = results.answer.hits
    return bool(hits) and LANGUAGES[hits[0].language].prose


def _sections(connection: sqlite3.Connection, results: AskResults) -> Iterator[Hit]:
    """Yield each section of the first documents among the hits, as a hit."""
    hits = {hit.path: hit for hit in (*results.answer.navigation, *results.documents)}
    for hit in list(hits.values())[:_MOST_DOCUMENTS]:
        for section in document_sections(connection, hit.path, limit=MOST_SECTIONS):
            yield replace(
                hit,
                start_line=section.start_line,
                end_line=section.end_line,
                text=SafeText(section.text),
                heading_path=section.heading,
                page=section.page,
                has_secrets=bool(section.has_secrets),
            )


def _quote(passage: Passage) -> Sentence:
    hit = passage.hit
    page = f", page {hit.page}" if hit.page and LANGUAGES[hit.language].document == "page" else ""
    heading = hit.heading_path.rpartition(" > ")[2]
    where = f" — {heading}{page}" if heading or page else ""
    return Sentence(f"“{strip_markup(passage.text)}”{where}", (passage.citation,), "document")


_NOT_KNOWN = "Some files could not be read, and may contain these words."
_WEAK = "This repository may not have this; the nearest code and documents are:"


def _caveats(results: AskResults) -> Iterator[Sentence]:
    """Yield the warnings that come before an answer.

    They name important words that occur in no file, and say if the confidence of the search is low.
    """
    if results.missing_share >= _LEAST_MISSING_SHARE or not results.answer.refreshed.is_complete:
        yield from _missing_words(results, "Note: the")
    if results.answer.confidence == "weak":
        yield Sentence(_WEAK, (), "absence")


def _not_found(results: AskResults) -> Iterator[Sentence]:
    """Yield the sentences that say why there is no answer, then suggestions."""
    answer = results.answer
    reason = answer.message or "Not found here: no definition and no document answers this."
    missing = list(_missing_words(results, "Not found here: the"))
    yield from missing or [Sentence(reason, (), "absence")]
    for text in answer.suggestions:
        yield Sentence(text, (), "absence")


def _missing_words(results: AskResults, lead: str) -> Iterator[Sentence]:
    """Yield one sentence with the words of the question that occur in no file, after `lead`.

    Yield nothing if every word occurs. If some files could not be read, yield a sentence that says
    so instead.
    """
    answer = results.answer
    if not answer.refreshed.is_complete:
        yield Sentence(" ".join((_NOT_KNOWN, *answer.refreshed.gaps())), (), "absence")
    elif answer.missing_words:
        named = ", ".join(f"`{word}`" for word in answer.missing_words)
        noun = "word is" if len(answer.missing_words) == 1 else "words are"
        skipped = answer.coverage.skipped + answer.coverage.failed
        left = f", besides {skipped:,} that are not indexed" if skipped else ""
        text = f"{lead} {noun} in none of the {results.files:,} indexed files{left}: {named}."
        yield Sentence(text, (), "absence")


def _evidences(definitions: Sequence[FoundDefinition], quotes: Sequence[SectionQuote]) -> list[Hit]:
    """Return the hits on which the definitions and the quotes are based, best score first."""
    hits = [definition.hit for definition in definitions]
    sections = {(it.hit.path, it.hit.start_line): it for it in reversed(quotes)}
    hits += [replace(it.hit, score=min(1.0, it.score)) for it in sections.values()]
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

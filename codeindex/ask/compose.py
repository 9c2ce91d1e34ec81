"""Compose the sentences of an answer from search results, as the question type requires."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeindex.ask.candidates import (
    VALUES,
    AnswerCandidate,
    CandidateFile,
    doc_line,
    rank_definitions,
    read_sources,
    telling_lines,
)
from codeindex.ask.connections import connection_sentences
from codeindex.ask.extract import Citation, Extract, Sentence, SentencePart
from codeindex.ask.passages import Passage, find_passages, strip_markup
from codeindex.ask.question import MOST_ABSENT_SHARE, WeightedQuestion
from codeindex.ask.relation_sentences import (
    DOC,
    SIGNATURE,
    flow_sentences,
    truncate,
    usage_sentences,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.chunk_blocks import document_sections
from codeindex.types import OWNER_KINDS, Answer, Hit, Node, SafeText

if TYPE_CHECKING:
    import sqlite3

_MOST_OF_FILE = 3
"""Most definitions of one file, so that definitions of other files are shown too."""
_NEAR_BEST = 0.45
"""Share of the best candidate's score that a candidate needs to be shown."""
_ASYNC = re.compile(r"(?i)^(?:async_?|a(?=iter|read|close|enter|exit|next|send|call|get|put|run))")
_LEAST_SCORE = 0.2
"""If the best candidate has a lower score, no definition answers the question."""
_DOCUMENT_LEAD = 0.05
"""A document comes first if its score exceeds the share of the best definition by this."""
_MOST_LINES, _MOST_EVIDENCE_LINES = 2, 60
"""Most lines to quote of the first definition, and most lines of a piece of evidence."""
_MOST_PASSAGES, _MOST_CONNECTED = 3, 4
_MOST_DOCUMENTS, _MOST_SECTIONS = 8, 400
"""Most documents that are read, and most sections of each."""


@dataclass(frozen=True, slots=True)
class AskResults:
    """Results of two searches for one question: of all files, and of documents alone."""

    answer: Answer
    documents: tuple[Hit, ...]
    question: WeightedQuestion
    files: int


def compose_extract(connection: sqlite3.Connection, results: AskResults, *, limit: int) -> Extract:
    """Return the answer to a question, or sentences which say that the index has no answer."""
    meta = results.answer.meta
    if "relation" in meta and results.answer.hits:
        return _extract(results, usage_sentences(connection, results.answer), results.answer.hits)
    if "flow" in meta and results.answer.hits:
        return _extract(results, list(flow_sentences(meta["flow"])), results.answer.hits)
    return _from_definitions(connection, results, limit=limit)


def _from_definitions(
    connection: sqlite3.Connection, results: AskResults, *, limit: int
) -> Extract:
    """Answer from the best definitions and passages, and say how the definitions are connected."""
    question = results.question
    sections = _sections(connection, results)
    quoted = find_passages(sections, question, most=_MOST_PASSAGES)
    sources = read_sources(connection, results.answer.hits, question)
    best = _choose(rank_definitions(connection, sources, question), limit=limit)
    missing = list(_missing(results))
    if question.missing_share >= MOST_ABSENT_SHARE or not (best or quoted):
        near = _next(best, quoted)[:1]
        absence = missing or [_nothing(results)]
        return _extract(results, [*absence, *near], (), found_any=False)
    first: list[Sentence] = []
    more: list[Sentence] = []
    for rank, candidate in enumerate(best):
        for sentence in _definition(candidate, sources, question, is_first=rank == 0):
            if rank == 0:
                first.append(sentence)
            elif len(sentence.citations) > 1 or " = " in sentence.text:
                more.append(sentence)
    documents = [_quote(passage) for passage in quoted]
    share = best[0].share if best else 0.0
    documents_lead = bool(quoted) and (not best or quoted[0].score > share + _DOCUMENT_LEAD)
    body = [*documents, *first] if documents_lead else [*first, *documents]
    acting = [it.node for it in best[:_MOST_CONNECTED] if it.node.kind not in VALUES]
    connected = connection_sentences(connection, acting, question)
    evidences = _evidences(results, best, quoted, sources)[:limit]
    sentences = [*missing, *body, *connected, *more, *_next(best, quoted)]
    return _extract(results, sentences, evidences)


def _sections(connection: sqlite3.Connection, results: AskResults) -> Iterator[Hit]:
    """Yield the sections of the found documents as hits, for the first documents only."""
    hits = {hit.path: hit for hit in (*results.answer.navigation, *results.documents)}
    for hit in list(hits.values())[:_MOST_DOCUMENTS]:
        for section in document_sections(connection, hit.path, limit=_MOST_SECTIONS):
            yield replace(
                hit,
                start_line=section.start_line,
                end_line=section.end_line,
                text=SafeText(section.text),
                heading_path=section.heading,
                page=section.page,
                has_secrets=bool(section.has_secrets),
            )


def _choose(ranked: Sequence[AnswerCandidate], *, limit: int) -> list[AnswerCandidate]:
    """Return at most `limit` candidates: few of a file, no overlaps, no low scores."""
    chosen: list[AnswerCandidate] = []
    if not ranked or ranked[0].score < _LEAST_SCORE:
        return []
    for candidate in ranked:
        if len(chosen) == limit or candidate.score < ranked[0].score * _NEAR_BEST:
            break
        node = candidate.node
        same_file = [other.node for other in chosen if other.node.file_id == node.file_id]
        if len(same_file) < _MOST_OF_FILE and not any(_repeats(node, other) for other in same_file):
            chosen.append(candidate)
    return chosen


def _repeats(node: Node, other: Node) -> bool:
    """Return whether an answer that shows one definition need not show the other.

    That is so if their lines overlap, or if one is the async version of the other (`iter_text` and
    `aiter_text`).
    """
    if node.line <= other.end_line and other.line <= node.end_line:
        return True
    return _ASYNC.sub("", node.name) == _ASYNC.sub("", other.name) and node.kind == other.kind


def _definition(
    candidate: AnswerCandidate,
    sources: Mapping[int, CandidateFile],
    question: WeightedQuestion,
    *,
    is_first: bool,
) -> Iterator[Sentence]:
    """Yield a sentence that shows a definition; for the first, also its lines with most words."""
    node, source = candidate.node, sources[candidate.node.file_id]
    part: SentencePart = "definition" if is_first else "more"
    places = [_definition_citation(node)]
    text = f"`{_shown(node, source)}`"
    owner = node.qualified.rpartition(".")[0]
    if node.kind in VALUES and owner:
        text += f" in `{owner}`"
    described = doc_line(source, node)
    if node.doc and described:
        doc = truncate(" ".join(word for word in node.doc.split() if word != ":"), DOC)
        text += f" — “{doc}”" if is_first else f": “{doc}”"
        places.append(Citation(node.path, described, node.doc.split("\n")[0][:20]))
    elif not node.doc and not is_first:
        for number in telling_lines(source, node, question, most=1):
            text += f": `{_code(source, number)}`"
            places.append(_line(source, number))
    yield Sentence(text, tuple(places), part)
    if is_first and node.kind not in VALUES:
        skip = (described,)
        for number in telling_lines(source, node, question, most=_MOST_LINES, skip=skip):
            yield Sentence(f"It has `{_code(source, number)}`", (_line(source, number),), part)


def _definition_citation(node: Node) -> Citation:
    return Citation(node.path, node.line, node.name)


def _code(source: CandidateFile, number: int) -> str:
    return truncate(source.lines[number - 1].strip(), SIGNATURE)


def _line(source: CandidateFile, number: int) -> Citation:
    return Citation(source.node.path, number, source.lines[number - 1].strip()[:30])


def _shown(node: Node, source: CandidateFile) -> str:
    """Return the line that defines a value, or the signature of any other definition."""
    if node.kind in VALUES:
        line = source.lines[node.line - 1].strip() if node.line <= len(source.lines) else ""
        return truncate(line if node.name in line else node.name)
    signature = " ".join(node.signature.split())
    is_owner = node.kind in OWNER_KINDS
    if "." in node.qualified and not is_owner:
        signature = _with_owner(signature, node)
    if len(signature) > SIGNATURE and "(" in signature and not is_owner:
        return f"{node.qualified}(…)"
    return truncate(signature or node.qualified)


def _with_owner(signature: str, node: Node) -> str:
    """Return a signature with the qualified name, unless it names a receiver already."""
    name = re.search(rf"(?<!\w){re.escape(node.name)}(?!\w)", signature)
    if name is None:
        return signature
    before, after = signature[: name.start()], signature[name.end() :]
    nearest = f"{node.qualified.split('.')[-2]}."
    if before.endswith(nearest):
        before = before[: -len(nearest)]
    elif before.endswith((".", "::")):  # a receiver with type arguments, C++'s own spelling
        return signature
    return f"{before}{node.qualified}{after}"


def _quote(passage: Passage) -> Sentence:
    hit = passage.hit
    page = f", page {hit.page}" if hit.page and LANGUAGES[hit.language].document == "page" else ""
    heading = hit.heading_path.rpartition(" > ")[2]
    where = f" — {heading}{page}" if heading or page else ""
    return Sentence(f"“{strip_markup(passage.text)}”{where}", (passage.citation,), "document")


_NOT_KNOWN = "Not every file could be looked through, so that words may stand where nobody looked."


def _missing(results: AskResults) -> Iterator[Sentence]:
    """Yield a sentence that names the words of the question that no indexed file has, if any."""
    missing, refreshed = results.question.missing, results.answer.refreshed
    if missing and not refreshed.is_complete:
        yield Sentence(" ".join((_NOT_KNOWN, *refreshed.gaps())), (), "absence")
    elif missing:
        named = ", ".join(f"`{word}`" for word in missing)
        noun = "word is" if len(missing) == 1 else "words are"
        skipped = results.answer.coverage.skipped + results.answer.coverage.failed
        left = f", besides {skipped:,} that are not indexed" if skipped else ""
        lost = results.question.missing_share >= MOST_ABSENT_SHARE
        lead = "Not found here: the" if lost else "Mind that the"
        text = f"{lead} {noun} in none of the {results.files:,} indexed files{left}: {named}."
        yield Sentence(text, (), "absence")


def _nothing(results: AskResults) -> Sentence:
    near = f" {' '.join(results.answer.suggestions)}." if results.answer.suggestions else ""
    text = (
        "Not found here: each word of the question occurs, but nothing says enough of them"
        f" together.{near}"
    )
    return Sentence(text, (), "absence")


def _next(best: Sequence[AnswerCandidate], quoted: Sequence[Passage]) -> list[Sentence]:
    """Return a sentence that names what to read: the best definitions, then quoted sections."""
    spans = {}
    for node in (candidate.node for candidate in best[:3]):
        spans[f"{node.path}:{node.start_line}-{node.end_line}"] = _definition_citation(node)
    for passage in quoted[:2]:
        hit = passage.hit
        spans.setdefault(f"{hit.path}:{hit.start_line}-{hit.end_line}", passage.citation)
    if not spans:
        return []
    return [Sentence("Read next: " + ", ".join(spans), tuple(spans.values()), "next")]


def _evidences(
    results: AskResults,
    best: Sequence[AnswerCandidate],
    quoted: Sequence[Passage],
    sources: Mapping[int, CandidateFile],
) -> list[Hit]:
    """Return the definitions and the quoted sections as hits, best score first."""
    with_secrets = {hit.path: hit.has_secrets for hit in reversed(results.answer.hits)}
    hits = []
    for rank, candidate in enumerate(best):
        node, source = candidate.node, sources[candidate.node.file_id]
        last = min(node.end_line, node.start_line + _MOST_EVIDENCE_LINES - 1)
        hits.append(
            Hit(
                repo=results.answer.searched_repos[0],
                path=node.path,
                start_line=node.start_line,
                end_line=last,
                score=min(1.0, candidate.score),
                text=SafeText("\n".join(source.lines[node.start_line - 1 : last])),
                symbol=node.qualified,
                kind=node.kind,
                language=node.language,
                module=node.module,
                is_test=bool(node.is_test),
                has_secrets=with_secrets.get(node.path, False),
                rank=rank,
            )
        )
    sections = {(it.hit.path, it.hit.start_line): it for it in reversed(quoted)}
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

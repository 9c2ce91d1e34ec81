"""From what was found to sentences, by the kind of question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codeindex.ask.candidates import (
    VALUES,
    AnswerCandidate,
    SourceFile,
    doc_line,
    rank_candidates,
    read_sources,
    telling_lines,
)
from codeindex.ask.connections import connection_sentences
from codeindex.ask.extract import Citation, Extract, Sentence
from codeindex.ask.passages import Passage, find_passages, strip_markup
from codeindex.ask.question import NOTHING_LEFT, WeightedQuestion
from codeindex.ask.relation_sentences import (
    DOC,
    SIGNATURE,
    flow_sentences,
    truncate,
    usage_sentences,
)
from codeindex.types import OWNER_KINDS, Answer, Hit, Node, SafeText

if TYPE_CHECKING:
    import sqlite3

_OF_FILE = 3
"""Pieces of one file: others say something else."""
_NEAR_BEST = 0.45
"""Of the best piece's score: what is below has little to do with the question."""
_ASYNC = re.compile(r"(?i)^(?:async_?|a(?=iter|read|close|enter|exit|next|send|call|get|put|run))")
_BAR = 0.2
"""Share of the question that the best piece must say; else it is not here."""
_LINES, _SNIPPET = 2, 60
_DOCUMENTS, _SECTIONS = 8, 400
"""Documents that are read, and sections of each."""


@dataclass(frozen=True, slots=True)
class AskResults:
    """What the searches for one question gave: places of any kind, and of documents."""

    answer: Answer
    documents: tuple[Hit, ...]
    question: WeightedQuestion
    files: int


def compose_extract(connection: sqlite3.Connection, found: AskResults, *, limit: int) -> Extract:
    """Answer a question from what was found, or say that it is not here."""
    meta = found.answer.meta
    if "relation" in meta and found.answer.hits:
        return _made(found, usage_sentences(connection, found.answer), found.answer.hits)
    if "flow" in meta and found.answer.hits:
        return _made(found, list(flow_sentences(meta["flow"])), found.answer.hits)
    return _explained(connection, found, limit=limit)


def _explained(connection: sqlite3.Connection, found: AskResults, *, limit: int) -> Extract:
    question = found.question
    quoted = find_passages(_sections(connection, found), question, most=3)
    read = read_sources(connection, found.answer.hits, question)
    best = _chosen(rank_candidates(connection, read, question), limit=limit)
    missing = list(_missing(found))
    if question.missing_share >= NOTHING_LEFT or not (best or quoted):
        near = _next(best, quoted)[:1]
        return _made(found, [*(missing or [_nothing(found)]), *near], (), found_any=False)
    told = [one for at, unit in enumerate(best) for one in _definition(unit, read, question, at)]
    told = [
        one for one in told if one.part != "more" or len(one.citations) > 1 or " = " in one.text
    ]
    documents = [_quoted(one) for one in quoted]
    leads = bool(quoted) and (not best or quoted[0].score > best[0].share + 0.05)
    first, rest = told[: _lead(told)], told[_lead(told) :]
    body = [*documents, *first] if leads else [*first, *documents]
    linked = connection_sentences(
        connection, [one.node for one in best[:4] if _acts(one)], question
    )
    evidences = _evidences(found, best, quoted, read)[:limit]
    sentences = [*missing, *body, *linked, *rest, *_next(best, quoted)]
    return _made(found, sentences, evidences)


def _sections(connection: sqlite3.Connection, found: AskResults) -> Iterator[Hit]:
    """Yield every section of the documents that were found."""
    hits = {one.path: one for one in (*found.answer.navigation, *found.documents)}
    for hit in list(hits.values())[:_DOCUMENTS]:
        rows = connection.execute(
            "SELECT c.start_line, c.end_line, c.text, c.heading, c.page, c.has_secrets"
            " FROM chunks c JOIN files f ON f.id = c.file_id WHERE f.path = ?"
            " ORDER BY c.start_line LIMIT ?",
            (hit.path, _SECTIONS),
        )
        for start, end, text, heading, page, secret in rows:
            yield replace(
                hit,
                start_line=start,
                end_line=end,
                text=text,
                heading_path=heading,
                page=page,
                has_secrets=bool(secret),
            )


def _chosen(ranked: Sequence[AnswerCandidate], *, limit: int) -> list[AnswerCandidate]:
    """Return the best pieces: few of a file, none inside another, none far below the first."""
    kept: list[AnswerCandidate] = []
    if not ranked or ranked[0].score < _BAR:
        return []
    for one in ranked:
        if len(kept) == limit or one.score < ranked[0].score * _NEAR_BEST:
            break
        same = [other for other in kept if other.node.file_id == one.node.file_id]
        if len(same) < _OF_FILE and not any(_alike(one.node, other.node) for other in same):
            kept.append(one)
    return kept


def _acts(one: AnswerCandidate) -> bool:
    return one.node.kind not in VALUES


def _alike(one: Node, other: Node) -> bool:
    """Tell whether one is within the other, or its twin: `iter_text` and `aiter_text`."""
    if one.line <= other.end_line and other.line <= one.end_line:
        return True
    return _ASYNC.sub("", one.name) == _ASYNC.sub("", other.name) and one.kind == other.kind


def _lead(told: Sequence[Sentence]) -> int:
    """Return how many sentences are of the first piece."""
    return next((at for at, one in enumerate(told) if one.part == "more"), len(told))


def _definition(
    unit: AnswerCandidate, read: dict[int, SourceFile], question: WeightedQuestion, at: int
) -> Iterator[Sentence]:
    """Say what a piece is, what is said of it, and the first one's lines that tell most."""
    node, source = unit.node, read[unit.node.file_id]
    part: Any = "definition" if at == 0 else "more"
    places = [Citation(node.path, node.line, node.name)]
    text = f"`{_shown(node, source)}`"
    owner = node.qualified.rpartition(".")[0]
    if node.kind in VALUES and owner:
        text += f" in `{owner}`"
    described = doc_line(source, node)
    if node.doc and described:
        said = truncate(" ".join(one for one in node.doc.split() if one != ":"), DOC)
        text = f"{text}: “{said}”" if at else f"{text} — “{said}”"
        places.append(Citation(node.path, described, node.doc.split("\n")[0][:20]))
    elif not node.doc and at:
        lines = telling_lines(source, node, question, most=1)
        text += "".join(
            f": `{truncate(source.lines[one - 1].strip(), SIGNATURE)}`" for one in lines
        )
        places += [_line(source, one) for one in lines]
    yield Sentence(text, tuple(places), part)
    if at == 0 and node.kind not in VALUES:
        skip = range(described, described + 1)
        for number in telling_lines(source, node, question, most=_LINES, skip=skip):
            line = source.lines[number - 1].strip()
            yield Sentence(f"It has `{truncate(line, SIGNATURE)}`", (_line(source, number),), part)


def _line(source: SourceFile, number: int) -> Citation:
    return Citation(source.node.path, number, source.lines[number - 1].strip()[:30])


def _shown(node: Node, source: SourceFile) -> str:
    """Return what a definition looks like: its line, where that says all, else its signature."""
    if node.kind in VALUES:
        return truncate(_bare(node, source))
    signature = " ".join(node.signature.split())
    owner = node.qualified.rpartition(".")[0]
    if owner and node.kind not in OWNER_KINDS:
        signature = _with_owner(signature, node)
    if len(signature) > SIGNATURE and "(" in signature and node.kind not in OWNER_KINDS:
        return f"{node.qualified}(…)"
    return truncate(signature or node.qualified)


def _with_owner(signature: str, node: Node) -> str:
    """Put the owner before the name; one that stands there, as a receiver does, stays alone."""
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


def _bare(node: Node, source: SourceFile) -> str:
    line = source.lines[node.line - 1].strip() if node.line <= len(source.lines) else ""
    return line if node.name in line else node.name


def _quoted(one: Passage) -> Sentence:
    place = Citation(one.hit.path, one.line, one.text[:12])
    page = f", page {one.hit.page}" if one.hit.page and one.hit.language == "pdf" else ""
    under = one.hit.heading_path.rpartition(" > ")[2]
    where = f" — {under}{page}" if under or page else ""
    return Sentence(f"“{strip_markup(one.text)}”{where}", (place,), "document")


_NOT_KNOWN = "Not every file could be looked through, so that words may stand where nobody looked."


def _missing(found: AskResults) -> Iterator[Sentence]:
    """Say which words of the question stand nowhere: that was looked up, word by word."""
    missing, refreshed = found.question.missing, found.answer.refreshed
    if missing and not refreshed.is_complete:
        yield Sentence(" ".join((_NOT_KNOWN, *refreshed.gaps())), (), "absence")
    elif missing:
        named = ", ".join(f"`{one}`" for one in missing)
        word = "word is" if len(missing) == 1 else "words are"
        skipped = found.answer.coverage.skipped + found.answer.coverage.failed
        left = f", besides {skipped:,} that are not indexed" if skipped else ""
        lost = found.question.missing_share >= NOTHING_LEFT
        lead = "Not found here: the" if lost else "Mind that the"
        text = f"{lead} {word} in none of the {found.files:,} indexed files{left}: {named}."
        yield Sentence(text, (), "absence")


def _nothing(found: AskResults) -> Sentence:
    near = f" {' '.join(found.answer.suggestions)}." if found.answer.suggestions else ""
    text = (
        "Not found here: each word of the question occurs, but nothing says enough of them"
        f" together.{near}"
    )
    return Sentence(text, (), "absence")


def _next(best: Sequence[AnswerCandidate], quoted: Sequence[Passage]) -> list[Sentence]:
    """Name what to read: the pieces whole, then the sections that were quoted."""
    spans = {}
    for one in best[:3]:
        spans[f"{one.node.path}:{one.node.start_line}-{one.node.end_line}"] = Citation(
            one.node.path, one.node.line, one.node.name
        )
    for passage in quoted[:2]:
        hit = passage.hit
        place = Citation(hit.path, passage.line, passage.text[:12])
        spans.setdefault(f"{hit.path}:{hit.start_line}-{hit.end_line}", place)
    if not spans:
        return []
    text = "Read next: " + ", ".join(spans)
    return [Sentence(text, tuple(spans.values()), "next")]


def _evidences(
    found: AskResults,
    best: Sequence[AnswerCandidate],
    quoted: Sequence[Passage],
    read: dict[int, SourceFile],
) -> list[Hit]:
    """Return the pieces as hits, and the sections that are quoted."""
    by_path = {one.path: one for one in reversed(found.answer.hits)}
    hits = []
    for rank, one in enumerate(best):
        node, source = one.node, read[one.node.file_id]
        last = min(node.end_line, node.start_line + _SNIPPET - 1)
        known = by_path.get(node.path)
        hits.append(
            Hit(
                repo=found.answer.searched_repos[0],
                path=node.path,
                start_line=node.start_line,
                end_line=last,
                score=min(1.0, one.score),
                text=SafeText("\n".join(source.lines[node.start_line - 1 : last])),
                symbol=node.qualified,
                kind=node.kind,
                language=node.language,
                module=node.module,
                is_test=bool(node.is_test),
                has_secrets=bool(known and known.has_secrets),
                rank=rank,
            )
        )
    sections = {(one.hit.path, one.hit.start_line): one for one in reversed(quoted)}
    hits += [replace(one.hit, score=min(1.0, one.score)) for one in sections.values()]
    return sorted(hits, key=lambda one: -one.score)


def _made(
    found: AskResults,
    sentences: Sequence[Sentence],
    evidences: Sequence[Hit],
    *,
    found_any: bool = True,
) -> Extract:
    answer = found.answer
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

"""Let a language model write the answer from evidence, in one or several search rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from codeindex.ask.claim_check import UNCITED, check_claims, is_refusal
from codeindex.ask.extract import AskRound, Extract, Sentence
from codeindex.ask.prompt import MAX_EVIDENCES, NOT_FOUND, build_prompt, parse_searches
from codeindex.llm_command import NotWrittenError, TextGenerator, validate_output
from codeindex.types import Hit

ExtractQuestion = Callable[[str], Extract]
"""Answers a query without a model; the evidence of that answer goes into the prompt."""
_QUOTED_PARTS = frozenset({"definition", "document"})


def write_answer(
    extract: Extract,
    writer: TextGenerator,
    *,
    model: str,
    rounds: int,
    extract_question: ExtractQuestion,
) -> Extract:
    """Let a model write the answer from the evidence of `extract`; return the written answer.

    `model` is its name. In up to `rounds` rounds, the model may ask for more evidence, which
    `extract_question` finds. Raise NotWrittenError if the model fails, declines, or writes nothing
    that the evidence supports; its message says why, as a clause.
    """
    evidences = list(extract.evidences)
    ask_rounds: list[AskRound] = []
    query, text = extract.query, ""
    round_query, former = query, 0
    for left in range(rounds, 0, -1):
        if not evidences and left == 1:
            raise NotWrittenError("there is no evidence to write from")
        text = validate_output(writer(build_prompt(query, evidences, may_search=left > 1)))
        wanted = parse_searches(text)
        ask_rounds.append(AskRound(round_query, len(evidences) - former, "; ".join(wanted)))
        if not wanted or left == 1:
            break
        round_query, former = "; ".join(wanted), len(evidences)
        for words in wanted:
            _add_new(evidences, extract_question(words).evidences)
    if parse_searches(text):
        raise NotWrittenError("the model kept on searching")
    return _check_answer(extract, text, evidences, model=model, rounds=tuple(ask_rounds))


def _check_answer(
    extract: Extract, text: str, evidences: list[Hit], *, model: str, rounds: tuple[AskRound, ...]
) -> Extract:
    if is_refusal(text):
        raise NotWrittenError("the model declined")
    if text.strip(" .`*\n").startswith(NOT_FOUND):
        raise NotWrittenError("the model says that the evidence does not answer this")
    sentences = check_claims(text, evidences)
    proven = [sentence for sentence in sentences if sentence.citations and not sentence.doubt]
    if not proven:
        raise NotWrittenError("the evidence supports nothing of what the model wrote")
    doubted = sum(bool(sentence.doubt) for sentence in sentences)
    bare = sum(sentence.doubt == UNCITED for sentence in sentences)
    note = (
        f"{doubted} of {len(sentences)} sentences are not supported by the evidence ({bare}"
        " cite none)."
    )
    absence = tuple(sentence for sentence in extract.sentences if sentence.part == "absence")
    return replace(
        extract,
        sentences=(*absence, *sentences),
        evidences=tuple(evidences),
        rounds=rounds if len(rounds) > 1 else (),
        notes=(*extract.notes, *([note] if doubted else [])),
        meta=extract.meta | {"llmModel": model, "contextsUsed": len(evidences)},
    )


def _add_new(evidences: list[Hit], more: tuple[Hit, ...]) -> None:
    """Append the hits at new places to `evidences`, up to MAX_EVIDENCES in all."""
    known = {(hit.repo, hit.path, hit.start_line) for hit in evidences}
    new = [hit for hit in more if (hit.repo, hit.path, hit.start_line) not in known]
    evidences += new[: max(0, MAX_EVIDENCES - len(evidences))]


def refine_answer(
    extract: Extract,
    *,
    rounds: int,
    extract_question: ExtractQuestion,
    find_missing: Callable[[Extract], str],
) -> Extract:
    """Search again for words of the question that the answer lacks; add what is found.

    `extract_question` answers a query, and `find_missing` returns the next query, or "" to stop. At
    most `rounds` searches are made, counting the one that gave `extract`.
    """
    evidences = list(extract.evidences)
    ask_rounds = [AskRound(extract.query, len(evidences), find_missing(extract))]
    sentences = list(extract.sentences)
    for _ in range(rounds - 1):
        wanted = ask_rounds[-1].wanted
        if not wanted:
            break
        more = extract_question(wanted)
        former = len(evidences)
        _add_new(evidences, more.evidences)
        sentences += _further_sentences(more, sentences)
        refined = replace(extract, evidences=tuple(evidences))
        ask_rounds.append(AskRound(wanted, len(evidences) - former, find_missing(refined)))
        if ask_rounds[-1].wanted == wanted:
            break
    return replace(
        extract,
        sentences=tuple(sentences),
        evidences=tuple(evidences),
        rounds=tuple(ask_rounds),
        meta=extract.meta | {"contextsUsed": len(evidences)},
    )


def _further_sentences(more: Extract, known: Iterable[Sentence]) -> list[Sentence]:
    """Return the quotes and definitions of `more` that say something new, as the part `more`."""
    texts = {str(sentence) for sentence in known}
    return [
        replace(sentence, part="more")
        for sentence in more.sentences
        if sentence.part in _QUOTED_PARTS and str(sentence) not in texts
    ]

"""Let a language model write the answer from evidence, in one round or several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from codeindex.ask.claim_check import UNCITED, check_claims, is_refusal
from codeindex.ask.extract import AskRound, Extract
from codeindex.ask.prompt import NOT_FOUND, build_prompt, parse_searches
from codeindex.llm_command import NotWrittenError, TextGenerator, validate_output
from codeindex.types import Hit

_MOST = 24
ExtractQuestion = Callable[[str], Extract]
"""Answers a question without a model; its evidence is used."""


def write_answer(
    extract: Extract, writer: TextGenerator, *, model: str, rounds: int, look: ExtractQuestion
) -> Extract:
    """Return the answer that a model writes; if it fails, the extract with a note that says why."""
    try:
        return _written(extract, writer, model=model, rounds=rounds, look=look)
    except NotWrittenError as why:
        return replace(extract, notes=(*extract.notes, f"No answer was written: {why}."))


def _written(
    extract: Extract, writer: TextGenerator, *, model: str, rounds: int, look: ExtractQuestion
) -> Extract:
    evidences = list(extract.evidences)
    ask_rounds: list[AskRound] = []
    query, text = extract.query, ""
    for left in range(rounds, 0, -1):
        if not evidences and left == 1:
            raise NotWrittenError("there is no evidence to write from")
        text = validate_output(writer(build_prompt(query, evidences, may_search=left > 1)))
        wanted = parse_searches(text)
        ask_rounds.append(AskRound(query, len(evidences), "; ".join(wanted)))
        if not wanted or left == 1:
            break
        for words in wanted:
            _add(evidences, look(words).evidences)
    if parse_searches(text):
        raise NotWrittenError("the model kept on searching")
    return _judged(extract, text, evidences, model=model, rounds=tuple(ask_rounds))


def _judged(
    extract: Extract, text: str, evidences: list[Hit], *, model: str, rounds: tuple[AskRound, ...]
) -> Extract:
    if is_refusal(text):
        raise NotWrittenError("the model declined")
    if text.strip(" .`*\n").startswith(NOT_FOUND):
        raise NotWrittenError("the model says that the evidence does not answer this")
    sentences = check_claims(text, evidences)
    proven = [sentence for sentence in sentences if sentence.citations and not sentence.doubt]
    if not proven:
        raise NotWrittenError("the evidence bears out nothing of what the model wrote")
    doubted = sum(bool(sentence.doubt) for sentence in sentences)
    bare = sum(sentence.doubt == UNCITED for sentence in sentences)
    note = (
        f"{doubted} of {len(sentences)} sentences are not borne out by evidence ({bare} cite none)."
    )
    kept = tuple(sentence for sentence in extract.sentences if sentence.part in {"absence", "next"})
    absence = tuple(sentence for sentence in kept if sentence.part == "absence")
    after = tuple(sentence for sentence in kept if sentence.part == "next")
    return replace(
        extract,
        sentences=(*absence, *sentences, *after),
        evidences=tuple(evidences),
        rounds=rounds if len(rounds) > 1 else (),
        notes=(*extract.notes, *([note] if doubted else [])),
        meta=extract.meta | {"llmModel": model, "contextsUsed": len(evidences)},
    )


def _add(evidences: list[Hit], more: tuple[Hit, ...]) -> None:
    known = {(evidence.repo, evidence.path, evidence.start_line) for evidence in evidences}
    for evidence in more:
        if (evidence.repo, evidence.path, evidence.start_line) not in known and len(
            evidences
        ) < _MOST:
            evidences.append(evidence)


def refine_answer(
    extract: Extract, *, rounds: int, look: ExtractQuestion, unsaid: Callable[[Extract], str]
) -> Extract:
    """Search again for words that the evidence lacks, for `rounds` at most."""
    evidences = list(extract.evidences)
    ask_rounds = [AskRound(extract.query, len(evidences), unsaid(extract))]
    sentences = list(extract.sentences)
    for _ in range(rounds - 1):
        wanted = ask_rounds[-1].wanted
        if not wanted:
            break
        more = look(wanted)
        before = len(evidences)
        _add(evidences, more.evidences)
        known = {str(sentence) for sentence in sentences}
        fresh = [
            sentence for sentence in more.sentences if sentence.part in {"definition", "document"}
        ]
        at = next(
            (n for n, sentence in enumerate(sentences) if sentence.part == "next"), len(sentences)
        )
        sentences[at:at] = [
            replace(sentence, part="more") for sentence in fresh if str(sentence) not in known
        ]
        now = replace(extract, evidences=tuple(evidences))
        ask_rounds.append(AskRound(wanted, len(evidences) - before, unsaid(now)))
        if ask_rounds[-1].wanted == wanted:
            break
    return replace(
        extract,
        sentences=tuple(sentences),
        evidences=tuple(evidences),
        rounds=tuple(ask_rounds),
        meta=extract.meta | {"contextsUsed": len(evidences)},
    )

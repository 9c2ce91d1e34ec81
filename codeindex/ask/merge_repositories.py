"""Merge the answers that several repositories give to one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from codeindex.ask.extract import Extract, Sentence


def merge_extracts(answers: Sequence[Extract]) -> Extract:
    """Merge the answers of several repositories into one.

    The answer with the best evidence is first. Answers that found nothing are left out if another
    one found something.
    """
    if len(answers) == 1:
        return answers[0]
    answered = [answer for answer in answers if answer.found] or list(answers)
    answered.sort(key=lambda answer: -max((hit.score for hit in answer.evidences), default=0.0))
    scopes = [name for answer in answers for name in answer.meta["scope"]["repos"]]
    first = answers[0]
    return replace(
        answered[0],
        sentences=tuple(
            sentence for answer in answered for sentence in _sentences_under_name(answer)
        ),
        evidences=tuple(
            sorted(
                (hit for answer in answered for hit in answer.evidences), key=lambda hit: -hit.score
            )
        ),
        found=any(answer.found for answer in answers),
        total=sum(answer.total for answer in answers),
        notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
        meta=first.meta
        | {
            "scope": {"type": "repos", "repos": scopes},
            "totalMatches": sum(answer.total for answer in answers),
            "contextsUsed": sum(len(answer.evidences) for answer in answered),
            "elapsedMs": round(sum(answer.meta["elapsedMs"] for answer in answers), 1),
        },
    )


def _sentences_under_name(answer: Extract) -> list[Sentence]:
    """Return the sentences of an answer below a heading with the name of its repository."""
    (name, *_) = answer.meta["scope"]["repos"]
    head = Sentence(f"In {name}:", (), "definition")
    return [
        head,
        *(
            replace(
                sentence,
                citations=tuple(
                    replace(place, repo=place.repo or name) for place in sentence.citations
                ),
            )
            for sentence in answer.sentences
        ),
    ]

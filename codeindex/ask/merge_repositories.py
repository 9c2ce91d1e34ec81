"""Merge the answers of several repositories, the one with the best evidence first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from codeindex.ask.extract import Citation, Extract, Sentence


def merge_extracts(answers: Sequence[Extract]) -> Extract:
    """Merge answers; those that found nothing are kept only if none found anything."""
    if len(answers) == 1:
        return answers[0]
    telling = [one for one in answers if one.found] or list(answers)
    telling.sort(key=lambda one: -max((hit.score for hit in one.evidences), default=0.0))
    scopes = [name for one in answers for name in one.meta["scope"]["repos"]]
    first = answers[0]
    return replace(
        telling[0],
        sentences=tuple(one for answer in telling for one in _named(answer)),
        evidences=tuple(
            sorted((hit for one in telling for hit in one.evidences), key=lambda hit: -hit.score)
        ),
        found=any(one.found for one in answers),
        total=sum(one.total for one in answers),
        notes=tuple(dict.fromkeys(note for one in answers for note in one.notes)),
        meta=first.meta
        | {
            "scope": {"type": "repos", "repos": scopes},
            "totalMatches": sum(one.total for one in answers),
            "contextsUsed": sum(len(one.evidences) for one in telling),
            "elapsedMs": round(sum(one.meta["elapsedMs"] for one in answers), 1),
        },
    )


def _named(answer: Extract) -> list[Sentence]:
    """Return the sentences of an answer under the name of its repository."""
    (name, *_) = answer.meta["scope"]["repos"]
    head = Sentence(f"In {name}:", (), "definition")
    return [
        head,
        *(
            replace(one, citations=tuple(_of(place, name) for place in one.citations))
            for one in answer.sentences
        ),
    ]


def _of(place: Citation, repo: str) -> Citation:
    return replace(place, repo=place.repo or repo)

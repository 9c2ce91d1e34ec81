"""An answer as agents get it: the schema's names, without what is empty or goes without saying."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from codeindex.types import Answer, AnswerDict, Hit, HitDict

CHARACTERS_A_TOKEN = 4
"""Where no tokenizer is named."""
_ROUTES = ("relation", "pattern", "flow", "reranker", "routes", "failed")
"""What `meta` holds besides a repetition of what was asked."""
_MEANT = 5
"""Symbols of one name that a relationship is said to be about."""
_NEVER = frozenset({"why", "language", "module"})
"""Fields of a result that its path tells, or that only people ask for."""


class JsonFormat:
    """Sizes of the parts of an answer as JSON, in characters (`search.budget.AnswerFormat`)."""

    def hit_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a result, and of the comma after it."""
        return json_size(agent_hit(hit, several=several)) + 1

    def doc_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a document that is pointed to, and of the comma after it."""
        return self.hit_size(hit, several=several)

    def frame_size(self, frame: Answer, first: Hit | None) -> int:
        """Return the size of an answer without results, with the name of its list of documents."""
        return json_size(agent_answer(frame) | {"navigation": []})


def agent_answer(answer: Answer) -> AnswerDict:
    """Return the answer with its results first, then what they rest on."""
    several = len(answer.searched_repos) > 1
    whole = answer.as_dict()
    lean: AnswerDict = {
        "results": [agent_hit(hit, several=several) for hit in answer.hits],
        "navigation": [agent_hit(hit, several=several) for hit in answer.navigation],
        "query_type": answer.query_type,
        "confidence": answer.confidence,
        "missing_words": list(answer.missing_words),
        "total_count": answer.total_count,
        "cursor": answer.cursor,
        "truncated": answer.truncated,
        "index_version": answer.index_version,
        "searched_repos": list(answer.searched_repos) if several else [],
        "readiness": _told(whole["readiness"], unless=1.0),
        "coverage": _told(whole["coverage"], unless=0),
        "meta": {name: _few(answer.meta[name]) for name in _ROUTES if name in answer.meta}
        | answer.refreshed.as_meta(),
        "suggestions": list(answer.suggestions),
    }
    if not answer.hits:
        lean["message"] = answer.message
        lean["related_areas"] = list(answer.related_areas)
        lean["hint"] = answer.hint
        lean["absence"] = whole["absence"]
    told = {name: value for name, value in lean.items() if value or name == "results"}
    return cast("AnswerDict", told)


def agent_hit(hit: Hit, *, several: bool) -> HitDict:
    """Return a result; its repository is named where `several` were searched."""
    whole = hit.as_dict()
    told = {name: value for name, value in whole.items() if value and name not in _NEVER}
    kept = cast("HitDict", told)
    kept["score"] = round(hit.score, 2)
    if not several:
        kept.pop("repo", None)
    if hit.shown == "full":
        del kept["shown"]
    if kept["line"] == kept["start_line"]:
        del kept["line"]
    content = kept.pop("content", "").rstrip("\n")
    if content:
        kept["content"] = content  # last, as it is the longest
    return kept


def _few(told: object) -> object:
    """Return what a route says of its answer, with few of the symbols that it may be about."""
    if isinstance(told, Mapping) and len(told.get("of", ())) > _MEANT:
        return {**told, "of": [*told["of"][:_MEANT], f"{len(told['of']) - _MEANT} more"]}
    return told


def _told(counts: Mapping[str, float], *, unless: float) -> dict[str, float]:
    return {name: count for name, count in counts.items() if count != unless}


def json_size(value: object) -> int:
    """Return the characters of a value as JSON without blanks, which is what clients are sent."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

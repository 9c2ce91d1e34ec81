"""Format an answer as JSON for agents: the schema's names, without empty and default fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from codeindex.types import Answer, AnswerDict, Hit, HitDict

CHARACTERS_A_TOKEN = 4
"""Estimated characters per token, for budgets: the tokenizer of the agent is unknown."""
ROUTE_FIELDS = ("relation", "untested", "pattern", "flow", "reranker")
"""Fields of `meta` that tell how the answer of one repository was found."""
_META_FIELDS = (*ROUTE_FIELDS, "routes", "failed", "commits")
"""Fields of `meta` that agents receive; the others mostly repeat the request."""
_SCOPE_FIELDS = ("scope", "limit", "path_prefix", "collection")
"""Further fields of `meta`, for a program that names its repositories by `scope`."""
_MOST_SUBJECTS = 5
"""Most symbols that are listed as subjects of a relationship."""
_NEVER = frozenset({"why", "language", "module"})
"""Fields of a result that agents do not receive: they follow from its path or are only for
people."""


class JsonFormat:
    """Measures the parts of an answer that is sent as JSON, in characters; see `AnswerFormat`."""

    def hit_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a result and the comma after it."""
        return json_size(agent_hit(hit, several=several)) + 1

    def doc_size(self, hit: Hit, *, several: bool) -> int:
        """Return the size of a pointer to a document, and of the comma after it.

        A pointer is a place without text.
        """
        return self.hit_size(hit, several=several)

    def frame_size(self, frame: Answer, first: Hit | None) -> int:
        """Return the size of an answer without results.

        An empty list of documents is included; `first` has no influence.
        """
        return json_size(agent_answer(frame) | {"navigation": []})


def agent_answer(answer: Answer, *, scoped: bool = False) -> AnswerDict:
    """Return the JSON form of an answer for agents, with the results first.

    With `scoped`, each result names its repository even if only one was searched, and `meta` has
    the `_SCOPE_FIELDS`, which do not count for the budget.
    """
    several = scoped or len(answer.searched_repos) > 1
    meta_fields = (*_META_FIELDS, *(_SCOPE_FIELDS if scoped else ()))
    whole = answer.as_dict()
    fields: AnswerDict = {
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
        "readiness": _without(whole["readiness"], default=1.0),
        "coverage": _without(whole["coverage"], default=0),
        "meta": {name: _few(answer.meta[name]) for name in meta_fields if name in answer.meta}
        | answer.refreshed.as_meta(),
        "suggestions": list(answer.suggestions),
    }
    if not answer.hits:
        fields["message"] = answer.message
        fields["related_areas"] = list(answer.related_areas)
        fields["hint"] = answer.hint
        fields["absence"] = whole["absence"]
    kept = {name: value for name, value in fields.items() if value or name == "results"}
    return cast("AnswerDict", kept)


def agent_hit(hit: Hit, *, several: bool) -> HitDict:
    """Return the JSON form of a result; with `several`, it names its repository."""
    whole = hit.as_dict()
    kept = cast(
        "HitDict", {name: value for name, value in whole.items() if value and name not in _NEVER}
    )
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


def _few(route: object) -> object:
    """Return an entry of `meta`; if it has a long list of subjects (`of`), the list is cut."""
    subjects = route.get("of", ()) if isinstance(route, Mapping) else ()
    if isinstance(route, Mapping) and len(subjects) > _MOST_SUBJECTS:
        more = f"{len(subjects) - _MOST_SUBJECTS} more"
        return {**route, "of": [*subjects[:_MOST_SUBJECTS], more]}
    return route


def _without(counts: Mapping[str, float], *, default: float) -> dict[str, float]:
    return {name: count for name, count in counts.items() if count != default}


def json_size(value: object) -> int:
    """Return the length of a value as compact JSON, which is the form that clients receive."""
    return len(compact_json(value))


def compact_json(data: object) -> str:
    """Return JSON without blanks between tokens; non-ASCII letters are not escaped."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

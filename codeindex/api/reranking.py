"""Select the cross-encoder that reranks results, if any; it is opened at its first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeindex.config import data_home
from codeindex.embed.lock import load_lock
from codeindex.errors import ModelError
from codeindex.search.rank.rerank import Reranker

if TYPE_CHECKING:
    from codeindex.api.resources import Resources
    from codeindex.config import Settings

_NONE = (
    "No reranker is known: add one with `codeindex models add DIR --kind reranker` and name it in"
    " `search.reranker`."
)


def select_reranker(
    resources: Resources, settings: Settings, wanted: bool | None
) -> Reranker | None:
    """Return the reranker for a search; None if its results shall not be reranked.

    `wanted` overrides the settings. If the settings name no model, the only known reranker is used;
    if there is no such model, reranking raises ModelError.
    """
    configured = settings.config.search.reranker
    if wanted is False or (wanted is None and not configured):
        return None

    name = configured or _only_installed()

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        if not name:
            raise ModelError(_NONE)
        return resources.reranker(name).scores(query, texts)

    return Reranker(name, settings.config.search.rerank_top, score)


def _only_installed() -> str:
    """Return the id of the reranker if exactly one is known, else ''."""
    try:
        models = load_lock(data_home()).values()
    except ModelError:
        return ""
    known = [model.id for model in models if model.kind == "reranker"]
    return known[0] if len(known) == 1 else ""

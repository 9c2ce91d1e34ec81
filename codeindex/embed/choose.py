"""Choose the transformer model that embeds the texts of an index."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from codeindex.config import Config, hub_offline
from codeindex.embed.fetch import DownloadProgress, known_unreachable, pull_model
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import (
    DEFAULT_MODEL,
    SHIPPED_MODEL,
    STATIC_MODEL,
    Model,
    find_model,
    load_lock,
)
from codeindex.errors import ModelError

NO_MODEL = "none"
"""The value of `embedding.model` that disables all embeddings."""
WITHOUT_TRANSFORMER = {NO_MODEL: "words only", STATIC_MODEL: f"{STATIC_MODEL} only"}
"""Values of `embedding.model` that use no transformer, each with what searches use instead."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The transformer to use for an index, or None.

    `reason` is a clause that says why; `remedy` says how to get the transformer if it is missing,
    and why its download failed.
    """

    model: Model | None
    reason: str
    remedy: str = ""

    @property
    def why(self) -> str:
        """The reason and the remedy, separated by a semicolon."""
        return f"{self.reason}; {self.remedy}" if self.remedy else self.reason


def choose_model(
    home: Path, config: Config, *, may_fetch: bool, progress: DownloadProgress | None = None
) -> ModelChoice:
    """Choose the transformer of an index, and say why.

    It is the configured model; if none is configured, it is the best that is installed or can be
    downloaded. Models are downloaded only with `may_fetch`. There is no transformer if the chosen
    one is not installed, or if `embedding.model` is one of `WITHOUT_TRANSFORMER`. The index then
    has the vectors of the static model, unless `embedding.model` is `none`.
    """
    named = config.embedding.model
    if named in WITHOUT_TRANSFORMER:
        return ModelChoice(None, f"{WITHOUT_TRANSFORMER[named]}, as configured")
    if named:
        model = find_model(load_lock(home), named)
        return _choose_configured(home, config, model, may_fetch, progress)
    return _choose_best(home, config, may_fetch, progress)


def _choose_best(
    home: Path, config: Config, may_fetch: bool, progress: DownloadProgress | None
) -> ModelChoice:
    models = load_lock(home)
    best, shipped = models[DEFAULT_MODEL], models[SHIPPED_MODEL]
    if model_status(home, best) == "ready":
        return ModelChoice(best, f"{best.id} is installed")
    with suppress(ModelError):
        if may_fetch and _fetch(home, best, config, progress):
            return ModelChoice(best, f"{best.id} was downloaded")
    state = model_status(home, shipped)
    if state == "ready":
        return ModelChoice(shipped, f"{shipped.id}, which the package contains")
    return ModelChoice(None, f"{STATIC_MODEL} only: {shipped.id} is {state}", model_remedy(shipped))


def ready_model(home: Path, model_id: str) -> Model | None:
    """Return the embedding model with this id if its files are installed, else None."""
    model = load_lock(home).get(model_id)
    is_fit = model is not None and model.kind == "embedding"
    return model if model is not None and is_fit and model_status(home, model) == "ready" else None


def _choose_configured(
    home: Path, config: Config, model: Model, may_fetch: bool, progress: DownloadProgress | None
) -> ModelChoice:
    state = model_status(home, model)
    if state == "ready":
        return ModelChoice(model, f"{model.id} is configured")
    remedy = model_remedy(model)
    try:
        if may_fetch and model.source == "hub" and _fetch(home, model, config, progress):
            return ModelChoice(model, f"{model.id} is configured and was downloaded")
    except ModelError as error:
        remedy += f" ({str(error).rstrip('.')})"
    return ModelChoice(None, f"{STATIC_MODEL} only: {model.id} is configured and {state}", remedy)


def _fetch(home: Path, model: Model, config: Config, progress: DownloadProgress | None) -> bool:
    """Download `model`; raise ModelError if that fails.

    Return False, and request nothing, if the settings forbid the network, or if the hub did not
    answer within the last day.
    """
    if config.offline or hub_offline() or known_unreachable(home):
        return False
    pull_model(home, model, progress=progress)
    return True


def model_statuses(home: Path) -> tuple[tuple[Model, str], ...]:
    """Return (model, status) of every known model, as `codeindex models list` shows them."""
    return tuple((model, model_status(home, model)) for model in load_lock(home).values())

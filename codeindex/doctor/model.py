"""The models: which are here, whether they are the pinned ones, and which would be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.config import Config
from codeindex.embed.choose import choose_model, model_statuses
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import find_model, load_lock
from codeindex.errors import ModelError
from codeindex.types.verdicts import Verdict, note, ok, problem

_BAD = {"damaged", "incomplete"}


def check_model(home: Path, config: Config) -> Iterator[Verdict]:
    """Say which model a new index would be made with, and which are not what they should be.

    A file is hashed once; then its size and time of change stand for its content.
    """
    try:
        every = model_statuses(home)
        choice = choose_model(home, config, may_fetch=False)
    except ModelError as error:
        yield problem("model", str(error).rstrip("."), remedy="see `codeindex models list`")
        return
    for model, state in every:
        if state in _BAD:
            yield problem("model", f"{model.id} is {state}", remedy=model_remedy(model))
    if choice.model is None and config.embedding.model != "none":
        yield note("model", choice.why.partition(";")[0], remedy=_after(choice.why))
    else:
        yield ok("model", choice.why)


def check_reranker(home: Path, config: Config) -> Iterator[Verdict]:
    """Say whether the cross-encoder that is configured is here; none is, usually."""
    name = config.search.reranker
    if not name:
        return
    try:
        model = find_model(load_lock(home), name, kind="reranker")
        state = model_status(home, model)
    except ModelError as error:
        yield problem("reranker", str(error).rstrip("."), remedy="see `codeindex models list`")
        return
    if state == "ready":
        yield ok("reranker", f"{name} is configured")
    else:
        text = f"{name} is configured and {state}, so results stay in their own order"
        yield problem("reranker", text, remedy=model_remedy(model))


def _after(why: str) -> str:
    return why.partition("; ")[2]

"""Check that the embedding models and the reranker are installed and intact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.config import Config
from codeindex.embed.choose import WITHOUT_TRANSFORMER, choose_model, model_statuses
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import find_model, load_lock
from codeindex.errors import ModelError
from codeindex.types.verdicts import Verdict, note, ok, problem

_BROKEN = {"damaged", "incomplete"}


def check_model(home: Path, config: Config) -> Iterator[Verdict]:
    """Check the installed models, and report which model a new index would use.

    Digests of files are cached: a file is hashed again only if its size or time has changed.
    """
    try:
        statuses = model_statuses(home)
        choice = choose_model(home, config, may_fetch=False)
    except ModelError as error:
        yield problem("model", str(error).rstrip("."), remedy="see `codeindex models list`")
        return
    for model, state in statuses:
        if state in _BROKEN or (model.source == "shipped" and state != "ready"):
            yield problem("model", f"{model.id} is {state}", remedy=model_remedy(model))
    if choice.model is None and config.embedding.model not in WITHOUT_TRANSFORMER:
        yield note("model", choice.reason, remedy=choice.remedy)
    else:
        yield ok("model", choice.why)


def check_reranker(home: Path, config: Config) -> Iterator[Verdict]:
    """Check that the configured reranker is installed; yield nothing if none is configured."""
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
        text = f"{name} is configured but {state}: results are not reranked"
        yield problem("reranker", text, remedy=model_remedy(model))

"""The models: which are here, whether they are the pinned ones, and which would be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.config import Config
from codeindex.embed.choose import choose, statuses
from codeindex.embed.installed import remedy
from codeindex.errors import ModelError
from codeindex.types.verdicts import Verdict, note, ok, problem

_BAD = {"damaged", "incomplete"}


def check_model(home: Path, config: Config) -> Iterator[Verdict]:
    """Say which model a new index would be made with, and which are not what they should be.

    A file is hashed once; then its size and time of change stand for its content.
    """
    try:
        every = statuses(home)
        choice = choose(home, config, may_fetch=False)
    except ModelError as error:
        yield problem("model", str(error).rstrip("."), remedy="see `codeindex models list`")
        return
    for model, state in every:
        if state in _BAD:
            yield problem("model", f"{model.id} is {state}", remedy=remedy(model))
    if choice.model is None and config.embedding.model != "none":
        yield note("model", choice.why.partition(";")[0], remedy=_after(choice.why))
    else:
        yield ok("model", choice.why)


def _after(why: str) -> str:
    return why.partition("; ")[2]

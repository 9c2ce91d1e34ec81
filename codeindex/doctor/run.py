"""Run all checks of the doctor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.api.index import Index
from codeindex.config import data_home, load_settings
from codeindex.doctor.clients import check_clients
from codeindex.doctor.data_folder import check_data_folder
from codeindex.doctor.environment import (
    check_encoding,
    check_git,
    check_packages,
    check_python,
    check_sqlite,
)
from codeindex.doctor.model import check_model, check_reranker
from codeindex.doctor.repository import check_repository
from codeindex.errors import ConfigError
from codeindex.types.verdicts import Verdict, problem


def run_doctor(path: str | Path = ".") -> tuple[Verdict, ...]:
    """Return the verdicts of all checks on this machine and on the repository at `path`.

    Raise RootError for a path that cannot be indexed, ScopeError for an unknown name.
    """
    return tuple(_verdicts(path))


def _verdicts(path: str | Path) -> Iterator[Verdict]:
    for check in (check_python, check_encoding, check_packages, check_sqlite, check_git):
        yield from check()
    yield from check_data_folder(data_home())
    try:
        config = load_settings(None).config
        yield from check_model(data_home(), config)
        yield from check_reranker(data_home(), config)
        yield from _check_path(path)
    except ConfigError as error:
        yield problem("settings", str(error).rstrip("."), remedy="correct it")


def _check_path(path: str | Path) -> Iterator[Verdict]:
    with Index.open(path) as index:
        yield from check_repository(index)
        yield from check_clients(index.root)

"""Run all checks of the doctor; check that models and coding agents are set up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeindex.api.index import Index
from codeindex.clients.client import Client, SetupContext
from codeindex.clients.plan import detect_clients, find_server_entry
from codeindex.config import Config, data_home, load_settings
from codeindex.doctor.data_folder import check_data_folder
from codeindex.doctor.environment import (
    check_encoding,
    check_git,
    check_packages,
    check_python,
    check_sqlite,
)
from codeindex.doctor.repository import check_repository
from codeindex.embed.choose import WITHOUT_TRANSFORMER, choose_model, model_statuses
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import find_model, load_lock
from codeindex.errors import CodeIndexError, ConfigError, ModelError
from codeindex.types.verdicts import Verdict, note, ok, problem

_BROKEN = {"damaged", "incomplete"}


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


def check_clients(root: Path) -> Iterator[Verdict]:
    """Compare the settings of each client in use with those that `codeindex init` would write."""
    context = SetupContext.current(root)
    clients = [client for client in detect_clients(context) if not client.by_hand]
    if not clients:
        yield ok("clients", "no supported client was found")
    for client in clients:
        yield _check_client(context, client)


def _check_client(context: SetupContext, client: Client) -> Verdict:
    entry = find_server_entry(context, client)
    path = context.display_path(entry.file)
    remedy = f"run `codeindex init --client {client.name}`"
    try:
        text = entry.file.read_text(encoding="utf-8") if entry.file.exists() else ""
        if not entry.is_in(text):
            return note("clients", f"{client.title} is used here but not set up", remedy=remedy)
        if entry.add(text) != text:
            return note("clients", f"{client.title} starts another server ({path})", remedy=remedy)
    except (OSError, ValueError, CodeIndexError) as error:
        return problem("clients", f"{path} cannot be read ({error})", remedy="correct it by hand")
    return ok("clients", f"{client.title} is set up ({path})")


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

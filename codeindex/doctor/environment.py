"""Check Python, SQLite, git, packages, models, the data folder and the clients' settings."""

from __future__ import annotations

import importlib
import locale
import os
import platform
import re
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from codeindex import git
from codeindex.clients.client import Client, SetupContext
from codeindex.clients.plan import detect_clients, find_server_entry
from codeindex.config import Config, disable_onnx_telemetry, limit_numpy_threads
from codeindex.embed.choose import WITHOUT_TRANSFORMER, choose_model, model_statuses
from codeindex.embed.installed import model_remedy, model_status
from codeindex.embed.lock import find_model, load_lock
from codeindex.errors import CodeIndexError, GitError, ModelError
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.filesystem import network_warning
from codeindex.types.verdicts import Verdict, note, ok, problem

_DISTRIBUTION = "codeindex-local"
_MIN_PYTHON = (3, 11)
_MIN_SQLITE = (3, 35)
"""The first version of SQLite with the clause RETURNING, which syncs use."""
_NATIVE_PACKAGES = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "tree_sitter",
    "tree_sitter_language_pack",
)
"""Packages with native code for search and indexing. The check imports them, which takes 0.3 s."""
_OTHER_PACKAGES = ("chromadb", "diskcache", "huggingface_hub", "mcp", "networkx")
"""Packages whose presence is checked without importing them, which would take seconds."""
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?\s*([^;]*)")
_VERSION_BOUND = re.compile(r"(>=|<=|==|!=|<|>|~=)\s*([0-9.]+)")


def check_python() -> Iterator[Verdict]:
    """Check the version of Python, and that it caches bytecode."""
    version = f"{platform.python_implementation()} {platform.python_version()}"
    text = f"{version} on {platform.system()} {platform.machine()}, {sys.executable}"
    if sys.version_info[:2] < _MIN_PYTHON:
        yield problem("python", text, remedy="use Python 3.11 or newer")
    else:
        yield ok("python", text)
    if sys.dont_write_bytecode:
        text = "PYTHONDONTWRITEBYTECODE is set, so Python compiles codeindex again at each start"
        yield note("python", text, remedy="unset it")


def check_encoding() -> Iterator[Verdict]:
    """Check the encodings of file names and of the terminal."""
    files, terminal = sys.getfilesystemencoding(), locale.getpreferredencoding(do_setlocale=False)
    if files.lower() != "utf-8":
        text = f"file names are decoded as {files}"
        yield note("encoding", text, remedy="set PYTHONUTF8=1 or a UTF-8 locale")
    else:
        yield ok("encoding", f"utf-8 for file names, {terminal.lower()} for the terminal")


def check_sqlite() -> Iterator[Verdict]:
    """Check the version of SQLite."""
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < _MIN_SQLITE:
        yield problem("sqlite", version, remedy="use a Python with SQLite 3.35 or newer")
        return
    yield ok("sqlite", f"{version}, {'' if sqlite3.threadsafety else 'not '}safe with threads")


def check_git() -> Iterator[Verdict]:
    """Check that git runs; without git, syncs list files themselves and read no history."""
    try:
        yield ok("git", git.git_version())
    except GitError as error:
        yield note("git", str(error).partition(";")[0].rstrip("."), remedy="install git")


def check_packages() -> Iterator[Verdict]:
    """Yield a verdict for the packages that codeindex requires.

    They must be installed in a version that the requirements allow, and native ones must load.
    """
    try:
        requirements = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield note("packages", f"{_DISTRIBUTION} is not installed: running from its sources")
        requirements = []
    required = [text for text in requirements if "extra ==" not in text]
    problems = [*_wrong_versions(required), *_unimportable()]
    for text in problems:
        python = Path(sys.executable).name
        remedy = f"run `{python} -m pip install --upgrade .` in a clone of codeindex"
        yield problem("packages", text, remedy=remedy)
    if not problems:
        yield ok(
            "packages",
            f"{len(required)} required packages are installed, {len(_NATIVE_PACKAGES)} were loaded",
        )


def _wrong_versions(requirements: list[str]) -> Iterator[str]:
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        if match is None:
            continue
        name, bounds = match.groups()
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield f"{name} is not installed"
            continue
        if not _satisfies(version, bounds):
            yield f"{name} {version} is installed, but {bounds.strip()} is required"


def _satisfies(version: str, bounds: str) -> bool:
    installed = _release(version)
    comparisons = {
        ">=": lambda bound: installed >= bound,
        ">": lambda bound: installed > bound,
        "<=": lambda bound: installed <= bound,
        "<": lambda bound: installed < bound,
        "==": lambda bound: installed == bound,
        "!=": lambda bound: installed != bound,
        "~=": lambda bound: installed >= bound,
    }
    return all(
        comparisons[operator](_release(text)) for operator, text in _VERSION_BOUND.findall(bounds)
    )


def _release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version without trailing zeros: `2.0` and `2` both give (2,)."""
    numbers = [int(part) for part in re.findall(r"\d+", version.split("+", maxsplit=1)[0])[:4]]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _unimportable() -> Iterator[str]:
    limit_numpy_threads()
    disable_onnx_telemetry()
    for name in _NATIVE_PACKAGES:
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            yield f"{name} cannot be loaded: {str(error).splitlines()[0]}"
    for name in _OTHER_PACKAGES:
        if find_spec(name) is None:
            yield f"{name} is not installed"


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


_MB = 1_000_000
_MIN_FREE, _LOW_FREE = 100 * _MB, 1000 * _MB
"""Free bytes below which the verdict is a problem, or a note. An index of 20,000 chunks takes about
150 MB."""


def check_data_folder(home: Path) -> Iterator[Verdict]:
    """Yield verdicts on the data folder; if it does not exist, on its nearest existing parent."""
    existing = next(path for path in (home, *home.parents) if path.exists())
    if not existing.is_dir():
        yield problem("data folder", f"'{existing}' is a file", remedy="set CODEINDEX_HOME")
        return
    if existing != home:
        yield note(
            "data folder", f"'{home}' does not exist yet", remedy="`codeindex index` creates it"
        )
    verdicts = [
        *_check_permissions(home, existing),
        *_check_free_space(existing),
        *_check_file_system(existing),
    ]
    yield from verdicts
    if existing == home and not any(verdict.state == "problem" for verdict in verdicts):
        free = shutil.disk_usage(existing).free
        text = f"'{home}', {disk_usage([home]) / _MB:,.0f} MB used, {free / _MB:,.0f} MB free"
        yield ok("data folder", text)


def _check_permissions(home: Path, existing: Path) -> Iterator[Verdict]:
    """Yield verdicts on write access and, on POSIX systems, on owner and mode."""
    info = existing.stat()
    remedy = "set CODEINDEX_HOME to a folder of your own"
    if hasattr(os, "getuid") and existing == home:
        if info.st_uid != os.getuid():
            yield problem("data folder", f"'{home}' belongs to another user", remedy=remedy)
        elif stat.S_IMODE(info.st_mode) & 0o077:
            text = f"'{home}' can be read by others (mode {stat.S_IMODE(info.st_mode):o})"
            yield note("data folder", text, remedy="the next `codeindex index` makes it private")
    if not os.access(existing, os.W_OK | os.X_OK):
        yield problem("data folder", f"'{existing}' cannot be written", remedy=remedy)


def _check_file_system(existing: Path) -> Iterator[Verdict]:
    for warning in network_warning(existing):
        text, _, remedy = warning.rstrip(".").rpartition(": ")
        yield problem("data folder", text, remedy=remedy)


def _check_free_space(existing: Path) -> Iterator[Verdict]:
    try:
        free = shutil.disk_usage(existing).free
    except OSError as error:
        yield note("disk", f"free space of '{existing}' is not known ({error.strerror})")
        return
    text = f"{free / _MB:,.0f} MB free at '{existing}'"
    if free < _MIN_FREE:
        yield problem(
            "disk", text, remedy="free some disk space; `codeindex gc` lists what can be deleted"
        )
    elif free < _LOW_FREE:
        yield note("disk", text, remedy="`codeindex gc --dry-run` lists what can be deleted")

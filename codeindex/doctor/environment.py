"""Whether Python, SQLite, git and the packages are here, and as they should be."""

from __future__ import annotations

import importlib
import locale
import platform
import re
import sqlite3
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from codeindex import git
from codeindex.config import disable_onnx_telemetry, limit_numpy_threads
from codeindex.errors import GitError
from codeindex.types.verdicts import Verdict, note, ok, problem

_DISTRIBUTION = "codeindex-local"
_OLDEST_PYTHON = (3, 11)
_OLDEST_SQLITE = (3, 35)
"""The first with RETURNING, which each sync needs."""
_LOADED = ("numpy", "onnxruntime", "tokenizers", "tree_sitter", "tree_sitter_language_pack")
"""Packages with machine code that searching and indexing need; loading them takes 0.3 s."""
_FOUND = ("chromadb", "diskcache", "huggingface_hub", "mcp", "networkx")
"""Looked for but not loaded: that would take seconds."""
_PIN = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?\s*([^;]*)")
_BOUND = re.compile(r"(>=|<=|==|!=|<|>|~=)\s*([0-9.]+)")


def check_python() -> Iterator[Verdict]:
    """Look at the interpreter and at what it is told to do."""
    said = f"{platform.python_implementation()} {platform.python_version()}"
    where = f"{said} on {platform.system()} {platform.machine()}, {sys.executable}"
    if sys.version_info[:2] < _OLDEST_PYTHON:
        yield problem("python", where, remedy="use Python 3.11 or newer")
    else:
        yield ok("python", where)
    if sys.dont_write_bytecode:
        text = "PYTHONDONTWRITEBYTECODE is set, so that each start compiles everything anew"
        yield note("python", text, remedy="unset it")


def check_encoding() -> Iterator[Verdict]:
    """Names of files go through the encoding of the filesystem, text through ours."""
    files, said = sys.getfilesystemencoding(), locale.getpreferredencoding(do_setlocale=False)
    if files.lower() != "utf-8":
        text = f"names of files are read as {files}"
        yield note("encoding", text, remedy="set PYTHONUTF8=1 or a UTF-8 locale")
    else:
        yield ok("encoding", f"utf-8 for names of files, {said.lower()} for the terminal")


def check_sqlite() -> Iterator[Verdict]:
    """Try what the catalog needs, in memory."""
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        yield problem("sqlite", version, remedy="use a Python that brings SQLite 3.35 or newer")
        return
    yield ok("sqlite", f"{version}, {'' if sqlite3.threadsafety else 'not '}safe with threads")


def check_git() -> Iterator[Verdict]:
    """Without git, folders are walked and nothing is known of history."""
    try:
        yield ok("git", git.git_version())
    except GitError as error:
        yield note("git", str(error).partition(";")[0].rstrip("."), remedy="install git")


def check_packages() -> Iterator[Verdict]:
    """Compare what is installed with what we ask for, and load what has machine code."""
    try:
        pins = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield note("packages", f"{_DISTRIBUTION} is not installed: running from its sources")
        pins = []
    asked = [pin for pin in pins if "extra ==" not in pin]
    wrong = [*_misfits(asked), *_unloadable()]
    for text in wrong:
        remedy = f"run `{Path(sys.executable).name} -m pip install --upgrade {_DISTRIBUTION}`"
        yield problem("packages", text, remedy=remedy)
    if not wrong:
        yield ok("packages", f"{len(asked)} as required, {len(_LOADED)} loaded")


def _misfits(pins: list[str]) -> Iterator[str]:
    for pin in pins:
        match = _PIN.match(pin)
        if match is None:
            continue
        name, bounds = match.groups()
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield f"{name} is not installed"
            continue
        if not _fits(version, bounds):
            yield f"{name} is {version}, and we need {bounds.strip()}"


def _fits(version: str, bounds: str) -> bool:
    mine = _numbers(version)
    holds = {
        ">=": lambda asked: mine >= asked,
        ">": lambda asked: mine > asked,
        "<=": lambda asked: mine <= asked,
        "<": lambda asked: mine < asked,
        "==": lambda asked: mine == asked,
        "!=": lambda asked: mine != asked,
        "~=": lambda asked: mine >= asked,
    }
    return all(holds[sign](_numbers(text)) for sign, text in _BOUND.findall(bounds))


def _numbers(version: str) -> tuple[int, ...]:
    """Return the release as numbers without zeros at its end: 2.0 is 2."""
    numbers = [int(part) for part in re.findall(r"\d+", version.split("+", maxsplit=1)[0])[:4]]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _unloadable() -> Iterator[str]:
    limit_numpy_threads()
    disable_onnx_telemetry()
    for name in _LOADED:
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            yield f"{name} cannot be loaded: {str(error).splitlines()[0]}"
    for name in _FOUND:
        if find_spec(name) is None:
            yield f"{name} is not installed"

"""Check Python, the encodings, SQLite, git and the installed packages."""

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

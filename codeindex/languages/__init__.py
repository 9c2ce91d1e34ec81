"""The languages that can be indexed: one module each, listed in `_MODULES`, the rest in `plain`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from posixpath import splitext

from codeindex.languages._base import PACKAGE, Language

__all__ = ["LANGUAGES", "PACKAGE", "Language", "for_interpreter", "for_path"]

_MODULES = (
    *("asciidoc", "bash", "c", "cpp", "csharp", "dart", "elixir", "go", "haskell", "java"),
    *("javascript", "kotlin", "lua", "markdown", "notebook", "pdf", "php", "python", "rst"),
    *("ruby", "rust", "scala", "sql", "swift", "text", "tsx", "typescript", "zig"),
)
"""Each is called like its language."""


class _Languages(Mapping[str, Language]):
    """All languages by name: each is imported when it is first asked for, a search needs few."""

    def __getitem__(self, name: str) -> Language:
        return _language(name) if name in _MODULES else _plain()[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*_MODULES, *_plain()))

    def __len__(self) -> int:
        return len(_MODULES) + len(_plain())


@cache
def _language(name: str) -> Language:
    language: Language = import_module(f"{__name__}.{name}").LANGUAGE
    return language


@cache
def _plain() -> dict[str, Language]:
    from codeindex.languages import plain

    return {one.name: one for one in plain.LANGUAGES}


LANGUAGES: Mapping[str, Language] = _Languages()


def for_path(path: str) -> Language | None:
    """Return the language of a file name, or None where the name does not tell."""
    name = path.rpartition("/")[2]
    return _by_filename().get(name) or _by_suffix().get(splitext(name)[1].lower())


def for_interpreter(line: str) -> Language | None:
    """Return the language of a `#!` line: `#!/usr/bin/env -S python3.12 -u` is Python."""
    for word in line.removeprefix("#!").split():
        name = word.rpartition("/")[2]
        known = _by_interpreter().get(name) or _by_interpreter().get(name.rstrip("0123456789."))
        if known:
            return known
    return None


@cache
def _by_filename() -> dict[str, Language]:
    return {name: one for one in LANGUAGES.values() for name in one.filenames}


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: one for one in LANGUAGES.values() for suffix in one.suffixes}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: one for one in LANGUAGES.values() for name in one.interpreters}

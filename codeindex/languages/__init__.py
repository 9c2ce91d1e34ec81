"""Give access to the languages that can be indexed.

In: paths and `#!` lines. Out: a `Language` with grammar, queries and traits. Each language has a
module or an entry in `plain`. This package parses nothing and knows neither the catalog nor the
graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import translate
from functools import cache
from importlib import import_module
from posixpath import splitext

from codeindex.languages._base import (
    BROUGHT,
    DECORATOR_START,
    PACKAGE_CLAUSE,
    USED,
    HeadingNotation,
    ImportCaptures,
    Language,
    is_dunder,
)
from codeindex.languages._type_rules import TypeRules, WrittenParameter

__all__ = [
    "BROUGHT",
    "DECORATOR_START",
    "LANGUAGES",
    "PACKAGE_CLAUSE",
    "USED",
    "HeadingNotation",
    "ImportCaptures",
    "Language",
    "TypeRules",
    "WrittenParameter",
    "is_code_path",
    "is_dunder",
    "is_manifest",
    "language_family",
    "language_for_interpreter",
    "language_for_path",
]

_MODULES = (
    *("bash", "c", "cpp", "csharp", "dart", "elixir", "go", "haskell", "java", "javascript"),
    *("julia", "kotlin", "lua", "ocaml", "php", "python", "ruby", "rust", "scala", "sql", "svelte"),
    *("swift", "tsx", "typescript", "vue", "zig"),
)
"""Names of languages with a module of the same name."""


class _Languages(Mapping[str, Language]):
    """All languages by name; a language's module is imported when it is first needed."""

    def __getitem__(self, name: str) -> Language:
        return _language(name)

    def __iter__(self) -> Iterator[str]:
        return iter((*_MODULES, *_plain()))

    def __len__(self) -> int:
        return len(_MODULES) + len(_plain())


@cache
def _language(name: str) -> Language:
    if name not in _MODULES:
        return _plain()[name]
    language: Language = import_module(f"{__name__}.{name}").LANGUAGE
    return language


@cache
def _plain() -> dict[str, Language]:
    from codeindex.languages import plain

    return {language.name: language for language in plain.LANGUAGES}


LANGUAGES: Mapping[str, Language] = _Languages()


def language_for_path(path: str) -> Language | None:
    """Return the language for the file name or suffix of a path; None if it is unknown."""
    name = path.rpartition("/")[2]
    return _by_filename().get(name) or _by_suffix().get(splitext(name)[1].lower())


def is_code_path(path: str) -> bool:
    """Tell whether a path has the name of a file of code, in which symbols are found."""
    language = language_for_path(path)
    return language is not None and bool(language.symbols)


def language_for_interpreter(line: str) -> Language | None:
    """Return the language of the interpreter in a `#!` line; None if it is unknown.

    For example, it is Python for `#!/usr/bin/env -S python3.12 -u`.
    """
    for word in line.removeprefix("#!").split():
        name = word.rpartition("/")[2]
        known = _by_interpreter().get(name) or _by_interpreter().get(name.rstrip("0123456789."))
        if known:
            return known
    return None


def language_family(language: str) -> frozenset[str]:
    """Return the languages whose code can call members of `language`, and `language` itself."""
    known = LANGUAGES.get(language)
    return frozenset(known.family if known and known.family else (language,))


def is_manifest(path: str) -> bool:
    """Tell whether a file is a manifest, like `package.json`, that decides where imports lead."""
    return _matches_manifest()(path.rpartition("/")[2]) is not None


@cache
def _matches_manifest() -> Callable[[str], re.Match[str] | None]:
    globs = sorted({glob for language in LANGUAGES.values() for glob in language.manifests})
    return re.compile("|".join(map(translate, globs))).match


@cache
def _by_filename() -> dict[str, Language]:
    return {name: language for language in LANGUAGES.values() for name in language.filenames}


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: language for language in LANGUAGES.values() for suffix in language.suffixes}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: language for language in LANGUAGES.values() for name in language.interpreters}

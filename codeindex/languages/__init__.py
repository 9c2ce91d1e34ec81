"""The languages that can be indexed: one module each, listed in `_MODULES`, the rest in `plain`."""

from __future__ import annotations

from posixpath import splitext

from codeindex.languages import (
    asciidoc,
    bash,
    c,
    cpp,
    csharp,
    dart,
    elixir,
    go,
    haskell,
    java,
    javascript,
    kotlin,
    lua,
    markdown,
    notebook,
    pdf,
    php,
    plain,
    python,
    rst,
    ruby,
    rust,
    scala,
    sql,
    swift,
    text,
    tsx,
    typescript,
    zig,
)
from codeindex.languages._base import PACKAGE, Language

__all__ = ["LANGUAGES", "PACKAGE", "Language", "for_interpreter", "for_path"]

_MODULES = (
    asciidoc,
    bash,
    c,
    cpp,
    csharp,
    dart,
    elixir,
    go,
    haskell,
    java,
    javascript,
    kotlin,
    lua,
    markdown,
    notebook,
    pdf,
    php,
    python,
    rst,
    ruby,
    rust,
    scala,
    sql,
    swift,
    text,
    tsx,
    typescript,
    zig,
)

_ALL: tuple[Language, ...] = (*(module.LANGUAGE for module in _MODULES), *plain.LANGUAGES)
LANGUAGES = {one.name: one for one in _ALL}
_BY_FILENAME = {name: one for one in LANGUAGES.values() for name in one.filenames}
_BY_INTERPRETER = {name: one for one in LANGUAGES.values() for name in one.interpreters}
_BY_SUFFIX = {suffix: one for one in LANGUAGES.values() for suffix in one.suffixes}


def for_path(path: str) -> Language | None:
    """Return the language of a file name, or None where the name does not tell."""
    name = path.rpartition("/")[2]
    return _BY_FILENAME.get(name) or _BY_SUFFIX.get(splitext(name)[1].lower())


def for_interpreter(line: str) -> Language | None:
    """Return the language of a `#!` line: `#!/usr/bin/env -S python3.12 -u` is Python."""
    for word in line.removeprefix("#!").split():
        name = word.rpartition("/")[2]
        known = _BY_INTERPRETER.get(name) or _BY_INTERPRETER.get(name.rstrip("0123456789."))
        if known:
            return known
    return None

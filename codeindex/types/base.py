"""Define basic types: symbol kinds, chunk traits, redacted text, literal types of options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum
from typing import Literal, NewType

SafeText = NewType("SafeText", str)
"""Text that `secrets.redact` returned. Only such text is parsed, embedded, stored or shown."""


TestScope = Literal["include", "exclude", "only"]

HitDetail = Literal["full", "skeleton", "pointer", "seen"]
"""How much of a hit an answer shows.

`full`: its text; `skeleton`: its most relevant lines; `pointer`: path, line and symbol; `seen`: the
same as a pointer, because the client already has the text.
"""


Confidence = Literal["strong", "likely", "weak"]
"""Calibrated confidence in the first hits; docs/quality.md has the reliability table."""

AgentFormat = Literal["json", "text"]
"""Form in which an agent receives an answer; a budget counts its characters."""


class SymbolKind(StrEnum):
    """Kinds of symbols; every language maps its own terms onto these."""

    MODULE = "module"
    NAMESPACE = "namespace"
    CLASS = "class"
    STRUCT = "struct"
    UNION = "union"
    INTERFACE = "interface"
    TRAIT = "trait"
    IMPL = "impl"
    OBJECT = "object"
    ENUM = "enum"
    ENUM_MEMBER = "enum_member"
    TYPE = "type"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"
    FIELD = "field"
    CONSTANT = "constant"
    VARIABLE = "variable"
    MACRO = "macro"
    TABLE = "table"
    VIEW = "view"
    TEST = "test"
    SECTION = "section"


OWNER_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.UNION,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.IMPL,
        SymbolKind.OBJECT,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
"""Kinds of types, such as a class: a function defined inside is a method."""


NAMESPACE_KINDS = frozenset({SymbolKind.NAMESPACE, SymbolKind.MODULE})
"""Kinds that only group definitions, possibly of several files."""
CONTAINER_KINDS = OWNER_KINDS | NAMESPACE_KINDS
"""Kinds whose symbols have members."""

INITIALIZERS = frozenset({"__init__", "__new__", "__construct", "initialize"})
"""Names of the methods that construct an object in Python, PHP and Ruby."""
CONSTRUCTOR_NAMES = INITIALIZERS | {"constructor", "init"}
"""Names of functions that construct an object, those of JavaScript and Swift too."""

FOLDER_INDEX_STEMS = frozenset({"__init__", "index", "mod", "main", "lib"})
"""Stems of files that represent their folder, such as `__init__.py` or `index.ts`."""


class ChunkTraits(IntFlag):
    """Flags that describe a chunk's symbol.

    They are stored on disk in one byte, so values must not change.
    """

    DOCUMENTED = 2
    TEST = 4
    LEADING = 8
    """The chunk holds documentation and ends before the line that defines the symbol."""


CHUNK_KINDS = (*SymbolKind, "file", "block", "page", "cell")
"""Kinds of chunks: the kind of the chunk's symbol, or `file`, `block`, `page` or `cell`.

The order of the kinds is stored on disk: raise `catalog.FORMAT` to change it.
"""

CALLABLE_KINDS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST}
)
BODY_KINDS = CALLABLE_KINDS | {SymbolKind.PROPERTY}
"""Kinds with a body of code, whose complexity is measured; a property may lack one."""
VALUE_KINDS = frozenset(
    {SymbolKind.ENUM_MEMBER, SymbolKind.PROPERTY, SymbolKind.FIELD}
    | {SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)
"""Kinds that are values, which share a chunk with their neighbours while they are small."""

MEMBER_ONLY_KINDS = frozenset({SymbolKind.IMPL, SymbolKind.METHOD, SymbolKind.TEST})
"""Kinds of symbols that a bare name outside their type never means: `{ get() {} }`, `test("get",
...)`."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits of a search to some files and chunks; an empty field limits nothing.

    `languages` are names or suffixes of languages; one that begins with `!` is excluded. C includes
    `.h` files, TypeScript `.tsx` files.
    `globs` are gitignore patterns as for ripgrep's -g: a pattern with `!` excludes files; if there
    are other patterns, a file must match one of them. `*.{c,h}` means `*.c` and `*.h`. A pattern
    that begins with the path of a file or folder, such as `app/[id]/*.tsx`, means that one. `paths`
    are files or folders, relative to the root.
    """

    languages: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    module: str = ""
    tests: TestScope = "include"

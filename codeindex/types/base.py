"""Words that all nouns are made of."""

from __future__ import annotations

from enum import IntFlag, StrEnum
from typing import TYPE_CHECKING, Literal, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    """Unit vectors, one row each."""

SafeText = NewType("SafeText", str)
"""Text that went through `secrets.redact`: all that is parsed, embedded, stored or shown."""


TestScope = Literal["include", "exclude", "only"]

HitDetail = Literal["full", "skeleton", "pointer", "seen"]
"""How much of a hit an answer shows: its text, its telling lines, its place, or its place again."""


Confidence = Literal["strong", "likely", "weak"]
"""How surely the first hits answer: shares of right ones are in docs/benchmarks.md."""

AgentFormat = Literal["json", "text"]
"""The form in which an agent is sent an answer, whose characters a budget counts."""


class SymbolKind(StrEnum):
    """What a name stands for; a language maps its own terms onto these."""

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
"""Kinds whose functions are methods."""


NAMESPACE_KINDS = frozenset({SymbolKind.NAMESPACE, SymbolKind.MODULE})
"""Kinds that are around the definitions of a file, or of many, and say little of them."""
CONTAINER_KINDS = OWNER_KINDS | NAMESPACE_KINDS
"""Kinds that have members of their own."""

FOLDER_INDEX_STEMS = frozenset({"__init__", "index", "mod", "main", "lib"})
"""Stems of files that stand for their folder."""


class ChunkTraits(IntFlag):
    """What is true of the symbol of a chunk. Values are on disk, as a byte."""

    DOCUMENTED = 2
    TEST = 4
    LEADING = 8
    """The chunk is documentation, and ends before the line that defines the symbol."""


CHUNK_KINDS = (*SymbolKind, "file", "block", "page", "cell")
"""What a chunk can be: its symbol's kind, a whole file, a part of no symbol, or of a document.

Their order is on disk: raise `catalog.FORMAT` to change it."""

CALLABLE_KINDS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST}
)

MEMBER_ONLY_KINDS = frozenset({SymbolKind.IMPL, SymbolKind.METHOD, SymbolKind.TEST})
"""Kinds that a bare name never means outside of a type: `{ get() {} }`, `test("get", ...)`."""

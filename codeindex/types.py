"""The nouns of the program: plain, frozen, and free of behaviour that needs I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    """Unit vectors, one row each."""

SafeText = NewType("SafeText", str)
"""Text that went through `secrets.redact`; the only text that is parsed, embedded, stored or shown."""

TestScope = Literal["include", "exclude", "only"]


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


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something a programmer gave a name to; lines are 1-based, both ends included.

    `start_line` takes in leading comments and decorators; `line` is where the name stands.
    `qualified` joins the owners with dots in every language. `signature` is the definition up to
    its body, white space folded; `doc` the first paragraph of its documentation.
    """

    name: str
    qualified: str
    kind: SymbolKind
    line: int
    start_line: int
    end_line: int
    signature: str = ""
    doc: str = ""

"""The nouns of the program: plain, frozen, and free of behaviour that needs I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    """Unit vectors, one row each."""

SafeText = NewType("SafeText", str)
"""Text that went through `secrets.redact`; the only text that is parsed, embedded, stored or shown."""

TestScope = Literal["include", "exclude", "only"]
FileStatus = Literal["indexed", "plain", "skipped", "failed"]


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


@dataclass(frozen=True, slots=True)
class Draft:
    """Which lines of a file belong together; it holds no text of theirs, so it can leak none.

    `context` says what the lines were cut out of. It is for the embedding and for people, never
    part of the source. `heading` is the path of headings above a piece of prose.
    """

    start_line: int
    end_line: int
    symbol: Symbol | None = None
    heading: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit that is embedded, stored and returned; `text` is the file's own lines, redacted."""

    start_line: int
    end_line: int
    kind: str
    text: SafeText
    symbol: str = ""
    heading: str = ""
    context: str = ""
    has_secrets: bool = False


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk with what the words index and the token vectors need of it.

    `words` and `names` are stemmed words in order, joined by blanks. `tokens` packs the model's
    own token ids as little-endian uint32, `id << 8 | min(count, 255)`, sorted.
    """

    chunk: Chunk
    words: str
    names: str
    tokens: bytes


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """All that is kept of one file, ready for the catalog; every text in it is redacted.

    `status` is `indexed` (parsed), `plain` (cut by windows: no grammar, or the parser gave up),
    `skipped` or `failed`; `reason` says why for all but the first. `identifiers` are CRC-32 sums
    of the distinct names the file mentions. `findings` are (rule, line) of redacted secrets.
    """

    path: str
    language: str
    digest: str
    size: int
    mtime_ns: int
    ctime_ns: int
    is_test: bool
    status: FileStatus
    reason: str = ""
    lines: int = 0
    is_generated: bool = False
    symbols: tuple[Symbol, ...] = ()
    chunks: tuple[PreparedChunk, ...] = ()
    identifiers: tuple[int, ...] = ()
    findings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)  # no slots: MCP reads class defaults to build the output schema
class SyncReport:
    """What one sync did. Counts are files; `embedded` counts chunks; `version` is the index's."""

    repo: str
    added: int
    changed: int
    removed: int
    failed: tuple[Skipped, ...]
    skipped: tuple[Skipped, ...]
    embedded: int
    seconds: float
    version: int
    model: str
    notes: tuple[str, ...] = ()

"""The nouns of the program: plain, frozen, and free of behaviour that needs I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.types.answers import Answer, Coverage, Hit, Readiness, Span, Status, SyncReport
from codeindex.types.base import (
    AROUND_KINDS,
    CALLABLE_KINDS,
    NAMELESS_KINDS,
    OWNER_KINDS,
    SafeText,
    Shown,
    SymbolKind,
    TestScope,
)
from codeindex.types.files import (
    Chunk,
    Discovery,
    Draft,
    FileChange,
    FileStatus,
    PreparedChunk,
    PreparedFile,
    Skipped,
    SourceFile,
    Symbol,
)
from codeindex.types.graph import (
    USE_KINDS,
    Certainty,
    Definition,
    Edge,
    Expression,
    Import,
    Link,
    Node,
    PackedRelations,
    Relations,
    Use,
    UseKind,
)

if TYPE_CHECKING:
    from codeindex.types.base import Matrix

__all__ = [
    "AROUND_KINDS",
    "CALLABLE_KINDS",
    "NAMELESS_KINDS",
    "OWNER_KINDS",
    "USE_KINDS",
    "Answer",
    "Certainty",
    "Chunk",
    "Coverage",
    "Definition",
    "Discovery",
    "Draft",
    "Edge",
    "Expression",
    "FileChange",
    "FileStatus",
    "Hit",
    "Import",
    "Link",
    "Matrix",
    "Node",
    "PackedRelations",
    "PreparedChunk",
    "PreparedFile",
    "Readiness",
    "Relations",
    "SafeText",
    "Shown",
    "Skipped",
    "SourceFile",
    "Span",
    "Status",
    "Symbol",
    "SymbolKind",
    "SyncReport",
    "TestScope",
    "Use",
    "UseKind",
]

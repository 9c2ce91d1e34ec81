"""The nouns of the program: plain, frozen, and free of behaviour that needs I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.lazy import export_from

if TYPE_CHECKING:
    from codeindex.types.answers import (
        Absence,
        Answer,
        AnswerDict,
        Coverage,
        Hit,
        HitDict,
        Readiness,
        Span,
        Status,
        SyncReport,
    )
    from codeindex.types.base import (
        AROUND_KINDS,
        CALLABLE_KINDS,
        CHUNK_KINDS,
        INDEX_FILES,
        NAMELESS_KINDS,
        OWNER_KINDS,
        SPACE_KINDS,
        ChunkTraits,
        Confidence,
        Matrix,
        SafeText,
        SentAs,
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
        counted,
        may_lack,
    )
    from codeindex.types.filters import Filters
    from codeindex.types.graph import (
        Definition,
        Edge,
        Expression,
        Import,
        PackedRelations,
        Relations,
        Resolution,
        Use,
    )
    from codeindex.types.nodes import OVERLOADS, USE_KINDS, Certainty, Link, Node, UseKind
    from codeindex.types.refreshed import Refreshed
    from codeindex.types.watched import Watched, WatchedKind

__all__ = [
    "AROUND_KINDS",
    "CALLABLE_KINDS",
    "CHUNK_KINDS",
    "INDEX_FILES",
    "NAMELESS_KINDS",
    "OVERLOADS",
    "OWNER_KINDS",
    "SPACE_KINDS",
    "USE_KINDS",
    "Absence",
    "Answer",
    "AnswerDict",
    "Certainty",
    "Chunk",
    "ChunkTraits",
    "Confidence",
    "Coverage",
    "Definition",
    "Discovery",
    "Draft",
    "Edge",
    "Expression",
    "FileChange",
    "FileStatus",
    "Filters",
    "Hit",
    "HitDict",
    "Import",
    "Link",
    "Matrix",
    "Node",
    "PackedRelations",
    "PreparedChunk",
    "PreparedFile",
    "Readiness",
    "Refreshed",
    "Relations",
    "Resolution",
    "SafeText",
    "SentAs",
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
    "Watched",
    "WatchedKind",
    "counted",
    "may_lack",
]

__getattr__ = export_from(
    __name__, "base", "filters", "nodes", "refreshed", "watched", "answers", "files", "graph"
)

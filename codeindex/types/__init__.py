"""Shared data types: frozen values that every layer may use.

Input and output: plain values. They know no file, store, model or user interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.lazy import lazy_exports

if TYPE_CHECKING:
    from codeindex.types.answers import (
        Absence,
        Answer,
        AnswerDict,
        Coverage,
        Hit,
        HitDict,
        LineSpan,
        Readiness,
        Status,
        SyncReport,
    )
    from codeindex.types.base import (
        CALLABLE_KINDS,
        CHUNK_KINDS,
        CONTAINER_KINDS,
        FOLDER_INDEX_STEMS,
        MEMBER_ONLY_KINDS,
        NAMESPACE_KINDS,
        OWNER_KINDS,
        AgentFormat,
        ChunkTraits,
        Confidence,
        HitDetail,
        Matrix,
        SafeText,
        SymbolKind,
        TestScope,
    )
    from codeindex.types.files import (
        INSTALLED_FOLDERS,
        Chunk,
        ChunkSpan,
        Discovery,
        FileChange,
        FileStatus,
        PreparedChunk,
        PreparedFile,
        Skipped,
        SkipReason,
        SourceFile,
        Symbol,
        first_unread,
        format_reasons,
        unparsed_suffix,
    )
    from codeindex.types.filters import Filters
    from codeindex.types.graph_nodes import (
        OVERLOAD_PREFIX,
        USE_KINDS,
        Certainty,
        Neighbor,
        Node,
        UseKind,
        by_name_suffix,
    )
    from codeindex.types.refresh_result import RefreshResult
    from codeindex.types.relations import (
        CompilerReference,
        Definition,
        EdgeRecord,
        EncodedRelations,
        Expression,
        FileResolution,
        Import,
        Relations,
        Use,
        overload_key,
    )
    from codeindex.types.watched_paths import WatchedPath, WatchedPathKind

__all__ = [
    "CALLABLE_KINDS",
    "CHUNK_KINDS",
    "CONTAINER_KINDS",
    "FOLDER_INDEX_STEMS",
    "INSTALLED_FOLDERS",
    "MEMBER_ONLY_KINDS",
    "NAMESPACE_KINDS",
    "OVERLOAD_PREFIX",
    "OWNER_KINDS",
    "USE_KINDS",
    "Absence",
    "AgentFormat",
    "Answer",
    "AnswerDict",
    "Certainty",
    "Chunk",
    "ChunkSpan",
    "ChunkTraits",
    "CompilerReference",
    "Confidence",
    "Coverage",
    "Definition",
    "Discovery",
    "EdgeRecord",
    "EncodedRelations",
    "Expression",
    "FileChange",
    "FileResolution",
    "FileStatus",
    "Filters",
    "Hit",
    "HitDetail",
    "HitDict",
    "Import",
    "LineSpan",
    "Matrix",
    "Neighbor",
    "Node",
    "PreparedChunk",
    "PreparedFile",
    "Readiness",
    "RefreshResult",
    "Relations",
    "SafeText",
    "SkipReason",
    "Skipped",
    "SourceFile",
    "Status",
    "Symbol",
    "SymbolKind",
    "SyncReport",
    "TestScope",
    "Use",
    "UseKind",
    "WatchedPath",
    "WatchedPathKind",
    "by_name_suffix",
    "first_unread",
    "format_reasons",
    "overload_key",
    "unparsed_suffix",
]

__getattr__ = lazy_exports(
    __name__,
    "base",
    "filters",
    "graph_nodes",
    "refresh_result",
    "watched_paths",
    "answers",
    "files",
    "relations",
)

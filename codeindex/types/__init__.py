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
        BODY_KINDS,
        CALLABLE_KINDS,
        CHUNK_KINDS,
        CONSTRUCTOR_NAMES,
        CONTAINER_KINDS,
        FOLDER_INDEX_STEMS,
        INITIALIZERS,
        MEMBER_ONLY_KINDS,
        NAMESPACE_KINDS,
        OWNER_KINDS,
        VALUE_KINDS,
        AgentFormat,
        ChunkTraits,
        Confidence,
        Filters,
        HitDetail,
        SafeText,
        SymbolKind,
        TestScope,
    )
    from codeindex.types.files import (
        INSTALLED_FOLDERS,
        MIN_REORDERED_FILES,
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
        name_unread,
        unparsed_suffix,
    )
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

__getattr__ = lazy_exports(
    __name__,
    "base",
    "graph_nodes",
    "refresh_result",
    "watched_paths",
    "files",
    "relations",
    "answers",
)

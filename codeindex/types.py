"""The nouns of the program: plain, frozen, and free of behaviour that needs I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    """Unit vectors, one row each."""

SafeText = NewType("SafeText", str)
"""Text that went through `secrets.redact`: all that is parsed, embedded, stored or shown."""

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
class SourceFile:
    """A file worth indexing, by its name and stat; nothing of it has been read."""

    path: str
    language: str
    size: int
    mtime_ns: int
    ctime_ns: int
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is not indexed and why; a path that ends with a slash stands for all below it."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found in a tree, by path; `notes` are sentences for the user."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece of a file that answers; `text` is what the lines say now, secrets taken out."""

    repo: str
    path: str
    start_line: int
    end_line: int
    score: float
    text: SafeText
    symbol: str
    kind: str
    language: str
    module: str
    is_test: bool
    has_secrets: bool
    heading_path: str = ""
    follows_pattern: str = ""
    why: Mapping[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as the answer's schema names it; unknown is null."""
        return {
            "repo": self.repo,
            "file_path": self.path,
            "module": self.module or None,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "score": round(self.score, 4),
            "content": self.text,
            "symbol": self.symbol or None,
            "kind": self.kind,
            "language": self.language,
            "is_test": self.is_test,
            "follows_pattern": self.follows_pattern or None,
            "heading_path": self.heading_path or None,
            "has_secrets": self.has_secrets,
            "why": dict(self.why) or None,
        }


@dataclass(frozen=True, slots=True)
class Readiness:
    """Shares from 0 to 1: files whose words are searchable, chunks that have a vector."""

    words: float
    vectors: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an answer rests on, in files; `refreshed` were read again to answer."""

    files: int
    indexed: int
    skipped: int
    failed: int
    refreshed: int


@dataclass(frozen=True)  # no slots: MCP reads class defaults to build the output schema
class Answer:
    """What a search returns, empty or not."""

    query: str
    query_type: str
    hits: tuple[Hit, ...]
    navigation: tuple[Hit, ...]
    total_count: int
    cursor: str | None
    index_version: int
    searched_repos: tuple[str, ...]
    readiness: Readiness
    coverage: Coverage
    meta: Mapping[str, Any]
    message: str = ""
    suggestions: tuple[str, ...] = ()
    hint: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the one schema of library, CLI `--json`, MCP and HTTP."""
        answer: dict[str, Any] = {
            "query": self.query,
            "query_type": self.query_type,
            "results": [hit.as_dict() for hit in self.hits],
            "navigation": [hit.as_dict() for hit in self.navigation],
            "related": [],
            "total_count": self.total_count,
            "cursor": self.cursor,
            "has_more": self.cursor is not None,
            "index_version": self.index_version,
            "searched_repos": list(self.searched_repos),
            "readiness": asdict(self.readiness),
            "coverage": asdict(self.coverage),
            "meta": dict(self.meta),
        }
        if not self.hits:
            answer |= {
                "message": self.message,
                "suggestions": list(self.suggestions),
                "related_areas": [],
                "hint": self.hint or None,
                "absence": None,
            }
        return answer


@dataclass(frozen=True)
class Status:
    """What is indexed, how fresh it is, and what it was made with."""

    repo: str
    root: str
    folder: str
    size_bytes: int
    version: int
    complete: bool
    written_at: float
    branch: str
    head: str
    files: int
    chunks: int
    symbols: int
    languages: Mapping[str, int]
    coverage: Coverage
    readiness: Readiness
    model: str
    chroma: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    next_model: str = ""
    """While there are no vectors: which model will make them, or why none will, in one clause."""

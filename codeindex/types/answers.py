"""What the library answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypedDict

from codeindex.types.base import Confidence, HitDetail, SafeText
from codeindex.types.files import format_reasons
from codeindex.types.refresh_result import RefreshResult

if TYPE_CHECKING:
    from codeindex.types.files import Skipped

_NOTEBOOK = "notebook"
"""The language whose pages are cells."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did. Counts are files; `embedded` counts chunks; `version` is the index's.

    `failed` and `skipped` are all files that are not indexed, also those that it did not touch.

    `killed` counts parser processes that crashed, or took too long, over a file; `notes` and
    `failed` say over which.
    """

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
    killed: int = 0


class LineSpan(NamedTuple):
    """Lines of a file, of any repository if none is named.

    `digests`: one of each line as it was shown (`files.digest.line_digests`). A line whose text has
    another digest now counts as not shown. Without digests every line counts as shown.
    """

    path: str
    start_line: int
    end_line: int
    repo: str = ""
    digests: tuple[str, ...] = ()


class HitDict(TypedDict, total=False):
    """What `Hit` is in JSON; agents are not sent what is empty."""

    repo: str
    file_path: str
    module: str | None
    start_line: int
    end_line: int
    line: int
    score: float
    content: str
    symbol: str | None
    kind: str
    language: str
    is_test: bool
    follows_pattern: str | None
    heading_path: str | None
    page: int | None
    cell: int | None
    has_secrets: bool
    why: dict[str, float] | None
    shown: HitDetail


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece of a file that answers; `text` is what the lines say now, secrets taken out.

    Where `shown` is `skeleton`, `text` holds the telling lines alone, each as `number:line`; where
    it is `pointer` or `seen` there is none.
    """

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
    shown: HitDetail = "full"
    page: int = 0
    """The page of a PDF, or the cell of a notebook, that it is from or begins in."""
    rank: int = 0
    """Its place in the whole list, or that of the last of several hits shown as one."""
    line: int = 0
    """The line that the query names or cites, else that of its symbol's definition, which is above
    `start_line` for a later piece of a long function; 0 where neither is known."""
    signature: str = ""
    """What stands at `line` where that is above `start_line`."""

    @property
    def lines(self) -> list[str]:
        """The text cut at line feeds alone, as its line numbers are counted."""
        lines = self.text.split("\n")[: self.end_line - self.start_line + 1]
        return [line.removesuffix("\r") for line in lines]

    def as_dict(self) -> HitDict:
        """Return the result as the answer's schema names it; unknown is null."""
        return {
            "repo": self.repo,
            "file_path": self.path,
            "module": self.module or None,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "line": self.line or self.start_line,
            "score": round(self.score, 4),
            "content": self.text,
            "symbol": self.symbol or None,
            "kind": self.kind,
            "language": self.language,
            "is_test": self.is_test,
            "follows_pattern": self.follows_pattern or None,
            "heading_path": self.heading_path or None,
            "page": None if self.language == _NOTEBOOK else self.page or None,
            "cell": self.page if self.language == _NOTEBOOK else None,
            "has_secrets": self.has_secrets,
            "why": dict(self.why) or None,
            "shown": self.shown,
        }


@dataclass(frozen=True, slots=True)
class Readiness:
    """Shares from 0 to 1: files whose words are searchable, chunks that have a vector."""

    words: float
    vectors: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an answer rests on, in files: `files` are all that are `indexed`, skipped or failed.

    `refreshed` were read again to answer.
    """

    files: int
    indexed: int
    skipped: int
    failed: int
    refreshed: int


@dataclass(frozen=True, slots=True)
class Absence:
    """Nothing can be shown: `missing` are the words of the question that no scanned file has.

    It is `verified` for a single name or a quoted text that is in no text of any file that the
    filters let pass; not if one of them could not be read or is not indexed yet, or if code was
    left out for its size or its text. `not_searched` counts all that was left out, by the reason.
    """

    verified: bool
    files_scanned: int
    missing: tuple[str, ...]
    not_searched: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        files = f"{self.files_scanned} file{'s' if self.files_scanned != 1 else ''}"
        how = "absent: verified" if self.verified else "absent"
        rest = f"; not searched: {format_reasons(self.not_searched)}" if self.not_searched else ""
        return f"{how} ({files}): none says {', '.join(self.missing)}{rest}"

    @property
    def sentence(self) -> str:
        said = str(self)
        return f"{said[:1].upper()}{said[1:]}."


class AnswerDict(TypedDict, total=False):
    """What `Answer` is in JSON; agents are not sent what is empty or repeats the question."""

    query: str
    query_type: str
    results: list[HitDict]
    navigation: list[HitDict]
    related: list[HitDict]
    total_count: int
    cursor: str | None
    has_more: bool
    truncated: bool
    index_version: int
    searched_repos: list[str]
    readiness: Annotated[dict[str, Any], Readiness]
    coverage: Annotated[dict[str, Any], Coverage]
    meta: dict[str, Any]
    message: str
    suggestions: list[str]
    related_areas: list[str]
    hint: str | None
    absence: Annotated[dict[str, Any], Absence] | None
    confidence: Confidence | None
    missing_words: list[str]


@dataclass(frozen=True, slots=True)
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
    related_areas: tuple[str, ...] = ()
    hint: str = ""
    truncated: bool = False
    """Hits were left out for the sake of a budget; the cursor goes on with the first of them."""
    refreshed: RefreshResult = field(default_factory=RefreshResult)
    """What had changed since it was indexed; `meta` of the schema names it."""
    absence: Absence | None = None
    """Why there are no hits, where the words of the question are the reason."""
    confidence: Confidence | None = None
    """How surely the first hits answer; None without hits and for complete lists, such as uses."""
    missing_words: tuple[str, ...] = ()
    """Words of the question that no file has that the filters let pass."""

    def as_dict(self) -> AnswerDict:
        """Return the one schema of library, CLI `--json`, MCP and HTTP."""
        answer: AnswerDict = {
            "query": self.query,
            "query_type": self.query_type,
            "results": [hit.as_dict() for hit in self.hits],
            "navigation": [hit.as_dict() for hit in self.navigation],
            "related": [],
            "total_count": self.total_count,
            "confidence": self.confidence,
            "missing_words": list(self.missing_words),
            "cursor": self.cursor,
            "has_more": self.cursor is not None,
            "truncated": self.truncated,
            "index_version": self.index_version,
            "searched_repos": list(self.searched_repos),
            "readiness": asdict(self.readiness),
            "coverage": asdict(self.coverage),
            "meta": dict(self.meta) | self.refreshed.as_meta(),
        }
        if not self.hits:
            answer |= {
                "message": self.message,
                "suggestions": list(self.suggestions),
                "related_areas": list(self.related_areas),
                "hint": self.hint or None,
                "absence": asdict(self.absence) if self.absence else None,
            }
        elif self.suggestions:
            answer["suggestions"] = list(self.suggestions)
        return answer


@dataclass(frozen=True, slots=True)
class Status:
    """What is indexed, how fresh it is, and what it was made with; `files` are those indexed."""

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
    tuned: str = ""
    """What ranks in place of the shipped weights, in a clause."""
    upgrade: tuple[str, ...] = ()
    """Another model that is being prepared, and the index that the last upgrade kept."""
    unparsed: tuple[Skipped, ...] = ()
    """Files of code that could not be parsed, or not wholly: what is in them may be missed."""

    def state(self) -> dict[str, str]:
        """Return which commit of which branch is indexed, and since when, in UTC."""
        at = datetime.fromtimestamp(self.written_at, UTC).isoformat(timespec="seconds")
        return {"branch": self.branch, "commit": self.head, "indexed_at": at}

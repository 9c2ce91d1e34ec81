"""Define results of searches, syncs and status questions, and their JSON forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple, TypedDict

from codeindex.types.base import Confidence, HitDetail, SafeText
from codeindex.types.files import Skipped, format_reasons
from codeindex.types.refresh_result import RefreshResult
from codeindex.types.report import plural

_NOTEBOOK = "notebook"
"""Language of notebooks; the `page` of their hits is a cell number."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """Result of one sync. All counts are of files, except `embedded`, which counts chunks.

    `version` is the index version that the sync published. `failed` and `skipped` list every file
    that is not indexed, including files that this sync did not read. `killed` counts parser
    processes that crashed or exceeded their time; `notes` and `failed` name their files. `recorded`
    counts files that were not parsed because a bundle contains their parse.
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
    recorded: int = 0


class LineSpan(NamedTuple):
    """Lines of a file that a client has received already.

    An empty `repo` matches every repository. `digests` holds one digest for each line as it was
    sent (`files.digest.line_digests`); a line that has changed since counts as not sent. Without
    digests, every line counts as sent.
    """

    path: str
    start_line: int
    end_line: int
    repo: str = ""
    digests: tuple[str, ...] = ()


class HitDict(TypedDict, total=False):
    """JSON form of `Hit`. Agents do not receive empty fields."""

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
    is_generated: bool
    follows_pattern: str | None
    heading_path: str | None
    page: int | None
    cell: int | None
    has_secrets: bool
    why: dict[str, float] | None
    shown: HitDetail


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: a range of lines of a file, with its current, redacted `text`.

    If `shown` is `skeleton`, `text` holds only the most relevant lines, each as `number:line`, and
    ends with `… to line N` if the hit continues. `text` is empty if `shown` is `pointer`,
    where only the place is given, or `seen`, where the client has received this text before.
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
    is_generated: bool = False
    """Whether the file says that a program wrote it."""
    why: Mapping[str, float] = field(default_factory=dict)
    shown: HitDetail = "full"
    page: int = 0
    """Page of a PDF or cell of a notebook in which the hit begins, from 1; 0 for other files."""
    rank: int = 0
    """Position in the complete result list, from 0; for merged hits, the position of the last of
    them."""
    line: int = 0
    """The line that the query cites, such as a line of a stack trace, or else the line that defines
    the symbol; 0 if neither is known. For a later part of a long function, it is above
    `start_line`."""
    signature: str = ""
    """Text of line `line` if this line is above `start_line`; else empty."""

    @property
    def lines(self) -> list[str]:
        """The text, split at line feeds only, because line numbers count only line feeds."""
        lines = self.text.split("\n")[: self.end_line - self.start_line + 1]
        return [line.removesuffix("\r") for line in lines]

    def as_dict(self) -> HitDict:
        """Return the JSON form; unknown values are null."""
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
            "is_generated": self.is_generated,
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
    """How complete the index is, from 0 to 1.

    `words` is the share of files whose words are searchable, `vectors` the share of chunks that
    have a vector.
    """

    words: float
    vectors: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of the files of an index: `files` = `indexed` + `skipped` + `failed`.

    `refreshed` counts files that were read again before the question was answered.
    """

    files: int
    indexed: int
    skipped: int
    failed: int
    refreshed: int


@dataclass(frozen=True, slots=True)
class Absence:
    """Why a search has no hits: `missing` lists the query's words that occur in no scanned file.

    `verified` is True only if the query is a single name or quoted text, it occurs in no file that
    passes the filters, and all these files were read. `not_searched` counts files that were not
    searched, by reason.
    """

    verified: bool
    files_scanned: int
    missing: tuple[str, ...]
    not_searched: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        files = plural(self.files_scanned, "file")
        how = "absent: verified" if self.verified else "absent"
        rest = f"; not searched: {format_reasons(self.not_searched)}" if self.not_searched else ""
        return f"{how} ({files}): none contains {', '.join(self.missing)}{rest}"

    @property
    def sentence(self) -> str:
        text = str(self)
        return f"{text[:1].upper()}{text[1:]}."


class AnswerDict(TypedDict, total=False):
    """JSON form of `Answer`. Agents do not receive empty fields or the repeated query."""

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
    """Result of a search.

    `hits` are its results; `navigation` are documents such as README.md beside them. `total_count`
    counts the results before the limit. `suggestions`, `related_areas` and `hint` help to rephrase
    the query.
    """

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
    """Whether hits were left out to stay within the budget; the cursor continues with the first of
    them."""
    refreshed: RefreshResult = field(default_factory=RefreshResult)
    """Files that had changed since they were indexed; in JSON part of `meta`."""
    absence: Absence | None = None
    """Why there are no hits, if no file has the query's words."""
    confidence: Confidence | None = None
    """Calibrated confidence in the first hits; None if there are no hits or the list is
    complete."""
    missing_words: tuple[str, ...] = ()
    """Words of the query that occur in no file that passes the filters."""

    def as_dict(self) -> AnswerDict:
        """Return the JSON form that the library, `--json`, MCP and HTTP share."""
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
    """State of an index: what it holds, when it was made and with which model.

    `files`, `chunks` and `symbols` count what is indexed; `written_at` is a Unix time in seconds.
    """

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
    """While there are no vectors yet: the model that will make them, or why none will. Else
    empty."""
    tuned: str = ""
    """Description of repository-specific ranking weights; empty if the shipped weights are used."""
    upgrade: tuple[str, ...] = ()
    """The model upgrade in progress, and the previous index that the last upgrade kept."""
    unparsed: tuple[Skipped, ...] = ()
    """Code files that were parsed only partly or not at all; symbols in them may be missing."""
    compiler: str = ""
    """How many files have edges from a compiler's index, or why none has; empty if there is no such
    index."""

    def state(self) -> dict[str, str]:
        """Return the indexed branch and commit, and the UTC time of the last sync."""
        at = datetime.fromtimestamp(self.written_at, UTC).isoformat(timespec="seconds")
        return {"branch": self.branch, "commit": self.head, "indexed_at": at}

"""Files, from the tree to what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from codeindex.types.base import SafeText, SymbolKind
from codeindex.types.relations import EncodedRelations
from codeindex.types.watched_paths import WatchedPath

FileStatus = Literal["indexed", "plain", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file worth indexing, by its name and stat; nothing of it has been read.

    With a `revision`, the file is meant as that commit has it, not as it is on the disk.
    """

    path: str
    language: str
    size: int
    mtime_ns: int
    ctime_ns: int
    is_test: bool = False
    revision: str = ""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What became of a file since a commit, where it was called `before`, if it was there."""

    path: str
    status: Literal["added", "removed", "modified"]
    before: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is not indexed and why; a path that ends with a slash stands for all below it."""

    path: str
    reason: str


def unparsed_suffix(unread: int) -> str:
    """Return the end of a headline for so many files of code that are not read, or not wholly."""
    if not unread:
        return ""
    files = "1 file of code is" if unread == 1 else f"{unread:,} files of code are"
    return f"; {files} not read, or not wholly, and may have more"


def format_reasons(reasons: Mapping[str, int]) -> str:
    """Return why files were left out, each reason after its count."""
    return ", ".join(f"{count:,} {why}" for why, count in reasons.items())


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found in a tree, by path; `notes` are sentences for the user."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...] = ()
    watched: tuple[WatchedPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something a programmer gave a name to; lines are 1-based, both ends included.

    `start_line` takes in leading comments and decorators; `line` is where the name stands.
    `qualified` joins the owners with dots in every language. `signature` is the definition up to
    its body, white space folded; `doc` the first paragraph of its documentation. Only functions
    that have a body are measured; `cyclomatic` is 0 for all else.
    """

    name: str
    qualified: str
    kind: SymbolKind
    line: int
    start_line: int
    end_line: int
    signature: str = ""
    doc: str = ""
    cyclomatic: int = 0
    max_nesting: int = 0
    param_count: int = 0
    body_lines: int = 0


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Which lines of a file belong together; it holds no text of theirs, so it can leak none.

    `context` says what the lines were cut out of. It is for the embedding and for people, never
    part of the source. `heading` is the path of headings above a piece of prose. `page` counts the
    pages of a PDF, or the cells of a notebook, from 1.
    """

    start_line: int
    end_line: int
    symbol: Symbol | None = None
    heading: tuple[str, ...] = ()
    context: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit that is embedded, ranked, stored and returned; `text` is the file's lines, redacted.

    `line` is where its symbol is defined: 0 if that is in no line of it.
    """

    start_line: int
    end_line: int
    kind: str
    text: SafeText
    symbol: str = ""
    heading: str = ""
    context: str = ""
    has_secrets: bool = False
    page: int = 0
    line: int = 0
    complexity: int = 0
    """Cyclomatic complexity of its function; 0 for what has no body, or is not measured."""
    traits: int = 0
    """`ChunkTraits` of its symbol; 0 where that is defined in no line of it."""


def unqualified_name(symbol: str, heading: str) -> str:
    """Return the name of a chunk's symbol without its owners, or its innermost heading."""
    return heading.rpartition(" > ")[2] or symbol.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk with what the words index and the token vectors need of it.

    `words` and `names` are stemmed words in order, joined by blanks; so are the words of its own
    symbol's `name`, `owner`, `signature` and `doc`. `tokens` packs the model's own token ids as
    little-endian uint32, `id << 8 | min(count, 255)`, sorted.
    """

    chunk: Chunk
    words: str
    names: str
    tokens: bytes
    name: str = ""
    owner: str = ""
    signature: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """All that is kept of one file, ready for the catalog; every text in it is redacted.

    `status` is `indexed` (parsed), `plain` (cut by windows: no grammar, or the parser gave up),
    `skipped` or `failed`; `reason` says why, and of a parsed one where its syntax is wrong
    if that matters; `lost` counts the lines in it that no definition or statement was made of.
    `identifiers` are CRC-32 sums of the distinct names the file mentions. `findings` are (rule,
    line) of redacted secrets.
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
    lost: int = 0
    lines: int = 0
    is_generated: bool = False
    symbols: tuple[Symbol, ...] = ()
    chunks: tuple[PreparedChunk, ...] = ()
    relations: EncodedRelations = field(default_factory=EncodedRelations)
    identifiers: tuple[int, ...] = ()
    findings: tuple[tuple[str, int], ...] = ()

"""Define files at each stage of a sync: discovered, cut into chunks, prepared for the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Literal

from codeindex.types.base import SafeText, SymbolKind
from codeindex.types.relations import EncodedRelations
from codeindex.types.report import plural
from codeindex.types.watched_paths import WatchedPath

FileStatus = Literal["indexed", "plain", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to index, known by name and `stat`; it has not been read yet.

    With a `revision`, its content comes from that commit, not from the disk.
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
    """How a file changed since a commit.

    `before` is its path in the commit, "" if the file is new.
    """

    path: str
    status: Literal["added", "removed", "modified"]
    before: str


class SkipReason(StrEnum):
    """Why a file is not indexed; the values are shown to users."""

    OWN = "the data of codeindex"
    ALWAYS = "never indexed (version control, editors, systems)"
    BUILT = "build output or other people's code"
    BINARY = "not text, by its suffix"
    LOCK = "a lock file"
    MINIFIED = "minified or bundled"
    SECRETS = "holds secrets, by its name"
    IN_PATH = "has a secret in its path"
    IGNORED = "matches .codeindexignore"
    GIT_IGNORED = "matches .gitignore"
    NOT_INCLUDED = "matches no pattern of `include`"
    EXCLUDED = "matches `exclude`"
    TOO_LARGE = "larger than `limits.max_file_kb`"
    DOCUMENT_TOO_LARGE = "larger than `limits.max_document_kb`"
    NO_PDF = "a PDF: `pip install '.[pdf]'` in a clone of codeindex to read it"
    TOO_MANY = "beyond `limits.max_files`"
    TOO_DEEP = "deeper than `limits.max_depth`"
    NOT_A_FILE = "not a regular file"
    SYMLINK = "a symbolic link"
    LINK_OUT = "a symbolic link that leads out of the tree"
    UNREADABLE = "may not be read"
    TOO_LONG = "its path is too long for this system"
    GONE = "not on the disk"
    NOT_CHECKED_OUT = "not checked out"
    OUTSIDE = "outside of the root"
    NOT_UTF8 = "its name is not UTF-8"
    OTHER_REPOSITORY = "a repository of its own, and no submodule"


INSTALLED_FOLDERS = (
    *("node_modules", "bower_components", "jspm_packages", "__pycache__", ".gradle"),
)
"""Folders for installed packages and caches: the files in them do not use the repository's code."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that is not indexed, with the reason; a path with a final slash is a whole folder."""

    path: str
    reason: str
    languages: tuple[str, ...] | None = None
    """Only for a folder: the sorted languages of the files in it; None if they are unknown."""


MIN_REORDERED_FILES = 120
"""A first sync with fewer files left stores them by path, whatever is asked: all are stored nearly
as soon as the files that are likeliest to answer."""

_MOST_NAMED_UNREAD = 3
"""Most unread files that an answer names: naming more can make the headline longer than the
answer."""


def first_unread(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the first three of `paths`, which are files that were not read.

    An answer names at most three.
    """
    return tuple(islice(paths, _MOST_NAMED_UNREAD))


def name_unread(unread: int, paths: Sequence[str]) -> str:
    """Return the first three unread files and the number of others as text: `"a, b and 4 more"`.

    `unread` is the number of all, and `paths` names all or the first of them. Return "" without
    paths.
    """
    named = first_unread(paths)
    more = f" and {unread - len(named):,} more" if named and unread > len(named) else ""
    return ", ".join(named) + more


def unparsed_suffix(unread: int, paths: Sequence[str]) -> str:
    """Return a suffix for a headline that warns of code files that were not fully parsed.

    `unread` is their number, and `paths` names all or the first of them; the path of a folder that
    is not indexed ends with a slash. The suffix is "" if `unread` is 0.
    """
    if not unread:
        return ""
    named = first_unread(paths)
    folders = sum(path.endswith("/") for path in named)
    if folders and folders == unread:
        files = plural(unread, "folder is", "folders are")
    else:
        of = "files and folders" if folders else "files"
        files = plural(unread, "code file is", f"code {of} are")
    which = f": {name_unread(unread, paths)}" if named else ""
    return f"; {files} not read completely, and may have more{which}"


def format_reasons(reasons: Mapping[str, int]) -> str:
    """Return reasons and counts as text: `"a lock file (3), not text, by its suffix (1)"`."""
    return ", ".join(f"{why} ({count:,})" for why, count in reasons.items())


@dataclass(frozen=True, slots=True)
class Discovery:
    """Result of listing a tree: the files to index and the skipped paths, sorted by path.

    `notes` are sentences for the user; `watched` are the paths whose change requires a new listing.
    """

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...] = ()
    watched: tuple[WatchedPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition; lines are 1-based and inclusive.

    `start_line` includes leading comments and decorators; `line` is the line of the name.
    `qualified` joins the owners' names with dots in every language. `signature` is the definition
    up to its body, with white space collapsed; `doc` is the first paragraph of its documentation.
    Complexity is measured only for functions with a body; otherwise `cyclomatic` is 0.
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
    """The lines and labels of a chunk before its text is attached.

    It has no text, so it cannot leak a secret before the text is redacted. `context` names what
    encloses the lines, for the embedding and for people. `heading` lists the headings above prose.
    `page` is the page of a PDF or the cell of a notebook, from 1.
    """

    start_line: int
    end_line: int
    symbol: Symbol | None = None
    heading: tuple[str, ...] = ()
    context: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a file that is embedded, ranked, stored and returned as a unit.

    `text` is its redacted lines. `line` is the line that defines the chunk's symbol; 0 if that line
    is not in the chunk.
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
    """Cyclomatic complexity of the chunk's function; 0 if it has no body or was not measured."""
    traits: int = 0
    """`ChunkTraits` of the chunk's symbol; 0 if the line that defines the symbol is not in the
    chunk."""


def unqualified_name(symbol: str, heading: str) -> str:
    """Return the name to show for a chunk: its last heading or else its symbol's name."""
    return heading.rpartition(" > ")[2] or symbol.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk with what the word index and the token vectors store of it.

    `words`, `names` and the symbol's `name`, `owner`, `signature` and `doc` are stemmed words in
    order, separated by blanks. `tokens` holds the model's token ids with their counts, as sorted
    little-endian uint32 values `id << 8 | min(count, 255)`.
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
    """Everything the catalog stores of one file; all texts are redacted.

    `status` is `indexed` (parsed), `plain` (cut by line windows: no grammar, or the parser failed),
    `skipped` or `failed`; `reason` explains it, or says where a parsed file has syntax errors.
    `lost` counts lines that are in no parsed definition or statement. `identifiers` are CRC-32 sums
    of the distinct names in the file. `findings` are pairs (rule, line) of redacted secrets.
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
    is_recorded: bool = False
    """Whether the file's parse comes from the record of a bundle."""

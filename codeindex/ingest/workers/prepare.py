"""One file from bytes to chunks: read, decode, redact, parse, cut, tokenise.

The text is redacted before anything else sees it, so that no later step can keep a secret. Runs in
a worker process; takes and returns values only.
"""

from __future__ import annotations

import functools
import hashlib
import os
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeindex import git
from codeindex.embed.packing import pack_counts
from codeindex.embed.word_ids import token_id_encoder
from codeindex.errors import GitError
from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.freshness.merkle import provable_ctime
from codeindex.graph.serialization import serialize_relations
from codeindex.ingest.chunk.code import LineTokens, code_drafts, window_drafts
from codeindex.ingest.chunk.header import chunk_header, name_fields
from codeindex.ingest.chunk.prose import prose_drafts
from codeindex.ingest.chunk.traits import chunk_traits
from codeindex.ingest.parse.parser import ParseResult, parse_text
from codeindex.ingest.read.decode import (
    NotTextError,
    decode,
    has_generated_marker,
    is_minified,
    unparsable_reason,
)
from codeindex.ingest.read.documents import DocumentText, document_drafts, extract_text
from codeindex.ingest.read.redact import SecretRules, redact_file
from codeindex.languages import LANGUAGES, Language, language_for_interpreter
from codeindex.secrets import RedactedText, slice_lines
from codeindex.secrets.custom_patterns import SlowPatternError
from codeindex.text.words import IDENTIFIER, name_checksum, stemmed_text
from codeindex.types import (
    Chunk,
    ChunkSpan,
    PreparedChunk,
    PreparedFile,
    SafeText,
    SourceFile,
    Symbol,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_KNOWN_LINES = 16_384
"""Lines whose tokens are remembered, 10 MB: every second line of a tree has been seen before."""


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """With what a file is prepared; `plain` asks for windows instead of a parse."""

    tokenizer: Tokenizer
    rules: SecretRules
    max_bytes: int
    plain: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """What lay on disk, with the stat of these very bytes as far as it proves anything.

    What a commit holds has no times.
    """

    data: bytes
    mtime_ns: int = 0
    ctime_ns: int = 0


def prepare_file(root: Path, file: SourceFile, how: PrepareOptions) -> PreparedFile:
    """Return all that is kept of `file`; a file that cannot be used comes back with its reason."""
    try:
        read = (
            _read_revision(root, file, how.max_bytes)
            if file.revision
            else read_file(root, file.path, how.max_bytes)
        )
    except OSError as error:
        return _empty(file, None, f"cannot be read: {error.strerror or error}")
    except GitError as error:
        return _empty(file, None, str(error))
    document = LANGUAGES[file.language] if LANGUAGES[file.language].document else None
    if document and how.plain:
        return _empty(file, read, "its text cannot be made")
    try:
        text = extract_text(document, read.data) if document else DocumentText(decode(read.data))
        language = document or _language(file, text.text)
        if is_minified(text.text) and not language.prose:
            return _empty(file, read, "minified")
        redacted = redact_file(text.text, path=file.path, rules=how.rules)
    except (NotTextError, SlowPatternError) as reason:
        return _empty(file, read, str(reason))
    found, doubt = _found(language, redacted.text, plain=how.plain)
    given = _Given(file, read, language, redacted, text.starts)
    return replace(_assembled(given, how.tokenizer, found), reason=doubt)


def _found(language: Language, text: SafeText, *, plain: bool) -> tuple[ParseResult, str]:
    """Parse what can be parsed, and say what stays unknown of it if that matters."""
    if plain or not language.symbols:
        return ParseResult(), ""
    if reason := unparsable_reason(text):
        return ParseResult(), f"not parsed: {reason}"
    found = parse_text(language, text)
    lines = text.rstrip("\n").count("\n") + 1
    if not found.lost.matters(lines):
        return found, ""
    where = f"syntax error near line {found.lost.line}"
    return found, f"{where}, {found.lost.lines:,} of {lines:,} lines lost"


def read_file(root: Path, path: str, max_bytes: int) -> _Read:
    """Read a file beneath a root; OSError if it is gone, no plain file, or larger."""
    begun = time.time_ns()
    with open_beneath(root, path) as handle:
        _, mtime_ns, ctime_ns = size_and_times(os.fstat(handle.fileno()))
        data = handle.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(f"grew over {max_bytes:,} bytes")
    return _Read(data, mtime_ns, provable_ctime(mtime_ns, ctime_ns, read_at_ns=begun))


def _read_revision(root: Path, file: SourceFile, max_bytes: int) -> _Read:
    name = f"{file.revision}:./{file.path}"
    if int(git.run_git("cat-file", "-s", name, cwd=root)) > max_bytes:
        raise OSError(f"was over {max_bytes:,} bytes")
    return _Read(git.run_git("cat-file", "blob", name, cwd=root))


def _empty(file: SourceFile, read: _Read | None, reason: str) -> PreparedFile:
    return PreparedFile(
        path=file.path,
        language=file.language,
        digest=_digest(read.data) if read else "",
        size=len(read.data) if read else file.size,
        mtime_ns=read.mtime_ns if read else file.mtime_ns,
        ctime_ns=read.ctime_ns if read else file.ctime_ns,
        is_test=file.is_test,
        status="skipped" if read else "failed",
        reason=reason,
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _language(file: SourceFile, text: str) -> Language:
    """Trust the file name; without a telling one, the program in a `#!` line."""
    if file.language == "text" and text.startswith("#!"):
        found = language_for_interpreter(text.split("\n", 1)[0])
        if found:
            return found
    return LANGUAGES[file.language]


@dataclass(frozen=True, slots=True)
class _Safe:
    """A redacted file and what was read out of it."""

    path: str
    language: str
    text: SafeText
    symbols: tuple[Symbol, ...]
    token_ids: tuple[tuple[int, ...], ...]
    """Token ids, line by line."""
    secret_lines: frozenset[int]
    named: tuple[tuple[int, str], ...]
    """Names of symbols by the lines that they stand in, in order."""

    def names_in(self, first: int, last: int) -> list[str]:
        start, end = bisect_left(self.named, (first, "")), bisect_left(self.named, (last + 1, ""))
        return [name for _, name in self.named[start:end]]


class _Given(NamedTuple):
    """A file as it was read and redacted; `starts` are the first lines of its pages."""

    file: SourceFile
    read: _Read
    language: Language
    redacted: RedactedText
    starts: tuple[int, ...]


def _assembled(given: _Given, tokenizer: Tokenizer, found: ParseResult) -> PreparedFile:
    file, read, language, redacted, starts = given
    text = redacted.text
    symbols = found.symbols
    safe = _Safe(
        path=file.path,
        language=language.name,
        text=text,
        symbols=symbols,
        token_ids=token_ids_by_line(text, tokenizer),
        secret_lines=frozenset(finding.line for finding in redacted.findings),
        named=tuple(sorted((one.line, one.name) for one in symbols)),
    )
    return PreparedFile(
        path=file.path,
        language=language.name,
        digest=_digest(read.data),
        size=len(read.data),
        mtime_ns=read.mtime_ns,
        ctime_ns=read.ctime_ns,
        is_test=file.is_test,
        status="indexed" if symbols or language.prose else "plain",
        lost=found.lost.lines,
        lines=len(safe.token_ids),
        is_generated=has_generated_marker(text),
        symbols=symbols,
        chunks=tuple(_chunk(safe, draft, tokenizer) for draft in _drafts(language, safe, starts)),
        relations=serialize_relations(found.relations, symbols, language),
        identifiers=_identifiers(text),
        findings=tuple((finding.rule, finding.line) for finding in redacted.findings),
    )


def _drafts(language: Language, safe: _Safe, starts: tuple[int, ...]) -> list[ChunkSpan]:
    lines = LineTokens.of(len(ids) for ids in safe.token_ids)
    if language.document:
        return document_drafts(safe.text.split("\n"), lines, starts, language=language)
    if language.prose or language.headings:
        return prose_drafts(safe.text.split("\n"), lines, language=language.name)
    return code_drafts(safe.symbols, lines) if safe.symbols else window_drafts(lines)


def _kind(draft: ChunkSpan, safe: _Safe) -> str:
    """Return what a chunk is: its symbol's kind, else a section, a whole file, or a block of it."""
    if draft.page:
        return LANGUAGES[safe.language].document
    if draft.symbol:
        return draft.symbol.kind
    if draft.heading:
        return "section"
    return "file" if (draft.start_line, draft.end_line) == (1, len(safe.token_ids)) else "block"


def _chunk(safe: _Safe, draft: ChunkSpan, tokenizer: Tokenizer) -> PreparedChunk:
    inside = safe.names_in(draft.start_line, draft.end_line)
    own = draft.symbol
    defines = own is not None and draft.start_line <= own.line <= draft.end_line
    chunk = Chunk(
        start_line=draft.start_line,
        end_line=draft.end_line,
        kind=_kind(draft, safe),
        text=slice_lines(safe.text, draft.start_line, draft.end_line),
        symbol=draft.symbol.qualified if draft.symbol else "",
        heading=" > ".join(draft.heading),
        context=draft.context,
        has_secrets=any(draft.start_line <= n <= draft.end_line for n in safe.secret_lines),
        page=draft.page,
        line=own.line if own and defines else 0,
        complexity=own.cyclomatic if own and defines else 0,
        traits=chunk_traits(own, draft.start_line, draft.end_line) if own else 0,
    )
    place = token_id_encoder(tokenizer)(chunk_header(safe.path, chunk))
    ids = Counter(chain(place, *safe.token_ids[draft.start_line - 1 : draft.end_line]))
    names = stemmed_text(chunk.heading, chunk.symbol, *inside)
    signature, doc = (own.signature, own.doc) if own and defines else ("", "")
    fields = name_fields(chunk.symbol, chunk.heading, signature, doc)
    return PreparedChunk(chunk, stemmed_text(chunk.text), names, pack_counts(ids), *fields)


def token_ids_by_line(text: str, tokenizer: Tokenizer) -> tuple[tuple[int, ...], ...]:
    """Return the token ids of each line; a final newline does not start another line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return tuple(_line_ids(tokenizer, line) for line in lines)


@functools.lru_cache(maxsize=_KNOWN_LINES)
def _line_ids(tokenizer: Tokenizer, line: str) -> tuple[int, ...]:
    return token_id_encoder(tokenizer)(line)


def _identifiers(text: str) -> tuple[int, ...]:
    return tuple(sorted({name_checksum(name) for name in set(IDENTIFIER.findall(text))}))

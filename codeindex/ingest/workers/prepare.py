"""Run the stages of one file in a worker process: read, redact, parse, chunk.

The text is redacted before any later stage, so that no stage can keep a secret. All inputs and
outputs are plain values.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import GitError
from codeindex.graph.serialization import serialize_relations
from codeindex.ingest.chunk.chunks import ChunkSource, FileChunks, chunk_file
from codeindex.ingest.parse.parser import ParseResult, parse_text
from codeindex.ingest.read.decode import (
    NotTextError,
    decode,
    has_generated_marker,
    is_lfs_pointer,
    is_minified,
    unparsable_reason,
)
from codeindex.ingest.read.documents.extract import extract_text
from codeindex.ingest.read.documents.parts import DocumentText
from codeindex.ingest.read.redact import SecretRules, redact_file
from codeindex.ingest.read.source import FileBytes, read_discovered_file
from codeindex.languages import LANGUAGES, Language, language_for_interpreter
from codeindex.secrets import RedactedText
from codeindex.secrets.custom_patterns import SlowPatternError
from codeindex.text.words import IDENTIFIER, ascii_runs, name_checksum, normal_form
from codeindex.types import PreparedFile, SafeText, SourceFile

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from codeindex.ingest.bundle.accept import RecordedParse


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """How `prepare_file` reads files: tokenizer, redaction rules, and limit in bytes.

    With `plain`, files are split into windows without parsing.
    """

    tokenizer: Tokenizer
    rules: SecretRules
    max_bytes: int
    plain: bool = False


@dataclass(frozen=True, slots=True)
class _RedactedFile:
    """A file's redacted text, and the 1-based first lines of its pages or cells."""

    language: Language
    redacted: RedactedText
    starts: tuple[int, ...]


def prepare_file(
    root: Path, file: SourceFile, options: PrepareOptions, *, record: bytes = b""
) -> PreparedFile:
    """Read, redact, parse and chunk a file; return the result.

    If the file cannot be indexed, the result says why. `record` is the file's record from a bundle,
    b"" without one. If it matches the text, it is used and the file is not parsed.
    """
    try:
        content = read_discovered_file(root, file, options.max_bytes)
    except OSError as error:
        return _make_unusable(file, None, f"cannot be read: {error.strerror or error}")
    except GitError as error:
        return _make_unusable(file, None, str(error))
    try:
        safe = _redact(file, content, options)
    except (NotTextError, SlowPatternError) as reason:
        return _make_unusable(file, content, str(reason))
    if record and (recorded := _accept_recorded(file, content, safe, record, options)):
        parse, chunks, problem = recorded.parse, recorded.chunks, recorded.reason
        return replace(
            _make_prepared(file, content, safe, parse, chunks, problem), is_recorded=True
        )
    parse, problem = _parse(safe.language, safe.redacted.text, file.path, plain=options.plain)
    source = ChunkSource(
        path=file.path,
        language=safe.language,
        text=safe.redacted.text,
        symbols=parse.symbols,
        secret_lines=frozenset(finding.line for finding in safe.redacted.findings),
        starts=safe.starts,
    )
    chunks = chunk_file(source, options.tokenizer)
    return _make_prepared(file, content, safe, parse, chunks, problem)


def _accept_recorded(
    file: SourceFile,
    content: FileBytes,
    safe: _RedactedFile,
    record: bytes,
    options: PrepareOptions,
) -> RecordedParse | None:
    """Return the parse in a file's record of a bundle; None if it does not match the file."""
    from codeindex.ingest.bundle.accept import RecordedText, accept_record  # most syncs use none

    recorded = RecordedText(
        path=file.path,
        digest=_sha256(content.data),
        language=safe.language.name,
        text=safe.redacted.text,
        secret_lines=frozenset(finding.line for finding in safe.redacted.findings),
    )
    return accept_record(record, recorded, options.tokenizer)


def _redact(file: SourceFile, content: FileBytes, options: PrepareOptions) -> _RedactedFile:
    """Return the redacted text of a file, which is decoded, or extracted from a document.

    Raise NotTextError if the text is not worth indexing.
    """
    language = LANGUAGES[file.language]
    if language.document:
        if options.plain:
            raise NotTextError("its text cannot be extracted")
        text = extract_text(language, content.data)
    else:
        text = DocumentText(decode(content.data))
        language = _detect_language(file, text.text)
    if is_minified(text.text) and not language.prose:
        raise NotTextError("minified")
    if is_lfs_pointer(text.text):
        raise NotTextError("a pointer of git LFS: its content is not here")
    redacted = redact_file(text.text, path=file.path, rules=options.rules)
    return _RedactedFile(language, redacted, text.starts)


def _detect_language(file: SourceFile, text: str) -> Language:
    """Return a file's language by its name or, for plain text, by its `#!` line."""
    if file.language == "text" and text.startswith("#!"):
        language = language_for_interpreter(text.split("\n", 1)[0])
        if language:
            return language
    return LANGUAGES[file.language]


def _parse(
    language: Language, text: SafeText, path: str, *, plain: bool
) -> tuple[ParseResult, str]:
    """Parse a text; return (parse, problem).

    The problem says why much of the text was not parsed; it is "" if the parse is good. With
    `plain`, nothing is parsed.
    """
    if plain or not language.symbols:
        return ParseResult(), ""
    if reason := unparsable_reason(text):
        return ParseResult(), f"not parsed: {reason}"
    parse = parse_text(language, text, path)
    lines = text.rstrip("\n").count("\n") + 1
    if not parse.loss.matters(lines):
        return parse, ""
    where = f"syntax error near line {parse.loss.line}"
    return parse, f"{where}, {parse.loss.lines:,} of {lines:,} lines lost"


def _make_prepared(
    file: SourceFile,
    content: FileBytes,
    safe: _RedactedFile,
    parse: ParseResult,
    chunks: FileChunks,
    problem: str,
) -> PreparedFile:
    text, language = safe.redacted.text, safe.language
    return PreparedFile(
        path=file.path,
        language=language.name,
        digest=_sha256(content.data),
        size=len(content.data),
        mtime_ns=content.mtime_ns,
        ctime_ns=content.ctime_ns,
        is_test=file.is_test,
        status="indexed" if parse.symbols or language.prose else "plain",
        reason=problem,
        lost=parse.loss.lines,
        lines=chunks.lines,
        is_generated=has_generated_marker(text),
        symbols=parse.symbols,
        chunks=chunks.chunks,
        relations=serialize_relations(parse.relations, parse.symbols, language),
        identifiers=_identifier_checksums(text),
        findings=tuple((finding.rule, finding.line) for finding in safe.redacted.findings),
    )


def _make_unusable(file: SourceFile, content: FileBytes | None, reason: str) -> PreparedFile:
    """Return a prepared file without chunks: `skipped` if it was read, `failed` otherwise."""
    return PreparedFile(
        path=file.path,
        language=file.language,
        digest=_sha256(content.data) if content else "",
        size=len(content.data) if content else file.size,
        mtime_ns=content.mtime_ns if content else file.mtime_ns,
        ctime_ns=content.ctime_ns if content else file.ctime_ns,
        is_test=file.is_test,
        status="skipped" if content else "failed",
        reason=reason,
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _identifier_checksums(text: str) -> tuple[int, ...]:
    """Return the sorted CRC-32 checksums of the distinct identifiers in a text."""
    distinct = "\n".join(set(ascii_runs(text))) if text.isascii() else normal_form(text)
    return tuple(sorted({name_checksum(name) for name in set(IDENTIFIER.findall(distinct))}))

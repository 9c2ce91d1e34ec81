"""Split a redacted file into chunks with their words and token counts."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from codeindex.embed.packing import pack_counts
from codeindex.embed.word_ids import token_id_encoder
from codeindex.ingest.chunk.code import LineTokens, code_spans, window_spans
from codeindex.ingest.chunk.documents import document_spans
from codeindex.ingest.chunk.header import chunk_header, prepare_chunk
from codeindex.ingest.chunk.prose import prose_spans
from codeindex.languages import Language
from codeindex.secrets import slice_lines
from codeindex.types import (
    Chunk,
    ChunkSpan,
    ChunkTraits,
    PreparedChunk,
    SafeText,
    Symbol,
    SymbolKind,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_CACHED_LINES = 16_384
"""Maximum number of lines whose token ids are cached, in 10 MB. Half of the lines of a tree occur
more than once."""
_TEST_OWNERS = frozenset({"test", "tests", "testing", "spec", "specs"})


@dataclass(frozen=True, slots=True)
class ChunkSource:
    """A redacted file to split into chunks.

    `starts` are the first lines of a document's pages or cells, `secret_lines` the lines with
    redacted secrets; lines count from 1.
    """

    path: str
    language: Language
    text: SafeText
    symbols: tuple[Symbol, ...]
    secret_lines: frozenset[int]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileChunks:
    """The chunks of a file, and the number of its lines."""

    lines: int
    chunks: tuple[PreparedChunk, ...]


def chunk_file(source: ChunkSource, tokenizer: Tokenizer) -> FileChunks:
    """Split a file into chunks with their words and token counts.

    Documents are split at pages or cells, prose at headings, code at definitions.
    """
    token_ids = token_ids_by_line(source.text, tokenizer)
    names = sorted((symbol.line, symbol.name) for symbol in source.symbols)
    spans = _spans(source, LineTokens.of(len(ids) for ids in token_ids))
    chunks = []
    for span in spans:
        chunk = _make_chunk(source, span, line_count=len(token_ids))
        header_ids = token_id_encoder(tokenizer)(chunk_header(source.path, chunk))
        counts = Counter(chain(header_ids, *token_ids[span.start_line - 1 : span.end_line]))
        symbol = span.symbol if chunk.line else None
        chunks.append(prepare_chunk(chunk, names, symbol, pack_counts(counts)))
    return FileChunks(len(token_ids), tuple(chunks))


def _spans(source: ChunkSource, lines: LineTokens) -> list[ChunkSpan]:
    language = source.language
    if language.document:
        text_lines = source.text.split("\n")
        return document_spans(text_lines, lines, source.starts, language=language)
    if language.prose or language.headings:
        return prose_spans(source.text.split("\n"), lines, language=language.name)
    return code_spans(source.symbols, lines) if source.symbols else window_spans(lines)


def _make_chunk(source: ChunkSource, span: ChunkSpan, *, line_count: int) -> Chunk:
    symbol = span.symbol
    is_definition = symbol is not None and span.start_line <= symbol.line <= span.end_line
    return Chunk(
        start_line=span.start_line,
        end_line=span.end_line,
        kind=_kind(source.language, span, line_count=line_count),
        text=slice_lines(source.text, span.start_line, span.end_line),
        symbol=symbol.qualified if symbol else "",
        heading=" > ".join(span.heading),
        context=span.context,
        has_secrets=any(span.start_line <= line <= span.end_line for line in source.secret_lines),
        page=span.page,
        line=symbol.line if symbol and is_definition else 0,
        complexity=symbol.cyclomatic if symbol and is_definition else 0,
        traits=_chunk_traits(symbol, span.start_line, span.end_line) if symbol else 0,
    )


def _kind(language: Language, span: ChunkSpan, *, line_count: int) -> str:
    """Return the kind of a chunk: the kind of its symbol if it has one, like `function`.

    Otherwise it is `page` or `cell` in a document, `section` below a heading, `file` for a whole
    file, else `block`.
    """
    if span.page:
        return language.document
    if span.symbol:
        return span.symbol.kind
    if span.heading:
        return "section"
    return "file" if (span.start_line, span.end_line) == (1, line_count) else "block"


def token_ids_by_line(text: str, tokenizer: Tokenizer) -> tuple[tuple[int, ...], ...]:
    """Return a tuple of token ids for each line of a text.

    The empty string after a final newline is no line.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return tuple(_line_token_ids(tokenizer, line) for line in lines)


@functools.lru_cache(maxsize=_CACHED_LINES)
def _line_token_ids(tokenizer: Tokenizer, line: str) -> tuple[int, ...]:
    return token_id_encoder(tokenizer)(line)


def _chunk_traits(symbol: Symbol, start: int, end: int) -> ChunkTraits:
    """Return the `ChunkTraits` of the chunk that has the lines `start` to `end` of a symbol.

    - `LEADING` alone if the chunk ends before the line with the symbol's name.
    - `TEST` if the symbol is a test or in a module of tests.
    - `DOCUMENTED` if it has documentation and the chunk has the line with its name.
    """
    if end < symbol.line:
        return ChunkTraits.LEADING
    traits = ChunkTraits(0)
    if symbol.doc and start <= symbol.line:
        traits |= ChunkTraits.DOCUMENTED
    owners = symbol.qualified.lower().split(".")[:-1]
    if symbol.kind == SymbolKind.TEST or not _TEST_OWNERS.isdisjoint(owners):
        traits |= ChunkTraits.TEST
    return traits

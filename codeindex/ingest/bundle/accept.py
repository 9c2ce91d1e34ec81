"""Use the parse of a file from a bundle's record, if the record matches the file on disk.

A record is untrusted. It is used only if it has the digest of the file and of the redacted text of
every chunk, if all its lines are in the file, and if the words of its symbols and headings, which
people see, stand in the text. Everything that can be computed from the text without a parser is
computed here. A file whose record does not match is parsed, which costs only time.
"""

from __future__ import annotations

import functools
import json
import re
from base64 import b64decode
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from codeindex.ingest.bundle.records import CHUNK_FIELDS, LOSS_REASON, SYMBOL_FIELDS, texts_digest
from codeindex.ingest.bundle.relation_checks import checked_relations
from codeindex.ingest.bundle.values import checked_number, checked_text, require
from codeindex.ingest.chunk.chunks import FileChunks
from codeindex.ingest.chunk.header import prepare_chunk
from codeindex.ingest.parse.parse_loss import ParseLoss
from codeindex.ingest.parse.parser import ParseResult
from codeindex.ingest.parse.signatures import SIGNATURE_CHARS
from codeindex.secrets import slice_lines
from codeindex.text.words import normal_form
from codeindex.types import CHUNK_KINDS, Chunk, PreparedChunk, SafeText, Symbol, SymbolKind

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WORD = re.compile(r"\w+")
_MOST_TRAITS = 255
_COUNT_BITS = 8
_CONTEXT_WORDS = frozenset(
    {"Related", *(word for kind in SymbolKind for word in _WORD.findall(kind.capitalize()))}
)
"""Words that `ingest.chunk.code` puts into the context of a chunk itself."""


@dataclass(frozen=True, slots=True)
class RecordedText:
    """A file of this checkout for which a bundle has a parse; `text` is its redacted text.

    `secret_lines` are the 1-based lines with redacted secrets.
    """

    path: str
    digest: str
    language: str
    text: SafeText
    secret_lines: Collection[int]


@dataclass(frozen=True, slots=True)
class RecordedParse:
    """The parse and the chunks of a file from a bundle; for `reason` see `PreparedFile`."""

    parse: ParseResult
    chunks: FileChunks
    reason: str


def accept_record(record: bytes, file: RecordedText, tokenizer: Tokenizer) -> RecordedParse | None:
    """Return the parse in `record`, a JSON line of a bundle; None if it cannot be used.

    It cannot be used if it is malformed, or if it does not match `file`, the file of this checkout.
    """
    try:
        return _accept(json.loads(record), file, tokenizer.get_vocab_size())
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError):
        return None


def _accept(record: dict[str, Any], file: RecordedText, vocabulary: int) -> RecordedParse:
    for key in ("path", "digest", "language"):
        require(record[key] == getattr(file, key))
    lines = _count_lines(file.text)
    symbols = tuple(_symbol(row, lines) for row in record["symbols"])
    names = sorted((symbol.line, symbol.name) for symbol in symbols)
    defined = {(symbol.line, symbol.qualified): symbol for symbol in reversed(symbols)}
    chunks = tuple(
        prepare_chunk(chunk, names, defined.get((chunk.line, chunk.symbol)), tokens)
        for chunk, tokens in (_chunk(row, file, lines, vocabulary) for row in record["chunks"])
    )
    require(texts_digest(chunk.chunk.text for chunk in chunks) == record["texts"])
    _check_words(file, symbols, chunks)
    loss = LOSS_REASON.fullmatch(checked_text(record["reason"]))
    require(loss is not None)
    reason = record["reason"]
    line = int(reason.split(",")[0].rpartition(" ")[2]) if reason else 0
    lost = checked_number(record["lost"], most=lines)
    relations = checked_relations(record["declared"], record["used"], len(symbols), lines)
    parse = ParseResult(symbols, relations, ParseLoss(line, lost))
    return RecordedParse(parse, FileChunks(lines, chunks), reason)


def _count_lines(text: str) -> int:
    """Return the number of lines; a line break at the end starts no further line."""
    lines = text.split("\n")
    return len(lines) - (lines[-1] == "")


def _symbol(row: list[Any], lines: int) -> Symbol:
    require(len(row) == SYMBOL_FIELDS)
    name, qualified, kind, line, start, end, signature, doc, *measures = row
    for text in (name, qualified, signature, doc):
        checked_text(text)
    require(
        1 <= checked_number(start) <= checked_number(line) <= lines
        and start <= checked_number(end) <= lines
    )
    cyclomatic, nesting, parameters, body = (checked_number(value) for value in measures)
    return Symbol(
        *(name, qualified, SymbolKind(kind), line, start, end, signature, doc),
        *(cyclomatic, nesting, parameters, body),
    )


def _chunk(row: list[Any], file: RecordedText, lines: int, vocabulary: int) -> tuple[Chunk, bytes]:
    """Return (chunk, packed token counts) of a row in a bundle's record.

    The chunk's text comes from the file here. `lines` is the number of lines of the file, to check
    the row; `vocabulary` is the number of token ids. Raise ValueError if the row is malformed.
    """
    require(len(row) == CHUNK_FIELDS)
    start, end, kind, qualified, heading, context, page, line, complexity, traits, tokens = row
    require(1 <= checked_number(start) <= checked_number(end) <= max(lines, 1))
    require(kind in CHUNK_KINDS or kind == SymbolKind.SECTION)
    for text in (qualified, heading, context):
        checked_text(text)
    require(line == 0 or start <= checked_number(line) <= end)
    chunk = Chunk(
        start_line=start,
        end_line=end,
        kind=str(kind),
        text=slice_lines(file.text, start, end),
        symbol=qualified,
        heading=heading,
        context=context,
        has_secrets=any(start <= secret <= end for secret in file.secret_lines),
        page=checked_number(page),
        line=line,
        complexity=checked_number(complexity),
        traits=checked_number(traits, most=_MOST_TRAITS),
    )
    return chunk, _tokens(tokens, vocabulary)


def _tokens(encoded: object, vocabulary: int) -> bytes:
    """Return the packed token counts of a chunk, decoded from text.

    Raise ValueError if they are invalid: token ids must be rising and below `vocabulary`, and no
    count may be zero.
    """
    tokens = b64decode(checked_text(encoded), validate=True)
    pairs = np.frombuffer(tokens, dtype="<u4")
    ids = (pairs >> _COUNT_BITS).astype(np.int64)
    require(not len(ids) or (int(ids[-1]) < vocabulary and bool((np.diff(ids) > 0).all())))
    require(bool((pairs & _MOST_TRAITS).all()))
    return tokens


def _check_words(
    file: RecordedText, symbols: tuple[Symbol, ...], chunks: tuple[PreparedChunk, ...]
) -> None:
    """Raise ValueError if a word by which a record describes code is not in the file.

    Such words are those of names, signatures, headings and documentation. The words of a
    documentation text must stand in the file in the same order, so that no record can invent
    documentation. Words of the file's path are also accepted.
    """
    ordered = _WORD.findall(file.text)
    known = {*ordered, *_WORD.findall(file.path), *_CONTEXT_WORDS}
    if not file.text.isascii():
        known.update(_WORD.findall(normal_form(file.text)))
    text = f" {' '.join(ordered)} "
    for symbol in symbols:
        require(known.issuperset(_words(f"{symbol.name} {symbol.qualified}")))
        signature = _WORD.findall(symbol.signature)
        if len(symbol.signature) >= SIGNATURE_CHARS:
            signature.pop()  # it may be the beginning of a word
        require(known.issuperset(signature))
        documented = " ".join(_WORD.findall(symbol.doc))
        require(f" {documented}" in text)
    for prepared in chunks:
        chunk = prepared.chunk
        require(known.issuperset(_words(f"{chunk.symbol} {chunk.heading} {chunk.context}")))


@functools.lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))

"""Determine traits of a chunk that ranking uses: documented, test, or leading lines only."""

from __future__ import annotations

from codeindex.types import ChunkTraits, Symbol, SymbolKind

_TEST_OWNERS = frozenset({"test", "tests", "testing", "spec", "specs"})


def chunk_traits(symbol: Symbol, start: int, end: int) -> ChunkTraits:
    """Return the traits of a chunk, lines `start`..`end` of a symbol.

    A chunk that ends before the line with the symbol's name has only the trait `LEADING`.
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

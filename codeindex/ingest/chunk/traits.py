"""Determine traits of a chunk that ranking uses: documented, test, or leading lines only."""

from __future__ import annotations

from codeindex.types import ChunkTraits, Symbol, SymbolKind

_TEST_OWNERS = frozenset({"test", "tests", "testing", "spec", "specs"})


def chunk_traits(symbol: Symbol, start: int, end: int) -> ChunkTraits:
    """Return the flags of a chunk that consists of the lines `start`..`end` of a symbol.

    They are `TEST` if the symbol is a test or in a module of tests, and `DOCUMENTED` if it has
    documentation and the chunk has the line with its name. A chunk that ends before that line has
    `LEADING` alone.
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

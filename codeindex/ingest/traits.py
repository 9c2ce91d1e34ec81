"""What the ranker asks about the symbol of a chunk: its visibility, and whether it is a test."""

from __future__ import annotations

import re
from posixpath import basename, splitext

from codeindex.types import ChunkTraits, Symbol, SymbolKind
from codeindex.words import fold

_HIDDEN = re.compile(r"(?:private|protected|fileprivate|internal|defp|local)\b")
_PREFIXES = ("_", "#")
"""How names begin that are private by convention or by syntax."""
_TEST_OWNERS = frozenset({"test", "tests", "testing", "spec", "specs"})


def traits_of(symbol: Symbol, path: str, language: str) -> ChunkTraits:
    """Return the traits of a chunk's own symbol."""
    traits = ChunkTraits(0)
    if is_public(symbol, language):
        traits |= ChunkTraits.PUBLIC
    if symbol.doc:
        traits |= ChunkTraits.DOCUMENTED
    owners = symbol.qualified.lower().split(".")[:-1]
    if symbol.kind == SymbolKind.TEST or not _TEST_OWNERS.isdisjoint(owners):
        traits |= ChunkTraits.TEST
    if fold(symbol.name) == fold(splitext(basename(path))[0]):
        traits |= ChunkTraits.NAMES_FILE
    return traits


def is_public(symbol: Symbol, language: str) -> bool:
    """Tell whether other files may use a symbol, by its name and its signature."""
    match language:
        case "go":
            return symbol.name[:1].isupper()
        case "rust":
            return symbol.signature.startswith("pub")
        case "c":
            return not symbol.signature.startswith("static ")
        case _:
            return not symbol.name.startswith(_PREFIXES) and not _HIDDEN.search(symbol.signature)

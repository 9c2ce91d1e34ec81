"""Search the texts of files for names that are not symbols: aliases, re-exports, external names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeindex.search.names.symbols import NamedSymbol, SymbolLookup
from codeindex.store.catalog.chunks import StoredChunk, code_first_chunks
from codeindex.text.words import fold_name, normal_form

_MAX_CHUNKS = 200
"""Most chunks that are read for a name; chunks of code are read first."""
_MAX_MENTIONS = 10
"""Most lines that are returned for a name that is not an alias."""
_ALIAS = (
    r"(?P<original>[\w$]+(?:(?:::|[./\\])[\w$]+)*)[ \t]*,?[ \t]*(?:\bas\b:?|=>)"
    r"[ \t]*{name}(?![\w$])"
    r"|\balias(?:_method)?[ \t]+:?{name}[ \t,]+:?(?P<ruby>[\w$]+[?!=]?)"
)
"""`X as NAME`, `X => NAME`, `alias X, as: NAME`; Ruby's `alias NAME X`."""


class NameAlias(NamedTuple):
    """A line that gives the symbol `original` another name, such as `import X as Y`."""

    file_id: int
    path: str
    line: int
    original: str


def find_aliases(lookup: SymbolLookup, name: str) -> Iterator[NameAlias]:
    """Yield the lines outside of tests that define `name` as an alias of a symbol."""
    if not re.fullmatch(r"[^\W\d][\w$]*", name) or not lookup.is_word(name):
        return
    pattern = re.compile(_ALIAS.format(name=re.escape(normal_form(name))))
    for chunk in _chunks_with_word(lookup, fold_name(name)):
        if not chunk.is_test and (match := pattern.search(normal_form(chunk.text))):
            line = chunk.start_line + match.string.count("\n", 0, match.end())
            original = re.split(r"::|[./\\]", match["original"] or match["ruby"])[-1]
            yield NameAlias(chunk.file_id, chunk.path, line, original)


def find_name_mentions(lookup: SymbolLookup, folded: str) -> Iterator[NamedSymbol]:
    """Yield, for each chunk that contains a name, its first line with the name.

    It is a `NamedSymbol` without a kind. `folded` is the name as `fold_name` returns it. If some of
    these lines define aliases, only these are yielded; otherwise at most 10 lines.
    """
    pattern = re.compile(rf"(?i)(?<![^\W_]){'_*'.join(map(re.escape, folded))}(?![^\W_])")
    mentions: list[NamedSymbol] = []
    for chunk in _chunks_with_word(lookup, folded):
        if match := pattern.search(normal_form(chunk.text)):
            line = chunk.start_line + match.string.count("\n", 0, match.start())
            name = match[0].strip("_")
            place = (chunk.file_id, name, name, "", line, chunk.path, chunk.is_test)
            mentions.append(NamedSymbol(*place, is_redeclaration=False, is_namesake=False))
    alias_lines = {
        (alias.file_id, alias.line)
        for name in {mention.name for mention in mentions}
        for alias in find_aliases(lookup, name)
    }
    aliases = [it for it in mentions if (it.file_id, it.line) in alias_lines]
    yield from aliases or mentions[:_MAX_MENTIONS]


def _chunks_with_word(lookup: SymbolLookup, folded: str) -> list[StoredChunk]:
    """Return chunks that contain the word `folded`; code outside of tests comes first."""
    return code_first_chunks(
        lookup.connection, lookup.words.chunks_with_all([folded])[:_MAX_CHUNKS]
    )

"""Match a query that consists of a name: a symbol, an operator, a file or a path.

The strategies range from exact to fuzzy, and the first one that finds a match wins. Each match has
a boost (`search/names/boosts.py`), from which the ranker computes the feature `place_named`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import splitext
from typing import TYPE_CHECKING

from codeindex.embed.tokens import replace_surrogates
from codeindex.query.classify import Classification
from codeindex.search.names.aliases import find_aliases, find_name_mentions
from codeindex.search.names.boosts import (
    DISTANT_OWNER_SHARE,
    EXACT_NAME_BOOST,
    FOLDED_NAME_BOOST,
    FULL_SHARE_BOOST,
    KIND_WEIGHT,
    MINOR_KIND_PENALTY,
    PARTIAL_NAME_BOOST,
    PATH_BOOST,
    RESTYLED_NAME_BOOST,
    SPOKEN_NAME_BOOST,
    TEST_SYMBOL_PENALTY,
    WRONG_OWNER_PENALTY,
    NameMatch,
)
from codeindex.search.names.paths import (
    PathMatch,
    match_import_path,
    match_misspelt_path,
    match_path_suffix,
)
from codeindex.search.names.query_name import (
    NAME_SEPARATOR,
    extract_name,
    name_variants,
    strip_call,
)
from codeindex.search.names.symbols import NamedSymbol, SymbolLookup
from codeindex.store.graph.import_targets import external_imports
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.words import STOP_WORDS, fold_name, stemmed_parts
from codeindex.types import FOLDER_INDEX_STEMS, NAMESPACE_KINDS

if TYPE_CHECKING:
    from codeindex.store.segments.word_index import WordIndex
    from codeindex.store.symbols.name_index import SymbolNames

_MIN_PART_LENGTH = 3
"""Least letters of a beginning that matches a name; a part inside a name needs one letter more."""
_MIN_LENGTH_ONE_TYPO, _MIN_LENGTH_TWO_TYPOS = 5, 9
"""Least letters of a name that may have one typo, and of a name that may have two."""
_MAX_SPOKEN_WORDS = 12
"""Most words of a query that may be a name spelt as words."""
_MAX_MISSPELT_WORDS = 5
"""Most words of a query that may be a name spelt as words with a typo."""
_MIN_SPOKEN_SHARE = 0.5
"""Least share of a name that the words must cover: `rate limit` does not mean
`getRateLimitOfUser`."""
_KEBAB_CASE = re.compile(r"[^\W\d]\w*(?:-\w+)+")


def match_names(
    connection: sqlite3.Connection,
    names: SymbolNames,
    files: Mapping[str, int],
    words: WordIndex,
    query: tuple[str, Classification],
) -> tuple[NameMatch, ...]:
    """Return the lines and files that a query names; () for a query that is more than a name.

    `query` is its text and class; `files` maps the path of each file to its id.
    """
    lookup = SymbolLookup(connection, names, files, words)
    text, question = query
    text = replace_surrogates(text)
    query_name = extract_name(text, question)
    if query_name is None:
        spoken = tuple(_match_spoken_name(lookup, text))
        return spoken or tuple(_match_misspelt_words(lookup, text))
    if matches := tuple(_path_boosts(lookup, match_path_suffix(files, query_name))):
        return matches
    name = strip_call(query_name)
    if _KEBAB_CASE.fullmatch(name):
        name = name.replace("-", "_")
    for strategy in _STRATEGIES:
        if matches := tuple(strategy(lookup, name)):
            return matches
    return ()


def _path_boosts(
    lookup: SymbolLookup, paths: Iterable[PathMatch], reason: str = "its path"
) -> Iterator[NameMatch]:
    for match in paths:
        yield NameMatch(lookup.files[match.path], match.line, PATH_BOOST[match.quality], reason)


def _match_misspelt_path(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    yield from _path_boosts(
        lookup, match_misspelt_path(lookup.files, name), "its path, spelt wrongly"
    )


def _match_symbol(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    """Match symbols with this name.

    If the query names owners (`Cart.add`) that a symbol does not have, its boost is lower.
    """
    matches: list[NameMatch] = []
    is_spelt_exactly, has_owners = False, False
    for variant in name_variants(name):
        symbols = lookup.symbols_named([fold_name(variant)])
        is_spelt_exactly = is_spelt_exactly or any(symbol.name == variant for symbol in symbols)
        owners = [part for part in NAME_SEPARATOR.split(name.rpartition(variant)[0]) if part]
        has_owners = has_owners or any(
            not owners or _owner_share(symbol, owners) == 1.0 for symbol in symbols
        )
        matches += _symbol_matches(symbols, variant, owners)
    by_owner = () if has_owners else tuple(_match_by_owner(lookup, name))
    yield from by_owner or matches
    if "/" in name or (NAME_SEPARATOR.search(name) and not has_owners):
        files = {match.file_id for match in matches}
        paths = match_import_path(lookup.files, name)
        yield from _path_boosts(
            lookup, (match for match in paths if lookup.files[match.path] not in files)
        )
    if not is_spelt_exactly:
        yield from _match_reexports(lookup, name)
        if name[:1].isupper():  # a file may be imported by its name
            yield from _path_boosts(lookup, match_import_path(lookup.files, name))


def _match_by_owner(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    """Match a member that the named owner inherits, and paths similar to the name.

    It is used if no symbol with the name has the given owner.
    """
    yield from _match_inherited(lookup, name, member=_split_owners(name)[1])
    yield from _match_misspelt_path(lookup, name)


def _match_reexports(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    """Match lines of index files (`__init__.py`) that re-export a name of another package."""
    for file_id, path, line in external_imports(lookup.connection, name):
        if _is_index_file(path):
            yield NameMatch(
                file_id, line, EXACT_NAME_BOOST, "its name, re-exported from another package"
            )


def _is_index_file(path: str) -> bool:
    return splitext(path.rpartition("/")[2])[0] in FOLDER_INDEX_STEMS


def _symbol_matches(
    symbols: Sequence[NamedSymbol], variant: str, owners: Sequence[str]
) -> Iterator[NameMatch]:
    for symbol in symbols:
        boost, reason = _spelling_boost(symbol.name, variant)
        missing = 1.0 - _owner_share(symbol, owners) if owners else 1.0
        if owners:
            boost -= WRONG_OWNER_PENALTY * missing
            reason = "its name and owners" if not missing else f"{reason}, of another owner"
        # If the owners fit, they already tell the symbol apart from namesakes and tests.
        ambiguity = 0.0 if missing < 2 * DISTANT_OWNER_SHARE else _namesake_penalty(symbol)
        boost = boost - _minor_kind_penalty(symbol) - ambiguity
        yield NameMatch(symbol.file_id, symbol.line, boost, reason)


def _spelling_boost(name: str, variant: str) -> tuple[float, str]:
    if name == variant:
        return EXACT_NAME_BOOST, "its name"
    if name.lower() == variant.lower():
        return FOLDED_NAME_BOOST, "its name in another case"
    return RESTYLED_NAME_BOOST, "its name in another style"


def _minor_kind_penalty(symbol: NamedSymbol) -> float:
    """Return how much to lower the boost of a symbol that a query rarely means.

    Such symbols are of a minor kind, such as a field, or declare again what is defined elsewhere.
    """
    redeclared = MINOR_KIND_PENALTY if symbol.is_redeclaration else 0.0
    return MINOR_KIND_PENALTY * (1.0 - KIND_WEIGHT.get(symbol.kind, 1.0)) + redeclared


def _namesake_penalty(symbol: NamedSymbol) -> float:
    """Return how much to lower the boost of a test symbol or of a namesake of a type.

    A namesake is, for example, a constructor.
    """
    namesake = MINOR_KIND_PENALTY if symbol.is_namesake else 0.0
    return namesake + (TEST_SYMBOL_PENALTY if symbol.is_test else 0.0)


def _owner_share(symbol: NamedSymbol, owners: Sequence[str]) -> float:
    """Return the share of `owners`, 0 to 1, that precede the symbol's name in this order.

    The folders and the file of the symbol count as owners too. The share is lowered if the last
    owner is not directly before the name.
    """
    address = [
        fold_name(part) for part in NAME_SEPARATOR.split(f"{symbol.path}/{symbol.qualified}")
    ]
    del address[-1]
    present, is_nearest = 0, True
    for index, owner in enumerate(reversed([fold_name(part) for part in owners])):
        if owner in address:
            position = len(address) - 1 - address[::-1].index(owner)
            is_nearest = is_nearest and (bool(index) or position == len(address) - 1)
            del address[position:]
            present += 1
    share = present / len(owners)
    return share if is_nearest else share - DISTANT_OWNER_SHARE


def _owner_penalty(symbol: NamedSymbol, owners: Sequence[str]) -> float:
    return WRONG_OWNER_PENALTY * (1.0 - _owner_share(symbol, owners)) if owners else 0.0


def _match_inherited(lookup: SymbolLookup, name: str, *, member: str = "") -> Iterator[NameMatch]:
    """Match `Owner.name` if the owner inherits a member called `name`.

    With `member`, only a member with exactly this spelling matches.
    """
    if not NAME_SEPARATOR.search(name):
        return
    for node in symbols_by_name(lookup.connection, name):
        if member and node.name != member:
            continue
        yield NameMatch(node.file_id, node.line, FOLDED_NAME_BOOST, "a member that it inherits")


def _match_prefix(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    owners, prefix = _split_owners(name)
    if len(fold_name(prefix)) >= _MIN_PART_LENGTH:
        names = lookup.names.names_starting_with(lookup.connection, fold_name(prefix))
        yield from _partial_matches(lookup, names, prefix, owners, "the beginning of its name")


def _match_infix(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    owners, part = _split_owners(name)
    if len(fold_name(part)) > _MIN_PART_LENGTH:
        names = lookup.names.names_containing(lookup.connection, [fold_name(part)])
        yield from _partial_matches(lookup, names, part, owners, "a part of its name")


def _match_alias(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    """Match lines that define `name` as an alias, such as `import X as name`, and the symbol X."""
    for alias in find_aliases(lookup, _split_owners(name)[1]):
        penalty = 0.0 if _is_index_file(alias.path) else WRONG_OWNER_PENALTY
        boost = EXACT_NAME_BOOST - penalty
        yield NameMatch(alias.file_id, alias.line, boost, f"its name, an alias of {alias.original}")
        for symbol in lookup.symbols_named([fold_name(alias.original)]):
            if symbol.name == alias.original:
                boost = SPOKEN_NAME_BOOST - _minor_kind_penalty(symbol) - _namesake_penalty(symbol)
                yield NameMatch(symbol.file_id, symbol.line, boost, "what its name is an alias of")


def _match_misspelt_name(lookup: SymbolLookup, name: str) -> Iterator[NameMatch]:
    """Match symbols whose name differs from `name` by a few typos.

    If there are none, match lines that contain such a name.
    """
    owners, last = _split_owners(name)
    if lookup.is_word(last):  # a name that occurs in a text is no typo
        return
    for symbol, distance in _similar_symbols(lookup, fold_name(last)):
        boost = PARTIAL_NAME_BOOST + FULL_SHARE_BOOST / distance - _minor_kind_penalty(symbol)
        boost -= _owner_penalty(symbol, owners)
        yield NameMatch(symbol.file_id, symbol.line, boost, _typo_reason(symbol.name))


def _typo_reason(name: str) -> str:
    return f"its name, spelt wrongly for {name}"


def _similar_symbols(lookup: SymbolLookup, folded: str) -> Iterator[tuple[NamedSymbol, int]]:
    """Yield (symbol, edit distance) of symbols whose name is similar to `folded`.

    If there are none, yield lines that contain a similar name, in the form of a symbol.
    """
    if len(folded) < _MIN_LENGTH_ONE_TYPO:
        return
    slips = 2 if len(folded) >= _MIN_LENGTH_TWO_TYPOS else 1
    distances = lookup.names.names_near(lookup.connection, folded, slips=slips)
    symbols = lookup.symbols_named(distances)
    yield from ((symbol, distances[fold_name(symbol.name)]) for symbol in symbols)
    if not symbols:
        for word, distance in lookup.words.words_near(folded, slips=slips).items():
            yield from ((mention, distance) for mention in find_name_mentions(lookup, word))


def _match_misspelt_words(lookup: SymbolLookup, text: str) -> Iterator[NameMatch]:
    """Match symbols whose name the query spells as words, with a typo in one of them."""
    words = text.lower().split()
    is_name = 1 < len(words) <= _MAX_MISSPELT_WORDS and all(map(str.isalpha, words))
    if is_name and STOP_WORDS.isdisjoint(words) and not all(map(lookup.is_word, words)):
        for symbol, distance in _similar_symbols(lookup, "".join(words)):
            boost = PARTIAL_NAME_BOOST / distance - _minor_kind_penalty(symbol)
            yield NameMatch(symbol.file_id, symbol.line, boost, _typo_reason(symbol.name))


def _split_owners(name: str) -> tuple[list[str], str]:
    """Split a qualified name into (owners, last part): `a.B.c` gives (["a", "B"], "c")."""
    *owners, last = [part for part in NAME_SEPARATOR.split(name) if part] or [""]
    return owners, last


def _is_plain_word(lookup: SymbolLookup, text: str) -> bool:
    return text.isalpha() and text[1:].islower() and lookup.is_word(fold_name(text))


def _partial_matches(
    lookup: SymbolLookup, names: Sequence[str], part: str, owners: Sequence[str], reason: str
) -> Iterator[NameMatch]:
    """Yield matches for the symbols with these names, each of which contains `part`.

    The boost grows with the share of the name that `part` covers. If `part` is a plain word that
    occurs in the index, it may be a topic, so the boost is small. `owners` are the owners in the
    query.
    """
    base = 0.0 if _is_plain_word(lookup, part) else PARTIAL_NAME_BOOST
    for symbol in lookup.symbols_named(names):
        share = FULL_SHARE_BOOST * len(fold_name(part)) / len(fold_name(symbol.name))
        boost = base + share - _minor_kind_penalty(symbol) - _owner_penalty(symbol, owners)
        yield NameMatch(symbol.file_id, symbol.line, boost, reason)


def _match_spoken_name(lookup: SymbolLookup, text: str) -> Iterator[NameMatch]:
    """Match symbols whose name the query spells as words: "parse config" for `parse_config`.

    The words must be all or most of the name.
    """
    words = [word.lower() for word in re.findall(r"\w+", text)]
    if not 1 < len(words) <= _MAX_SPOKEN_WORDS or re.search(r"[^\w\s'\"`?!-]", text):
        return
    joined = fold_name("".join(words))
    symbols = [
        symbol for symbol in lookup.symbols_named([joined]) if symbol.kind not in NAMESPACE_KINDS
    ]
    for symbol in symbols:
        boost = SPOKEN_NAME_BOOST - _minor_kind_penalty(symbol)
        yield NameMatch(symbol.file_id, symbol.line, boost, "its name, as words")
    if not symbols:
        yield from _match_name_words(lookup, words, len(joined))


def _match_name_words(
    lookup: SymbolLookup, words: Sequence[str], length: int
) -> Iterator[NameMatch]:
    """Yield matches for symbols whose name contains all of `words`.

    `length` is the number of letters of the words; the boost is larger if these are most of the
    name.
    """
    wanted = set(stemmed_parts(" ".join(words)))
    names = lookup.names.names_containing(lookup.connection, [fold_name(word) for word in words])
    for symbol in lookup.symbols_named(names):
        name_words = stemmed_parts(symbol.name)
        if wanted <= set(name_words) and symbol.kind not in NAMESPACE_KINDS:
            is_most = length >= _MIN_SPOKEN_SHARE * len(fold_name(symbol.name))
            is_wanted = is_most and (not symbol.is_test or "test" in wanted)
            base = PARTIAL_NAME_BOOST if is_wanted else 0.0
            share = FULL_SHARE_BOOST * len(wanted) / len(name_words)
            boost = base + share - _minor_kind_penalty(symbol)
            yield NameMatch(symbol.file_id, symbol.line, boost, "words of its name")


_STRATEGIES = (
    _match_symbol,
    _match_inherited,
    _match_alias,
    _match_prefix,
    _match_infix,
    _match_misspelt_name,
    _match_misspelt_path,
)
"""Ways to match a name, in order from exact to fuzzy."""

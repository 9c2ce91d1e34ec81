"""What a query names, when all that it does is to name something: a symbol, an operator, a file.

Ways of naming are tried from the exact to the doubtful; the first that finds anything counts. Each
place found has a `lift`, which the ranker adds to the log-odds of the chunk that it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import splitext
from typing import TYPE_CHECKING, NamedTuple

from codeindex.embed.tokens import well_formed
from codeindex.query.classify import Classification
from codeindex.search.names.paths import Path, files_ending, files_imported, files_near
from codeindex.search.names.spelling import SEPARATOR, called, name_of, spellings
from codeindex.search.names.symbols import Catalog, Symbol
from codeindex.search.retrieve.scores import KIND_STRENGTH
from codeindex.store.symbols.name_index import SymbolNames
from codeindex.store.symbols.nodes import nodes_called
from codeindex.text.words import STOP_WORDS, fold, parts
from codeindex.types import INDEX_FILES, SPACE_KINDS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from codeindex.store.segments.words import Words

EXACT, FOLDED, RESTYLED, SPOKEN, PARTLY = 24.0, 18.0, 17.0, 15.0, 10.0
"""Lifts of a name that is spelt so, but for case, for underscores, as words, in part or wrongly.
All signals together span about 16, so that a better way of naming mostly comes before what the
signals say; they decide among places that are named as well. Set by looking at the misses of
`tests/benchmarks/symbols.py`."""
_FULLER = 4.0
"""Added to PARTLY in proportion to how much of the name was said."""
_STRANGE_OWNER = 5.0
"""Taken off for owners that are named and are not the symbol's."""
_FARTHER = 0.1
"""Of the share of owners, where the innermost that is named is not that of the symbol."""
_MINOR = 8.0
"""Taken off in proportion for kinds that are not what people mean by a name: fields, variables.
Of these, too, one that is spelt so mostly comes before what is spelt otherwise."""
_IN_TESTS = 6.0
"""Taken off for what a test defines: less than what parts a field from a class."""
_SHORTEST_PART = 3
"""Letters from which a name is completed, or looked for inside of others."""
_ONE_SLIP, _TWO_SLIPS = 5, 9
"""Letters of a name in which one slip of the finger is forgiven, and two."""
_MOST_WORDS = 12
"""Words of a query that may be one name, spoken."""
_MOST_PARTS = 5
"""Words of a query that may be one name with a slip in it."""
_MOSTLY = 0.5
"""Share of a name that words must make up to mean it: `rate limit` is no `getRateLimitOfUser`."""
_KEBAB = re.compile(r"[^\W\d]\w*(?:-\w+)+")
"""A name whose words hyphens part, as options, files and tags are written."""
_LIFTS = {
    "whole": EXACT + _FULLER,
    "end": EXACT,
    "imported": EXACT + _FULLER,
    "whole_folded": FOLDED + _FULLER,
    "folded": FOLDED,
    "slipped": PARTLY,
}
"""Lifts of a file, by how much of its path was spelt how."""


class Named(NamedTuple):
    """A place that a query names; `how` says what for, to people. Line 0 is the file itself."""

    file_id: int
    line: int
    lift: float
    how: str


def named(
    connection: sqlite3.Connection,
    names: SymbolNames,
    files: Mapping[str, int],
    words: Words,
    asked: tuple[str, Classification],
) -> tuple[Named, ...]:
    """Return the places that a query names; nothing for one that says more than a name."""
    catalog = Catalog(connection, names, files, words)
    text, question = asked
    text = well_formed(text)
    said = name_of(text, question)
    if said is None:
        return tuple(_spoken(catalog, text)) or tuple(_spoken_wrongly(catalog, text))
    if found := tuple(_files(catalog, files_ending(files, said))):
        return found
    name = called(said)
    if _KEBAB.fullmatch(name):
        name = name.replace("-", "_")
    for way in (_symbol, _inherited, _aliased, _completed, _inside, _slipped, _path_slipped):
        if found := tuple(way(catalog, name)):
            return found
    return ()


def _files(catalog: Catalog, found: Iterable[Path], how: str = "its path") -> Iterator[Named]:
    for one in found:
        yield Named(catalog.files[one.path], one.line, _LIFTS[one.spelt], how)


def _path_slipped(catalog: Catalog, name: str) -> Iterator[Named]:
    yield from _files(catalog, files_near(catalog.files, name), "its path, spelt wrongly")


def _symbol(catalog: Catalog, name: str) -> Iterator[Named]:
    """Find symbols that are called so; owners, modules and paths before the name must fit."""
    called_so: list[Named] = []
    spelt, fits = False, False
    for spelling in spellings(name):
        found = catalog.spelt([fold(spelling)])
        spelt = spelt or any(one.name == spelling for one in found)
        said = [one for one in SEPARATOR.split(name.rpartition(spelling)[0]) if one]
        fits = fits or any(not said or _share_of_owners(one, said) == 1.0 for one in found)
        called_so += _fitting(found, spelling, said)
    meant = () if fits else tuple(_meant_by_owner(catalog, name))
    yield from meant or called_so
    if "/" in name or (SEPARATOR.search(name) and not fits):
        own = {one.file_id for one in called_so}
        paths = files_imported(catalog.files, name)
        yield from _files(catalog, (one for one in paths if catalog.files[one.path] not in own))
    if not spelt:
        yield from _passed_on(catalog, name)
        if name[:1].isupper():  # a file may be what others import by its name
            yield from _files(catalog, files_imported(catalog.files, name))


def _meant_by_owner(catalog: Catalog, name: str) -> Iterator[Named]:
    """Find what is meant where no symbol has both names: a member from above, a path nearby."""
    yield from _inherited(catalog, name, spelt=_last(name)[1])
    yield from _path_slipped(catalog, name)


def _passed_on(catalog: Catalog, name: str) -> Iterator[Named]:
    """Find where files that stand for their folder take a name from outside, for others to use."""
    from codeindex.store.graph.import_targets import imports_from_outside

    for file_id, path, line in imports_from_outside(catalog.connection, name):
        if splitext(path.rpartition("/")[2])[0] in INDEX_FILES:
            yield Named(file_id, line, EXACT, "its name, passed on from outside")


def _fitting(found: Sequence[Symbol], spelling: str, owners: Sequence[str]) -> Iterator[Named]:
    for one in found:
        lift, how = _likeness(one.name, spelling)
        missing = 1.0 - _share_of_owners(one, owners) if owners else 1.0
        if owners:
            lift -= _STRANGE_OWNER * missing
            how = "its name and owners" if not missing else f"{how}, of another owner"
        off = 0.0 if missing < 2 * _FARTHER else _rarer(one)
        yield Named(one.file_id, one.line, lift - _minor(one) - off, how)


def _likeness(name: str, spelling: str) -> tuple[float, str]:
    if name == spelling:
        return EXACT, "its name"
    if name.lower() == spelling.lower():
        return FOLDED, "its name in another case"
    return RESTYLED, "its name in another style"


def _minor(one: Symbol) -> float:
    """Return what is taken off for what is rarely meant by a name."""
    return _MINOR * (1.0 - KIND_STRENGTH.get(one.kind, 1.0)) + (_MINOR if one.is_again else 0.0)


def _rarer(one: Symbol) -> float:
    """Return what is taken off besides, for a name that others have too."""
    return (_MINOR if one.is_namesake else 0.0) + (_IN_TESTS if one.is_test else 0.0)


def _share_of_owners(one: Symbol, owners: Sequence[str]) -> float:
    """Return how many of the owners stand before a symbol's name, in order, folders among them."""
    address = [fold(part) for part in SEPARATOR.split(f"{one.path}/{one.qualified}")][:-1]
    fitting, nearest = 0, True
    for at, owner in enumerate(reversed([fold(part) for part in owners])):
        if owner in address:
            place = len(address) - 1 - address[::-1].index(owner)
            nearest = nearest and (bool(at) or place == len(address) - 1)
            del address[place:]
            fitting += 1
    share = fitting / len(owners)
    return share if nearest else share - _FARTHER


def _inherited(catalog: Catalog, name: str, *, spelt: str = "") -> Iterator[Named]:
    """Find a member that its owner has from a type above."""
    if not SEPARATOR.search(name):
        return
    for node in nodes_called(catalog.connection, name):
        if spelt and node.name != spelt:
            continue
        yield Named(node.file_id, node.line, FOLDED, "a member that it inherits")


def _completed(catalog: Catalog, name: str) -> Iterator[Named]:
    owners, start = _last(name)
    if len(fold(start)) >= _SHORTEST_PART:
        found = catalog.names.starting(catalog.connection, fold(start))
        yield from _in_part(catalog, found, start, owners, "the beginning of its name")


def _inside(catalog: Catalog, name: str) -> Iterator[Named]:
    owners, part = _last(name)
    if len(fold(part)) > _SHORTEST_PART:
        found = catalog.names.holding(catalog.connection, [fold(part)])
        yield from _in_part(catalog, found, part, owners, "a part of its name")


def _aliased(catalog: Catalog, name: str) -> Iterator[Named]:
    """Find where a name is given to what has another one, and what that is."""
    from codeindex.search.names.aliases import aliases

    for one in aliases(catalog, _last(name)[1]):
        off = 0.0 if splitext(one.path.rpartition("/")[2])[0] in INDEX_FILES else _STRANGE_OWNER
        yield Named(one.file_id, one.line, EXACT - off, f"its name, given to {one.original}")
        for symbol in catalog.spelt([fold(one.original)]):
            if symbol.name == one.original:
                lift = SPOKEN - _minor(symbol) - _rarer(symbol)
                yield Named(symbol.file_id, symbol.line, lift, "what the name is given to")


def _slipped(catalog: Catalog, name: str) -> Iterator[Named]:
    """Find symbols, aliases and other names of the text that a slip of the finger away are this."""
    owners, spelt = _last(name)
    if catalog.is_word(spelt):  # what some text says is no slip
        return
    for one, far in _near(catalog, fold(spelt)):
        lift = PARTLY + _FULLER / far - _minor(one)
        off = _STRANGE_OWNER * (1.0 - _share_of_owners(one, owners)) if owners else 0.0
        yield Named(one.file_id, one.line, lift - off, _corrected(one.name))


def _corrected(name: str) -> str:
    return f"its name, spelt wrongly for {name}"


def _near(catalog: Catalog, said: str) -> Iterator[tuple[Symbol, int]]:
    """Yield the symbols whose folded names are near, else what stands in the text, with slips."""
    if len(said) < _ONE_SLIP:
        return
    slips = 2 if len(said) >= _TWO_SLIPS else 1
    found = catalog.names.near(catalog.connection, said, slips=slips)
    symbols = [(one, found[fold(one.name)]) for one in catalog.spelt(found)]
    yield from symbols
    if not symbols:
        from codeindex.search.names.aliases import names_said

        for word, far in catalog.words.near(said, slips=slips).items():
            yield from ((one, far) for one in names_said(catalog, word))


def _spoken_wrongly(catalog: Catalog, text: str) -> Iterator[Named]:
    """Find symbols whose name is said as words, one of them misspelt."""
    said = text.lower().split()
    is_name = 1 < len(said) <= _MOST_PARTS and all(map(str.isalpha, said))
    if is_name and STOP_WORDS.isdisjoint(said) and not all(map(catalog.is_word, said)):
        for one, far in _near(catalog, "".join(said)):
            yield Named(one.file_id, one.line, PARTLY / far - _minor(one), _corrected(one.name))


def _last(name: str) -> tuple[list[str], str]:
    """Return the owners that are named, and the name after them."""
    *owners, last = [one for one in SEPARATOR.split(name) if one] or [""]
    return owners, last


def _may_be_a_word(catalog: Catalog, said: str) -> bool:
    """Tell whether a text reads as a word, and one that the index has."""
    return said.isalpha() and said[1:].islower() and catalog.is_word(fold(said))


def _in_part(
    catalog: Catalog, found: Sequence[str], said: str, owners: Sequence[str], how: str
) -> Iterator[Named]:
    """Give symbols that are named in part, the more of the name is said the better.

    A part that is a word of its own may be meant as that: it lifts little.
    """
    usual = 0.0 if _may_be_a_word(catalog, said) else PARTLY
    for one in catalog.spelt(found):
        lift = usual + _FULLER * len(fold(said)) / len(fold(one.name)) - _minor(one)
        off = _STRANGE_OWNER * (1.0 - _share_of_owners(one, owners)) if owners else 0.0
        yield Named(one.file_id, one.line, lift - off, how)


def _spoken(catalog: Catalog, text: str) -> Iterator[Named]:
    """Find symbols whose name is said as words, all of it or most."""
    said = [one.lower() for one in re.findall(r"\w+", text)]
    if not 1 < len(said) <= _MOST_WORDS or re.search(r"[^\w\s'\"`?!-]", text):
        return
    whole = fold("".join(said))
    if found := [one for one in catalog.spelt([whole]) if one.kind not in SPACE_KINDS]:
        for one in found:
            yield Named(one.file_id, one.line, SPOKEN - _minor(one), "its name, as words")
        return
    wanted = set(parts(" ".join(said)))
    for one in catalog.spelt(catalog.names.holding(catalog.connection, [fold(w) for w in said])):
        own = parts(one.name)
        if wanted <= set(own) and one.kind not in SPACE_KINDS:
            mostly = len(whole) >= _MOSTLY * len(fold(one.name))
            usual = PARTLY if mostly and (not one.is_test or "test" in wanted) else 0.0
            lift = usual + _FULLER * len(wanted) / len(own) - _minor(one)
            yield Named(one.file_id, one.line, lift, "words of its name")

"""Types of Go that implement an interface: nothing says so but the methods that they have.

A type has the methods that are declared for it, in any file of its folder, and those of what it
embeds. It implements an interface if it has all of its methods with the same types; where a few of
many are written otherwise, as with aliases and type parameters, it may.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from codeindex.languages.go_shapes import shape_of
from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.text.words import fold_name
from codeindex.types import Certainty, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

GO = "go"
_OTHERWISE = 1 / 3
"""Share of an interface's methods that may be written with other types."""
_MOST = 40
"""Interfaces that are looked at for having a method of one name: of `Close` there are hundreds."""


class GoType(NamedTuple):
    """What tells types apart: the folder, which is a package, and the name."""

    folder: str
    name: str


class GoMethod(NamedTuple):
    """A method; its types are read out of its signature only where names alone do not decide."""

    id: int
    name: str
    signature: str

    @property
    def shape(self) -> tuple[str, ...] | None:
        """Return the types that it takes and gives; none where its signature was cut."""
        return shape_of(self.signature, self.name)


MethodSet = Mapping[str, GoMethod]


def implementing_types(
    connection: sqlite3.Connection, interfaces: Iterable[int]
) -> dict[int, Certainty]:
    """Return the types whose methods are those of one of some interfaces, by their ids."""
    known, certainties = _Known(connection), dict[int, Certainty]()
    for interface in interfaces:
        fitting = _implementing(known, interface)
        certainties |= {
            type_id: sure
            for type_id, sure in fitting.items()
            if certainties.get(type_id) != "resolved"
        }
    return certainties


def implementing_methods(
    connection: sqlite3.Connection, methods: Iterable[Node]
) -> dict[int, Certainty]:
    """Return the methods that calls of these methods of interfaces may run."""
    methods = [method for method in methods if method.language == GO]
    if not methods:
        return {}
    known = _Known(connection)
    return dict(
        pair
        for key, own in _owned(known, methods)
        if known.is_interface(own)
        for pair in _methods_of(known, _implementing(known, own), key.name)
    )


def interface_methods(
    connection: sqlite3.Connection, methods: Iterable[Node]
) -> dict[int, Certainty]:
    """Return the methods of interfaces by which these methods may be called."""
    methods = [method for method in methods if method.language == GO]
    if not methods:  # nothing is read for it
        return {}
    known = _Known(connection)
    return dict(
        pair
        for key, own in _owned(known, methods)
        if not known.is_interface(own)
        for pair in _interfaces_of(known, own, key.name)
    )


def _owned(known: _Known, methods: Iterable[Node]) -> Iterator[tuple[Node, int]]:
    """Yield methods with their types."""
    for method in methods:
        if method.language == GO and method.kind == SymbolKind.METHOD:
            owner = GoType(_folder(method.path), method.qualified.rpartition(".")[0])
            yield from ((method, own) for own in known.types_at([owner]))


def _implementing(known: _Known, interface: int) -> dict[int, Certainty]:
    if not known.has(interface):
        return {}
    wanted, is_whole = known.required(interface)
    if not wanted:
        return {}
    known.look_for(wanted)
    rarest = min(wanted, key=lambda name: len(known.owners(name)))
    certainties: dict[int, Certainty] = {}
    for embedder in known.with_embedders(known.types_at(known.owners(rarest))) - {interface}:
        if sure := _fits(wanted, known.methods(embedder)):
            certainties[embedder] = sure if is_whole else "ambiguous"
    return certainties


def _methods_of(
    known: _Known, types: Mapping[int, Certainty], name: str
) -> Iterator[tuple[int, Certainty]]:
    """Yield the methods of a name that types declare themselves."""
    for symbol_id, sure in types.items():
        if not known.is_interface(symbol_id) and name in known.declared(symbol_id):
            yield known.declared(symbol_id)[name].id, sure


def _interfaces_of(known: _Known, own: int, name: str) -> Iterator[tuple[int, Certainty]]:
    """Yield the methods of a name of the interfaces that a type implements."""
    for interface in known.interfaces_with(name):
        wanted, is_whole = known.required(interface)
        known.look_for(wanted)
        sure = _fits(wanted, known.methods(own))
        if sure:
            yield wanted[name].id, sure if is_whole else "ambiguous"


def _fits(wanted: MethodSet, methods: MethodSet) -> Certainty | None:
    """Tell how surely a type that has `methods` is one of those that are wanted; None for not."""
    if not wanted.keys() <= methods.keys():
        return None
    pairs = [(item.shape, methods[name].shape) for name, item in wanted.items()]
    if any(key and other and len(key) != len(other) for key, other in pairs):
        return None
    otherwise = sum(key != other for key, other in pairs)
    if otherwise > len(pairs) * _OTHERWISE:
        return None
    return "ambiguous" if otherwise else "resolved"


class _Known:
    """What is known of the types of a repository, read by and by."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._methods: dict[GoType, dict[str, GoMethod]] = defaultdict(dict)
        self._looked: set[str] = set()
        self._types: dict[int, tuple[GoType, str]] = {}
        self._embedded: dict[int, list[int]] = defaultdict(list)
        self._embedding: dict[int, list[int]] = defaultdict(list)
        self._read_types()

    def _read_types(self) -> None:
        """Read all types, a tenth of the symbols, and what embeds what."""
        rows = self._connection.execute(
            "SELECT s.id, s.qualified, s.kind, f.path"
            " FROM main.symbols s INDEXED BY symbols_of_types JOIN files f ON f.id = s.file_id"
            " WHERE s.kind IN ('struct', 'type', 'interface') AND f.language = ?",
            (GO,),
        )
        for symbol_id, name, kind, path in rows:
            self._types[symbol_id] = GoType(_folder(path), name), kind
        self._at = {place: key for key, (place, _) in self._types.items()}
        inner = self._connection.execute(  # of hidden files too: it is asked of others alone
            "SELECT source_symbol, target_symbol FROM main.edges INDEXED BY edges_to_base"
            " WHERE kind = 'extends' AND target_symbol IS NOT NULL"
        )
        for source, target in inner:
            if source in self._types and target in self._types:
                self._embedded[source].append(target)
                self._embedding[target].append(source)
        outer = self._connection.execute(
            "SELECT source_symbol FROM main.edges INDEXED BY edges_to_outer_base"
            " WHERE target_file IS NULL AND kind = 'extends'"
        )
        self._outer = {value for (value,) in outer}

    def has(self, number: int) -> bool:
        return number in self._types

    def is_interface(self, number: int) -> bool:
        return self._types[number][1] == SymbolKind.INTERFACE

    def types_at(self, places: Iterable[GoType]) -> list[int]:
        return [self._at[place] for place in places if place in self._at]

    def look_for(self, names: Collection[str]) -> None:
        """Read the methods that are called so."""
        wanted = [name for name in names if name not in self._looked]
        self._looked.update(wanted)
        for part in value_batches(wanted):
            rows = self._connection.execute(
                "SELECT s.id, s.name, s.qualified, s.signature, f.path FROM symbols s JOIN files f"  # noqa: S608 (marks)
                f" ON f.id = s.file_id WHERE s.folded IN ({placeholders(part)})"
                " AND s.kind = 'method'"
                f" AND s.name IN ({placeholders(part)}) AND f.language = ?",
                (*map(fold_name, part), *part, GO),
            )
            for symbol_id, name, qualified, signature, path in rows:
                owner = GoType(_folder(path), qualified.rpartition(".")[0])
                self._methods[owner][name] = GoMethod(symbol_id, name, signature)

    def owners(self, name: str) -> list[GoType]:
        return [place for place, methods in self._methods.items() if name in methods]

    def interfaces_with(self, name: str) -> list[int]:
        """Return the interfaces that have a method of this name, theirs or one they embed."""
        self.look_for([name])
        every = self.with_embedders(self.types_at(self.owners(name)))
        return [item for item in sorted(every) if self.is_interface(item)][:_MOST]

    def required(self, interface: int) -> tuple[MethodSet, bool]:
        """Return the methods of an interface, and whether these are all of them."""
        layers = self._below(interface)
        methods: dict[str, GoMethod] = {}
        for layer in layers:
            place, _ = self._types[layer]
            rows = self._connection.execute(
                "SELECT m.id, m.name, m.signature FROM symbols m JOIN symbols t"
                " ON t.file_id = m.file_id WHERE t.id = ? AND m.kind = 'method'"
                " AND m.qualified = ? || '.' || m.name",
                (layer, place.name),
            )
            for method, name, signature in rows:
                methods.setdefault(name, GoMethod(method, name, signature))
        return methods, not self._outer.intersection(layers)

    def declared(self, number: int) -> MethodSet:
        """Return the methods of a type itself, of those that were looked for."""
        return self._methods.get(self._types[number][0], {})

    def methods(self, number: int) -> MethodSet:
        """Return the methods of a type and of what it embeds, of those that were looked for."""
        methods: dict[str, GoMethod] = {}
        for layer in self._below(number):
            methods = {**self.declared(layer), **methods}
        return methods

    def _below(self, number: int) -> list[int]:
        """Return a type and what it embeds, over any number of others, the nearest first."""
        return _reached([number], self._embedded)

    def with_embedders(self, types: Iterable[int]) -> set[int]:
        return set(_reached(types, self._embedding))


def _reached(starts: Iterable[int], ways: Mapping[int, list[int]]) -> list[int]:
    reached = dict.fromkeys(starts)
    waiting = list(reached)
    for item in waiting:
        more = [other for other in ways.get(item, ()) if other not in reached]
        reached.update(dict.fromkeys(more))
        waiting += more
    return list(reached)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]

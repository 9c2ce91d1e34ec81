"""Find types that implement an interface by having its methods, without declaring it (Go).

A type has the methods declared for it in any file of its folder, and the methods of the types that
it embeds. It implements an interface if it has all methods of the interface with the same types. If
at most a third of the methods differ in their types, as with aliases and type parameters, the type
may implement the interface.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codeindex.graph.structural_types import structural_implementers
from codeindex.languages import LANGUAGES
from codeindex.store.symbols.types_and_methods import (
    methods_named,
    methods_of_type,
    read_embedded_types,
    read_types,
    types_with_external_base,
)
from codeindex.types import Certainty, Node, SymbolKind

_MAX_DIFFERENT = 1 / 3
"""Maximum share of an interface's methods whose types may differ."""
_MAX_INTERFACES = 40
"""Maximum number of interfaces that are checked for a method name: hundreds have a `Close`."""


class TypeKey(NamedTuple):
    """Identifies a type by its folder, which is its package, and its name."""

    folder: str
    name: str


class MethodDeclaration(NamedTuple):
    """A method of a type or interface: its symbol id, name and signature text."""

    id: int
    name: str
    signature: str


MethodSet = Mapping[str, MethodDeclaration]


def implementing_types(
    connection: sqlite3.Connection, nodes: Iterable[Node]
) -> dict[int, Certainty]:
    """Return {type id: certainty} of the types that implement an interface in `nodes`."""
    nodes = tuple(nodes)
    interfaces = [node for node in nodes if node.kind == SymbolKind.INTERFACE]
    certainties: dict[int, Certainty] = {
        type_id: "ambiguous"
        for node in nodes
        for type_id in structural_implementers(connection, node)
    }
    for types, group in _by_language(connection, interfaces):
        for interface in group:
            for type_id, sure in _implementing(types, interface.id).items():
                if certainties.get(type_id) != "resolved":
                    certainties[type_id] = sure
    return certainties


def implementing_methods(
    connection: sqlite3.Connection, methods: Iterable[Node]
) -> dict[int, Certainty]:
    """Return {method id: certainty} of the methods that implement one of some interface methods."""
    return dict(
        pair
        for types, group in _by_language(connection, methods)
        for method, owner in _with_owners(types, group)
        if types.is_interface(owner)
        for pair in _methods_of(types, _implementing(types, owner), method.name)
    )


def interface_methods(
    connection: sqlite3.Connection, methods: Iterable[Node]
) -> dict[int, Certainty]:
    """Return {method id: certainty} of the interface methods that `methods` implement."""
    return dict(
        pair
        for types, group in _by_language(connection, methods)
        for method, owner in _with_owners(types, group)
        if not types.is_interface(owner)
        for pair in _interfaces_of(types, owner, method.name)
    )


def _by_language(
    connection: sqlite3.Connection, nodes: Iterable[Node]
) -> Iterator[tuple[_TypeTable, Sequence[Node]]]:
    """Yield (table of a language's types, nodes of this language) for each language like Go.

    In such a language, a type implements an interface without naming it.
    """
    groups: dict[str, list[Node]] = {}
    for node in nodes:
        groups.setdefault(node.language, []).append(node)
    for language, group in groups.items():
        if LANGUAGES[language].method_shape:
            yield _TypeTable(connection, language), group


def _with_owners(types: _TypeTable, methods: Iterable[Node]) -> Iterator[tuple[Node, int]]:
    """Yield (method, id of the type that declares it) for each method."""
    for method in methods:
        if method.kind == SymbolKind.METHOD:
            owner = TypeKey(_folder(method.path), method.qualified.rpartition(".")[0])
            yield from ((method, type_id) for type_id in types.types_at([owner]))


def _implementing(types: _TypeTable, interface: int) -> dict[int, Certainty]:
    if not types.has(interface):
        return {}
    required, is_complete = types.required(interface)
    if not required:
        return {}
    types.read_methods(required)
    rarest = min(required, key=lambda name: len(types.owners(name)))
    certainties: dict[int, Certainty] = {}
    for type_id in types.with_embedders(types.types_at(types.owners(rarest))) - {interface}:
        if sure := types.compare(required, types.methods(type_id)):
            certainties[type_id] = sure if is_complete else "ambiguous"
    return certainties


def _methods_of(
    types: _TypeTable, implementing: Mapping[int, Certainty], name: str
) -> Iterator[tuple[int, Certainty]]:
    """Yield (id, certainty) of the methods of this name that implementing types declare."""
    for type_id, sure in implementing.items():
        if not types.is_interface(type_id) and name in types.declared(type_id):
            yield types.declared(type_id)[name].id, sure


def _interfaces_of(types: _TypeTable, owner: int, name: str) -> Iterator[tuple[int, Certainty]]:
    """Yield (id, certainty) of the interface methods that a type's method `name` implements.

    `owner` is the id of the type.
    """
    for interface in types.interfaces_with(name):
        required, is_complete = types.required(interface)
        types.read_methods(required)
        sure = types.compare(required, types.methods(owner))
        if sure:
            yield required[name].id, sure if is_complete else "ambiguous"


class _TypeTable:
    """The types of one language in a repository.

    All types are read at the start; methods are read by name when needed.
    """

    def __init__(self, connection: sqlite3.Connection, language: str) -> None:
        self._connection = connection
        self._language = language
        self._methods: dict[TypeKey, dict[str, MethodDeclaration]] = defaultdict(dict)
        self._names_read: set[str] = set()
        self._types: dict[int, tuple[TypeKey, str]] = {}
        self._embedded: dict[int, list[int]] = defaultdict(list)
        self._embedding: dict[int, list[int]] = defaultdict(list)
        self._read_types()

    def _read_types(self) -> None:
        """Read all types (about a tenth of all symbols), and which types each of them embeds."""
        for symbol_id, name, kind, path in read_types(self._connection, self._language):
            self._types[symbol_id] = TypeKey(_folder(path), name), kind
        self._at = {place: key for key, (place, _) in self._types.items()}
        for source, target in read_embedded_types(self._connection):
            if source in self._types and target in self._types:
                self._embedded[source].append(target)
                self._embedding[target].append(source)
        self._outer = types_with_external_base(self._connection)

    def has(self, number: int) -> bool:
        return number in self._types

    def is_interface(self, number: int) -> bool:
        return self._types[number][1] == SymbolKind.INTERFACE

    def types_at(self, places: Iterable[TypeKey]) -> list[int]:
        return [self._at[place] for place in places if place in self._at]

    def read_methods(self, names: Collection[str]) -> None:
        """Read the methods with these names, unless they were read before."""
        wanted = [name for name in names if name not in self._names_read]
        self._names_read.update(wanted)
        for method in methods_named(self._connection, self._language, wanted):
            owner = TypeKey(_folder(method.path), method.qualified.rpartition(".")[0])
            declaration = MethodDeclaration(method.id, method.name, method.signature)
            self._methods[owner][method.name] = declaration

    def owners(self, name: str) -> list[TypeKey]:
        return [place for place, methods in self._methods.items() if name in methods]

    def interfaces_with(self, name: str) -> list[int]:
        """Return the ids of the interfaces that have a method of this name.

        An interface that embeds such an interface has it too.
        """
        self.read_methods([name])
        every = self.with_embedders(self.types_at(self.owners(name)))
        return [item for item in sorted(every) if self.is_interface(item)][:_MAX_INTERFACES]

    def required(self, interface: int) -> tuple[MethodSet, bool]:
        """Return (methods of an interface by name, whether all of its methods are known)."""
        layers = self._below(interface)
        methods: dict[str, MethodDeclaration] = {}
        for layer in layers:
            place, _ = self._types[layer]
            for method, name, signature in methods_of_type(self._connection, layer, place.name):
                methods.setdefault(name, MethodDeclaration(method, name, signature))
        return methods, not self._outer.intersection(layers)

    def declared(self, number: int) -> MethodSet:
        """Return {name: method} of the methods that a type itself declares.

        Methods that `read_methods` has not read yet are missing.
        """
        return self._methods.get(self._types[number][0], {})

    def methods(self, number: int) -> MethodSet:
        """Return {name: method} of the methods of a type, including those of embedded types.

        Methods that `read_methods` has not read yet are missing.
        """
        methods: dict[str, MethodDeclaration] = {}
        for layer in self._below(number):
            methods = {**self.declared(layer), **methods}
        return methods

    def _below(self, number: int) -> list[int]:
        """Return the id of a type, then those of the types that it embeds, the nearest first.

        Types that are embedded indirectly are included.
        """
        return _reached([number], self._embedded)

    def with_embedders(self, types: Iterable[int]) -> set[int]:
        return set(_reached(types, self._embedding))

    def compare(self, required: MethodSet, methods: MethodSet) -> Certainty | None:
        """Tell how surely a type with these `methods` implements the `required` ones.

        None if a method is missing, if one has another number of parameters, or if most differ in
        types. `ambiguous` if a few differ in types, else `resolved`.
        """
        if not required.keys() <= methods.keys():
            return None
        pairs = [
            (self._shape(method), self._shape(methods[name])) for name, method in required.items()
        ]
        if any(key and other and len(key) != len(other) for key, other in pairs):
            return None
        different = sum(key != other for key, other in pairs)
        if different > len(pairs) * _MAX_DIFFERENT:
            return None
        return "ambiguous" if different else "resolved"

    def _shape(self, method: MethodDeclaration) -> tuple[str, ...] | None:
        """Return the types in a method's signature, by which methods are compared.

        They are those of the parameters and results; None if the signature was cut.
        """
        shape = LANGUAGES[self._language].method_shape
        return shape(method.signature, method.name) if shape else None


def _reached(starts: Iterable[int], edges: Mapping[int, list[int]]) -> list[int]:
    reached = dict.fromkeys(starts)
    waiting = list(reached)
    for item in waiting:
        more = [other for other in edges.get(item, ()) if other not in reached]
        reached.update(dict.fromkeys(more))
        waiting += more
    return list(reached)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]

"""What a relationship question asks for: which relation, of what in this repository."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from codeindex.store.declarations import like_literal
from codeindex.store.edges import edges_to_module, edges_to_outer_base, edges_to_outside
from codeindex.store.nodes import nodes_called
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


class Relation(StrEnum):
    """Who is asked for, as seen from the object of the question."""

    CALLERS = "callers"
    USERS = "users"
    IMPORTERS = "importers"
    SUBTYPES = "subtypes"
    CALLEES = "callees"
    USED = "used"
    IMPORTED = "imported"
    TESTS = "tests"


@dataclass(frozen=True, slots=True)
class Asked:
    """A relation and its object; `sources` are the kinds of symbols that may answer, if any."""

    relation: Relation
    object: str
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Object:
    """All that a name may mean here: symbols, files as modules, packages of others."""

    symbols: tuple[Node, ...]
    files: tuple[int, ...]
    package: str


_THING = r"(?P<object>.+?)"
_BREAKS = "(?:breaks|fails|changes|is affected|would break)"
_ACTIVE = {
    Relation.CALLERS: r"(?:call(?:s|ing)?|invok(?:e|es|ing)|instantiat(?:e|es|ing))",
    Relation.IMPORTERS: r"import(?:s|ing)?",
    Relation.SUBTYPES: (
        r"(?:extend(?:s|ing)?|implement(?:s|ing)?|inherit(?:s|ing)?(?: from)?|overrid(?:e|es|ing)"
        r"|subclass(?:es|ing)?)"
    ),
    Relation.USERS: r"(?:us(?:e|es|ing)|referenc(?:e|es|ing)|depend(?:s|ing)? on)",
}
_PASSIVE = {
    Relation.CALLERS: r"(?:called|invoked|instantiated)",
    Relation.IMPORTERS: "imported",
    Relation.SUBTYPES: "(?:extended|implemented|overridden)",
    Relation.USERS: "(?:used|referenced)",
}
_NOUNS = {
    Relation.CALLERS: "(?:callers|call sites)",
    Relation.IMPORTERS: "importers",
    Relation.SUBTYPES: (
        "(?:subclasses|subtypes|implementations|implementers|implementors|descendants)"
    ),
    Relation.CALLEES: "callees",
    Relation.USED: "dependencies",
    Relation.USERS: "(?:usages|uses|users|references|dependents)",
}
_OUTGOING = {
    Relation.CALLEES: "(?:call|invoke|instantiate)",
    Relation.IMPORTED: "import",
    Relation.USED: "(?:use|reference|depend on)",
}


_TESTS = (
    rf".*\btests? (?:of|for|covering) {_THING}",
    rf"(?:what|which) tests? (?:cover|test|exercise|check|run)s? {_THING}",
    rf"(?:how|where) (?:is|are) {_THING} tested",
    rf"{_THING} tests?",
)


def _table() -> list[tuple[str, Relation]]:
    rows: list[tuple[str, Relation]] = [
        (rf"what do(?:es)? {_THING} {verb}", relation) for relation, verb in _OUTGOING.items()
    ]
    rows += [(rf".*\bwhere (?:is|are) {_THING} {verb}", one) for one, verb in _PASSIVE.items()]
    rows += [(rf".*\b{noun} (?:of|to) {_THING}", one) for one, noun in _NOUNS.items()]
    rows += [(rf"{_THING} {noun}", one) for one, noun in _NOUNS.items()]
    rows += [
        (rf"(?P<who>.*?)\b(?:else )?(?:is |are )?{verb} {_THING}", one)
        for one, verb in _ACTIVE.items()
    ]
    rows += [
        (
            rf"what {_BREAKS} (?:if|when) (?:I|we|you|one) \w+ {_THING}",
            Relation.USERS,
        ),
        (
            rf"what {_BREAKS} (?:if|when) {_THING} .*",
            Relation.USERS,
        ),
    ]
    rows += [(row, Relation.TESTS) for row in _TESTS]
    return rows


_TABLE = _table()
_AROUND = re.compile(
    r"^(?:(?:find|list|show|me|all|every|the|a|an|any|our|class|function|method|module|package"
    r"|library|interface|type|struct|trait) )+|(?: (?:class|function|method|module|package|library"
    r"|interface|type|struct|trait|directly|anywhere))+$",
    re.IGNORECASE,
)
_WHO = {
    "functions": CALLABLE_KINDS,
    "methods": {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR},
    "classes": OWNER_KINDS,
    "types": OWNER_KINDS,
    "structs": {SymbolKind.STRUCT},
    "tests": {SymbolKind.TEST},
}
_WEAK = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.MODULE,
    }
)
"""Kinds of symbols that are often called like the package that they hold or add to."""
_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)
_FLAT = ".go"
"""Files of the language whose packages are single folders: those below are others."""
_STOPS = "?!.,;: "
_QUOTES = "\"'`"


def asked_of(text: str) -> Asked | None:
    """Read the relation and its object out of a question that `classify` calls a relationship."""
    bare = " ".join(text.split()).rstrip(_STOPS)
    for row, relation in _TABLE:
        found = re.fullmatch(row, bare, re.IGNORECASE)  # which compiles what is tried, once
        if found:
            who = (found.groupdict().get("who") or "").lower().split()
            kinds = {kind for word in who for kind in _WHO.get(word, ())}
            return Asked(relation, bared(found["object"], _AROUND), frozenset(kinds))
    return None


def bared(text: str, around: re.Pattern[str]) -> str:
    """Return a name without the words that stand around it, its quotes and stops."""
    previous = None
    while previous != text:
        previous, text = text, around.sub("", text).strip(_QUOTES + _STOPS)
    return text


def meaning(
    connection: sqlite3.Connection, text: str, relation: Relation | None = None
) -> Object | None:
    """Return what a name may mean, or None if nothing here is called so.

    Of what is imported, the members of types called like a module or folder are not meant.
    """
    if not text or " " in text:
        return None
    symbols = _spelt(text, nodes_called(connection, text))
    own = [one for one in symbols if "." in text or _stands_alone(one)]
    files = () if own and "/" not in text else _files_called(connection, text)
    package = "" if own or not _is_taken_from_elsewhere(connection, text) else text
    imported = relation is Relation.IMPORTERS
    if "/" in text or (not own and (imported or not (package or files))):
        files = tuple(dict.fromkeys((*files, *_files_in(connection, text))))
    if package or (imported and files):
        symbols = [] if package else own
    found = Object(tuple(symbols), files, package)
    return found if found.symbols or found.files or found.package else None


def _spelt(text: str, nodes: list[Node]) -> list[Node]:
    """Leave out what is written in another case, if the question says a case at all."""
    if text == text.lower():
        return nodes
    name = re.split(r"::|->|[.#]", text.removesuffix("()"))[-1]
    return [one for one in nodes if one.name == name]


def _stands_alone(one: Node) -> bool:
    """Tell whether a bare name says a symbol better than a package of that name."""
    return "." not in one.qualified and one.kind not in _WEAK and not one.is_test


def _is_taken_from_elsewhere(connection: sqlite3.Connection, text: str) -> bool:
    looks = (edges_to_module, edges_to_outside, edges_to_outer_base)
    return any(look(connection, text) for look in looks)


def _files_called(connection: sqlite3.Connection, text: str) -> tuple[int, ...]:
    """Return files by path, by its end, or by the end of their module's name."""
    path = text.strip("/")
    rows = connection.execute(
        "SELECT path, id FROM files WHERE path = ? OR path LIKE '%/' || ? ESCAPE '\\'"
        " OR module = ? OR module LIKE '%.' || ? ESCAPE '\\'",
        (path, like_literal(path), path, like_literal(path.replace("/", "."))),
    )
    return tuple(one for _, one in sorted(rows))


def _files_in(connection: sqlite3.Connection, text: str) -> tuple[int, ...]:
    """Return the code in a folder, by its path, the end of it, or as a module's name says it."""
    path = text.strip("/")
    folders = {path, path.replace(".", "/")}
    rows = connection.execute(
        f"SELECT id, path FROM files WHERE module != '' AND ({_WITHIN})",  # noqa: S608 (constant)
        [like_literal(max(folders)), like_literal(min(folders))],
    )
    return tuple(
        one for one, path in rows if not path.endswith(_FLAT) or _is_right_in(path, folders)
    )


def _is_right_in(path: str, folders: Iterable[str]) -> bool:
    parent = "/" + path.rpartition("/")[0]
    return any(parent.endswith(f"/{one}") for one in folders)

"""What a relationship question asks for: which relation, of what in this repository."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, SymbolKind


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

"""What a relationship question asks for: which relation, of what, and where to look.

A phrase is a row of a table. How much like a name its object has to look depends on the words
round it: who asks "what calls push" asks for code, "what returns an error" is any question.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from codeindex.search.wording import QUOTES, STOPS, Scope, scoped, unwrapped
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, SymbolKind


class Relation(StrEnum):
    """Who is asked for, as seen from the object of the question."""

    CALLERS = "callers"
    MAKERS = "makers"
    USERS = "users"
    READERS = "readers"
    WRITERS = "writers"
    RAISERS = "raisers"
    CATCHERS = "catchers"
    RETURNERS = "returners"
    DECORATED = "decorated"
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
    scope: Scope = field(default_factory=Scope)


class _Look(IntEnum):
    """What an object must look like: any word, one with a capital or a path, an identifier."""

    WORD = 0
    NAMED = 1
    NAME = 2


_VERBS: tuple[tuple[Relation, _Look, str], ...] = (
    (Relation.CALLERS, _Look.WORD, "call/calls/calling/called, invoke/invokes/invoking/invoked"),
    (Relation.MAKERS, _Look.WORD, "instantiate/instantiates/instantiating/instantiated"),
    (
        Relation.MAKERS,
        _Look.NAMED,
        "construct/constructs/constructing/constructed, create/creates/creating/created",
    ),
    (Relation.IMPORTERS, _Look.WORD, "import/imports/importing/imported"),
    (
        Relation.IMPORTERS,
        _Look.NAMED,
        "require/requires/requiring/required, pull in/pulls in/pulling in/pulled in",
    ),
    (
        Relation.SUBTYPES,
        _Look.WORD,
        "extend/extends/extending/extended, implement/implements/implementing"
        ", inherit/inherits/inheriting, inherit from/inherits from/inheriting from/inherited from"
        ", override/overrides/overriding/overridden"
        ", subclass/subclasses/subclassing/subclassed",
    ),
    (
        Relation.SUBTYPES,
        _Look.NAMED,
        "derive from/derives from/deriving from/derived from, include/includes/including/included"
        ", mix in/mixes in/mixing in/mixed in",
    ),
    (
        Relation.USERS,
        _Look.WORD,
        "use/uses/using/used, reference/references/referencing/referenced"
        ", depend on/depends on/depending on/depended on",
    ),
    (
        Relation.USERS,
        _Look.NAMED,
        "rely on/relies on/relying on/relied on, refer to/refers to/referring to/referred to"
        ", mention/mentions/mentioning/mentioned",
    ),
    (
        Relation.READERS,
        _Look.NAMED,
        "read/reads/reading/read, access/accesses/accessing/accessed",
    ),
    (
        Relation.WRITERS,
        _Look.NAMED,
        "write/writes/writing/written, write to/writes to/writing to/written to"
        ", set/sets/setting/set, assign/assigns/assigning/assigned"
        ", assign to/assigns to/assigning to/assigned to, modify/modifies/modifying/modified"
        ", mutate/mutates/mutating/mutated, update/updates/updating/updated"
        ", change/changes/changing/changed",
    ),
    (Relation.RAISERS, _Look.NAMED, "raise/raises/raising/raised, throw/throws/throwing/thrown"),
    (
        Relation.CATCHERS,
        _Look.NAMED,
        "catch/catches/catching/caught, rescue/rescues/rescuing/rescued"
        ", handle/handles/handling/handled",
    ),
    (Relation.RETURNERS, _Look.NAMED, "return/returns/returning/returned"),
)
"""Base, third person, gerund and participle of what somebody does to the object."""
_NOUNS: tuple[tuple[Relation, _Look, str], ...] = (
    (Relation.CALLERS, _Look.WORD, "callers, call sites, invocations"),
    (Relation.CALLERS, _Look.NAMED, "calls, callsites"),
    (Relation.MAKERS, _Look.NAMED, "instances, instantiations"),
    (Relation.IMPORTERS, _Look.WORD, "importers"),
    (Relation.IMPORTERS, _Look.NAMED, "imports, import"),
    (
        Relation.SUBTYPES,
        _Look.WORD,
        "subclasses, subtypes, implementations, implementers, implementors, descendants, overrides",
    ),
    (Relation.SUBTYPES, _Look.NAMED, "children, child classes, derived classes, inheritors"),
    (Relation.CALLEES, _Look.WORD, "callees"),
    (Relation.USED, _Look.WORD, "dependencies"),
    (Relation.USERS, _Look.WORD, "usages, uses, users, references, dependents"),
    (Relation.USERS, _Look.NAMED, "usage, mentions"),
)
_SAID_AFTER = frozenset(
    {
        *("callers", "call sites", "callsites", "callees", "importers", "usages"),
        *("subclasses", "subtypes", "implementers", "implementors"),
    }
)
"""Nouns that are said of nothing but code, so that a capital before them is enough."""
_OUTGOING = {
    Relation.CALLERS: Relation.CALLEES,
    Relation.MAKERS: Relation.CALLEES,
    Relation.IMPORTERS: Relation.IMPORTED,
    Relation.USERS: Relation.USED,
}
"""The relation as seen from the one that does it."""
_Forms = dict[str, tuple[Relation, _Look]]
_VERB_FORMS: _Forms = {
    form: (relation, look)
    for relation, look, verbs in _VERBS
    for verb in verbs.split(", ")
    for form in verb.split("/")
}
_NOUN_FORMS: _Forms = {
    noun: (relation, look) for relation, look, nouns in _NOUNS for noun in nouns.split(", ")
}
_BASE, _FINITE, _DOING, _DONE = (
    "|".join(
        form
        for _, _, verbs in _VERBS
        for verb in verbs.split(", ")
        for form in verb.split("/")[at : at + 1]
    )
    for at in range(4)
)
_NOUN = "|".join(_NOUN_FORMS)

_SORT = (
    "(?:class|function|method|module|package|library|interface|type|struct|trait|constant|gem"
    "|crate|folder|directory|field|property|attribute|variable|decorator|annotation|macro|enum"
    "|mixin|symbol|config(?:uration)? (?:option|setting|key|value)|base class|abstract class)"
)
_SORT_AFTER = rf"(?:{_SORT}|file|option|setting|exception|error|component)"
_SORT_BEFORE = (
    rf"(?:{_SORT}|(?:file|option|setting|exception|error|component)(?= (?-i:\S*[A-Z_./])))"
)
_THING = (
    rf"(?:the |a |an |any |our |new |instances? of )*(?:{_SORT_BEFORE} )?(?P<object>\S+)"
    rf"(?: {_SORT_AFTER})?"
    rf"(?: (?:of|on|in) (?:the )?(?:{_SORT} )?(?P<owner>(?-i:\S*[A-Z_.:]\S*))(?: {_SORT})?)?"
)
_PIECES = (
    "(?:functions|methods|classes|modules|files|packages|tests|types|structs|interfaces|traits"
    "|components|places|code|everything|scripts|services)"
)
_WHO = (
    rf"(?P<who>(?:what|who|which \w+|what (?:other )?(?:{_PIECES}|code)|anything that|anyone who)"
    r"(?: (?:in|of|inside) \S+)?)(?: else| all)?"
)
_ANY = r"(?:any(?:thing|one|body)|some(?:thing|one|body)|any \w+)"
_BREAKS = "(?:breaks?|fails?|changes|is affected|(?:would|will|could|might) (?:break|be affected))"
_ARE = "(?:is|are)"

_ROWS: tuple[tuple[str, _Look, Relation | None], ...] = (
    (rf"tests? (?:of|for|covering) {_THING}", _Look.WORD, Relation.TESTS),
    (
        rf"(?:what|which) tests? (?:cover|test|exercise|check|run)s? {_THING}",
        _Look.WORD,
        Relation.TESTS,
    ),
    (rf"(?:how|where) {_ARE} {_THING} tested", _Look.WORD, Relation.TESTS),
    (rf"{_ARE} {_THING} tested", _Look.NAMED, Relation.TESTS),
    (rf"(?:what|who) (?:tests|covers) {_THING}", _Look.NAMED, Relation.TESTS),
    (r"(?:unit |integration )?(?P<object>\S+) tests?", _Look.NAME, Relation.TESTS),
    (
        rf"(?P<who>what|which \w+|\w+)(?: that| which)?(?: {_ARE})? (?:decorated|annotated)"
        rf" (?:with|by) {_THING}",
        _Look.WORD,
        Relation.DECORATED,
    ),
    (
        rf"(?P<who>\w+) (?:with|that have) (?:the )?(?:decorator|annotation) {_THING}",
        _Look.WORD,
        Relation.DECORATED,
    ),
    (
        rf"(?P<who>what|who|which \w+) (?:has|have) {_THING}"
        r" as (?:a |its |their )?(?:base|parent|super) ?class(?:es)?",
        _Look.NAMED,
        Relation.SUBTYPES,
    ),
    (rf"(?P<who>{_PIECES}) derived (?:from|of) {_THING}", _Look.NAMED, Relation.SUBTYPES),
    (rf"{_WHO} (?:{_ARE} )?(?P<verb>{_FINITE}|{_BASE}|{_DOING}) {_THING}", _Look.WORD, None),
    (rf"(?P<who>\w+) (?:that|which|who) (?P<verb>{_FINITE}|{_BASE}) {_THING}", _Look.WORD, None),
    (rf"(?P<who>{_PIECES}) (?P<verb>{_DOING}) {_THING}", _Look.WORD, None),
    (
        rf"(?:(?:what|who) {_ARE} (?:all )?(?:the )?)?(?P<noun>{_NOUN}) (?:of|to) {_THING}",
        _Look.WORD,
        None,
    ),
    (rf"(?P<noun>{_NOUN}) for {_THING}", _Look.NAMED, None),
    (rf"(?P<object>\S+) (?P<noun>{_NOUN})", _Look.NAME, None),
    (rf"where {_ARE} {_THING} (?P<verb>{_DONE})(?: from)?", _Look.WORD, None),
    (
        rf"(?:how {_ARE}|where) {_THING} (?:{_ARE} )?(?P<verb>{_DONE})(?: from)?",
        _Look.NAMED,
        None,
    ),
    (
        rf"where (?:(?:do|does) (?:the )?\w+|we|I|you|they|it) (?P<verb>{_FINITE}|{_BASE}) {_THING}",
        _Look.WORD,
        None,
    ),
    (rf"where {_ARE} (?:the )?\w+ (?P<verb>{_DOING}) {_THING}", _Look.WORD, None),
    (rf"(?:what|who) {_ARE} {_THING} (?P<verb>{_DONE}) (?:by|in)", _Look.NAMED, None),
    (rf"{_ARE} {_THING} (?:\w+ )?(?P<verb>{_DONE})", _Look.NAMED, None),
    (rf"{_ARE} {_THING} (?:\w+ )?(?P<verb>{_DONE}) (?:anywhere|at all)", _Look.WORD, None),
    (rf"(?:do|does) {_ANY} (?:ever |still )?(?P<verb>{_BASE}) {_THING}", _Look.NAMED, None),
    (rf"(?:do|does) {_ANY} (?P<verb>import|extend|instantiate) {_THING}", _Look.WORD, None),
    (rf"(?:what|which)(?: \w+)? (?:do|does) {_THING} (?P<outgoing>{_BASE})", _Look.WORD, None),
    (rf"what {_ARE} (?P<outgoing>{_DONE}) by {_THING}", _Look.NAMED, None),
    (
        rf"what {_BREAKS} (?:if|when) (?:I|we|you|one|someone) \w+ {_THING}",
        _Look.NAMED,
        Relation.USERS,
    ),
    (
        rf"what {_BREAKS} (?:if|when) {_THING}"
        rf" (?:changes|{_ARE} (?:changed|removed|deleted|renamed|moved))",
        _Look.NAMED,
        Relation.USERS,
    ),
    (
        r"(?:what is affected by|impact of) (?:(?:a )?chang(?:e|es|ing) (?:in |to )?"
        rf"|removing |renaming |deleting )?{_THING}",
        _Look.NAMED,
        Relation.USERS,
    ),
)
_STEMS = re.compile(
    r"call|invo|instan|construct|creat|import|requir|pull|exten|implement|inherit|overrid|sub|deriv"
    r"|child|includ|mix|us(?:e|ing|age)|refer|depend|rel(?:y|ies)|descend|mention|read|access|writ"
    r"|set|assign|modif|mutat|updat|chang|rais|throw|catch|caught|rescu|handl|return|test|cover"
    r"|decorat|annotat|break|fail|affect|impact",
    re.IGNORECASE,
)
"""Some word of every row: without one, none is tried, nor compiled, which takes a millisecond."""
_AROUND = re.compile(
    rf"^(?:(?:the|a|an|any|our|all|every|{_SORT}) )+|(?: {_SORT})+$",
    re.IGNORECASE,
)
_WHO_MAY = {
    "functions": CALLABLE_KINDS,
    "methods": {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR},
    "classes": OWNER_KINDS,
    "types": OWNER_KINDS,
    "structs": {SymbolKind.STRUCT},
    "tests": {SymbolKind.TEST},
}
_RECEIVER = re.compile(r"^\(\*?(\w+)\)\.")
_IDENTIFIER = re.compile(
    r"[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|^[_$]\w|[\w$](?:::|->|[.#])[A-Za-z_$]|\(\)$"
)
"""What no word of a sentence has: a hump, an underscore, a scope, a call."""
_NAMED = re.compile(r"[A-Z_./:#@]|->|\(\)$|^[\"'`].+[\"'`]$")


@functools.lru_cache(maxsize=64)
def asked_of(text: str) -> Asked | None:
    """Read the relation and its object out of a question; None if it asks for no such thing."""
    if not _STEMS.search(text):
        return None
    bare, scope = scoped(unwrapped(text.lower() if text.isupper() else text))
    for row, look, relation in _ROWS:
        found = re.fullmatch(row, bare, re.IGNORECASE)  # which compiles what is tried, once
        asked = _asked(found, look, relation, scope) if found else None
        if asked:
            return asked
    return None


def _asked(
    found: re.Match[str], look: _Look, relation: Relation | None, scope: Scope
) -> Asked | None:
    said = found.groupdict()
    verb, noun = ((said.get(one) or "").lower() for one in ("verb", "noun"))
    outgoing = (said.get("outgoing") or "").lower()
    known, needed = _VERB_FORMS.get(verb or outgoing) or _NOUN_FORMS.get(noun) or (None, look)
    relation = relation or (_OUTGOING.get(known) if known and outgoing else known)
    if noun in _SAID_AFTER:
        look = min(look, _Look.NAMED)
    if relation is None or not _looks(said["object"], max(look, needed)):
        return None
    name = _RECEIVER.sub(r"\1.", bared(said["object"], _AROUND))
    if owner := bared(said.get("owner") or "", _AROUND):
        name = f"{owner}.{name.removesuffix('()')}"
    who, place = scoped(said.get("who") or "")
    if relation is Relation.DECORATED:  # whose line is of what it stands in
        who, name = "", name.lstrip("@")
    kinds = {kind for word in who.lower().split() for kind in _WHO_MAY.get(word, ())}
    return Asked(relation, name, frozenset(kinds), place if place.place else scope)


def _looks(text: str, look: _Look) -> bool:
    if look is _Look.WORD:
        return True
    return bool((_NAMED if look is _Look.NAMED else _IDENTIFIER).search(text)) or (
        len(text) > len(QUOTES) and text[0] in QUOTES and text[-1] == text[0]
    )


def is_identifier(text: str) -> bool:
    """Tell whether a name is spelt as no word of a sentence is."""
    return bool(_IDENTIFIER.search(text))


def bared(text: str, around: re.Pattern[str]) -> str:
    """Return a name without the words that stand around it, its quotes and stops."""
    previous = None
    while previous != text:
        previous, text = text, around.sub("", text).strip(QUOTES + STOPS)
    return text

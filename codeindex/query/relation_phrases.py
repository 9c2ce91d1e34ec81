"""Define the grammar of relationship questions: tables of verbs, nouns and phrases.

The verb or noun decides how much the object must look like a name of code: "what calls push" can
only be about code, but "what returns an error" need not be.
"""

from __future__ import annotations

import re
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Relation(StrEnum):
    """The relation that a question asks about: what code does with the object, such as call it."""

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


class NameShape(IntEnum):
    """How much the object of a question must look like a name of code.

    WORD: any word. NAMED: a word with a capital, a dot or the like. NAME: an identifier.
    """

    WORD = 0
    NAMED = 1
    NAME = 2


_WORD, _NAMED, _NAME = NameShape

VERBS: tuple[tuple[Relation, NameShape, str], ...] = (
    (Relation.CALLERS, _WORD, "call/calls/calling/called, invoke/invokes/invoking/invoked"),
    (Relation.MAKERS, _WORD, "instantiate/instantiates/instantiating/instantiated"),
    (Relation.MAKERS, _NAMED, "construct/constructs/constructing/constructed"),
    (Relation.MAKERS, _NAMED, "create/creates/creating/created"),
    (Relation.IMPORTERS, _WORD, "import/imports/importing/imported"),
    (Relation.IMPORTERS, _NAMED, "require/requires/requiring/required"),
    (Relation.IMPORTERS, _NAMED, "pull in/pulls in/pulling in/pulled in"),
    (
        Relation.SUBTYPES,
        _WORD,
        "extend/extends/extending/extended, implement/implements/implementing",
    ),
    (Relation.SUBTYPES, _WORD, "inherit/inherits/inheriting"),
    (Relation.SUBTYPES, _WORD, "inherit from/inherits from/inheriting from/inherited from"),
    (Relation.SUBTYPES, _WORD, "override/overrides/overriding/overridden"),
    (Relation.SUBTYPES, _WORD, "subclass/subclasses/subclassing/subclassed"),
    (Relation.SUBTYPES, _NAMED, "derive from/derives from/deriving from/derived from"),
    (Relation.SUBTYPES, _NAMED, "include/includes/including/included"),
    (Relation.SUBTYPES, _NAMED, "mix in/mixes in/mixing in/mixed in"),
    (Relation.USERS, _WORD, "use/uses/using/used, reference/references/referencing/referenced"),
    (Relation.USERS, _WORD, "depend on/depends on/depending on/depended on"),
    (Relation.USERS, _NAMED, "rely on/relies on/relying on/relied on"),
    (Relation.USERS, _NAMED, "refer to/refers to/referring to/referred to"),
    (Relation.USERS, _NAMED, "mention/mentions/mentioning/mentioned"),
    (Relation.READERS, _NAMED, "read/reads/reading/read, access/accesses/accessing/accessed"),
    (
        Relation.WRITERS,
        _NAMED,
        "write/writes/writing/written, write to/writes to/writing to/written to",
    ),
    (Relation.WRITERS, _NAMED, "set/sets/setting/set, assign/assigns/assigning/assigned"),
    (Relation.WRITERS, _NAMED, "assign to/assigns to/assigning to/assigned to"),
    (
        Relation.WRITERS,
        _NAMED,
        "modify/modifies/modifying/modified, mutate/mutates/mutating/mutated",
    ),
    (Relation.WRITERS, _NAMED, "update/updates/updating/updated, change/changes/changing/changed"),
    (Relation.RAISERS, _NAMED, "raise/raises/raising/raised, throw/throws/throwing/thrown"),
    (Relation.CATCHERS, _NAMED, "catch/catches/catching/caught, rescue/rescues/rescuing/rescued"),
    (Relation.CATCHERS, _NAMED, "handle/handles/handling/handled"),
    (Relation.RETURNERS, _NAMED, "return/returns/returning/returned"),
)
"""Rows of relation, required shape of the object, and verbs. Each verb has four forms: base form,
third person, gerund, participle."""
NOUNS: tuple[tuple[Relation, NameShape, str], ...] = (
    (Relation.CALLERS, _WORD, "callers, call sites, invocations"),
    (Relation.CALLERS, _NAMED, "calls, callsites"),
    (Relation.MAKERS, _NAMED, "instances, instantiations"),
    (Relation.IMPORTERS, _WORD, "importers"),
    (Relation.IMPORTERS, _NAMED, "imports, import"),
    (Relation.SUBTYPES, _WORD, "subclasses, subtypes, implementations, implementers, implementors"),
    (Relation.SUBTYPES, _WORD, "descendants, overrides"),
    (Relation.SUBTYPES, _NAMED, "children, child classes, derived classes, inheritors"),
    (Relation.CALLEES, _WORD, "callees"),
    (Relation.USED, _WORD, "dependencies"),
    (Relation.USERS, _WORD, "usages, uses, users, references, dependents"),
    (Relation.USERS, _NAMED, "usage, mentions"),
)
CODE_NOUNS = frozenset(
    {
        *("callers", "call sites", "callsites", "callees", "importers", "usages"),
        *("subclasses", "subtypes", "implementers", "implementors"),
    }
)
"""Nouns that refer only to code. After one of them, an object with a capital or a dot is
accepted."""
INVERSE = {
    Relation.CALLERS: Relation.CALLEES,
    Relation.MAKERS: Relation.CALLEES,
    Relation.IMPORTERS: Relation.IMPORTED,
    Relation.USERS: Relation.USED,
}
"""Maps a relation to its inverse: the one of `what calls X` to the one of `what does X call`."""


class VerbForm(IntEnum):
    """Positions of the forms of a verb in an entry of `VERBS`."""

    BASE = 0
    FINITE = 1
    DOING = 2
    DONE = 3


_FormEntry = tuple[Relation, NameShape]
VERB_FORMS: dict[tuple[VerbForm, str], _FormEntry] = {
    (VerbForm(at), form): (relation, shape)
    for relation, shape, verbs in VERBS
    for verb in verbs.split(", ")
    for at, form in enumerate(verb.split("/"))
}
NOUN_FORMS: dict[str, _FormEntry] = {
    noun: (relation, shape) for relation, shape, nouns in NOUNS for noun in nouns.split(", ")
}
SYMBOL_KIND = (
    "(?:class|function|method|module|package|library|interface|type|struct|trait|constant|gem"
    "|crate|folder|directory|field|property|attribute|variable|decorator|annotation|macro|enum"
    "|mixin|symbol|config(?:uration)? (?:option|setting|key|value)|base class|abstract class)"
)
_PLAIN_KIND = "(?:file|option|setting|exception|error|component)"
OBJECT = (
    rf"(?:the |a |an |any |our |new |instances? of )*"
    rf"(?:(?:{SYMBOL_KIND}|{_PLAIN_KIND}(?= (?-i:\S*[A-Z_./]))) )?"
    rf"(?P<object>\S+)(?: {SYMBOL_KIND}| {_PLAIN_KIND})?"
    rf"(?: (?:of|on|in) (?:the )?(?:{SYMBOL_KIND} )?"
    rf"(?P<owner>(?-i:\S*[A-Z_.:]\S*))(?: {SYMBOL_KIND})?)?"
)
"""Pattern of a question's object, with an optional kind before or after it and an optional
owner."""
_PIECES = (
    "(?:functions|methods|classes|modules|files|packages|tests|types|structs|interfaces|traits"
    "|components|places|code|everything|scripts|services)"
)
_WHO = (
    rf"(?P<who>(?:which \w+|what (?:other )?{_PIECES}|what|who|anything that|anyone who)"
    r"(?: (?:in|inside) \S+)?)"
)
_VERB = "(?P<verb>[a-z]+(?: (?:on|to|from|in))?)"
_NOUN = "(?P<noun>[a-z]+(?: (?:sites|classes))?)"
_ANY = r"(?:any(?:thing|one|body)|some(?:thing|one|body)|any (?P<who>\w+))"
_ARE = "(?:is|are)"
_DECORATED = r"(?:that |which )?(?:(?:is|are) )?(?:decorated|annotated) (?:with|by)"
_BASED = "as (?:a |its |their )?(?:base|parent|super) ?class(?:es)?"
_BREAKS = "(?:breaks?|fails?|changes|is affected|(?:would|will|could|might) (?:break|be affected))"
_GONE = rf"(?:changes|{_ARE} (?:changed|removed|deleted|renamed|moved))"
_CHANGING = "(?:(?:a )?chang(?:e|es|ing) (?:in |to )?|removing |renaming |deleting )?"


class PhraseRow(NamedTuple):
    """A pattern of relationship questions.

    The group `thing` is the object, which must have `shape`. `relation` is the relation that the
    phrase asks for. If `relation` is None, a noun in the phrase decides it, or a verb in one of
    `forms`. `outgoing` is true if the thing is the subject of the verb, as in "what does X call".
    """

    phrase: str
    shape: NameShape
    relation: Relation | None = None
    forms: tuple[VerbForm, ...] = ()
    outgoing: bool = False


_ACTING = (VerbForm.FINITE, VerbForm.BASE)
_ALL = (*_ACTING, VerbForm.DOING)
_BASE, _DOING, _DONE = (VerbForm.BASE,), (VerbForm.DOING,), (VerbForm.DONE,)
_END = "(?P<thing>.+)"
_OBJECT = "(?P<thing>.+?)"
ROWS = (
    PhraseRow(rf"tests? (?:of|for|covering) {_END}", _WORD, Relation.TESTS),
    PhraseRow(
        rf"(?:what|which) tests? (?:cover|test|exercise|check|run)s? {_END}", _WORD, Relation.TESTS
    ),
    PhraseRow(rf"(?:how|where) {_ARE} {_OBJECT} tested", _WORD, Relation.TESTS),
    PhraseRow(rf"{_ARE} {_OBJECT} tested", _NAMED, Relation.TESTS),
    PhraseRow(rf"(?:what|who) (?:tests|covers) {_END}", _NAMED, Relation.TESTS),
    PhraseRow(r"(?:unit |integration )?(?P<thing>\S+) tests?", _NAME, Relation.TESTS),
    PhraseRow(rf"(?:which \w+|\w+) {_DECORATED} {_END}", _WORD, Relation.DECORATED),
    PhraseRow(
        rf"\w+ (?:with|that have) (?:the )?(?:decorator|annotation) {_END}",
        _WORD,
        Relation.DECORATED,
    ),
    PhraseRow(
        rf"(?P<who>what|who|which \w+) (?:has|have) {_OBJECT} {_BASED}", _NAMED, Relation.SUBTYPES
    ),
    PhraseRow(rf"(?P<who>{_PIECES}) derived (?:from|of) {_END}", _NAMED, Relation.SUBTYPES),
    PhraseRow(rf"{_WHO}(?: else| all)? (?:{_ARE} )?{_VERB} {_END}", _WORD, forms=_ALL),
    PhraseRow(rf"(?P<who>\w+) (?:that|which|who) {_VERB} {_END}", _WORD, forms=_ACTING),
    PhraseRow(rf"(?P<who>{_PIECES}) {_VERB} {_END}", _WORD, forms=_DOING),
    PhraseRow(rf"(?:(?:what|who) {_ARE} (?:all )?(?:the )?)?{_NOUN} (?:of|to) {_END}", _WORD),
    PhraseRow(rf"{_NOUN} for {_END}", _NAMED),
    PhraseRow(rf"(?P<thing>\S+) {_NOUN}", _NAME),
    PhraseRow(rf"where {_ARE} {_OBJECT} {_VERB}", _WORD, forms=_DONE),
    PhraseRow(rf"(?:how {_ARE}|where) {_OBJECT} (?:{_ARE} )?{_VERB}", _NAMED, forms=_DONE),
    PhraseRow(
        rf"where (?:(?:do|does) (?:the )?\w+|we|I|you|they) {_VERB} {_END}", _WORD, forms=_BASE
    ),
    PhraseRow(rf"where {_ARE} (?:the )?\w+ {_VERB} {_END}", _WORD, forms=_DOING),
    PhraseRow(rf"(?:what|who) {_ARE} {_OBJECT} {_VERB} (?:by|in)", _NAMED, forms=_DONE),
    PhraseRow(
        rf"{_ARE} {_OBJECT} (?:(?:ever|still|even|actually|being) )?{_VERB}", _NAMED, forms=_DONE
    ),
    PhraseRow(
        rf"{_ARE} {_OBJECT} (?:(?:ever|still|even|actually|being) )?{_VERB} (?:anywhere|at all)",
        _WORD,
        forms=_DONE,
    ),
    PhraseRow(rf"(?:do|does) {_ANY} (?:ever |still )?{_VERB} {_END}", _NAMED, forms=_BASE),
    PhraseRow(
        rf"(?:do|does) {_ANY} (?P<verb>import|extend|instantiate) {_END}", _WORD, forms=_BASE
    ),
    PhraseRow(
        rf"(?:what|which)(?: \w+)? (?:do|does) {_OBJECT} {_VERB}", _WORD, forms=_BASE, outgoing=True
    ),
    PhraseRow(rf"what {_ARE} {_VERB} by {_END}", _NAMED, forms=_DONE, outgoing=True),
    PhraseRow(
        rf"what {_BREAKS} (?:if|when) (?:I|we|you|one|someone) \w+ {_END}", _NAMED, Relation.USERS
    ),
    PhraseRow(rf"what {_BREAKS} (?:if|when) {_OBJECT} {_GONE}", _NAMED, Relation.USERS),
    PhraseRow(rf"(?:what is affected by|impact of) {_CHANGING}{_END}", _NAMED, Relation.USERS),
)
"""Question patterns in order of precedence; the first that matches decides. Verbs and nouns are
looked up in the tables above, because patterns that list them would compile slowly."""
RELATION_STEMS = re.compile(
    r"call|invo|instan|construct|creat|import|requir|pull|exten|implement|inherit|overrid|sub|deriv"
    r"|child|includ|mix|us(?:e|ing|age)|refer|depend|rel(?:y|ies)|descend|mention|read|access|writ"
    r"|set|assign|modif|mutat|updat|chang|rais|throw|catch|caught|rescu|handl|return|test|cover"
    r"|decorat|annotat|base|parent|break|fail|affect|impact",
    re.IGNORECASE,
)
"""A quick test: a query that contains none of these stems matches no row of `ROWS`. It saves
compiling the rows, 1 ms each."""

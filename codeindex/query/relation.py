"""Parse a relationship question into its relation, its object and its scope filter."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from codeindex.query.identifiers import QUOTES, STOPS, has_identifier
from codeindex.query.relation_phrases import (
    CODE_NOUNS,
    INVERSE,
    NOUN_FORMS,
    OBJECT,
    RELATION_STEMS,
    ROWS,
    SYMBOL_KIND,
    VERB_FORMS,
    NameShape,
    PhraseRow,
    Relation,
)
from codeindex.query.scope_filter import ScopeFilter, split_scope, strip_opening
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, SymbolKind


@dataclass(frozen=True, slots=True)
class RelationQuery:
    """A parsed relationship question: "which classes use Cart in src/" asks for users of `Cart`.

    `sources` are the kinds of symbols that may be answers (classes here); empty means any kind.
    """

    relation: Relation
    object: str
    sources: frozenset[str] = frozenset()
    scope: ScopeFilter = field(default_factory=ScopeFilter)


_KIND_WORDS = re.compile(
    rf"^(?:(?:the|a|an|any|our|all|every|{SYMBOL_KIND}) )+|(?: {SYMBOL_KIND})+$", re.IGNORECASE
)
_SOURCE_KINDS = {
    "functions": CALLABLE_KINDS,
    "methods": {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR},
    "classes": OWNER_KINDS,
    "types": OWNER_KINDS,
    "structs": {SymbolKind.STRUCT},
}
_GO_RECEIVER = re.compile(r"^\(\*?(\w+)\)\.")
_NAMED = re.compile(r"[A-Z][a-z]|[a-z][A-Z]|[_./:#@]|->|\(\)$|^[\"'`].+[\"'`]$")


@functools.lru_cache(maxsize=64)
def parse_relation(text: str) -> RelationQuery | None:
    """Parse a relationship question, such as "who calls Cart.add in src/".

    The result has its relation, object and scope; None for other questions.
    """
    if not RELATION_STEMS.search(text):
        return None
    bare, scope = split_scope(strip_opening(text.lower() if text.isupper() else text))
    for row in ROWS:
        phrase = re.fullmatch(row.phrase, bare, re.IGNORECASE)  # `re` compiles it at first use
        target = re.fullmatch(OBJECT, phrase["thing"], re.IGNORECASE) if phrase else None
        query = (
            _relation_query(row, phrase.groupdict(), target, scope) if phrase and target else None
        )
        if query:
            return query
    return None


def _relation_query(
    row: PhraseRow, phrase: Mapping[str, str | None], target: re.Match[str], scope: ScopeFilter
) -> RelationQuery | None:
    relation, shape = _relation_and_shape(row, phrase)
    if relation is None or not _has_shape(target["object"], shape):
        return None
    name = _GO_RECEIVER.sub(r"\1.", strip_around(target["object"], _KIND_WORDS))
    if owner := strip_around(target["owner"] or "", _KIND_WORDS):
        name = f"{owner}.{name.removesuffix('()')}"
    if relation is Relation.DECORATED:
        name = name.lstrip("@")
    who, _, within = re.split(r"( in(?:side)? |$)", phrase.get("who") or "", maxsplit=1)
    words = who.lower().split()
    kinds = {kind for word in words for kind in _SOURCE_KINDS.get(word, ())}
    scope = ScopeFilter(scope.tests, within) if within else scope
    if "tests" in words:  # "which tests": also their helpers and types
        scope = replace(scope, tests="only")
    return RelationQuery(relation, name, frozenset(kinds), scope)


def _relation_and_shape(
    row: PhraseRow, phrase: Mapping[str, str | None]
) -> tuple[Relation | None, NameShape]:
    """Return (relation that a phrase expresses, how much its object must look like a name).

    The relation is None if the phrase expresses none. `phrase` has the groups that the pattern of
    `row` matched.
    """
    if row.relation:
        return row.relation, row.shape
    noun = (phrase.get("noun") or "").lower()
    if noun:
        relation, shape = NOUN_FORMS.get(noun, (None, row.shape))
        own = min(row.shape, NameShape.NAMED) if noun in CODE_NOUNS else row.shape
        return relation, max(shape, own)
    verb = (phrase.get("verb") or "").lower()
    for form, word in product(row.forms, (verb, verb.removesuffix(" from"))):
        if entry := VERB_FORMS.get((form, word)):
            relation, shape = entry
            return INVERSE.get(relation) if row.outgoing else relation, max(shape, row.shape)
    return None, row.shape


def _has_shape(text: str, shape: NameShape) -> bool:
    if shape is NameShape.WORD:
        return True
    is_name = bool(_NAMED.search(text)) if shape is NameShape.NAMED else has_identifier(text)
    return is_name or (len(text) > len(QUOTES) and text[0] in QUOTES and text[-1] == text[0])


def strip_around(text: str, words: re.Pattern[str]) -> str:
    """Remove matches of `words`, quotes, punctuation and blanks from both ends of a text."""
    previous = None
    while previous != text:
        previous, text = text, words.sub("", text).strip(f"{QUOTES}{STOPS} ")
    return text

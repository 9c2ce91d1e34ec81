"""What a relationship question asks for: which relation, of what, and where to look."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from codeindex.query.relation_phrases import (
    CODE_NOUNS,
    NOUN_FORMS,
    OUTGOING,
    ROWS,
    SORT,
    STEMS,
    THING,
    VERB_FORMS,
    NameShape,
    PhraseRow,
    Relation,
)
from codeindex.query.scope_filter import QUOTES, STOPS, ScopeFilter, split_scope, strip_opening
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, SymbolKind


@dataclass(frozen=True, slots=True)
class RelationQuery:
    """A relation and its object; `sources` are the kinds of symbols that may answer, if any."""

    relation: Relation
    object: str
    sources: frozenset[str] = frozenset()
    scope: ScopeFilter = field(default_factory=ScopeFilter)


_AROUND = re.compile(
    rf"^(?:(?:the|a|an|any|our|all|every|{SORT}) )+|(?: {SORT})+$",
    re.IGNORECASE,
)
_WHO_MAY = {
    "functions": CALLABLE_KINDS,
    "methods": {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR},
    "classes": OWNER_KINDS,
    "types": OWNER_KINDS,
    "structs": {SymbolKind.STRUCT},
}
_RECEIVER = re.compile(r"^\(\*?(\w+)\)\.")
_IDENTIFIER = re.compile(
    r"[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|^[_$]\w|[\w$](?:::|->|[.#])[A-Za-z_$]|\(\)$"
)
"""What no word of a sentence has: a hump, an underscore, a scope, a call."""
_NAMED = re.compile(r"[A-Z][a-z]|[a-z][A-Z]|[_./:#@]|->|\(\)$|^[\"'`].+[\"'`]$")


@functools.lru_cache(maxsize=64)
def parse_relation(text: str) -> RelationQuery | None:
    """Read the relation and its object out of a question; None if it asks for no such thing."""
    if not STEMS.search(text):
        return None
    bare, scope = split_scope(strip_opening(text.lower() if text.isupper() else text))
    for row in ROWS:
        said = re.fullmatch(row.phrase, bare, re.IGNORECASE)  # which compiles what is tried, once
        thing = re.fullmatch(THING, said["thing"], re.IGNORECASE) if said else None
        asked = _asked(row, said.groupdict(), thing, scope) if said and thing else None
        if asked:
            return asked
    return None


def _asked(
    row: PhraseRow, said: Mapping[str, str | None], thing: re.Match[str], scope: ScopeFilter
) -> RelationQuery | None:
    relation, look = _meant(row, said)
    if relation is None or not _looks(thing["object"], look):
        return None
    name = _RECEIVER.sub(r"\1.", strip_around(thing["object"], _AROUND))
    if owner := strip_around(thing["owner"] or "", _AROUND):
        name = f"{owner}.{name.removesuffix('()')}"
    if relation is Relation.DECORATED:
        name = name.lstrip("@")
    who, _, within = re.split(r"( in(?:side)? |$)", said.get("who") or "", maxsplit=1)
    words = who.lower().split()
    kinds = {kind for word in words for kind in _WHO_MAY.get(word, ())}
    scope = ScopeFilter(scope.tests, within) if within else scope
    if "tests" in words:  # with their helpers, and types in them
        scope = replace(scope, tests="only")
    return RelationQuery(relation, name, frozenset(kinds), scope)


def _meant(row: PhraseRow, said: Mapping[str, str | None]) -> tuple[Relation | None, NameShape]:
    """Return which relation a row asks for by its verb or noun, and how the thing has to look."""
    if row.relation:
        return row.relation, row.look
    noun = (said.get("noun") or "").lower()
    if noun:
        relation, needed = NOUN_FORMS.get(noun, (None, row.look))
        return relation, max(
            needed, min(row.look, NameShape.NAMED) if noun in CODE_NOUNS else row.look
        )
    verb = (said.get("verb") or "").lower()
    for form, word in product(row.forms, (verb, verb.removesuffix(" from"))):
        if found := VERB_FORMS.get((form, word)):
            relation, needed = found
            return OUTGOING.get(relation) if row.outgoing else relation, max(needed, row.look)
    return None, row.look


def _looks(text: str, look: NameShape) -> bool:
    if look is NameShape.WORD:
        return True
    return bool((_NAMED if look is NameShape.NAMED else _IDENTIFIER).search(text)) or (
        len(text) > len(QUOTES) and text[0] in QUOTES and text[-1] == text[0]
    )


def is_identifier(text: str) -> bool:
    """Tell whether a name is spelt as no word of a sentence is."""
    return bool(_IDENTIFIER.search(text))


def strip_around(text: str, around: re.Pattern[str]) -> str:
    """Return a name without the words that stand around it, its quotes and stops."""
    previous = None
    while previous != text:
        previous, text = text, around.sub("", text).strip(QUOTES + STOPS)
    return text

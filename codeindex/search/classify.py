"""Tell what kind of question a query is, by its words alone.

Total and heuristic: relationship before flow before pattern before symbol, concept otherwise. The
rows are whole-word patterns, tried in order; the first that matches decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from codeindex.words import STOP_WORDS


class QueryType(StrEnum):
    """What is asked for."""

    SYMBOL = "symbol"
    CONCEPT = "concept"
    RELATIONSHIP = "relationship"
    FLOW = "flow"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Classified:
    """A query's type; `is_how` marks questions about how something works as a whole."""

    type: QueryType
    is_how: bool


_IDENTIFIER = (
    r"(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w*[a-z0-9]_\w+|_+\w+|[A-Z][A-Z0-9]*_\w+"
    r"|[\w$]+(?:(?:::|\.|#|->)[\w$]+)+(?:\(\))?|\w+\(\))"
)
"""A name that no sentence has: humps, underscores, scopes, or a call."""
_OBJECT = r"(?:the |a |an |any )?\S+"

_RELATIONSHIP = (
    rf"^(?:what|who|which \w+|anything that) (?:calls?|uses?|imports?|extends?|implements?|inherits?"
    rf"|overrides?|depends? on|references?|invokes?|instantiates?|subclass(?:es)?) {_OBJECT}",
    rf"^(?:list |find |show |all |the )*(?:callers|callees|users|importers|subclasses|implementations"
    rf"|implementers|implementors|usages|references|dependents|dependencies|descendants) (?:of|to) {_OBJECT}",
    r"^(?:list |find |show |all |every )*(?:functions?|methods?|class(?:es)?|modules?|files?|code|tests?|places?|types?|structs?)"
    r" (?:that|which) (?:calls?|uses?|imports?|extends?|implements?|inherits?|overrides?|depends? on"
    r"|references?|invokes?|instantiates?) \S+",
    rf"^where is {_IDENTIFIER} (?:called|used|imported|referenced|instantiated|overridden)",
    rf"^what does {_IDENTIFIER} (?:call|use|import|extend|depend on|inherit)",
    rf"^what (?:breaks|is affected) if .*{_IDENTIFIER}",
    rf"^{_IDENTIFIER} (?:callers|usages|references|subclasses|implementations)$",
)
_FLOW = (
    r"\b(?:data|control|request|call|message|event|execution) ?flows? (?:from|of|between|through)\b",
    r"\bflows? from \S+.* to \S+",
    r"\bpaths? from \S+.* to \S+",
    r"^how (?:does|do|is|are) .+ (?:get|gets|reach|reaches|travel|travels|passed?|propagated?|flows?|make its way) (?:to|into|from|through|down to)\b",
    r"\bfrom \S+ (?:all the way |through .+ )?to \S+.* (?:step by step|end to end)\b",
    r"^(?:trace|follow) (?:the |a )?\S+.* (?:from|through|to) \S+",
)
_PATTERN = (
    r"^how (?:do|does|are) (?:the |our |all )?(?:\w+ )?\w+(?:ers|ors|ies|ants|lets|ards|ents|ules|ugins|ests|iews|asks|obs|ooks|outes|odels) (?:work|written|structured|look|built|organi[sz]ed)\b",
    r"\b(?:patterns?|convention|boilerplate|template) (?:for|of|when|to)\b",
    r"\b(?:typical|usual|common|standard) (?:structure|shape|layout|form|pattern|way)\b",
    r"^(?:example|examples) of (?:a |an )?(?:typical )?\w+(?:er|or)s?$",
)
_SYMBOL = (
    r"^[\"'`][^\"'`]+[\"'`]$",
    rf"^{_IDENTIFIER}$",
    r"^[A-Z]\w*$",
    rf"^(?:what is|what's|what are|find|show|show me|go to|open|where is|definition of|define|locate|look up|lookup|get) (?:the )?(?:definition of )?(?:the )?(?:function |method |class |struct |interface |type |constant )?[\"'`]?{_IDENTIFIER}[\"'`]?\??$",
    rf"^(?:class|def|func|fn|function|method|struct|interface|trait|enum|type|const|module|namespace) [\"'`]?(?:{_IDENTIFIER}|[A-Z]\w*|\w+)[\"'`]?$",
    rf"^{_IDENTIFIER} (?:definition|declaration|signature|function|method|class|implementation)$",
    rf"^where is (?:the )?{_IDENTIFIER} (?:defined|declared|implemented)\??$",
)
_HOW = r"^(?:how|explain|overview|architecture|understand|describe|walk me through|why)\b"

_TABLE = (
    (QueryType.RELATIONSHIP, _RELATIONSHIP),
    (QueryType.FLOW, _FLOW),
    (QueryType.PATTERN, _PATTERN),
    (QueryType.SYMBOL, _SYMBOL),
)
_COMPILED = tuple(
    (kind, re.compile("|".join(f"(?:{one})" for one in rows), 0 if kind is QueryType.SYMBOL else re.I))
    for kind, rows in _TABLE
)
_QUOTED = re.compile(r"[\"'`]([^\"'`]{2,})[\"'`]")


def classify(text: str) -> Classified:
    """Return the type of any text, however long or odd."""
    bare = " ".join(text.split())[:500].rstrip("?!. ")
    how = bool(re.match(_HOW, bare, re.IGNORECASE))
    lowered = _lower_first_words(bare)
    for kind, pattern in _COMPILED:
        if pattern.search(lowered):
            return Classified(kind, how)
    if _is_bare_word(bare):
        return Classified(QueryType.SYMBOL, how)
    return Classified(QueryType.CONCEPT, how)


def names_in(text: str) -> list[str]:
    """Return what in a query reads as a name: quoted text, else identifiers, in order."""
    quoted = _QUOTED.findall(text)
    return quoted or re.findall(_IDENTIFIER, text)


def _lower_first_words(text: str) -> str:
    """Lower words that are not names, so that `What Is getUserById` reads like `what is …`."""
    return " ".join(w.lower() if w.lower() in STOP_WORDS or w.istitle() and i == 0 and " " in text else w for i, w in enumerate(text.split(" ")))


def _is_bare_word(text: str) -> bool:
    """A single word is a name to look up; concepts take more than one."""
    return bool(re.fullmatch(r"[A-Za-z_$][\w$]*", text)) and text.lower() not in STOP_WORDS

"""What is said round a question: words of politeness before it, where to look behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.types import TestScope

STOPS = "?!.,;: "
QUOTES = "\"'`"
_OPENING = re.compile(
    r"(?:(?:please|hey|hi|ok|so|(?:can|could|would|will) you"
    r"|(?:i )?(?:want|need|would like|'d like)(?: you)? to (?:know|see|find)"
    r"|i'm looking for|tell me|let me know|give me|do you know"
    r"|find(?: out)?|list|show(?: me)?|get|print|all(?: of)?|every|each|the|a list of)\b[,:]? +)+",
    re.IGNORECASE,
)
_SHORT = re.compile(r"^(who|what|where|how)['’](?:s|re)(?= )", re.IGNORECASE)  # noqa: RUF001 (typed so)
_TESTS = re.compile(
    r" +(?:(?P<only>(?:with)?in|inside|from|by)|outside(?: of)?|except(?: for| in)?|excluding"
    r"|without|ignoring|(?:but )?not(?: in)?) +(?:the |any |our |all )?(?:unit |integration )?"
    r"tests?(?: files?| code| suite| folder)?$",
    re.IGNORECASE,
)
_HERE = re.compile(
    r" +(?:(?:with)?in (?:the|this|our|my) (?:whole |entire )?(?:repo|repository|project|code ?base"
    r"|code)|here|everywhere|directly)$",
    re.IGNORECASE,
)
_AREA = "(?:module|package|folder|directory|dir|file|crate)"
_PLACE = re.compile(
    r" +(?:(?:with)?in|inside|under|below|(?P<outside>outside(?: of)?|except(?: in)?|excluding"
    rf"|not in)) +(?:the )?(?:{_AREA} (?P<named>\S+)|(?P<before>\S+) {_AREA}"
    r"|(?P<path>\S*/\S*|\S+\.\w{1,5}))$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ScopeFilter:
    """Where the answers shall be, as a question itself says."""

    tests: TestScope = "include"
    place: str = ""
    is_outside: bool = False


def strip_opening(text: str) -> str:
    """Return a question without what stands round it."""
    bare = " ".join(text.split()).rstrip(STOPS)
    opened = _OPENING.match(bare)
    bare = bare[opened.end() :] if opened else bare
    return _SHORT.sub(r"\1 is", bare)


def split_scope(text: str) -> tuple[str, ScopeFilter]:
    """Split off the end of a question which says where to look."""
    scope = ScopeFilter()
    while found := _TESTS.search(text) or _HERE.search(text):
        if found.re is _TESTS:
            scope = ScopeFilter("only" if found["only"] else "exclude")
        text = text[: found.start()]
    if found := _PLACE.search(text):
        place = found["named"] or found["before"] or found["path"]
        scope = ScopeFilter(scope.tests, place.strip(QUOTES), bool(found["outside"]))
        text = text[: found.start()]
    return text, scope

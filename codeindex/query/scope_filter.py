"""Strip polite openers from a question.

Extract the scope filter at its end ("in tests", "in src/").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.query.identifiers import QUOTES, STOPS

if TYPE_CHECKING:
    from codeindex.types import TestScope

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
    """Which files may answer a question: with or without tests, inside or outside of `place`.

    `place` is a file or folder; "" is the whole repository. If `is_outside` is true, the place is
    excluded.
    """

    tests: TestScope = "include"
    place: str = ""
    is_outside: bool = False


def strip_opening(text: str) -> str:
    """Return a question without openers such as "please show me" and without final punctuation."""
    bare = " ".join(text.split()).rstrip(f"{STOPS} ")
    opener = _OPENING.match(bare)
    bare = bare[opener.end() :] if opener else bare
    return _SHORT.sub(r"\1 is", bare)


def split_scope(text: str) -> tuple[str, ScopeFilter]:
    """Split phrases about tests or a place off the end of a question.

    Return (rest of the question, filter): "callers of f in tests" gives "callers of f" and a filter
    for tests only.
    """
    scope = ScopeFilter()
    while match := _TESTS.search(text) or _HERE.search(text):
        if match.re is _TESTS:
            scope = ScopeFilter("only" if match["only"] else "exclude")
        text = text[: match.start()]
    if match := _PLACE.search(text):
        place = match["named"] or match["before"] or match["path"]
        scope = ScopeFilter(scope.tests, place.strip(QUOTES), bool(match["outside"]))
        text = text[: match.start()]
    return text, scope

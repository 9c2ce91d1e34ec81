"""Recognise flow questions by their phrases; extract the start and the goal of the path."""

from __future__ import annotations

import re

from codeindex.query.relation import strip_around

_MODIFIERS = "(?:(?:find|list|show|show me|get|all|every|the) )*"
_MOVING = "(?:data|control|request|call|message|event|execution)"
_REACH = "(?:get|reach|travel|pass|passed|propagated?|flow|make its way)"
_TOWARDS = "(?:to|into|from|through|down to)"
_TO = "(?:to|and|->|=>|→)"
_PATH = "(?:chain|graph|route|trace|stack|connection|link|path|way)"
_LEADS = (
    "(?:reach|call|invoke|use|get to|lead to|connected to|reached from|called from"
    "|end up in|end up at|end up calling|come to call)"
)
FLOW_SHAPES = (
    rf"\b{_MOVING} flows? (?:from|of|between|through) ",
    r"\bflows? from \S+.* to \S",
    rf"^{_MODIFIERS}(?:a |call |code |shortest )*paths? from \S+.* to \S",
    rf"^how (?:does|do|is|are) (?!(?:i|you|we|one) ).+ {_REACH} {_TOWARDS} ",
    r"\bfrom \S+.* to \S+.* (?:step by step|end to end)$",
    r"^(?:trace|follow) (?:the |a |an |one |how |NAME ).*(?:\bfrom \S+.* to|\bthrough) \S",
    r"^what happens between \S+.* and \S",
    rf"^{_MODIFIERS}(?:a |call |code |shortest )*{_PATH} (?:from |between )?NAME {_TO} NAME$",
    r"^NAME (?:->|=>|→) NAME$",
    rf"^(?:how )?(?:does|do|can|is) NAME {_LEADS} NAME$",
    r"^how (?:do|does|can) \w+ get from NAME to NAME$",
)
"""Patterns of flow questions, for a query's shape: lower case, `NAME` for identifiers
(`query.classify`)."""

_GOING = (
    r"(?:get|gets|reach|reaches|travel|travels|pass|passes|passed|propagate|propagates|propagated"
    r"|flow|flows|go|goes|make its way|makes its way)"
)
_ENDPOINTS = (
    r".*?\bfrom (?P<start>\S.*?) (?:down )?(?:to|into) (?P<goal>\S.*)",
    r".*?\bbetween (?P<start>\S.*?) and (?P<goal>\S.*)",
    (
        rf"how (?:does|do|is|are) (?P<start>\S.*?) {_GOING} (?:down )?(?:to|into|through)"
        r" (?P<goal>\S.*)"
    ),
    r"(?:trace|follow) (?P<start>\S.*?) (?:to|into|through) (?P<goal>\S.*)",
    r"how is (?P<goal>\S+) (?:reached|called) from (?P<start>\S+)",
    r"(?:how )?(?:does|do|can|is) (?P<start>\S+) \S.* (?P<goal>\S+)",
    r"(?:.* )?(?P<start>\S+) (?:to|->|=>|→) (?P<goal>\S+)",
)
_KIND_WORDS = re.compile(
    r"^(?:(?:the|a|an|our|any|one|each|method|function|class|module) )+"
    r"|(?: (?:method|function|class|module|layer|step by step|end to end))+$",
    re.IGNORECASE,
)
_OUTER = "?!.,;: \"'`"


def parse_flow_endpoints(text: str) -> tuple[str, str] | None:
    """Return (start, goal) of the path that a question asks for, as "how does A reach B" does.

    Return None unless the question names both.
    """
    bare = " ".join(text.split()).strip(_OUTER)
    for row in _ENDPOINTS:
        if match := re.fullmatch(row, bare, re.IGNORECASE):
            start, goal = (strip_around(match[end], _KIND_WORDS) for end in ("start", "goal"))
            return (start, goal) if start and goal else None
    return None

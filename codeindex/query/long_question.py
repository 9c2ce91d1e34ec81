"""Weigh the parts of a long question: title and names count most, template text counts nothing.

Issues and commit messages have a form: a title, sentences, template headings, versions, check
boxes, links, quoted logs. A short question has none of these, so all of it has the same weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from codeindex.query.identifiers import identifiers_in

LONG = 30
"""A question with more words than this is long: its parts get different weights.

Short benchmark questions have at most half as many words; mined issues have at least as many.
"""
TITLE, FIRST, NAME, BODY, LOG, TEMPLATE = 1.0, 0.5, 0.8, 0.3, 0.2, 0.0
"""Weights of the title, the second sentence, names, other sentences, logs, and template text."""
_COMMENT = re.compile(r"<!--.{0,5000}?-->", re.DOTALL)
_URL = re.compile(r"\b[a-z]{2,10}://[^\s<>()\"'`]+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TEMPLATE = re.compile(
    r"\s*(?:"
    r"[-*+] \[[ xX]\]"  # a check box
    r"|[-=*_#~]{3,}\s*$"  # a rule
    r"|[A-Z][\w-]*-(?:by|on|id|from|for|to):"  # a trailer of a commit
    r"|\W*(?:steps to reproduce|(?:expected|actual|current) (?:behaviou?r|result|output)s?"
    r"|what (?:happened|did you expect|is (?:the )?(?:expected|current) behaviou?r)"
    r"|(?:bug|feature|issue) (?:report|request|description)|describe the (?:bug|issue|solution)"
    r"|environment|versions?|additional (?:context|information)|system info(?:rmation)?"
    r"|minimal (?:working |reproducible )?example|reproduction|checklist|motivation|screenshots?"
    r"|description|summary|to reproduce|context|possible (?:fix|solution))\W*$"
    r"|\W*(?:os|operating system|platform|browser|python|node|ruby|java|php|go|rustc?|gcc|clang"
    r"|compiler|npm|package|release|distribution|[\w .-]{0,20}version)(?: version)?\W*[:=]?"
    r"[\w .()/-]{0,20}\d[\w.-]*\W*$"
    r")",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"\s*(?:>|\$ |\[?\d{2,4}[-:/]\d\d[-:/]\d\d|\[?(?:debug|info|warn(?:ing)?|error|trace)\]?[:\s|]"
    r"|at \S+\(|File \"|from \S+:\d+|#\d+ |\S+:\d+:)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CODE = re.compile(r"`{1,2}([^`\n]{1,200})`{1,2}")


def is_long(text: str) -> bool:
    """Tell whether a question has more than `LONG` words."""
    return len(text.split(None, LONG)) > LONG


def weigh_pieces(text: str) -> list[tuple[str, float]]:
    """Split a long question into (piece, weight) in order.

    Weights are above 0 and at most 1. Pieces of weight 0, such as template text, are left out.
    """
    if not is_long(text):
        return [(text, TITLE)]
    pieces = _pieces(_URL.sub(" ", _COMMENT.sub(" ", text)))
    return [(piece, weight) for piece, weight in pieces if weight > 0.0]


def _pieces(text: str) -> Iterator[tuple[str, float]]:
    sentences = 0
    is_fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif _TEMPLATE.match(line):
            yield line, TEMPLATE
        elif is_fenced or _LOG.match(line):
            yield from _with_names(line, LOG)
        else:
            for sentence in filter(None, _SENTENCE.split(line.strip())):
                weight = (TITLE, FIRST)[sentences] if sentences < 2 else BODY  # noqa: PLR2004
                yield from _with_names(sentence, weight)
                sentences += 1


def _with_names(sentence: str, weight: float) -> Iterator[tuple[str, float]]:
    """Yield (sentence, weight) and, if the weight is below `NAME`, a pair for each code name.

    This pair is (name, `NAME`): a name of code in the sentence has the weight `NAME`.
    """
    yield sentence, weight
    if weight < NAME:
        yield from ((name, NAME) for name in code_names(sentence))


def code_names(sentence: str) -> Iterable[str]:
    """Return the names of code in a sentence: text in backticks, then identifiers."""
    code = (match[1] for match in _CODE.finditer(sentence))
    return chain(code, identifiers_in(sentence))

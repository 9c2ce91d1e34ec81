"""What can be told of a text with its secrets in it, so that most need not be redacted."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.search.exact.pattern import LinePattern
from codeindex.secrets import REDACTION_MARK

_FOLDED = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that `re` takes for others where case does not matter, and that stay in lower case."""


def may_match(text: str, patterns: Sequence[LinePattern]) -> bool:
    """Tell whether a text may match once it is redacted: no if it lacks what each match has."""
    folded = text.translate(_FOLDED).lower()
    return any(
        _may_hold(folded, one) and not (_is_cased(one) and _lacks(text, one)) for one in patterns
    )


def _is_cased(pattern: LinePattern) -> bool:
    return pattern.is_literal and not pattern.ignore_case


def _lacks(text: str, pattern: LinePattern) -> bool:
    """Tell whether letters are not there that no mark brings: those beside ASCII, in their case."""
    letters = {one for choices in pattern.needles for said in choices for one in said}
    return not all(one.isascii() or one in text for one in letters)


def _may_hold(folded: str, pattern: LinePattern) -> bool:
    return all(any(_may_say(folded, one) for one in choices) for choices in pattern.needles)


def _may_say(folded: str, needle: str) -> bool:
    """Tell whether a text has a needle in it, or will have for the marks that are put in."""
    wanted = needle.lower()
    marked = not {"[", "]"}.isdisjoint(wanted) or wanted in REDACTION_MARK.lower()
    return marked or not wanted.isascii() or wanted in folded

"""Rule out texts that cannot match after redaction, so that they need not be redacted."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.search.exact.pattern import LinePattern
from codeindex.secrets import REDACTION_MARK

_FOLDED = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that `re` equates with ASCII letters if it ignores case, but `str.lower` does not."""


def may_match(text: str, patterns: Sequence[LinePattern]) -> bool:
    """Return False if no pattern can match the text even after its secrets are redacted.

    In that case the text lacks a required literal that redaction cannot add. True may be wrong: it
    means that the text must be redacted and searched.
    """
    folded = text.translate(_FOLDED).lower()
    return any(
        _may_hold(folded, pattern) and not (_is_cased(pattern) and _lacks(text, pattern))
        for pattern in patterns
    )


def _is_cased(pattern: LinePattern) -> bool:
    return pattern.is_literal and not pattern.ignore_case


def _lacks(text: str, pattern: LinePattern) -> bool:
    """Tell whether a text lacks a non-ASCII letter that a pattern requires.

    Redaction cannot add the letter, since it inserts only ASCII.
    """
    letters = {letter for choices in pattern.needles for needle in choices for letter in needle}
    return not all(letter.isascii() or letter in text for letter in letters)


def _may_hold(folded: str, pattern: LinePattern) -> bool:
    return all(
        any(_may_contain(folded, needle) for needle in choices) for choices in pattern.needles
    )


def _may_contain(folded: str, needle: str) -> bool:
    """Tell whether a text contains a literal, or may contain it once its secrets are redacted.

    Redaction inserts `[REDACTED]`. `folded` is the text in lower case.
    """
    wanted = needle.lower()
    marked = not {"[", "]"}.isdisjoint(wanted) or wanted in REDACTION_MARK.lower()
    return marked or not wanted.isascii() or wanted in folded

"""Tell from an unredacted text that its redacted form cannot match, to save redacting it."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.search.exact.pattern import LinePattern
from codeindex.secrets import REDACTION_MARK

_FOLDED = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that `re` equates with ASCII letters when it ignores case, but `lower` keeps."""


def may_match(text: str, patterns: Sequence[LinePattern]) -> bool:
    """Tell whether a text may match after redaction: not if it lacks a required literal."""
    folded = text.translate(_FOLDED).lower()
    return any(
        _may_hold(folded, one) and not (_is_cased(one) and _lacks(text, one)) for one in patterns
    )


def _is_cased(pattern: LinePattern) -> bool:
    return pattern.is_literal and not pattern.ignore_case


def _lacks(text: str, pattern: LinePattern) -> bool:
    """Tell whether non-ASCII letters of a pattern are missing: redaction marks have none."""
    letters = {one for choices in pattern.needles for said in choices for one in said}
    return not all(one.isascii() or one in text for one in letters)


def _may_hold(folded: str, pattern: LinePattern) -> bool:
    return all(any(_may_say(folded, one) for one in choices) for choices in pattern.needles)


def _may_say(folded: str, needle: str) -> bool:
    """Tell whether a text contains a literal, or may contain it once marks are inserted."""
    wanted = needle.lower()
    marked = not {"[", "]"}.isdisjoint(wanted) or wanted in REDACTION_MARK.lower()
    return marked or not wanted.isascii() or wanted in folded

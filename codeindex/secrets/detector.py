"""What a detector is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

REDACTION_MARK = "[REDACTED]"
GROUP = "secret"
"""Name of the group that is taken out; a pattern without it loses the whole match."""

Span = tuple[int, int]


class CustomPattern(Protocol):
    """An entry of the setting `secret_patterns`: a name and a regular expression."""

    @property
    def name(self) -> str: ...
    @property
    def pattern(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class SecretName:
    """What a secret is called: the whole pattern, and two cheap questions to ask before it."""

    pattern: re.Pattern[str]
    end: re.Pattern[str]
    """What stands from a needle to the end of a name."""
    word: str = ""
    """A needle that is a name with one of `before` in front of it only."""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)  # a key of caches, and hashing it whole is slow
class Detector:
    """A kind of secret as data.

    A pattern without `needles` is searched for in the whole text, a `wordy` one if a long word of
    it has one. Any other sees only the lines that hold one of its needles. No pattern crosses a
    line, and each takes time in proportion to the text whatever stands there: its runs are
    bounded, possessive, or cannot start inside one another.
    """

    rule: str
    pattern: re.Pattern[str]
    needles: tuple[str, ...] = ()
    accepts: Callable[[re.Match[str]], bool] | None = None
    within: re.Pattern[str] | None = None
    """Lines without this are not looked at more closely: a cheap question before a dear one."""
    begins: SecretName | None = None
    """The name that every match begins with; detectors with the same one share its search."""
    lead: re.Pattern[str] | None = None
    """Pattern of the text between the start of the line and a match; it ends in `\\Z`."""
    first: bool = False
    """Matches begin near the start of a line only: `lead` is anchored there."""
    wordy: bool = False
    """What it finds is, with all that it looks at, one long word of `find.hits_of`."""
    kind: Callable[[re.Match[str]], str] | None = None
    """Tells a match's rule, where names of several rules are looked for at once."""
    reach: Callable[[re.Match[str]], Iterable[Span]] | None = None
    """Finds what has to go where the match only announces it, as a heading does a table."""

    def spans(self, match: re.Match[str]) -> Iterable[Span]:
        """Return where the parts stand that have to go."""
        if self.reach:
            return self.reach(match)
        return (match.span(GROUP) if GROUP in match.re.groupindex else match.span(),)


@dataclass(frozen=True, slots=True)
class SecretHit:
    """A secret in some text: where it stands and of what kind it is."""

    span: Span
    rule: str

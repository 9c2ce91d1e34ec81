"""Define the data types of the detection pipeline: detectors, spans and hits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NAME_END,
    KEY_QUALIFIERS,
    NAME_GROUP,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NAME_END,
)

FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE
"""The flags of most patterns."""
REDACTION_MARK = "[REDACTED]"
GROUP = "secret"
"""The named group that is redacted."""
_VALUE_GROUPS = (GROUP, "bold", "ended", "last")
"""The groups of the value; alternatives of a pattern have different ones."""

Span = tuple[int, int]
"""Start and end offset in a text, in characters; the end is exclusive."""


class CustomPattern(Protocol):
    """An entry of the setting `secret_patterns`: a name and a regular expression."""

    @property
    def name(self) -> str: ...
    @property
    def pattern(self) -> str: ...


class LazyPattern:
    """A regular expression that is compiled when it is first used.

    There are 300 of them, which take .1 s to compile; most texts of a small repository need ten.
    """

    def __init__(self, source: str, flags: re.RegexFlag = FLAGS) -> None:
        self.source, self.flags = source, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, self.flags)


@dataclass(frozen=True, slots=True, eq=False)
class SecretNamePattern:
    """The pattern of a secret's name, such as `api_key`, and cheaper tests to try before it.

    `end` and `word` are these tests.
    """

    pattern: LazyPattern
    end: LazyPattern
    """Matches the text from a needle to the end of the name."""
    word: str = ""
    """A needle that is a secret's name only after one of `before`, as `key` in `api_key`."""
    before: tuple[str, ...] = ()


def _named(name: str, end: str, word: str = "", before: tuple[str, ...] = ()) -> SecretNamePattern:
    behind = rf"s?{NAME_SUFFIX}(?!\w)"
    return SecretNamePattern(LazyPattern(name + behind), LazyPattern(end + behind), word, before)


_PASSWORD = _named(PASSWORD_NAME, PASSWORD_NAME_END)
_KEY = _named(KEY_NAME, KEY_NAME_END, "key", KEY_QUALIFIERS)
_SALT_NAME = "salt"
"""One of the names that KEY_NAME matches; a pattern of salts starts with it alone."""


@dataclass(frozen=True, eq=False)  # a key of caches: compared and hashed by identity
class Detector:
    """Finds one kind of secret by a pattern and a value test.

    A detector without `needles` searches the whole text. A detector with `in_long_word` searches
    the whole text only if its pattern matches a long word of the text. All other detectors search
    only the lines that contain a needle. No pattern matches across a line end. Each search takes
    time linear in the length of the text, even of a hostile text: the repeats of a pattern are
    bounded, possessive, or cannot start inside one another.
    """

    rule: str
    pattern: LazyPattern
    needles: tuple[str, ...] = ()
    """Fixed strings; every match contains one of them. They are lower case if the pattern ignores
    case."""
    accepts: Callable[[re.Match[str]], bool] | None = None
    """The value test: returns whether the matched value is a secret, not a placeholder."""
    line_filter: re.Pattern[str] | None = None
    """Only lines that match this filter are searched; the filter is cheaper than `pattern`."""
    line_prefix: str = ""
    """A pattern of the whole text between the start of the line and the match; "" for any text."""
    in_long_word: bool = False
    """Whether each match, lookarounds included, is inside one long word (see
    `word_filter`)."""
    reads_lines: bool = False
    """Whether a hit can depend on lines that are more than one line away from it."""
    find_rule: Callable[[re.Match[str]], str] | None = None
    """Returns the rule of a match, for patterns that search for the names of several rules at
    once."""
    find_spans: Callable[[re.Match[str]], Iterable[Span]] | None = None
    """Returns the spans of secrets, for a pattern that matches only a heading, like that of a
    table."""

    @cached_property
    def starts_with(self) -> SecretNamePattern | None:
        """The name of a secret at the start of `pattern`; None if it starts with anything else.

        With a name, the pattern is tried only at names that no word character follows after their
        suffix. Detectors with the same name share the search for it.
        """
        plain = self.pattern.source.removeprefix(NAME_GROUP)
        if plain.startswith(PASSWORD_NAME):
            return _PASSWORD
        return _KEY if plain.startswith((KEY_NAME, _SALT_NAME)) else None

    @cached_property
    def before_match(self) -> LazyPattern | None:
        """Matches the line's text before a match that counts; None if any text may be there."""
        return LazyPattern(rf"(?:{self.line_prefix})\Z") if self.line_prefix else None

    @property
    def near_line_start(self) -> bool:
        """Whether matches begin near the start of a line, because `line_prefix` is anchored."""
        return self.line_prefix.startswith("^")

    def spans(self, match: re.Match[str]) -> Iterable[Span]:
        """Return the spans to redact in the text of a match."""
        return self.find_spans(match) if self.find_spans else (match.span(value_group(match)),)


def value_group(match: re.Match[str]) -> str | int:
    """Return the name of the group that matched the secret; 0 if that is the whole match."""
    groups = match.groupdict()
    return next((name for name in _VALUE_GROUPS if groups.get(name)), 0)


@dataclass(frozen=True, slots=True)
class SecretHit:
    """A secret that was found: its span in a text, and the rule that found it, like `password`."""

    span: Span
    rule: str

"""Recognise identifiers of code among the words of a query."""

from __future__ import annotations

import re

QUOTES = "\"'`"
STOPS = "?!.,;:"
"""Punctuation that ends a word of a sentence."""
_IDENTIFIER = re.compile(
    r"[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|^[_$]\w|[\w$](?:::|->|[.#])[A-Za-z_$]|\(\)$"
)
"""Camel case, an underscore, a qualifier or a call, which ordinary words do not have."""
_RUN = re.compile(r"[\w$]+(?:(?:::|->|[.#])[\w$]+)*(?:\(\))?")
_NAME_RUN = re.compile(rf"(?!\d){_RUN.pattern}")
_QUOTED = re.compile(r"(?<!\w)([\"'`])([^\"'`\n]{2,100})\1(?!\w)")


def has_identifier(text: str) -> bool:
    """Tell whether part of a text is spelt like an identifier: `fooBar`, `a_b`, `a.b` or `f()`."""
    return bool(_IDENTIFIER.search(text))


def is_identifier(word: str) -> bool:
    """Tell whether a word is spelt like an identifier and does not begin with a digit."""
    return not word[0].isdigit() and has_identifier(word)


def identifiers_in(text: str) -> list[str]:
    """Return the parts of a text that are spelt like identifiers, in order."""
    return [run for run in _RUN.findall(text) if is_identifier(run)]


def query_names(text: str) -> list[str]:
    """Return the quoted parts of a query or, if nothing is quoted, its identifiers.

    They are in the order of the query. Digits before an identifier are dropped: `3fooBar` gives
    `fooBar`.
    """
    quoted = [name for _, name in _QUOTED.findall(text)]
    return quoted or [run for run in _NAME_RUN.findall(text) if has_identifier(run)]

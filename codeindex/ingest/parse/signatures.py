"""Normalize names, owners and signatures of definitions as written in the source."""

from __future__ import annotations

import re

from codeindex.text.signatures import without_nested

SIGNATURE_CHARS = 300
"""Most characters that are stored: at most 75 tokens of a hit."""
_NAME_CHARS = 200
"""Most characters that are stored; a longer name is text that a parser took for a name."""
_BODY_OPENERS = (":", "=>", " =")
_QUOTED = re.compile(r"^([`'\"]+)(.*)\1$")
_AROUND_NAME = re.compile(r"^:(?=\w)|(?<=\w):$|(?<=^operator )(\w[^(]*)\(.*")
_UNOPENED = re.compile(r"^\w+\](?=\s|$)")
"""A name whose opening bracket was blanked for the parser: `Id] INT` of SQL Server's `[Id] INT`."""
_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^][]*\]|\([^()]*\)")
_OWNER = re.compile(r"[^\W\d][\w$]*")
_NO_OWNERS = frozenset({"prototype", "mut", "const", "dyn"})


def one_line_signature(head: str) -> str:
    """Return the head of a definition in one line, at most `SIGNATURE_CHARS` long.

    The token that opens the body, like `{` or `:`, is removed.
    """
    text = _UNOPENED.sub(r"[\g<0>", _collapse_whitespace(head).rstrip("{, "))
    for opener in _BODY_OPENERS:
        text = text.removesuffix(opener)
    return text.rstrip()[:SIGNATURE_CHARS]


def bare_name(text: str) -> str:
    """Return a name without quotes, and without punctuation that is no part of it.

    Removed are, for example, the colon of `:symbol` and the `()` of `operator bool()`.
    """
    return _AROUND_NAME.sub(r"\1", _QUOTED.sub(r"\2", _collapse_whitespace(text)))[:_NAME_CHARS]


def owner_path(text: str) -> str:
    """Return the path of owners with dots: `Outer.Inner` for `Outer<T>::Inner`.

    Type arguments, `*` and words like `prototype` are removed: `*Server[T]` becomes `Server`.
    """
    plain = without_nested(_ARGUMENTS, text)
    return ".".join(part for part in _OWNER.findall(plain) if part not in _NO_OWNERS)


def _collapse_whitespace(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()

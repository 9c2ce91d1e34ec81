"""Tidy what a definition says of itself, as it stands in the source: its head, name and owners."""

from __future__ import annotations

import re

_SIGNATURE_CHARS = 300
_NAME_CHARS = 200
_OPENERS = (":", "=>", " =")
"""What introduces a body and is no part of the signature."""
_QUOTED = re.compile(r"^([`'\"]+)(.*)\1$")
_AROUND_NAME = re.compile(r"^:(?=\w)|(?<=\w):$|(?<=^operator )(\w[^(]*)\(.*")
_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^][]*\]|\([^()]*\)")
_OWNER = re.compile(r"[^\W\d][\w$]*")
_NO_OWNERS = frozenset({"prototype", "mut", "const", "dyn"})


def one_line_signature(head: str) -> str:
    """Fold the head of a definition into one line."""
    text = _folded(head).rstrip("{, ")
    for opener in _OPENERS:
        text = text.removesuffix(opener)
    return text.rstrip()[:_SIGNATURE_CHARS]


def bare_name(text: str) -> str:
    """Strip quotes, the colon of `:symbol`, or the parameters of `operator bool()`."""
    return _AROUND_NAME.sub(r"\1", _QUOTED.sub(r"\2", _folded(text)))[:_NAME_CHARS]


def owner_path(text: str) -> str:
    """`Outer<T>::Inner`, `*Server[T]`, `a.b.prototype` as dotted owners without type arguments."""
    previous = None
    while previous != text:
        previous, text = text, _ARGUMENTS.sub("", text)
    return ".".join(part for part in _OWNER.findall(text) if part not in _NO_OWNERS)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()

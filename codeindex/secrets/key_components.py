"""Detects private keys stored as fields: JSON Web Keys, and .NET's RSA keys in XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.detector import Detector, LazyPattern, Span

_RULE = "private_key"
_QUOTE = r"""\\{0,3}["']?"""
_HEAD = LazyPattern(rf"""(?<!\w)kty{_QUOTE}[ \t]?:""", re.ASCII)
"""The key type, which every JSON Web Key has."""
_MEMBER = re.compile(
    rf"""(?<!\w)(?:d|k|p|q|dp|dq|qi){_QUOTE}\s?:\s?\\{{0,3}}["'](?P<secret>[\w-]{{16,}}+)""",
    re.ASCII,
)
"""A private member of a JSON Web Key."""
_YAML_MEMBER = re.compile(
    r"^(?P<indent>[ \t]*)(?:-[ \t]+)?(?:d|k|p|q|dp|dq|qi):[ \t]+(?P<secret>[\w-]{16,}+)[ \t\r]*$",
    re.ASCII | re.MULTILINE,
)
_YAML_HEAD = LazyPattern(
    r"""^[ \t]*+(?:-[ \t]+)?kty:[ \t]+["']?\w{2,4}["']?[ \t\r]*$""", re.ASCII | re.MULTILINE
)
"""The same as lines of YAML."""
_ELEMENT = re.compile(r"<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,9}(?P<secret>[\w+/=]{16,}+)", re.ASCII)
"""A private number of an RSA key in XML."""
_LONGEST = 8_000
"""Most characters of a key; an RSA key of 4096 bits has 3,200."""


def _members(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans of the private parts of a key in JSON, such as `"d"` of a JWK.

    `match` is at the key type (`kty`) in the same object.
    """
    text, at = match.string, match.start()
    start = text.rfind("{", max(0, at - _LONGEST), at)
    end = text.find("}", at, at + _LONGEST)
    if start >= 0:
        end = min(len(text), at + _LONGEST) if end < 0 else end
        yield from (member.span("secret") for member in _MEMBER.finditer(text, start, end))


def _yaml_members(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans of the private parts of a key in the YAML lines around its type (`kty`)."""
    text, at = match.string, match.start()
    start = text.rfind("\n\n", max(0, at - _LONGEST), at)
    end = text.find("\n\n", at, at + _LONGEST)
    start, end = max(start, 0), end if end >= 0 else min(len(text), at + _LONGEST)
    yield from (member.span("secret") for member in _YAML_MEMBER.finditer(text, start, end))


def _elements(match: re.Match[str]) -> Iterator[Span]:
    text, start = match.string, match.end()
    end = text.find("</RSAKeyValue", start, start + _LONGEST)
    yield from (
        element.span("secret") for element in _ELEMENT.finditer(text, start, max(start, end))
    )


KEY_COMPONENT_DETECTORS = (
    Detector(_RULE, _HEAD, ("kty",), find_spans=_members, reads_lines=True),
    Detector(_RULE, _YAML_HEAD, ("kty:",), find_spans=_yaml_members, reads_lines=True),
    Detector(
        _RULE,
        LazyPattern("<RSAKeyValue>", re.ASCII),
        ("RSAKeyValue",),
        find_spans=_elements,
        reads_lines=True,
    ),
)

"""Private numbers of keys written member by member: JSON Web Keys, RSA keys in XML of .NET."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets.detector import Detector, Span

_RULE = "private_key"
_QUOTE = r"""\\{0,3}["']?"""
_HEAD = re.compile(rf"""(?<!\w)kty{_QUOTE}[ \t]?:""", re.ASCII)
_MEMBER = re.compile(
    rf"""(?<!\w)(?:d|k|p|q|dp|dq|qi){_QUOTE}\s?:\s?\\{{0,3}}["'](?P<secret>[\w-]{{16,}}+)""",
    re.ASCII,
)
_ELEMENT = re.compile(r"<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,9}(?P<secret>[\w+/=]{16,}+)", re.ASCII)
_LONGEST = 8_000
"""Characters of a key: one of RSA with 4096 bits has 3,200."""


def _members(match: re.Match[str]) -> Iterator[Span]:
    """Yield the private members of the object that a key's type stands in."""
    text, at = match.string, match.start()
    start = text.rfind("{", max(0, at - _LONGEST), at)
    end = text.find("}", at, at + _LONGEST)
    if start >= 0:
        end = min(len(text), at + _LONGEST) if end < 0 else end
        yield from (found.span("secret") for found in _MEMBER.finditer(text, start, end))


def _elements(match: re.Match[str]) -> Iterator[Span]:
    text, start = match.string, match.end()
    end = text.find("</RSAKeyValue", start, start + _LONGEST)
    yield from (one.span("secret") for one in _ELEMENT.finditer(text, start, max(start, end)))


KEY_COMPONENT_DETECTORS = (
    Detector(_RULE, _HEAD, ("kty",), find_spans=_members),
    Detector(_RULE, re.compile("<RSAKeyValue>", re.ASCII), ("RSAKeyValue",), find_spans=_elements),
)

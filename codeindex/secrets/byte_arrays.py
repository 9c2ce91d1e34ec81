"""Detects keys that are written as numbers: `private_key = [174, 47, 154, …]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from codeindex.secrets.detector import FLAGS, Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import KEY_NAME, KEY_NEEDLES, NAME_SUFFIX

_HEAD = (
    rf"""{KEY_NAME}{NAME_SUFFIX}["']?\)?(?:\s?\[\w{{0,20}}\])?(?:\s?:\s?[\w\[\]<>; &]{{1,40}})?"""
    r"""\s?(?::?=|:|=>|\()\s?(?:[\w.:! ]{0,40}(?:\[\w{0,4}\])?[\w!]{0,8}\s?\(?\s?)?[\[{]"""
)
"""From the name to the bracket: `name = [`, `name[16] = {`, `name: [u8; 32] = [`,
`name = bytes([`, `name = []byte{`, `fromName(new Uint8Array([`."""
_BYTE = r"(?:0x[0-9a-f]{1,2}|[0-9]{1,3})"
_BYTES = re.compile(
    rf"\s{{0,40}}{_BYTE}(?:\s{{0,4}},\s{{0,40}}{_BYTE}){{15,127}},?\s{{0,40}}[\]}}]", FLAGS
)
_LINE = re.compile(rf"{_BYTE}(?:[ \t]{{0,4}},[ \t]{{0,40}}{_BYTE})*,?", FLAGS)
_LENGTHS = frozenset({16, 24, 32, 48, 64, 96, 128})
"""Lengths of keys in bytes."""
_LAST_BYTE = 255
_FEWEST_STEPS = 8
"""Fewest distinct distances between neighbours; zeros and 0, 1, 2, … have one, random keys many."""


def _numbers(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans to redact in an array of bytes: in each line, from first to last number.

    `match` ends at the opening bracket of the array. Yield nothing if the array cannot be a key:
    it has none of `_LENGTHS`, or its numbers are too regular.
    """
    found = _BYTES.match(match.string, match.end())
    if not found:
        return
    numbers = [int(number, 0) for number in re.findall(_BYTE, _decimal(found[0]), FLAGS)]
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) in _LENGTHS and max(numbers) <= _LAST_BYTE and len(steps) >= _FEWEST_STEPS:
        for line in _LINE.finditer(match.string, found.start(), found.end() - 1):
            yield line.span()


def _decimal(text: str) -> str:
    """Return the text without zeros before a decimal number, which `int` would refuse."""
    return re.sub(r"(?<![\wxX])0+(?=\d)", "", text)


BYTE_ARRAY_DETECTORS = (
    Detector(
        "private_key",
        LazyPattern(_HEAD),
        KEY_NEEDLES,
        line_filter=re.compile(r"[\[{][ \t]{0,4}(?:0[xX]|\d{1,3}[ \t]{0,4},|\r?$)"),
        find_spans=_numbers,
        reads_lines=True,
    ),
)

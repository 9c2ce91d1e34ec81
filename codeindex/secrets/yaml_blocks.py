"""Detects secrets on the lines below their name: YAML lists and block scalars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.text.indent import indentation

_ValueTest = Callable[[str], bool]

_ITEM = re.compile(r"""-[ \t]+(?P<q>["']?)(?P<secret>[^\s"',]+)(?P=q),?[ \t]*(?:\#.*)?$""")


_BARE_VALUE = re.compile(
    r"""(?:[&!][\w!/.-]{0,40}[ \t]+){0,2}(?P<q>["']?)(?P<secret>[^\s"',:]+)(?P=q)$"""
)
"""A value on the line below its name, with anchor and tag."""
_VALUE_KEY = re.compile(
    r"""(?i)["']?(?:value|default|plaintext|example)["']?[ \t]*:[ \t]*(?P<q>["']?)"""
    r"""(?P<secret>[^\s"',]+)(?P=q),?[ \t]*(?:\#.*)?$"""
)
"""The value of a parameter of CloudFormation or of a schema: `Default: value`."""


_LINE_PREFIX = r"""^[ \t]*(?:-[ \t]+)*["']?[\w.:/@-]{0,80}"""
_HEADING_END = (
    r"""["']?[ \t]{0,4}:[ \t]{0,4}(?:[&!][\w!/.-]{0,40}[ \t]{0,4}){0,2}"""
    r"""(?P<style>[|>][-+\d]{0,2})?[ \t\r]*+(?:\#.*)?$"""
)
"""What follows the name in its line."""
_INDENT = re.compile(r"[ \t]*(?:-[ \t]+)*+")


def _values_below(match: re.Match[str], block: _ValueTest, item: _ValueTest) -> Iterator[Span]:
    """Yield the spans of secrets below a heading that names them.

    They are lines of a block scalar, tested by `block`, or list items, tested by `item`.
    """
    text, first = match.string, 0
    indented = _INDENT.match(text, text.rfind("\n", 0, match.start()) + 1)
    indent = len(indented[0]) if indented else 0
    for start, end in _lines_below(text, match.end(), indent, listed=not match["style"]):
        depth = start - text.rfind("\n", 0, start)
        first = first or depth
        if not match["style"] and depth > first:
            continue  # the item of a nested list
        value = _ITEM.match(text, start, end) or _VALUE_KEY.match(text, start, end)
        if not value and not match["style"]:
            value = _BARE_VALUE.match(text, start, end)
        if match["style"]:
            if block(text[start:end]):
                yield start, end
        elif value and item(value["secret"]):
            yield value.span("secret")


def _lines_below(text: str, position: int, indent: int, *, listed: bool) -> Iterator[Span]:
    """Yield the spans of the lines below `position` that are indented deeper than `indent`.

    The spans are without blanks around. With `listed`, lines that begin with a dash may have the
    same indentation.
    """
    position = text.find("\n", position) + 1
    while position:
        stop = text.find("\n", position)
        line = text[position : stop if stop >= 0 else None]
        body = line.strip()
        depth = indentation(line)
        if body and depth <= indent and not (listed and depth == indent and body[:2] == "- "):
            return
        if body:
            yield position + depth, position + depth + len(body)
        position = stop + 1


def _is_block_of_password(line: str) -> bool:
    return " " not in line and value_tests.looks_like_password(line)


def _is_block_of_key(line: str) -> bool:
    return " " not in line and value_tests.looks_like_key(line)


_KINDS = (
    (
        "password",
        PASSWORD_NAME,
        PASSWORD_NEEDLES,
        _is_block_of_password,
        value_tests.is_listed_password,
    ),
    ("secret", KEY_NAME, KEY_NEEDLES, _is_block_of_key, value_tests.is_listed_key),
)

YAML_BLOCK_DETECTORS = tuple(
    Detector(
        rule,
        LazyPattern(f"{name}s?{NAME_SUFFIX}{_HEADING_END}"),
        needles,
        line_prefix=_LINE_PREFIX,
        find_spans=partial(_values_below, block=block, item=item),
        reads_lines=True,
    )
    for rule, name, needles, block, item in _KINDS
)

"""Changing one entry of a JSON file with comments, and no other byte of it.

A new entry goes last and is laid out as its neighbours are. What was put in is taken out again
without a trace, save that an object of nothing but blanks comes back as `{}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codeindex.clients.jsonc_tree import JsonMember, JsonNode, error_at, parse_jsonc

Keys = Sequence[str | int]
"""Keys of objects and positions in lists, from the outside."""
_FIRST_INDENT = re.compile(r'\n([ \t]+)["\]}\[{]')
_USUAL_INDENT = "  "
_BLANKS = " \t\r\n"
_EXPECTED: dict[type, str] = {dict: "an object", list: "a list"}


def value_at(text: str, path: Keys, *, name: str) -> Any:
    """Return the plain value at `path`, or None where there is none."""
    node = parse_jsonc(text, name)
    for key in path:
        found = node.member(key) if node else None
        node = found.node if found else None
    return node.value if node else None


def put(text: str, path: Keys, value: object, *, name: str) -> str:
    """Set the value at `path`; what is missing on the way is made."""
    found = _Found.of(text, path, name)
    if found.rest:
        return found.inserted(_nested(found.rest[1:], value), key=found.rest[0])
    if found.node is None or found.node.value == value:
        return text
    return found.replaced(value)


def append(text: str, path: Keys, value: object, *, name: str) -> str:
    """Add an item to the list at `path`, which is made if it is missing."""
    found = _Found.of(text, path, name)
    if found.rest:
        return found.inserted(_nested(found.rest[1:], [value]), key=found.rest[0])
    found.expect(list)
    return found.inserted(value)


def remove(text: str, path: Keys, *, name: str) -> str:
    """Take out the entry at `path`, if there is one, and the comma that it needed."""
    found = _Found.of(text, path[:-1], name)
    if found.rest or found.node is None:
        return text
    member = found.node.member(path[-1])
    return _without(text, found.node, member) if member else text


def take(text: str, path: Keys, *, name: str) -> str:
    """Remove the entry at `path`, then whatever around it has become empty, save the document."""
    left = remove(text, path, name=name)
    around = path[:-1]
    if left == text or not around:
        return left
    found = _Found.of(left, around, name)
    is_blank = found.node and not left[found.node.start + 1 : found.node.end - 1].strip()
    return take(left, around, name=name) if is_blank else left


def _nested(keys: Keys, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


@dataclass(frozen=True, slots=True)
class _Found:
    """How far a path leads into a document: to `node`, with the keys of `rest` missing in it."""

    text: str
    name: str
    node: JsonNode | None
    rest: Keys

    @classmethod
    def of(cls, text: str, path: Keys, name: str) -> _Found:
        node = parse_jsonc(text, name)
        if node is None:
            return cls(text, name, None, ("", *path))  # "" stands for the document
        for position, key in enumerate(path):
            cls(text, name, node, ()).expect(list if isinstance(key, int) else dict)
            member = node.member(key)
            if member is None:
                return cls(text, name, node, path[position:])
            node = member.node
        return cls(text, name, node, ())

    def expect(self, kind: type) -> None:
        if self.node is None or not isinstance(self.node.value, kind):
            at = self.node.start if self.node else 0
            what = f"should be {_EXPECTED[kind]}"
            raise error_at(self.text, self.name, at=at, what=what)

    def replaced(self, value: object) -> str:
        node = self.node
        if node is None:
            return self.text
        indent = _line_indent(self.text, node.start)
        is_flat = "\n" not in self.text[node.start : node.end] and bool(node.members)
        shown = _formatted(self.text, value, indent=indent, is_flat=is_flat)
        return self.text[: node.start] + shown + self.text[node.end :]

    def inserted(self, value: object, *, key: str | int | None = None) -> str:
        if self.node is None:  # nothing but blanks and comments
            gap = _newline(self.text) if self.text.strip() and self.text[-1] not in "\r\n" else ""
            shown = _formatted(self.text, value, indent="", is_flat=False)
            return f"{self.text}{gap}{shown}{_newline(self.text)}"
        return _with_member(self.text, self.node, key, value)


def _with_member(text: str, node: JsonNode, key: str | int | None, value: object) -> str:
    inside = text[node.start + 1 : node.end - 1]
    outer, newline = _line_indent(text, node.start), _newline(text)
    is_flat = bool(inside.strip()) and "\n" not in inside
    indent = _member_indent(text, node) or outer + _unit(text)
    shown = _formatted(text, value, indent=indent, is_flat=is_flat)
    if key is not None:
        shown = f"{json.dumps(key, ensure_ascii=False)}: {shown}"
    if not inside.strip():
        filled = f"{newline}{indent}{shown}{newline}{outer}"
        return text[: node.start + 1] + filled + text[node.end - 1 :]
    gap = " " if is_flat else newline + indent
    if not node.members:
        return text[: node.last] + gap + shown + text[node.last :]
    before = node.members[-1]
    if before.comma >= 0:
        return text[: node.last] + gap + shown + "," + text[node.last :]
    end = before.node.end
    return text[:end] + "," + text[end : node.last] + gap + shown + text[node.last :]


def _without(text: str, node: JsonNode, member: JsonMember) -> str:
    if member is not node.members[-1]:  # the next one takes its place
        between = text[member.node.end : member.comma]
        return text[: member.start] + between + text[member.comma + 1 :].lstrip(_BLANKS)
    behind = text[member.node.end :]
    if member.comma >= 0:
        behind = text[member.node.end : member.comma] + text[member.comma + 1 :]
    gap = behind[: len(behind) - len(behind.lstrip(_BLANKS))]
    swallows = member.before.kind == "line" and "\n" not in gap  # the bracket would be a comment
    head = text[: member.start if swallows else member.before.end]
    if len(node.members) > 1 and member.comma < 0:
        comma = node.members[-2].comma
        head = head[:comma] + head[comma + 1 :]
    elif member.before.kind in "{[" and behind[len(gap)] in "}]":
        behind = behind[len(gap) :]
    return head + behind


def _member_indent(text: str, node: JsonNode) -> str:
    """Return the indentation of the last member that begins a line."""
    for member in reversed(node.members):
        line = text[text.rfind("\n", 0, member.start) + 1 : member.start]
        if not line.strip() and member.start > node.start + 1 + len(line):
            return line
    return ""


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = _FIRST_INDENT.search(text)
    return found[1] if found else _USUAL_INDENT


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _formatted(text: str, value: object, *, indent: str, is_flat: bool) -> str:
    if is_flat:
        return json.dumps(value, ensure_ascii=False)
    shown = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return shown.replace("\n", _newline(text) + indent)

"""Change one entry of a JSON file with comments; all other bytes stay the same.

A new entry is added as the last one, in the layout of its neighbours. Removing it restores the
former text, except that an object that has only blanks becomes `{}`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from codeindex.clients.jsonc_tree import JsonMember, JsonNode, error_at, parse_jsonc
from codeindex.clients.text_edits import KeyPath, line_ending

_FIRST_INDENT = re.compile(r'\n([ \t]+)["\]}\[{]')
_DEFAULT_INDENT = "  "
_BLANKS = " \t\r\n"
_EXPECTED: dict[type, str] = {dict: "an object", list: "a list"}


def read_json_value(text: str, path: KeyPath, *, name: str) -> Any:
    """Return the value at `path`, or None if it is missing.

    `name` is the file's name for error messages.
    """
    node = parse_jsonc(text, name)
    for key in path:
        member = node.member(key) if node else None
        node = member.node if member else None
    return node.value if node else None


def set_json_value(text: str, path: KeyPath, value: object, *, name: str) -> str:
    """Return the text with `value` at `path`; missing objects on the way are created."""
    location = _Location.of(text, path, name)
    if location.rest:
        return location.insert(_nested(location.rest[1:], value), key=location.rest[0])
    if location.node is None or location.node.value == value:
        return text
    return location.replace(value)


def append_json_item(text: str, path: KeyPath, value: object, *, name: str) -> str:
    """Return the text with an item appended to the list at `path`, created if it is missing."""
    location = _Location.of(text, path, name)
    if location.rest:
        return location.insert(_nested(location.rest[1:], [value]), key=location.rest[0])
    location.expect(list)
    return location.insert(value)


def remove_json_entry(text: str, path: KeyPath, *, name: str) -> str:
    """Return the text without the entry at `path` and its comma.

    The text is unchanged if there is no such entry.
    """
    location = _Location.of(text, path[:-1], name)
    if location.rest or location.node is None:
        return text
    member = location.node.member(path[-1])
    return _remove_member(text, location.node, member) if member else text


def prune_json_entry(text: str, path: KeyPath, *, name: str) -> str:
    """Return the text without the entry at `path`, and without containers that are then empty."""
    remaining = remove_json_entry(text, path, name=name)
    parent = path[:-1]
    if remaining == text or not parent:
        return remaining
    location = _Location.of(remaining, parent, name)
    node = location.node
    is_blank = node and not remaining[node.start + 1 : node.end - 1].strip()
    return prune_json_entry(remaining, parent, name=name) if is_blank else remaining


def _nested(keys: KeyPath, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


@dataclass(frozen=True, slots=True)
class _Location:
    """A place in a JSON document that may not exist yet.

    `node` is the innermost existing value on the path to it, `rest` are the missing keys.
    """

    text: str
    name: str
    node: JsonNode | None
    rest: KeyPath

    @classmethod
    def of(cls, text: str, path: KeyPath, name: str) -> _Location:
        node = parse_jsonc(text, name)
        if node is None:
            return cls(text, name, None, ("", *path))  # "" is the document
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

    def replace(self, value: object) -> str:
        node = self.node
        if node is None:
            return self.text
        indent = _line_indent(self.text, node.start)
        is_flat = "\n" not in self.text[node.start : node.end] and bool(node.members)
        formatted = _format(self.text, value, indent=indent, is_flat=is_flat)
        return self.text[: node.start] + formatted + self.text[node.end :]

    def insert(self, value: object, *, key: str | int | None = None) -> str:
        if self.node is None:  # the document has only blanks and comments
            gap = (
                line_ending(self.text) if self.text.strip() and self.text[-1] not in "\r\n" else ""
            )
            formatted = _format(self.text, value, indent="", is_flat=False)
            return f"{self.text}{gap}{formatted}{line_ending(self.text)}"
        return _add_member(self.text, self.node, key, value)


def _add_member(text: str, node: JsonNode, key: str | int | None, value: object) -> str:
    inside = text[node.start + 1 : node.end - 1]
    outer, newline = _line_indent(text, node.start), line_ending(text)
    is_flat = bool(inside.strip()) and "\n" not in inside
    indent = _member_indent(text, node) or outer + _indent_unit(text)
    entry = _format(text, value, indent=indent, is_flat=is_flat)
    if key is not None:
        entry = f"{json.dumps(key, ensure_ascii=False)}: {entry}"
    if not inside.strip():
        lines = f"{newline}{indent}{entry}{newline}{outer}"
        return text[: node.start + 1] + lines + text[node.end - 1 :]
    gap = " " if is_flat else newline + indent
    if not node.members:
        return text[: node.last] + gap + entry + text[node.last :]
    previous = node.members[-1]
    if previous.comma >= 0:
        return text[: node.last] + gap + entry + "," + text[node.last :]
    end = previous.node.end
    return text[:end] + "," + text[end : node.last] + gap + entry + text[node.last :]


def _remove_member(text: str, node: JsonNode, member: JsonMember) -> str:
    if member is not node.members[-1]:  # the next member takes its place
        between = text[member.node.end : member.comma]
        return text[: member.start] + between + text[member.comma + 1 :].lstrip(_BLANKS)
    tail = text[member.node.end :]
    if member.comma >= 0:
        tail = text[member.node.end : member.comma] + text[member.comma + 1 :]
    gap = tail[: len(tail) - len(tail.lstrip(_BLANKS))]
    # without a newline, a line comment before the member would swallow the bracket
    is_after_comment = member.before.kind == "line" and "\n" not in gap
    head = text[: member.start if is_after_comment else member.before.end]
    if len(node.members) > 1 and member.comma < 0:
        comma = node.members[-2].comma
        head = head[:comma] + head[comma + 1 :]
    elif member.before.kind in "{[" and tail[len(gap)] in "}]":
        tail = tail[len(gap) :]
    return head + tail


def _member_indent(text: str, node: JsonNode) -> str:
    """Return the indentation of the last member that begins a line, or "" if none does."""
    for member in reversed(node.members):
        line = text[text.rfind("\n", 0, member.start) + 1 : member.start]
        if not line.strip() and member.start > node.start + 1 + len(line):
            return line
    return ""


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_unit(text: str) -> str:
    match = _FIRST_INDENT.search(text)
    return match[1] if match else _DEFAULT_INDENT


def _format(text: str, value: object, *, indent: str, is_flat: bool) -> str:
    if is_flat:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_indent_unit(text))
    return lines.replace("\n", line_ending(text) + indent)

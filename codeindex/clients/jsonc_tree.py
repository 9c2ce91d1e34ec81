"""JSON with comments as a tree that knows where each part of the text is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from codeindex.errors import ConfigError

MARK = "\ufeff"
"""The byte order mark that some editors put before a file."""
_MAX_DEPTH = 64
"""Levels; settings need six, and each takes two frames of Python's stack."""
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    | (?P<line>//[^\r\n]*)
    | (?P<block>/\*.*?\*/)
    | (?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
    | (?P<plain>(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.]))
    | (?P<mark>[{}\[\],:])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_COMMENTS = {"line", "block"}
_CLOSERS = {"{": "}", "[": "]"}


class JsonToken(NamedTuple):
    """A piece of the text that is not blank."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value; of an object or a list, `last` is where what stands before its bracket ends."""

    start: int
    end: int
    value: Any
    members: tuple[JsonMember, ...] = ()
    last: int = 0

    def member(self, key: str | int) -> JsonMember | None:
        """Return the member of that key; of several the last, which is the one that counts."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class JsonMember:
    """An entry of an object, or an item of a list with its position as the key."""

    key: str | int
    start: int
    node: JsonNode
    before: JsonToken
    """What stands before it: a bracket, a comma or a comment."""
    comma: int
    """Where the comma after it is; -1 without one."""


def parse_jsonc(text: str, name: str) -> JsonNode | None:
    """Read a document, None for one without a value; ConfigError says where it is not valid."""
    reader = _Reader(text, name)
    if reader.peek() is None:
        return None
    node = reader.node(0)
    if reader.peek() is not None:
        raise reader.error("there is more after its end")
    return node


def error_at(text: str, name: str, *, at: int, what: str) -> ConfigError:
    return ConfigError(f"{name}:{text.count(chr(10), 0, at) + 1} {what}; correct it.")


class _Reader:
    """Takes tokens one by one; comments are skipped and known to `before`."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._tokens = self._cut(len(MARK) if text.startswith(MARK) else 0)
        self._next = 0

    def _cut(self, at: int) -> list[JsonToken]:
        found = []
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise self._invalid(at, f"what is {self._text[at : at + 10]!r}?")
            kind, at = str(match.lastgroup), match.end()
            if kind != "space":
                kind = match[0] if kind == "mark" else kind
                found.append(JsonToken(kind, match.start(), at))
        return found

    def peek(self) -> JsonToken | None:
        """Return the next token that is no comment."""
        while self._next < len(self._tokens) and self._tokens[self._next].kind in _COMMENTS:
            self._next += 1
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def node(self, depth: int) -> JsonNode:
        token = self._take()
        if depth > _MAX_DEPTH:
            raise self._invalid(token.start, "nested too deeply")
        if token.kind in _CLOSERS:
            return self._container(token, depth)
        return JsonNode(token.start, token.end, self._plain(token))

    def error(self, what: str) -> ConfigError:
        """Tell what is wrong at the next token."""
        token = self.peek()
        return self._invalid(token.start if token else len(self._text), what)

    def _container(self, opener: JsonToken, depth: int) -> JsonNode:
        members: list[JsonMember] = []
        while not self._is_next(_CLOSERS[opener.kind]):
            if members and members[-1].comma < 0:
                raise self.error("a comma is missing")
            members.append(self._member(opener.kind, depth, len(members)))
        last = self._before.end
        end = self._take().end
        pairs = [(member.key, member.node.value) for member in members]
        value = dict(pairs) if opener.kind == "{" else [item for _, item in pairs]
        return JsonNode(opener.start, end, value, tuple(members), last)

    def _member(self, opener: str, depth: int, position: int) -> JsonMember:
        first = self.peek()
        before, key = self._before, position
        if opener == "{":
            key = self._key()
        node = self.node(depth + 1)
        comma = self._take().start if self._is_next(",") else -1
        return JsonMember(key, first.start if first else 0, node, before, comma)

    def _key(self) -> Any:
        if not self._is_next("string"):
            raise self.error("a key in double quotes is wanted")
        key = self._plain(self._take())
        if not self._is_next(":"):
            raise self.error("a colon is missing")
        self._take()
        return key

    @property
    def _before(self) -> JsonToken:
        return self._tokens[self._next - 1]

    def _is_next(self, kind: str) -> bool:
        token = self.peek()
        return token is not None and token.kind == kind

    def _take(self) -> JsonToken:
        token = self.peek()
        if token is None:
            raise self.error("it ends too early")
        self._next += 1
        return token

    def _plain(self, token: JsonToken) -> Any:
        try:
            return json.loads(self._text[token.start : token.end])
        except ValueError:
            what = f"{self._text[token.start : token.end][:20]} is no value"
            raise self._invalid(token.start, what) from None

    def _invalid(self, at: int, what: str) -> ConfigError:
        return error_at(self._text, self._name, at=at, what=f"is not valid JSON ({what})")

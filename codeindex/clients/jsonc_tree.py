"""Parse JSON with comments into a tree; each value has its position in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from codeindex.clients.text_edits import BYTE_ORDER_MARK
from codeindex.errors import ConfigError

_MAX_DEPTH = 64
"""Most nesting levels: settings have about six; deeper ones could exhaust Python's stack."""
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
    """A token or comment with its start and end offset in the text; blanks are no tokens."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A JSON value with its start and end offset in the text.

    `members` are the members of an object or the items of a list; `last` is the end of the last
    token before the closing bracket.
    """

    start: int
    end: int
    value: Any
    members: tuple[JsonMember, ...] = ()
    last: int = 0

    def member(self, key: str | int) -> JsonMember | None:
        """Return the last member with a key: JSON readers use the last of equal keys."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object, or an item of a list; the key of an item is its position."""

    key: str | int
    start: int
    node: JsonNode
    before: JsonToken
    """The token before the member: a bracket, a comma or a comment."""
    comma: int
    """Offset of the comma after the member; -1 if there is none."""


def parse_jsonc(text: str, name: str) -> JsonNode | None:
    """Return the tree of a JSON document, or None if the document has no value.

    Raises ConfigError with the line number if the document is invalid.
    """
    parser = _Parser(text, name)
    if parser.peek() is None:
        return None
    node = parser.node(0)
    if parser.peek() is not None:
        raise parser.error("there is more after its end")
    return node


def error_at(text: str, name: str, *, at: int, what: str) -> ConfigError:
    return ConfigError(f"{name}:{text.count(chr(10), 0, at) + 1} {what}; correct it.")


class _Parser:
    """A recursive-descent parser for JSON with comments.

    `_before` is the token or comment directly before the next token.
    """

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._tokens = self._tokenize(
            len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        )
        self._next = 0

    def _tokenize(self, at: int) -> list[JsonToken]:
        tokens = []
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise self._invalid(at, f"what is {self._text[at : at + 10]!r}?")
            kind, at = str(match.lastgroup), match.end()
            if kind != "space":
                kind = match[0] if kind == "mark" else kind
                tokens.append(JsonToken(kind, match.start(), at))
        return tokens

    def peek(self) -> JsonToken | None:
        """Skip comments and return the next token without consuming it, or None at the end."""
        while self._next < len(self._tokens) and self._tokens[self._next].kind in _COMMENTS:
            self._next += 1
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def node(self, depth: int) -> JsonNode:
        token = self._advance()
        if depth > _MAX_DEPTH:
            raise self._invalid(token.start, "nested too deeply")
        if token.kind in _CLOSERS:
            return self._container(token, depth)
        return JsonNode(token.start, token.end, self._plain(token))

    def error(self, what: str) -> ConfigError:
        """Return a ConfigError that names the line of the next token, and the fault (`what`)."""
        token = self.peek()
        return self._invalid(token.start if token else len(self._text), what)

    def _container(self, opener: JsonToken, depth: int) -> JsonNode:
        members: list[JsonMember] = []
        while not self._is_next(_CLOSERS[opener.kind]):
            if members and members[-1].comma < 0:
                raise self.error("a comma is missing")
            members.append(self._member(opener.kind, depth, len(members)))
        last = self._before.end
        end = self._advance().end
        pairs = [(member.key, member.node.value) for member in members]
        value = dict(pairs) if opener.kind == "{" else [value for _, value in pairs]
        return JsonNode(opener.start, end, value, tuple(members), last)

    def _member(self, opener: str, depth: int, position: int) -> JsonMember:
        first = self.peek()
        before, key = self._before, position
        if opener == "{":
            key = self._key()
        node = self.node(depth + 1)
        comma = self._advance().start if self._is_next(",") else -1
        return JsonMember(key, first.start if first else 0, node, before, comma)

    def _key(self) -> Any:
        if not self._is_next("string"):
            raise self.error("a key in double quotes is expected")
        key = self._plain(self._advance())
        if not self._is_next(":"):
            raise self.error("a colon is missing")
        self._advance()
        return key

    @property
    def _before(self) -> JsonToken:
        return self._tokens[self._next - 1]

    def _is_next(self, kind: str) -> bool:
        token = self.peek()
        return token is not None and token.kind == kind

    def _advance(self) -> JsonToken:
        token = self.peek()
        if token is None:
            raise self.error("it ends too early")
        self._next += 1
        return token

    def _plain(self, token: JsonToken) -> Any:
        try:
            return json.loads(self._text[token.start : token.end])
        except ValueError:
            what = f"{self._text[token.start : token.end][:20]} is not a value"
            raise self._invalid(token.start, what) from None

    def _invalid(self, at: int, what: str) -> ConfigError:
        return error_at(self._text, self._name, at=at, what=f"is not valid JSON ({what})")

"""Read the code of components, files that have a script and markup: Vue, Svelte.

A component becomes a script of the same length, with the same line ends, so that names keep their
places. Markup is blanked, but what it evaluates and the components that it names are statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from codeindex.languages import _ecmascript as es
from codeindex.languages import _ecmascript_exports as exports
from codeindex.languages._base import ComponentScript, Language
from codeindex.text.blanks import blank_bytes

COMPONENT = "component "
"""Start of the signature of a component that is a whole file."""
_MARKUP = """
((expression_statement (identifier) @of) @call (#match? @of "^[A-Z]"))
(expression_statement [(arrow_function) (function_expression)] @scope)
"""
"""Patterns of markup as statements: an element is a call, as in JSX, and a handler a function."""
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOCK = _COMMENT.pattern + (
    rb"|^(?P<indent>[ \t]*)"
    rb"<(?P<name>%s)\b(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>"
)
"""A comment, or the tag that opens a block of a component: a script, template or style."""
_OTHER_LANGUAGE = re.compile(rb"""\blang=["']?(?!ts\b|js\b|typescript\b|javascript\b|html\b)\w""")
"""Matches the attributes of a block that is not in TypeScript, JavaScript or HTML."""
NAME = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
"""Matches names, also with letters that are not ASCII, in UTF-8."""
_VARIABLE = re.compile(rb"(?<![\w$.\x80-\xff])" + NAME.pattern)
"""Matches names that are not the names of members."""
_KEYWORDS = frozenset({b"as", b"of", b"in", b"new", b"typeof", b"true", b"false", b"null", b"this"})
_TYPE_IMPORT = re.compile(rb"\bimport\s+type\b(?P<all>[^;'\"]*)|[{,]\s*type\s+(?P<one>[\w$]+)")
"""Matches imports of types alone: `import type { Cart }`, `import { type Cart }`."""


class ComponentBlock(NamedTuple):
    """A script, template or style of a component; `start` and `end` are those of its content."""

    name: bytes
    attributes: bytes
    start: int
    end: int
    is_indented: bool

    @property
    def is_read(self) -> bool:
        """Whether it is in TypeScript, JavaScript or HTML, not in Pug or CoffeeScript."""
        return not _OTHER_LANGUAGE.search(self.attributes)


def block_pattern(names: bytes) -> re.Pattern[bytes]:
    """Return a pattern of comments, and of the tags that open blocks with these names, a regex."""
    return re.compile(_BLOCK % names, re.MULTILINE | re.DOTALL)


def find_blocks(source: bytes, opening: re.Pattern[bytes]) -> Iterator[ComponentBlock]:
    """Yield the blocks of a component, whose tags `opening` matches; comments are skipped.

    The end of a template is the first that is not indented, since templates can be nested.
    """
    at = 0
    while match := opening.search(source, at):
        name, at = match["name"], match.end()
        if name is None or match["attributes"].endswith(b"/"):
            continue
        closing = b"</" + name
        is_nested = name == b"template"
        end = source.find(b"\n" + closing if is_nested else closing, at)
        if is_nested and end < 0:
            end = source.rfind(closing, at)
        end = end if end >= 0 else len(source)
        yield ComponentBlock(name, match["attributes"], at, end, bool(match["indent"]))
        at = end


class ScriptCopy:
    """The script of a component: blanks, to which parts of the component are copied."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.text = bytearray(blank_bytes(source))
        self.markup = bytearray(source)
        """The component, without the comments of markup that was read."""
        self.bound: set[bytes] = set()
        """Names that markup binds, which hide those of the script."""
        self._elements: list[tuple[int, bytes]] = []

    def blank_comments(self, start: int, end: int) -> None:
        """Blank the comments in a part of `markup`."""
        self.markup[start:end] = _COMMENT.sub(
            lambda match: blank_bytes(match[0]), self.markup[start:end]
        )

    def keep(self, start: int, end: int) -> None:
        """Copy a part of the component."""
        self.text[start:end] = self.source[start:end]

    def put(self, at: int, sign: bytes) -> None:
        """Write a sign where the script has a blank."""
        if 0 <= at < len(self.text) and self.text[at] == ord(b" "):
            self.text[at : at + 1] = sign

    def keep_expression(self, start: int, end: int, *, part: tuple[int, int] | None = None) -> None:
        """Copy an expression as a statement in brackets, which replace the signs around it.

        The signs are before `start` and at `end`: quotes or braces. The expression is the `part`
        from start to end, by default all between the signs.
        """
        self.put(start - 2, b";")
        self.put(start - 1, b"(")
        self.keep(*(part or (start, end)))
        self.put(end, b")")
        self.put(end + 1, b";")

    def keep_statements(self, start: int, end: int, *, part: tuple[int, int] | None = None) -> None:
        """Copy statements as a block in braces; the parameters are those of `keep_expression`."""
        self.put(start - 1, b"{")
        self.keep(*(part or (start, end)))
        self.put(end, b"}")

    def add_element(self, start: int, name: bytes) -> None:
        """Add the component that an element names at `start`, perhaps in another form."""
        self._elements.append((start, name))

    def bind(self, names: bytes) -> None:
        self.bound.update(NAME.findall(names))

    def hide_bound(self, start: int, end: int) -> None:
        """Replace the names that markup binds by other names in a part of the script."""
        hidden = self.bound - _KEYWORDS
        self.text[start:end] = _VARIABLE.sub(
            lambda match: b"_" * len(match[0]) if match[0] in hidden else match[0],
            bytes(self.text[start:end]),
        )

    def finish(self) -> bytes:
        """Write the elements as statements, but for those that name a type; return the script."""
        types: set[bytes] = set()
        for match in _TYPE_IMPORT.finditer(bytes(self.text)):
            types.update(NAME.findall(match["all"] or match["one"]))
        for start, name in self._elements:
            if name not in types:
                self.put(start - 1, b";")
                self.text[start : start + len(name)] = name
                self.put(start + len(name), b";")
        return bytes(self.text)


def pascal_case(name: str) -> str:
    """Return the form of a component's name that code has: `CartPanel` for `cart-panel`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("-"))


def component_language(base: Language, name: str, script: ComponentScript) -> Language:
    """Return the language of files that end in `.` and `name`, with scripts in the language `base`.

    A component is a module, also without imports and exports. Routers and folders can use it
    without naming it.
    """
    return replace(
        base,
        name=name,
        suffixes=(f".{name}",),
        shared_suffixes=(),
        script=script,
        relations=base.relations + _MARKUP,
        interpreters=(),
        declaration_suffixes=(),
        tests=es.tests(f".{name}"),
        any_argument_count=True,
        used_unnamed=re.compile(f"^{COMPONENT}"),
        visibility=replace(exports.VISIBILITY, module=re.compile("")),
    )

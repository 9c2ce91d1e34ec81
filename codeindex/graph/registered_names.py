"""Find the tests that run a function by a text: the name of a command, or a route.

A decorator registers a function (`@cli.command("drop-index")`, `@GetMapping("/users/{id}")`), or a
call that names it (`app.get("/users/:id", show)`). A test that has the text as a literal, such as
`invoke(cli, ["drop-index"])` or `client.get("/users/3")`, probably runs it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from codeindex.languages import DECORATOR_START
from codeindex.store.catalog.chunks import test_texts_containing
from codeindex.store.catalog.file_lines import FileLines
from codeindex.store.graph.user_ids import functions_at, registering_lines
from codeindex.types import Node

_SHORTEST = 3
"""Minimum letters of a registered text to look for: the trigram index finds no shorter one."""
_DECORATOR = re.compile(
    DECORATOR_START + r"(?:(?P<receiver>[\w.:]+?)(?:\.|::))?\w+\s*\("
    r"(?:\s*(?:name|path|value)\s*=)?(?:\s*[\"'](?P<text>[^\"'\n]+)[\"'])?",
    re.MULTILINE,
)
_LITERAL = re.compile(r"[\"'`]([^\"'`\s]+)[\"'`]")
_PLACEHOLDER = re.compile(r"<[^>/]*>|\{[^}/]*\}|(?<=/):\w+|\*+")
"""A part of a route that stands for any text, as Flask, FastAPI and Express write it."""


class RegisteredNames:
    """Finds tests by the texts that register functions. Each file is read only once."""

    def __init__(self, connection: sqlite3.Connection, files: FileLines) -> None:
        self._connection = connection
        self._files = files
        self._modules: dict[tuple[str, str], bool] = {}

    def tests_naming(self, facts: Node, *, called: bool) -> set[int]:
        """Return the ids of the functions in tests that have a registered text of a function.

        `called` is true if code calls the function: then only its decorators register it.
        """
        texts = set(self._of_decorators(facts))
        if not called:
            texts |= set(self._of_references(facts))
        places = {place for text in texts for place in _places_of(self._connection, text)}
        return functions_at(self._connection, places)

    def _of_decorators(self, facts: Node) -> Iterator[str]:
        """Yield the texts by which the decorators of a function register it.

        A decorator that is a method of an object and has no text registers the function by its
        name. A function of an imported module, such as `@click.option("--all")`, registers nothing.
        """
        if facts.start_line >= facts.line:
            return
        head = self._files.code(facts.path, facts.start_line, facts.line - 1)
        for decorator in _DECORATOR.finditer(head):
            text, receiver = decorator["text"], decorator["receiver"]
            is_object = receiver is not None and not self._is_module(facts.path, receiver)
            if text and (is_object or _is_route(text)):
                yield text
            elif is_object and not text:
                yield from {facts.name, facts.name.replace("_", "-")}

    def _is_module(self, path: str, receiver: str) -> bool:
        """Tell whether a file imports the first name of a receiver like `click.core`."""
        name = re.split(r"\.|::", receiver)[0]
        if (path, name) not in self._modules:
            imports = rf"^\s*(?:import|use)\s+(?:[\w.]+\s+as\s+)?{re.escape(name)}\b"
            text = "\n".join(self._files.lines(path))
            self._modules[path, name] = re.search(imports, text, re.MULTILINE) is not None
        return self._modules[path, name]

    def _of_references(self, facts: Node) -> Iterator[str]:
        """Yield the texts beside references to a function: `"add": add`, `get("/users", show)`."""
        name = re.escape(facts.name)
        beside = re.compile(rf"[\"'`]([^\"'`\s]+)[\"'`]\s*(?:,|:|=>)\s*&?[\w.:]*\b{name}\b")
        for path, line in registering_lines(self._connection, facts.id):
            text = self._files.code(path, line, line)
            yield from beside.findall(text)
            yield from (literal for literal in _LITERAL.findall(text) if _is_route(literal))


def _is_route(text: str) -> bool:
    return text.startswith("/") and any(map(str.isalnum, text))


def _places_of(connection: sqlite3.Connection, text: str) -> Iterator[tuple[int, int]]:
    """Yield (file id, line) of the string literals in test files that name a command or a route.

    `text` is the command or route. A literal may have more than it: `"insert data.db"` for the
    command `insert`, `"/api/users/3?full=1"` for the route `/users/{id}`.
    """
    constant = max(_PLACEHOLDER.split(text), key=len)
    if len(constant) < _SHORTEST:
        return
    pattern = "[^/\"'`\\s]+".join(map(re.escape, _PLACEHOLDER.split(text)))
    before = "[^\"'`\\s]*" if _is_route(text) else ""
    literal = re.compile(rf"[\"'`]{before}{pattern}(?=[\"'`\s?#])")
    for file, first, code in test_texts_containing(connection, constant):
        for match in literal.finditer(code):
            yield file, first + code.count("\n", 0, match.start())

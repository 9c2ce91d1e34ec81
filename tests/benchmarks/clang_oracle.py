"""What libclang says a name of C or C++ means: `graph.py c REPO...`, after `pip install libclang`.

Each source is parsed as its own unit, with the flags of `compile_commands.json` if it is in the
repository or its `build` folder, otherwise with all folders of headers as include paths. Sources
that include a header that is not found are left out: what the compiler does not see it guesses. So
only what builds on this machine counts, and functions that none of these sources defines are left
out too. A reference inside the expansion of a macro is left out if
its name is not at its place. The definitions of all units together are what a name may mean.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graph_oracles import Answer, Target

_SOURCES = (".c", ".cc", ".cpp", ".cxx")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
_REFERENCES = frozenset(
    {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "TYPE_REF", "MEMBER_REF", "OVERLOADED_DECL_REF"}
)
_LOCALS = frozenset({"PARM_DECL", "LABEL_STMT", "TEMPLATE_TYPE_PARAMETER"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "LAMBDA_EXPR"})
_DEFINED_ELSEWHERE = frozenset({"FUNCTION_DECL", "CXX_METHOD"})
_FATAL = 4
_DETAILED_RECORD = 1
"""`CXTranslationUnit_DetailedPreprocessingRecord`: macros are cursors too."""


def c(root: Path, paths: Sequence[str], size: int, _: Path) -> list[Answer]:
    """Return up to `size` answers about random names that libclang finds in the repository."""
    units = Units(root, importlib.import_module("clang.cindex"))
    sources = [path for path in paths if path.endswith(_SOURCES)]
    found: dict[tuple[str, int, str], dict[int, str]] = {}
    for path in sources:
        for place, usr, column in units.references(path):
            found.setdefault(place, {}).setdefault(column, usr)
    answers = []
    for (path, line, name), by_column in found.items():
        usr, *others = {*by_column.values()}
        targets = units.targets[usr]
        is_known = usr in units.defined or not any(
            one.kind in _DEFINED_ELSEWHERE for one in targets
        )
        if (
            is_known
            and not others
            and not any((one.path, one.line) == (path, line) for one in targets)
        ):
            answers.append(Answer(path, line, min(by_column), name, tuple(targets)))
    random.shuffle(answers)
    return answers[:size]


class Units:
    """The parsed sources of a repository; `targets` has the definitions of each USR."""

    def __init__(self, root: Path, cindex: Any) -> None:
        self.root = root
        self.targets: dict[str, dict[Target, None]] = defaultdict(dict)
        self.defined: set[str] = set()
        self._cindex = cindex
        self._index = cindex.Index.create()
        self._lines: dict[str, list[str]] = {}
        self._read: set[str] = set()
        headers = {path.parent for path in root.rglob("*") if path.suffix in _HEADERS}
        self._includes = [f"-I{folder}" for folder in sorted({root, *headers})]
        system = sorted(Path("/usr/lib/gcc").glob("*/*/include"))[-1:]
        self._system = [f"-isystem{folder}" for folder in system]
        self._commands = dict(_commands(root))

    def references(self, path: str) -> Iterator[tuple[tuple[str, int, str], str, int]]:
        """Yield (path, line, name), USR and column of all references in a source."""
        flags = self._commands.get(path, [*self._includes, "-D_GNU_SOURCE"])
        try:
            unit = self._index.parse(
                str(self.root / path), args=[*flags, *self._system], options=_DETAILED_RECORD
            )
        except self._cindex.TranslationUnitLoadError:
            return
        if any(each.severity >= _FATAL for each in unit.diagnostics):
            return
        inside: dict[str, str] = {}
        stack = [unit.cursor]
        while stack:
            cursor = stack.pop()
            for child in cursor.get_children():
                file = child.location.file
                name = file.name if file else ""
                if name not in inside:  # a header is read once, as its first includer sees it
                    relative = self._relative(name)
                    inside[name] = "" if relative in self._read else relative
                if inside[name]:
                    stack.append(child)
                    yield from self._reference(child, inside[name])
        self._read.update(filter(None, inside.values()))

    def _reference(self, cursor: Any, path: str) -> Iterator[tuple[tuple[str, int, str], str, int]]:
        if cursor.kind.is_declaration() and cursor.spelling:
            self._define(cursor)
        if cursor.kind.name not in {*_REFERENCES, "MACRO_INSTANTIATION"}:
            return
        named = cursor.referenced
        if named is None or named.kind.name in _LOCALS or not named.spelling:
            return
        if named.kind.name == "VAR_DECL" and named.semantic_parent.kind.name in _FUNCTIONS:
            return
        usr = self._define(named)
        name, line, column = named.spelling, cursor.location.line, cursor.location.column
        if usr and self._text(path, line, column).startswith(name):
            yield (path, line, name), usr, column

    def _define(self, cursor: Any) -> str:
        """Note where a declaration is; return its USR, "" if it is outside of the repository."""
        file, line = cursor.location.file, cursor.location.line
        path = self._relative(file.name) if file else ""
        usr = str(cursor.get_usr())
        if cursor.is_definition():
            self.defined.add(usr)
        if not path or not usr:
            return ""
        if cursor.kind.name == "MACRO_DEFINITION":  # its USR has no file if it is in a header
            usr = f"{usr}:{path}:{line}"
        self.targets[usr][Target(path, line, cursor.spelling, cursor.kind.name, False)] = None
        return usr

    def _text(self, path: str, line: int, column: int) -> str:
        if path not in self._lines:
            text = (self.root / path).read_text("utf-8", "replace")
            self._lines[path] = text.split("\n")
        text = self._lines[path][line - 1] if line <= len(self._lines[path]) else ""
        return text[column - 1 :]

    def _relative(self, name: str) -> str:
        try:
            return Path(name).resolve().relative_to(self.root).as_posix()
        except ValueError:
            return ""


def _commands(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the paths and flags of `compile_commands.json`."""
    for place in (root, root / "build"):
        file = place / "compile_commands.json"
        for entry in json.loads(file.read_text()) if file.is_file() else ():
            words = entry.get("arguments") or shlex.split(entry["command"])
            flags = [word for word in words[1:] if re.match(r"-[IDUsi]|-isystem|/", word)]
            source = (Path(entry["directory"]) / entry["file"]).resolve()
            yield source.relative_to(root).as_posix(), [f for f in flags if f != entry["file"]]

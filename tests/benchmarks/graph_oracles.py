"""What others say a name means: jedi, the TypeScript compiler, javac."""

from __future__ import annotations

import importlib
import io
import json
import keyword
import random
import subprocess
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Target(NamedTuple):
    """Where a name is defined; no path outside of the repository.

    `is_local` is true for what has no symbol: local variables, and fields of plain object literals.
    """

    path: str
    line: int
    name: str
    kind: str
    is_local: bool


class Answer(NamedTuple):
    """A name in the source, all that it may mean, and `call` as `use` if it is called."""

    path: str
    line: int
    column: int
    name: str
    targets: tuple[Target, ...]
    beside: tuple[Target, ...] = ()
    """What else the name means there: `X` in `new X()` is a type and a constructor."""
    use: str = ""


def python(root: Path, paths: Sequence[str], size: int, _: Path) -> list[Answer]:
    """Ask jedi about random names until it has resolved `size` of them in the repository."""
    jedi = importlib.import_module("jedi")  # installed for this alone
    project = jedi.Project(root)
    places = [place for path in paths if path.endswith(".py") for place in _names(root, path)]
    random.shuffle(places)
    scripts: dict[str, Any] = {}
    answers: list[Answer] = []
    known = 0
    for path, line, column, name in places:
        if known >= size:
            break
        script = scripts.setdefault(path, jedi.Script(path=root / path, project=project))
        try:
            found = script.goto(line, column, follow_imports=True)
        except Exception:  # noqa: BLE001 (jedi fails in many ways; so much for that name)
            continue
        targets = tuple(_target(root, one) for one in found)
        if any((one.path, one.line, one.name) == (path, line, name) for one in targets):
            continue  # it is the definition
        answers.append(Answer(path, line, column, name, targets))
        known += any(one.path and not one.is_local for one in targets)
    return answers


def _names(root: Path, path: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield names outside of import statements that occur once in their line."""
    text = (root / path).read_text("utf-8", "replace")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    often = Counter((one.start[0], one.string) for one in tokens if one.type == tokenize.NAME)
    importing, begins = False, True
    for one in tokens:
        if begins and one.type == tokenize.NAME:
            importing = one.string in {"import", "from"}
        begins = one.type in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT} or (
            begins and one.type in {tokenize.NL, tokenize.COMMENT}
        )
        is_name = one.type == tokenize.NAME and not keyword.iskeyword(one.string)
        if is_name and not importing and often[one.start[0], one.string] == 1:
            yield path, *one.start, one.string


def _target(root: Path, found: Any) -> Target:
    try:
        path = Path(found.module_path or "").resolve().relative_to(root).as_posix()
    except ValueError:
        path = ""
    if not found.module_path:
        path = ""
    is_local = found.type == "param"
    parent = found.parent() if path and found.type == "statement" else None
    if parent is not None and parent.type == "function":
        line = (root / path).read_text("utf-8", "replace").split("\n")[found.line - 1]
        is_local = not line[: found.column].rstrip().endswith(".")  # `self.x =` is an attribute
    return Target(path, found.line or 1, found.name, found.type, is_local)


def typescript(root: Path, paths: Sequence[str], size: int, modules: Path) -> list[Answer]:
    """Ask the TypeScript compiler, which node runs, about random identifiers."""
    scripts = [path for path in paths if Path(path).suffix in _SCRIPTS]
    return _asked_of_node("typescript", root, scripts, size, modules)


def php(root: Path, paths: Sequence[str], size: int, modules: Path) -> list[Answer]:
    """Ask intelephense, a language server that node runs, about random names."""
    return _asked_of_node("intelephense", root, paths, size, modules)


_NODE_PROGRAMS = {"typescript": "typescript_oracle.js", "intelephense": "php_oracle.js"}


def _asked_of_node(
    package: str, root: Path, paths: Sequence[str], size: int, modules: Path
) -> list[Answer]:
    done = subprocess.run(
        [
            "node",
            "--stack-size=4000",
            str(Path(__file__).with_name(_NODE_PROGRAMS[package])),
            str(modules / "node_modules" / package),
            str(root),
            str(size),
        ],
        input="\n".join(paths),
        capture_output=True,
        check=True,
        text=True,
    )
    answers = []
    for row in map(json.loads, done.stdout.splitlines()):
        path, line, column, name, found, use = row
        targets = tuple(
            Target(file or "", at, called, kind, kind in {"local", "data"})
            for file, at, called, kind in found
        )
        answers.append(Answer(path, line, column, name, targets, use=use))
    return answers


def java(root: Path, paths: Sequence[str], size: int, _: Path) -> list[Answer]:
    """Ask javac, by its tree API, about all names, and draw `size` of them that it resolves."""
    answers = [
        answer
        for same_line in java_names(root, paths)
        if len(same_line) == 1
        for answer in same_line[0]
        if (answer.targets[0].path, answer.targets[0].line) != (answer.path, answer.line)
    ]
    random.shuffle(answers)
    known = [index for index, answer in enumerate(answers) if _is_in_repository(answer)]
    return answers[: known[size]] if size < len(known) else answers


def java_names(root: Path, paths: Sequence[str]) -> list[list[list[Answer]]]:
    """Return javac's answers: for each name in a line, for each of its columns, all meanings."""
    done = subprocess.run(
        ["java", str(Path(__file__).with_name("JavaOracle.java")), str(root)],
        input="\n".join(paths),
        capture_output=True,
        check=True,
        text=True,
    )
    meanings: dict[tuple[str, int, str], dict[int, dict[Target, None]]] = {}
    for path, line, column, name, found in map(json.loads, done.stdout.splitlines()):
        targets = [
            Target(file, at, called, kind, kind == "local") for file, at, called, kind in found
        ]
        meanings.setdefault((path, line, name), {}).setdefault(column, {}).update(
            dict.fromkeys(targets)
        )
    return [
        [
            [Answer(path, line, column, name, (target,), tuple(targets)) for target in targets]
            for column, targets in by_column.items()
        ]
        for (path, line, name), by_column in meanings.items()
    ]


def _is_in_repository(answer: Answer) -> bool:
    return any(target.path and not target.is_local for target in answer.targets)


_SCRIPTS = {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
ORACLES: dict[str, Callable[[Path, Sequence[str], int, Path], list[Answer]]] = {
    "java": java,
    "python": python,
    "typescript": typescript,
    "php": php,
}

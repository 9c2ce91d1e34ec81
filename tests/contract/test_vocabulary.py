"""The vocabulary of the code: unique public names, no words of the former dialect, no cycles."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeindex

PACKAGE = Path(codeindex.__file__).parent
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if "docs" not in path.parts]
SHARED_NAMES = {"main"}
"""`main` is what `python -m` and console scripts run."""
BANNED_NAMES = {
    *("asked", "told", "said", "meant", "whatever", "thing", "things", "stuff"),
    *("harvest", "sieve", "stillness", "tripwire", "sayings", "outset", "yard", "desk", "shelf"),
}
"""Parts of names that say nothing, or were metaphors of the first version (docs/glossary.md)."""
BANNED_PROSE = re.compile(
    r"\b(?:what is said of|letter by letter|such as are|riddle|is meant to be|of which nothing)\b"
)


def definitions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def is_command(node: ast.AST) -> bool:
    """Whether a click decorator makes it a command, which has the command's name."""
    decorators = getattr(node, "decorator_list", [])
    return any("command" in ast.unparse(decorator) for decorator in decorators)


def fields(tree: ast.Module) -> Iterator[str]:
    """Yield annotated attributes of classes: some are keys of JSON, which do not change."""
    for node in ast.walk(tree):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                yield statement.target.id


def test_public_definitions_have_unique_names() -> None:
    places = defaultdict(list)
    for path in MODULES:
        for node in definitions(path):
            if not node.name.startswith("_") and not is_command(node):
                places[node.name].append(path.relative_to(PACKAGE).as_posix())
    repeated = {name: where for name, where in places.items() if len(where) > 1}
    assert {name: where for name, where in repeated.items() if name not in SHARED_NAMES} == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_banned_words_do_not_return(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } - set(fields(tree))
    parts = {part for name in names for part in re.findall(r"[a-z]+", name.lower())}
    assert parts & BANNED_NAMES == set()
    documented = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    docs = [
        ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, documented)
    ]
    assert [doc for doc in docs if BANNED_PROSE.search(doc)] == []

"""What a command imports before it has anything to do: start-up is a feature."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import codeindex
from codeindex import Index
from codeindex.cli.command_table import COMMANDS
from tests.conftest import Repository

HEAVY = {
    "chromadb",
    "codeindex.api.index",
    "diskcache",
    "huggingface_hub",
    "mcp",
    "networkx",
    "numpy",
    "onnxruntime",
    "pathspec",
    "platformdirs",
    "pydantic",
    "sqlite3",
    "tokenizers",
    "tree_sitter",
    "yaml",
}
HOOKED = (HEAVY - {"sqlite3"}) | {
    "click",
    "codeindex.languages",
    "codeindex.formatting",
    "filelock",
}
"""What no hook may import: a client waits for each of them; the catalog is all that it reads."""
NESTED = [["models", "pull"], ["models", "add"], ["config", "get"]]


def imported(code: str) -> set[str]:
    report = f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS), *NESTED], ids=" ".join)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    args = [*words, "--help"]
    code = f"from codeindex.cli import main\ntry: main({args!r})\nexcept SystemExit: pass"
    assert imported(code) & HEAVY == set()


def test_the_list_of_commands_is_printed_without_importing_any() -> None:
    modules = imported("from codeindex.cli import main\ntry: main(['-h'])\nexcept SystemExit: pass")
    assert {one for one in modules if one.startswith("codeindex")} == {
        "codeindex",
        "codeindex.cli",
        "codeindex.cli.command_table",
        "codeindex.errors",
    }


@pytest.mark.parametrize("module", ["codeindex", "codeindex.api.index", "codeindex.formatting"])
def test_importing_the_library_imports_nothing_heavy(module: str) -> None:
    assert imported(f"import {module}") & (HEAVY - {"codeindex.api.index"}) == set()


@pytest.mark.parametrize(
    ("module", "needed"),
    [
        ("codeindex.ingest.workers.worker", set[str]()),
        ("codeindex.graph.resolver_process", {"sqlite3"}),
    ],
)
def test_a_child_process_of_a_sync_starts_without_what_its_parent_needs(
    module: str, needed: set[str]
) -> None:
    unneeded = (HEAVY - needed) | {"codeindex.types.answers", "regex", "subprocess"}
    assert imported(f"import {module}") & unneeded == set()


@pytest.mark.parametrize("event", ["pre-read", "post-edit", "session-start"])
def test_a_hook_imports_little(
    event: str, home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_HOOK_MS", "60000")
    assert not home.exists()
    root = repository({"price.py": "def price():\n    return 1\n", "cart.py": "import price\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
    path = str(root / "price.py")
    code = (
        "import os, runpy, sys\n"
        f"sys.argv = ['codeindex', 'hook', {event!r}, {path!r}]\n"
        "def end(status):\n"
        "    print(status, *sys.modules, file=sys.stderr, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "os._exit = end\n"
        "runpy.run_module('codeindex', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    status, *modules = done.stderr.split()
    assert status == "0"
    assert bool(done.stdout) == (event != "post-edit")
    assert set(modules) & HOOKED == set()


def test_a_module_that_is_run_defines_nothing_below_its_start() -> None:
    for path in Path(codeindex.__file__).parent.rglob("*.py"):
        below = ast.parse(path.read_text(encoding="utf-8")).body
        starts = [at for at, node in enumerate(below) if _is_start(node)]
        assert not starts or starts == [len(below) - 1], path


def _is_start(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)

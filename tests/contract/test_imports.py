"""What a command imports before it has anything to do: start-up is a feature."""

import subprocess
import sys

import pytest

from codeindex.cli import COMMANDS

HEAVY = {
    "chromadb",
    "codeindex.index",
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
        "codeindex.errors",
    }


@pytest.mark.parametrize("module", ["codeindex", "codeindex.index", "codeindex.present"])
def test_importing_the_library_imports_nothing_heavy(module: str) -> None:
    assert imported(f"import {module}") & (HEAVY - {"codeindex.index"}) == set()

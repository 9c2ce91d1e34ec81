"""Nothing that a repository holds commands a terminal, or says what only a model would read."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from codeindex import Index
from codeindex.cli import main
from codeindex.cli.command_table import COMMANDS
from codeindex.hooks.run_hook import answer_hook
from codeindex.mcp.tools import TOOLS
from codeindex.text.sanitize import escape_data, escape_line, escape_text, escaped_json
from tests.conftest import made_repository, own_data
from tests.flow.asking import served

ODD = "\x1b[31m\u202e\u200b\u2066\ufeff\u00ad\x9b\x07\u2028\U000e0041"
"""Colours, directions, no width, a bell, the end of a line, and a letter that is not drawn."""
FILE = f"sh{ODD}op.py"
SOURCE = f'''"""What a cart {ODD} is made of."""
import json


class Cart:
    """Holds {ODD} items."""

    def add(self, item):
        """Add {ODD} an item."""
        return json.dumps("{ODD}")  # {ODD}


def fill(cart):
    return cart.add("{ODD}")
'''
FILES = {
    FILE: SOURCE,
    f"docs/gu{ODD}ide.md": f"# How {ODD} carts are filled\n\nCall `fill` of {FILE}. {ODD}\n",
    f"tests/test_{ODD}.py": f"from shop import fill\n\n\ndef test_fill():\n    fill('{ODD}')\n",
    f"broken{ODD}.py": "def broken(:\n" * 40,
    f"image{ODD}.png": "no text",
    ".ai-devtools.yaml": "code-index:\n  offline: false\n",
}


def hidden(text: str) -> list[str]:
    """Return the characters that should have been spelt out."""
    kinds = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}
    return [one for one in text if one not in "\n\t\0" and unicodedata.category(one) in kinds]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("hidden")
    with own_data(folder) as patch:
        patch.setenv("HOME", str(folder))
        root = made_repository(folder / f"shop{ODD}", FILES)
        commit = ["git", "-c", "user.name=T", "-c", "user.email=t@t", "commit", "-q", "--all"]
        (root / FILE).write_text(SOURCE + f"\n\ndef late(cart):\n    return fill(cart), '{ODD}'\n")
        subprocess.run([*commit, "-m", f"Change {ODD}"], cwd=root, check=True)
        patch.chdir(root)
        with Index.open(root) as index:
            index.sync(structure_only=True)
            index.admin.export_bundle(str(folder / "bundle"))
        yield root


ARGUMENTS: dict[str, tuple[str, ...]] = {
    "search": ("how are carts filled",),
    "similar": (f"{FILE}:8",),
    "hook": ("pre-read", FILE),
    "config": ("list",),
    "models": ("list",),
    **dict.fromkeys(("callers", "lookup", "signatures", "explain-symbol"), ("fill",)),
    **dict.fromkeys(("related-tests", "impact", "find"), ("fill",)),
    **dict.fromkeys(("ask", "search-relevant"), ("how are carts filled",)),
    **dict.fromkeys(("summaries", "token-estimate"), (FILE,)),
    "type-flow": ("Cart",),
    "implementers": ("Cart",),
    "callees": ("fill",),
    **dict.fromkeys(("read", "show"), (FILE,)),
    "why-not": (FILE, "how are carts filled"),
    "wiki": ("status",),
    "completions": ("bash",),
    "diff-summary": ("HEAD~1",),
    "init": ("--client", "claude-code", "--print"),
    "hooks": ("status",),
    "gc": ("--dry-run",),
    "export": ("--to", "../bundle"),
    "import": ("../bundle",),
    "cache": ("stats",),
    "secrets": ("list",),
}
"""What commands need; of the others, those that need something are given a file."""
WAITING = {"serve", "ui", "watch", "clear", "graph", "cluster"}
"""Commands that go on until they are ended, one that would delete what the others show, and two
that need the index of a compiler or a store."""
SHAPES = ((), ("--json",), ("--columns",))


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("name", [one for one in COMMANDS if one not in WAITING])
def test_no_command_prints_a_hidden_character(name: str) -> None:
    if name == "export":  # refused after `invalidate`, which may have run before, until a sync
        assert CliRunner().invoke(main, ["sync"]).exit_code == 0
    for shape in SHAPES:
        words = [name, *ARGUMENTS.get(name, ()), *shape]
        done = CliRunner().invoke(main, words)
        if "Missing argument" in done.stderr:
            done = CliRunner().invoke(main, [name, FILE, *shape])
        if "No such option" in done.stderr or "is for --only" in done.stderr:
            continue
        assert done.exit_code <= 1, done.stderr  # 1: `hooks status` finds none
        assert not hidden(done.output + done.stderr), words
        if shape == ("--json",) and name != "hook":
            json.loads(done.stdout)


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("flag", ["--json", "--jsonl", "--budget=300", "-l", "-c", "--explain"])
def test_no_shape_of_an_answer_holds_a_hidden_character(flag: str) -> None:
    done = CliRunner().invoke(main, ["search", "cart", flag])
    assert done.exit_code == 0
    assert "\\u202e" in done.stdout
    assert not hidden(done.output)


@pytest.mark.usefixtures("shop")
def test_a_program_that_asks_for_nul_gets_paths_as_the_disk_has_them() -> None:
    done = CliRunner().invoke(main, ["files", "-0"])
    assert FILE in done.stdout.split("\0")


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("words", [["status", ODD, ODD], [ODD], ["search", "x", f"no{ODD}"]])
def test_errors_spell_out_what_they_quote(words: list[str]) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "\\u202e" in done.stderr
    assert not hidden(done.stderr)


def test_a_file_can_be_named_as_it_was_shown(shop: Path) -> None:
    with Index.open(shop) as index:
        assert index.source.read(escape_line(FILE), start_line=1, end_line=1).file == FILE


@pytest.mark.usefixtures("shop")
def test_a_hook_escapes_hidden_characters() -> None:
    said = answer_hook(["pre-read", FILE])
    assert "u202e" in said
    assert not hidden(said)


GIVEN: dict[str, Any] = {
    "name": "fill",
    "names": ["fill"],
    "paths": [FILE],
    "places": [f"{FILE}:8"],
    "path": FILE,
    "place": f"{FILE}:8",
    "query": "how are carts filled",
    "repo": "shop",
    "requests": [{"tool": "read_code", "places": ["fill"]}],
    "subject": "fill",
    "symbol": "fill",
    "type_name": "Cart",
    "page": "carts",
    "content": f"# Carts\n\n{ODD}",
    **dict.fromkeys(("synthesis", "symptom", "attempted_fix", "diagnosis"), f"A cart {ODD} fills."),
}


def test_no_tool_and_no_resource_sends_a_hidden_character(shop: Path) -> None:
    async def everything(client: Client) -> list[str]:
        given = {
            name: {one: GIVEN[one] for one in tool.input.get("required", ())}
            for name, tool in TOOLS.items()
        }
        sent: list[Any] = [
            await client.call_tool(name, {**some, **more})
            for name, some in given.items()
            for more in ({}, {"path": ODD})
        ]
        uris = ("codeindex://relevant", "codeindex://status", "codeindex://symbol/fill")
        sent += [await client.read_resource(uri) for uri in uris]
        return [one.model_dump_json() for one in sent]

    sent = served(shop, everything, all_tools=True)
    assert sum("\\u202e" in one for one in sent) > len(TOOLS)
    for one in sent:
        assert not hidden(one), one


@given(st.text())
def test_visible_text_is_not_escaped_and_json_keeps_its_meaning(text: str) -> None:
    shown = escape_line(text)
    assert not [one for one in hidden(shown) if unicodedata.category(one) not in {"Cf", "Co"}]
    assert escape_line(shown) == shown
    assert "\n" not in shown
    assert escape_text(text).count("\n") == text.count("\n")
    assert json.loads(escaped_json({text: [text]})) == {text: [text]}
    assert escape_data({text: (text, 1)}) == {escape_text(text): [escape_text(text), 1]}


def test_a_series_of_selectors_is_spelt_out() -> None:
    """A selector right after another one has no effect: a series can only hide a message."""
    shown = escape_line("x\ufe0f\ufe0e\ufe0f and \u2764\ufe0f")
    assert shown == "x\ufe0f\\ufe0e\\ufe0f and \u2764\ufe0f"
    assert "\ufe0e" not in escaped_json({"a": "x\ufe0f\ufe0e"})

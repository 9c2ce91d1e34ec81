"""Callers and dependants in other repositories, through published packages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client

from codeindex import Index, Workspace
from codeindex.analysis.relations.foreign_uses import ForeignUse
from codeindex.cli import main
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.server import make_server
from tests.conftest import made_repository, own_data


class Pair(NamedTuple):
    """A library, code that uses it, a function of the library, and its uses."""

    library: Mapping[str, str]
    user: Mapping[str, str]
    function: str
    calls: frozenset[tuple[str, int]]
    file: str
    imports: frozenset[tuple[str, int]]


PAIRS = {
    "python": Pair(
        {
            "pyproject.toml": '[project]\nname = "shop-core"\n',
            "src/shopcore/__init__.py": "from shopcore.pay import charge\n",
            "src/shopcore/pay.py": (
                "def charge(x):\n    return x\n\n\n"
                "class Card:\n    def check(self):\n        pass\n"
            ),
            "scripts/tools/__init__.py": "def charge(x):\n    return x\n",
        },
        {
            "main.py": (
                "import shopcore\nfrom shopcore.pay import Card\nimport tools\n\n\ndef run():\n"
                "    shopcore.charge(1)\n    Card().check()\n    tools.charge(2)\n"
            )
        },
        "src/shopcore/pay.py::charge",
        frozenset({("main.py", 7)}),
        "src/shopcore/pay.py",
        frozenset({("main.py", 2)}),
    ),
    "npm": Pair(
        {
            "package.json": '{"name": "@shop/core", "main": "index.js"}\n',
            "index.js": 'export { charge } from "./pay.js";\n',
            "pay.js": "export function charge(x) {\n  return x;\n}\n",
        },
        {
            "main.js": (
                'import { charge } from "@shop/core";\nimport * as core from "@shop/core";\n\n'
                "export function run() {\n  charge(1);\n  core.charge(2);\n}\n"
            )
        },
        "pay.js::charge",
        frozenset({("main.js", 5), ("main.js", 6)}),
        "index.js",
        frozenset({("main.js", 2)}),
    ),
    "go": Pair(
        {
            "go.mod": "module example.com/core\n",
            "pay/pay.go": "package pay\n\nfunc Charge(x int) int { return x }\n",
        },
        {
            "go.mod": "module example.com/app\n",
            "main.go": (
                'package main\n\nimport "example.com/core/pay"\n\nfunc main() {\n'
                "\tpay.Charge(1)\n}\n"
            ),
        },
        "Charge",
        frozenset({("main.go", 6)}),
        "pay/pay.go",
        frozenset({("main.go", 3)}),
    ),
    "cargo": Pair(
        {
            "Cargo.toml": '[package]\nname = "shop-core"\n',
            "src/lib.rs": "pub mod pay;\npub use pay::charge;\n",
            "src/pay.rs": "pub fn charge(x: i32) -> i32 {\n    x\n}\n",
        },
        {
            "Cargo.toml": '[package]\nname = "app"\n',
            "src/main.rs": (
                "use shop_core::charge;\nuse shop_core::pay;\n\nfn main() {\n    charge(1);\n"
                "    pay::charge(2);\n}\n"
            ),
        },
        "charge",
        frozenset({("src/main.rs", 5), ("src/main.rs", 6)}),
        "src/pay.rs",
        frozenset({("src/main.rs", 1), ("src/main.rs", 2)}),
    ),
    "maven": Pair(
        {
            "pom.xml": "<project><artifactId>core</artifactId></project>\n",
            "src/com/shop/Pay.java": (
                "package com.shop;\n\npublic class Pay {\n"
                "    public static int charge(int x) { return x; }\n}\n"
            ),
        },
        {
            "pom.xml": "<project><artifactId>app</artifactId></project>\n",
            "src/com/app/Main.java": (
                "package com.app;\n\nimport com.shop.Pay;\n\nclass Main {\n    void run() {\n"
                "        Pay.charge(1);\n    }\n}\n"
            ),
        },
        "Pay.charge",
        frozenset({("src/com/app/Main.java", 7)}),
        "src/com/shop/Pay.java",
        frozenset({("src/com/app/Main.java", 3)}),
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("across")
    with own_data(folder):
        for name, pair in PAIRS.items():
            for part, files in (("core", pair.library), ("app", pair.user)):
                root = made_repository(folder / f"{name}-{part}", files)
                with Index.open(root) as index:
                    index.sync(structure_only=True)
        fork = made_repository(folder / "python-fork", PAIRS["python"].library)
        with Index.open(fork) as index:
            index.sync(structure_only=True)
        yield folder


def places(uses: tuple[ForeignUse, ...], certainty: str) -> set[tuple[str, int]]:
    return {(use.path, line) for use in uses for line in use.lines if use.certainty == certainty}


@pytest.mark.parametrize("ecosystem", PAIRS)
def test_calls_in_another_repository_are_certain(folder: Path, ecosystem: str) -> None:
    pair = PAIRS[ecosystem]
    with Workspace(folder / f"{ecosystem}-core", folder / f"{ecosystem}-app") as workspace:
        elsewhere = workspace.callers(pair.function).elsewhere
    assert elsewhere is not None
    assert places(elsewhere.uses, "resolved") == pair.calls
    assert (elsewhere.total_certain, elsewhere.total_possible) == (len(elsewhere.uses), 0)
    assert {use.repo for use in elsewhere.uses} == {f"{ecosystem}-app"}


@pytest.mark.parametrize("ecosystem", PAIRS)
def test_who_imports_a_file_depends_on_it(folder: Path, ecosystem: str) -> None:
    pair = PAIRS[ecosystem]
    with Workspace(folder / f"{ecosystem}-core", folder / f"{ecosystem}-app") as workspace:
        elsewhere = workspace.impact(pair.file).elsewhere
    assert elsewhere is not None
    imports = tuple(use for use in elsewhere.uses if use.how == "imports")
    assert places(imports, "resolved") == pair.imports


def test_a_package_that_two_repositories_publish_is_possible(folder: Path) -> None:
    roots = [folder / f"python-{name}" for name in ("core", "app", "fork")]
    with Workspace(*roots) as workspace:
        elsewhere = workspace.callers("src/shopcore/pay.py::charge").elsewhere
    assert elsewhere is not None
    assert places(elsewhere.uses, "resolved") == set()
    assert places(elsewhere.uses, "ambiguous") == {("main.py", 7)}


def test_unpublished_code_has_no_uses_in_other_repositories(folder: Path) -> None:
    with Workspace(folder / "python-core", folder / "python-app") as workspace:
        elsewhere = workspace.callers("scripts/tools/__init__.py::charge").elsewhere
    assert elsewhere is not None
    assert elsewhere.uses == ()


def test_calls_of_methods_are_possible_where_the_type_is_used(folder: Path) -> None:
    with Workspace(folder / "python-core", folder / "python-app") as workspace:
        elsewhere = workspace.callers("Card.check").elsewhere
    assert elsewhere is not None
    assert places(elsewhere.uses, "ambiguous") == {("main.py", 8)}


def test_a_repository_that_is_not_indexed_is_named(folder: Path) -> None:
    root = made_repository(folder / "bare", {"a.py": "import shopcore\n"})
    with Workspace(folder / "python-core", folder / "python-app", root) as workspace:
        elsewhere = workspace.callers("src/shopcore/pay.py::charge").elsewhere
    assert elsewhere is not None
    assert list(elsewhere.failed) == ["bare"]
    assert elsewhere.searched == ("python-app",)
    assert elsewhere.total_certain == 0


def test_the_command_line_names_the_repositories(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "go-core")
    done = CliRunner().invoke(main, ["callers", "Charge", "--also-in", "go-app"])
    assert done.exit_code == 0, done.output
    assert "in go-app: 1 certain, 0 possible uses\n" in done.stdout
    assert "go-app: main.go:6: main\n" in done.stdout
    done = CliRunner().invoke(main, ["impact", "Charge", "--also-in", "go-app", "--json"])
    uses = json.loads(done.stdout)["elsewhere"]["uses"]
    found = [(use["repo"], use["path"], use["lines"]) for use in uses]
    assert found == [("go-app", "main.go", [6])]
    done = CliRunner().invoke(main, ["callers", "Charge", "--also-in", "nowhere"])
    assert done.exit_code == 2
    assert "No repository is called 'nowhere'" in done.stderr


def test_a_server_with_several_roots_answers_for_all(folder: Path) -> None:
    roots = [str(folder / f"cargo-{name}") for name in ("core", "app")]

    asked = {"names": ["charge"], "mode": "callers"}

    async def ask() -> tuple[Any, Any]:
        place = RepositoryServer(roots)
        try:
            async with Client(make_server(place)) as client:
                text = (await client.call_tool("find_symbol", asked)).content[0]
            async with Client(make_server(place, all_tools=True, sent_as="json")) as client:
                data = (await client.call_tool("find_symbol", asked)).structured_content
        finally:
            place.close()
        return text, data

    text, data = anyio.run(ask)
    assert "in cargo-app: 2 certain, 0 possible uses" in text.text
    assert data["elsewhere"]["total_certain"] == 2


def test_who_imports_is_answered_in_all_repositories(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ["who imports shopcore.pay", "--repo", "python-core", "--repo", "python-app"]
    done = CliRunner().invoke(main, ["search", *words])
    assert "from shopcore.pay import charge" in done.stdout
    assert "from shopcore.pay import Card" in done.stdout

"""Searches of one member of a workspace, from the command line and over MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.api.index_limits import IndexLimits
from codeindex.cli import main
from codeindex.mcp.repository_server import RepositoryServer
from tests.conftest import Repository
from tests.flow.asking import call, indexed_shop

FILES = {
    "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
    "packages/cart/package.json": json.dumps({"name": "@shop/cart"}),
    "packages/queue/package.json": json.dumps({"name": "queue"}),
    "packages/cart/index.js": "/** Send a message to the buyer. */\nexport function send() {}\n",
    "packages/queue/index.js": "/** Put a message on the queue. */\nexport function put() {}\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_shop(tmp_path_factory.mktemp("members"), FILES) as root:
        yield root


def search(shop: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["search", *words, "--repo", str(shop)])


@pytest.mark.parametrize("words", [["message"], ["-F", "message"], ["--answer", "which message"]])
def test_a_search_stays_in_the_member(shop: Path, words: list[str]) -> None:
    done = search(shop, *words, "--member", "queue", "--json")
    assert done.exit_code == 0
    assert "packages/queue/index.js" in done.stdout
    assert "packages/cart" not in done.stdout


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["message", "--member", "carts"], "@shop/cart, queue"),
        (["message", "packages", "--member", "queue"], "leave out the PATHS"),
    ],
)
def test_a_wrong_member_is_refused_with_advice(shop: Path, words: list[str], advice: str) -> None:
    done = search(shop, *words)
    assert done.exit_code == 2
    assert advice in done.stderr


def test_a_member_is_of_one_repository(shop: Path) -> None:
    done = search(shop, "message", "--member", "queue", "--repo", str(shop.parent))
    assert done.exit_code == 2


def test_agents_search_in_a_member_too(shop: Path) -> None:
    found = call(shop, "search_code", {"query": "message", "member": "@shop/cart"})["results"]
    assert {hit["file_path"].rpartition("/")[0] for hit in found} == {"packages/cart"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("explore_code", {"query": "send or put a message"}),
        ("find_symbol", {"names": ["put", "send"]}),
        ("ask_code", {"query": "which message is sent or put"}),
        ("code_search", {"query": "message", "path": "packages/queue"}),
    ],
)
def test_each_tool_of_agents_stays_in_the_member(
    shop: Path, tool: str, arguments: dict[str, Any]
) -> None:
    member = {} if "path" in arguments else {"member": "queue"}
    text = json.dumps(call(shop, tool, {**arguments, **member}))
    assert "packages/queue/index.js" in text
    assert "packages/cart" not in text


def test_a_member_beside_a_path_is_refused(shop: Path) -> None:
    asked = {"query": "message", "path": "packages", "member": "queue"}
    assert "cannot be combined with `path`" in call(shop, "search_code", asked)


@pytest.mark.usefixtures("home")
def test_an_index_of_one_member_has_its_files_and_the_manifests(repository: Repository) -> None:
    root = repository(FILES)
    words = ["index", "--structure-only", str(root)]
    assert CliRunner().invoke(main, [*words, "--member", "queue"]).exit_code == 0
    with Index.open(root) as index:
        assert index.files() == (
            "package.json",
            "packages/cart/package.json",
            "packages/queue/index.js",
            "packages/queue/package.json",
        )
        assert [member.name for member in index.overview.members().members] == [
            "@shop/cart",
            "queue",
        ]
    wrong = CliRunner().invoke(main, [*words, "--member", "carts"])
    assert (wrong.exit_code, "@shop/cart, queue" in wrong.stderr) == (2, True)
    assert CliRunner().invoke(main, [*words, "--no-workspace"]).exit_code == 0
    with Index.open(root) as index:
        assert index.overview.members().workspace_type == "single"
        assert len(index.files()) == len(FILES)


@pytest.mark.usefixtures("home")
def test_a_server_takes_the_limits_of_an_index(repository: Repository) -> None:
    root = repository(FILES)
    server = RepositoryServer([str(root)], limits=IndexLimits(max_depth=1, exclude=("*.md",)))
    try:
        server.background.sync_now(server.index())
        assert server.index().files() == ("package.json",)
    finally:
        server.close()
    with Index.open(root) as index:
        assert index.files() == ("package.json",)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["https://example.org/a.git"], "clone it first"),
        (["--member", "a", "--no-workspace"], "contradict each other"),
        (["--max-depth", "0"], "--max-depth"),
    ],
)
def test_a_server_refuses_wrong_limits_before_it_speaks(words: list[str], advice: str) -> None:
    done = CliRunner().invoke(main, ["serve", *words], input="")
    assert (done.exit_code, advice in done.stderr) == (2, True)


@pytest.mark.usefixtures("home")
def test_a_cache_folder_keeps_the_index(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_HOME", str(tmp_path / "home"))  # restored after the test
    words = [
        "index",
        "--structure-only",
        str(repository(FILES)),
        "--cache-dir",
        str(tmp_path / "x"),
    ]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert [folder.name.partition("-")[0] for folder in (tmp_path / "x/repos").iterdir()] == [
        "shop"
    ]
    assert not (tmp_path / "home/repos").exists()

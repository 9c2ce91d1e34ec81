"""Searches of one member of a workspace, from the command line and over MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex.cli import main
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

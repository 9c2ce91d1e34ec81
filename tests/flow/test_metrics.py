"""Searches, reads and suggestions are noted by whatever answers them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.api.workspace import Workspace
from codeindex.cli import main
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import TOOLS, run_tool
from tests.conftest import Repository
from tests.flow.test_hooks import called, reading

FILES = {
    "shop/price.py": "def price(item):\n    return 1\n",
    "shop/cart.py": "from shop.price import price\n\n\ndef total(all):\n    return price(all)\n",
}
KEY = "AKIA" + "IOSFODNN7ABCDEFG"


@pytest.fixture
def root(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("CODEINDEX_HOOK_MS", "60000")
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync()
    return root


def noted(home: Path) -> list[dict[str, Any]]:
    path = home / "metrics.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_a_search_is_noted_with_the_fields_of_its_contract(root: Path, home: Path) -> None:
    with Index.open(root) as index:
        answer = index.search("price of an item")
        (event,) = noted(home)
        assert event["event"] == "search"
        assert event["query"] == "price of an item"
        assert event["query_type"] == "concept"
        assert event["results"] == len(answer.hits)
        assert event["latency_ms"] > 0
        assert event["files"] == list(dict.fromkeys(hit.path for hit in answer.hits))
        cited = sum(len(FILES[path]) for path in event["files"])
        assert event["whole_tokens"] == cited // 4
        assert "return 1" not in json.dumps(event)


def test_a_search_of_several_repositories_is_one(
    root: Path, repository: Repository, home: Path
) -> None:
    other = repository({"a.py": "def price(): ...\n"}, name="other")
    with Index.open(other) as index:
        index.sync()
    with Workspace(root, other) as workspace:
        workspace.search("price")
    (event,) = noted(home)
    assert sorted(event["repos"]) == ["other", "shop"]
    assert event["whole_tokens"] > 0


def test_what_a_hook_tells_and_sees_is_noted(root: Path, home: Path) -> None:
    called("pre-read", reading(root / "shop/cart.py", cwd=root))
    called("pre-read", reading(root / "shop/price.py", cwd=root))
    events = noted(home)
    assert [(one["event"], one["file"]) for one in events] == [
        ("file_read", "shop/cart.py"),
        ("context_inject", "shop/cart.py"),
        ("file_read", "shop/price.py"),
    ]
    assert [one.get("was_suggested") for one in events] == [False, None, True]
    assert 0 < events[1]["confidence"] <= 1
    assert events[1]["suggestions"] == 1


def test_the_server_notes_calls_and_reads(root: Path, home: Path) -> None:
    served, session = RepositoryServer([str(root)]), AgentSession()
    try:
        served.open_roots(())
        run_tool(served, session, TOOLS["search_code"], {"query": "price"})
        run_tool(served, session, TOOLS["read"], {"path": "shop/price.py"})
        run_tool(served, session, TOOLS["impact"], {"subject": "price"})
    finally:
        served.close()
    events = noted(home)
    reads = [one for one in events if one["event"] == "file_read"]
    assert [(one["file"], one["was_suggested"]) for one in reads] == [("shop/price.py", True)]
    tools = {one["tool"] for one in events if one["event"] == "tool"}
    assert tools == {"search_code", "read", "impact"}


def test_the_command_tells_of_use_and_never_of_text(root: Path, home: Path) -> None:
    with Index.open(root) as index:
        index.search("price of an item")
        index.search(f"zzyzx {KEY}")
        index.search("qqxyzzy")
    run = CliRunner().invoke
    table = run(main, ["metrics"]).output
    assert "searches\t3\t" in table
    assert "tokens saved" in table
    nothing = run(main, ["metrics", "--zero-results", "--last", "1h"]).output
    assert "qqxyzzy" in nothing
    listed = run(main, ["metrics", "--query", "PRICE", "--json"]).output
    assert [one["query"] for one in json.loads(listed)] == ["price of an item"]
    days = ["--before", "2020-01-01", "--after", "2020-01-01"]
    compared = json.loads(run(main, ["metrics", "--compare", *days, "--json"]).output)
    assert compared["before"]["searches"]["count"] == 0
    assert compared["after"]["searches"]["count"] == 3
    everything = table + nothing + listed + (home / "metrics.jsonl").read_text()
    assert KEY not in everything
    assert "return" not in everything

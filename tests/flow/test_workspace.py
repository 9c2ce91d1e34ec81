"""Several repositories are searched as one, and a bad one hides none of the others."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Index, Workspace
from codeindex.cli import main
from codeindex.errors import ForbiddenError, NotIndexedError, QueryError, ScopeError
from codeindex.mcp.ask_code import ask_code
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import AskCodeRequest
from codeindex.mcp.session import AgentSession
from codeindex.search.pack.agent_json import agent_answer, json_size
from codeindex.types import Answer, LineSpan
from tests.conftest import Repository
from tests.flow.sites import install_tiny


def code(*names: str) -> str:
    return "\n\n".join(f"def {name}(order):\n    return order" for name in names) + "\n"


@pytest.fixture
def roots(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two indexed repositories, and one that is not."""
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    made = [
        repository(
            {"pay.py": code("retry_payment", "refund"), "README.md": "# Shop\n\nHow to retry.\n"}
        ),
        repository({f"m{n}.py": code(f"retry_{n}", "stock") for n in range(6)}, "store"),
        repository({"a.py": code("retry_never")}, "raw"),
    ]
    for root in made[:2]:
        with Index.open(root) as index:
            index.sync(structure_only=True)
    assert home.is_dir()
    return made


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args, catch_exceptions=False)


def places(answer: Answer) -> list[tuple[str, str, int]]:
    return [(hit.repo, hit.path, hit.start_line) for hit in answer.hits]


def lines(answer: Answer) -> list[tuple[str, str, int]]:
    """Return every line of the hits, in order."""
    return [
        (hit.repo, hit.path, line)
        for hit in answer.hits
        for line in range(hit.start_line, hit.end_line + 1)
    ]


def test_the_best_of_all_come_first_and_everything_is_added_up(roots: list[Path]) -> None:
    with Workspace(*roots[:2]) as workspace:
        answer = workspace.search("retry", limit=50)
        alone = [workspace.search("retry", repo=name, limit=50) for name in ("shop", "store")]
    assert answer.searched_repos == ("shop", "store")
    assert answer.meta["scope"] == {"type": "repos", "repos": ["shop", "store"]}
    assert answer.total_count == sum(one.total_count for one in alone)
    assert answer.coverage.indexed == sum(one.coverage.indexed for one in alone) == 8
    assert sorted(places(answer)) == sorted(places(alone[0]) + places(alone[1]))
    assert answer.hits[0].score == max(one.score for one in answer.hits)
    assert [one.repo for one in answer.navigation] == ["shop"]
    assert alone[0].meta["scope"] == {"type": "repo", "repos": ["shop"]}


@pytest.mark.parametrize("budget", [0, 200])
def test_pages_joined_are_the_unpaged_list(roots: list[Path], budget: int) -> None:
    with Workspace(*roots[:2]) as workspace:
        whole = lines(workspace.search("retry order", limit=100))
        paged: list[tuple[str, str, int]] = []
        cursor: str | None = ""
        while cursor is not None:
            page = workspace.search("retry order", limit=3, cursor=cursor, budget=budget)
            assert not (cursor and page.navigation)
            assert not budget or json_size(agent_answer(page)) <= budget * 4
            paged += lines(page)  # neighbours in a file are one hit in a packed page
            cursor = page.cursor
    assert paged == whole
    assert len(whole) >= 14


def test_scope_wins_over_repo_and_names_may_be_paths(roots: list[Path]) -> None:
    with Workspace() as workspace:
        scope = {"type": "repo", "repo": "store"}
        assert workspace.search("retry", scope=scope, repo="shop").searched_repos == ("store",)
        both = {"type": "repos", "repos": [str(roots[0]), "store", "shop"]}
        assert workspace.search("retry", scope=both).searched_repos == ("shop", "store")
        assert workspace.search("retry", repo=str(roots[0])).searched_repos == ("shop",)


@pytest.mark.usefixtures("roots")
def test_unknown_names_and_odd_scopes_are_refused_with_what_there_is() -> None:
    with Workspace() as workspace:
        with pytest.raises(ScopeError, match=r"'stor' \(indexed: store, shop\)"):
            workspace.search("retry", repo="stor")
        with pytest.raises(ScopeError, match=r"give `repo` or `scope`"):
            workspace.search("retry")
        for scope in ({}, {"type": "repo"}, {"type": "repos", "repos": []}, {"type": "none"}):
            with pytest.raises(ScopeError, match="is invalid: use"):
                workspace.search("retry", scope=scope)


def test_all_repositories_are_asked_only_where_the_user_allows_it(
    roots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = {"type": "all"}
    with Workspace(roots[0]) as workspace:
        with pytest.raises(ForbiddenError, match="ALLOW_GLOBAL_SCOPE=true") as caught:
            workspace.search("retry", scope=everything)
        assert caught.value.code == "FORBIDDEN"
        monkeypatch.setenv("ALLOW_GLOBAL_SCOPE", "true")
        assert workspace.search("retry", scope=everything).meta["scope"] == {
            "type": "all",
            "repos": ["shop", "store"],
        }
    with Workspace(roots[0], allow_global=False) as workspace, pytest.raises(ForbiddenError):
        workspace.search("retry", scope=everything)


def test_a_repository_that_cannot_be_searched_is_named_and_hides_no_other(
    roots: list[Path],
) -> None:
    with Workspace(*roots) as workspace:
        answer = workspace.search("retry", limit=2)
        assert answer.searched_repos == ("shop", "store")
        assert "is not indexed yet" in answer.meta["failed"]["raw"]
        assert agent_answer(answer)["meta"]["failed"] == answer.meta["failed"]
        nothing = workspace.search("zyxw quux")
        assert "raw was not searched: " in nothing.message
        assert answer.cursor is not None
        second = workspace.search("retry", limit=2, cursor=answer.cursor)
        assert list(second.meta["failed"]) == ["raw"]
        with pytest.raises(NotIndexedError):
            workspace.search("retry", repo=str(roots[2]))
    (roots[0] / ".ai-devtools.yaml").write_text("code-index:\n  nonsense: 1\n", encoding="utf-8")
    with Workspace(allow_global=True) as workspace:
        answer = workspace.search("retry", scope={"type": "all"})
        assert answer.searched_repos == ("store",)
        assert "nonsense" in answer.meta["failed"]["shop"]


def test_seen_lines_are_kept_per_repository(roots: list[Path]) -> None:
    with Workspace(*roots[:2]) as workspace:
        first = workspace.search("retry", limit=50).hits[0]
        seen = (LineSpan(first.path, 1, 99, first.repo),)
        again = workspace.search("retry", limit=50, seen=seen)
    mine = [hit for hit in again.hits if (hit.repo, hit.path) == (first.repo, first.path)]
    assert {hit.shown for hit in mine} == {"seen"}
    assert {hit.shown for hit in again.hits if hit.repo != first.repo} == {"full"}
    assert again.hits[0].text == ""


def test_a_given_vector_replaces_that_of_the_query(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    root = repository({"a.py": code("retry", "refund"), "b.py": code("stock")})
    with Workspace(root) as workspace:
        workspace.index("shop").sync()
        with workspace.index(root).reader().corpus() as (_, corpus):
            size = corpus.dense.dimension
            row = corpus.dense.row(0)
        wanted = workspace.search("order", vector=row.tolist())
        assert wanted.hits
        assert wanted.hits[0].why["dense"] > 0
        wrong: list[Any] = [[1.0] * (size + 1), [0.0] * size, ["a"], [[1.0]], [math.nan] * size]
        for vector in wrong:
            with pytest.raises(QueryError, match="vector"):
                workspace.search("order", vector=vector)


def test_all_of_a_server_are_those_that_it_was_started_for(roots: list[Path]) -> None:
    with Index.open(roots[2]) as third:
        third.sync(structure_only=True)
    server = RepositoryServer([str(root) for root in roots[:2]])
    try:
        assert server.search("retry", repo="all").searched_repos == ("shop", "store")
        lines = server.grep("retry", repo="all")
        assert [result.repo for result in lines] == ["shop", "store"]
        asked = ask_code(server, AgentSession(), AskCodeRequest("what retries", repo="all"))
        assert asked["meta"]["scope"]["repos"] == ["shop", "store"]
        with pytest.raises(ScopeError, match="one repository at a time"):
            server.index("all")
        with pytest.raises(ForbiddenError):
            server.search("retry", scope={"type": "all"})
    finally:
        server.close()


def test_the_command_line_s_own_user_searches_any_and_all(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("search", "retry", "--all-repos", "-l", "-m", "50")
    assert done.exit_code == 0
    assert {"shop/pay.py", "store/m0.py"} <= set(done.stdout.split())
    assert run("search", "retry", "--repo", "all", "-l", "-m", "50").stdout == done.stdout
    done = run("search", "retry", "--repo", "store", "--json", "-m", "1")
    assert json.loads(done.stdout)["meta"]["scope"] == {"type": "repos", "repos": ["store"]}
    done = run("search", "retry", "m1.py", "--repo", str(roots[1]), "-l")
    assert done.stdout == "store/m1.py\n"
    assert run("search", "zyxw", "--repo", "shop", "--repo", "store").exit_code == 1
    assert run("search", "retry", "--repo", "shpo").exit_code == 2
    alone = run("search", '"zyxw"', str(roots[0]))
    assert "--all-repos searches all 2 indexed" in alone.stderr


def test_the_name_all_in_a_list_means_all_repositories(roots: list[Path]) -> None:
    with Workspace(*roots, allow_global=True) as workspace:
        for names in (["all"], ("all",)):
            assert workspace.scope({"type": "repos", "repos": names}).type == "all"

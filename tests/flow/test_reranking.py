"""A cross-encoder takes a second look at results; whatever befalls it, the question is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex import Index, Workspace
from codeindex.cli import main
from codeindex.doctor.run import run_doctor
from codeindex.embed.lock import write_added
from codeindex.search.pack.agent_json import agent_answer
from codeindex.types import Answer
from tests.conftest import made_repository
from tests.unit.embed.tiny_models import install, tiny_pair_files, tiny_reranker

FILES = {
    "plain.py": "def retry_payment():\n    # retry the payment, retry the payment\n    return 1\n",
    "tall.py": "def payment_later():\n    # payment, retry: tree tree tree\n    return 2\n",
    "wide.py": "def wide():\n    # the payment window window tree tree tree tree\n    return 3\n",
}
QUERY = "where is the payment taken again"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_repository(tmp_path_factory.mktemp("trees") / "shop", FILES)


@pytest.fixture
def pair(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the tiny cross-encoder, for which more trees are better."""
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    files = tiny_pair_files()
    model = tiny_reranker(files)
    install(home, model, files)
    write_added(home, [model])
    return home / "models" / model.id / model.onnx


@pytest.fixture
def index(root: Path, pair: Path) -> Iterator[Index]:
    assert pair.exists()
    with Index.open(root) as opened:
        opened.sync()
        yield opened


def paths(answer: Answer) -> list[str]:
    return [hit.path for hit in answer.hits]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_results_are_reordered_when_it_is_asked_for(index: Index) -> None:
    usual, again = index.search(QUERY), index.search(QUERY, rerank=True)
    assert paths(usual)[0] == "plain.py"
    assert paths(again) == ["wide.py", "tall.py", "plain.py"]
    assert "reranker" not in usual.meta
    assert again.meta["reranker"] == {"model": "tiny-pair", "read": 3}
    scores = [hit.why["reranker"] for hit in again.hits]
    assert scores == sorted(scores, reverse=True)
    assert {hit.path: hit.score for hit in again.hits} == {
        hit.path: hit.score for hit in usual.hits
    }
    assert agent_answer(again)["meta"]["reranker"]["model"] == "tiny-pair"


def test_pages_are_cut_from_one_order(index: Index) -> None:
    whole = paths(index.search(QUERY, rerank=True))
    first = index.search(QUERY, rerank=True, limit=2)
    assert first.cursor
    rest = index.search(QUERY, rerank=True, limit=2, cursor=first.cursor)
    assert paths(first) + paths(rest) == whole


def test_a_setting_turns_it_on_for_the_first_results(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_SEARCH_RERANKER", "tiny-pair")
    monkeypatch.setenv("CODEINDEX_SEARCH_RERANK_TOP", "2")
    index.reload()
    usual = paths(index.search(QUERY, rerank=False))
    again = paths(index.search(QUERY))
    assert again == [usual[1], usual[0], usual[2]] or again == usual
    assert index.search(QUERY).meta["reranker"]["read"] == 2
    assert [one.state for one in run_doctor(index.root) if one.subject == "reranker"] == ["ok"]


def test_a_name_is_found_as_ever(index: Index) -> None:
    answer = index.search("retry_payment", rerank=True)
    assert paths(answer)[0] == "plain.py"
    assert "reranker" not in answer.meta


@pytest.mark.parametrize("damage", ["absent", "damaged"])
def test_a_model_that_fails_costs_a_line_and_no_answer(
    index: Index, pair: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.unlink() if damage == "absent" else pair.write_bytes(b"\x08" * pair.stat().st_size)
    (pair.parents[1] / "verified.json").unlink(missing_ok=True)
    answer = index.search(QUERY, rerank=True)
    assert paths(answer) == paths(index.search(QUERY))
    assert "run `codeindex models pull tiny-pair`" in answer.meta["reranker"]["failed"]
    done = run("search", QUERY, str(index.root), "--rerank", "-l")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].endswith("plain.py")
    assert [line for line in done.stderr.splitlines() if "not reranked: " in line] != []
    monkeypatch.setenv("CODEINDEX_SEARCH_RERANKER", "tiny-pair")
    assert [one.state for one in run_doctor(index.root) if one.subject == "reranker"] == ["problem"]


def test_without_any_reranker_the_line_says_how_to_get_one(index: Index, home: Path) -> None:
    write_added(home, [])
    answer = index.search(QUERY, rerank=True)
    assert "models add DIR --kind reranker" in answer.meta["reranker"]["failed"]
    assert paths(answer)[0] == "plain.py"


def test_an_unknown_or_wrong_model_is_a_line_too(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("nothing", "codeindex-encoder"):
        monkeypatch.setenv("CODEINDEX_SEARCH_RERANKER", name)
        index.reload()
        failed = index.search(QUERY).meta["reranker"]["failed"]
        assert failed.endswith("choose one of tiny-pair.")


def test_the_command_line_shows_the_new_order(index: Index) -> None:
    done = run("search", QUERY, str(index.root), "--rerank", "--json")
    assert json.loads(done.stdout)["results"][0]["file_path"] == "wide.py"
    assert run("search", QUERY, "-q", "window", str(index.root), "--rerank").exit_code == 2
    done = run("search", QUERY, str(index.root), "--rerank", "--explain")
    assert "reranker" in done.stdout


def test_repositories_are_each_reranked(index: Index, tmp_path: Path) -> None:
    other = made_repository(tmp_path / "store", {"b.py": "def payment():\n    '''again'''\n"})
    with Index.open(other) as second:
        second.sync()
    with Workspace(index.root, other) as workspace:
        answer = workspace.search(QUERY, rerank=True)
        assert paths(workspace.search(QUERY, repo="shop", rerank=True))[0] == "wide.py"
    assert set(answer.meta["routes"]) == {"shop", "store"}
    mine = [hit.path for hit in answer.hits if hit.repo == "shop"]
    assert mine[0] == "wide.py"


def test_models_list_says_what_each_is_for(index: Index) -> None:
    assert index.is_indexed
    rows = json.loads(run("models", "list", "--json").stdout)
    kinds = {row["id"]: (row["kind"], row["state"]) for row in rows}
    assert kinds["tiny-pair"] == ("reranker", "ready")
    assert run("models", "verify", "tiny-pair").stdout.startswith("tiny-pair: ready")

"""What is asked for by mistake: a sentence says what to do, or what was meant is done."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Filters, Index
from codeindex.cli import main
from codeindex.errors import QueryError, RootError, ScopeError
from tests.conftest import Repository

FILES = {
    "shop/payments.py": "def retry_payment(order):\n    return order\n",
    "shop/stock.py": "class Stock:\n    def payment(self):\n        self.payment()\n",
    "README.md": "# Shop\n\nHow a payment works: a payment is tried again.\n",
    "docs/payment.md": "# Payment\n\nHow a payment works.\n",
}


@pytest.fixture
def shop(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose structure is indexed, as the current folder."""
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = repository(FILES)
    monkeypatch.chdir(root)
    assert run("index", "--structure-only").exit_code == 0
    assert (home / "repos").is_dir()
    return root


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args, catch_exceptions=False)


# From Python


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"limit": "3"}, "limit is '3': use a whole number from 1 to 100."),
        ({"limit": 1.5}, "limit is 1.5: use a whole number from 1 to 100."),
        ({"limit": True}, "limit is True: use a whole number from 1 to 100."),
        ({"limit": 0}, "limit is 0: use a whole number from 1 to 100."),
        ({"limit": None}, "limit is None: use a whole number from 1 to 100."),
        ({"min_score": "a"}, "min_score is 'a': use a number from 0 to 1."),
        ({"min_score": math.nan}, "min_score is nan: use a number from 0 to 1."),
        ({"min_score": False}, "min_score is False: use a number from 0 to 1."),
        ({"cursor": 3}, "cursor is 3: use the cursor of an answer, or '' to start."),
        ({"tests": "x"}, "tests is 'x': use one of include, exclude, only."),
        ({"tests": []}, "tests is []: use one of include, exclude, only."),
        ({"filters": "*.py"}, "filters is '*.py': use a codeindex.Filters."),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_known_ones(
    shop: Path, asked: dict[str, Any], sentence: str
) -> None:
    with Index.open(shop) as index, pytest.raises(QueryError) as caught:
        index.search("payment", **asked)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("query", [None, 3, b"payment", ["payment"]])
def test_a_query_that_is_no_text_is_refused(shop: Path, query: Any) -> None:
    with Index.open(shop) as index, pytest.raises(QueryError, match=r"query is .*: use text that"):
        index.search(query)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"globs": "*.py"}, "globs is '*.py': use a tuple of texts, ('*.py',)."),
        ({"languages": "python"}, "languages is 'python': use a tuple of texts, ('python',)."),
        ({"kinds": "class"}, "kinds is 'class': use a tuple of texts, ('class',)."),
        ({"paths": "shop"}, "paths is 'shop': use a tuple of texts, ('shop',)."),
        ({"languages": (3,)}, "languages is (3,): use a tuple of texts."),
        ({"kinds": None}, "kinds is None: use a tuple of texts."),
        ({"module": None}, "module is None: use text."),
        ({"tests": "x"}, "tests is 'x': use one of include, exclude, only."),
    ],
)
def test_a_filter_of_another_type_is_refused_by_searches_and_lists(
    shop: Path, given: dict[str, Any], sentence: str
) -> None:
    filters = Filters(**given)
    with Index.open(shop) as index:
        with pytest.raises(QueryError) as searched:
            index.search("x", filters=filters)
        with pytest.raises(QueryError) as listed:
            index.files(filters=filters)
    assert str(searched.value) == str(listed.value) == sentence


def test_a_list_is_as_good_as_a_tuple(shop: Path) -> None:
    with Index.open(shop) as index:
        globs: Any = ["*.md"]
        assert index.files(filters=Filters(globs=globs)) == ("README.md", "docs/payment.md")


@pytest.mark.parametrize("path", [None, 3, "", b"shop", ["shop"]])
def test_a_text_that_is_no_path_is_refused(home: Path, path: Any) -> None:
    with pytest.raises(RootError) as caught:
        Index.open(path)
    assert (
        str(caught.value) == f"path is {path!r}: use a folder or the name of an indexed repository."
    )
    assert not home.exists()


# From the shell


def test_a_repository_s_name_may_end_in_a_slash(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for name in ("shop", "shop/"):
        done = run("search", "Stock", name, "-l", "-m1")
        assert (done.exit_code, done.stdout) == (0, f"{shop}/shop/stock.py\n")
    done = run("search", "Stock", "shpo/")
    assert done.exit_code == 2
    assert done.stderr == (
        "codeindex: There is no file or folder 'shpo/': check the path, or see `codeindex repos`"
        " for names.\n"
    )


@pytest.mark.usefixtures("shop")
def test_a_name_that_is_free_renames_the_repository_and_says_so() -> None:
    done = run("index", "--structure-only", "--name", "store")
    assert done.exit_code == 0
    assert done.stdout.startswith("store: ")
    assert "note: The repository 'shop' is called 'store' now.\n" in done.stderr
    assert run("repos").stdout.startswith("store\tindexed\t")
    assert "called" not in run("index", "--structure-only", "--name", "store").stderr
    answer = json.loads(run("search", "Stock", "--json").stdout)
    assert {one["repo"] for one in answer["results"]} == {"store"}
    with Index.open("store") as index:
        assert "store" in index.graph.networkx()


def test_a_graph_under_the_old_name_is_made_again(shop: Path) -> None:
    with Index.open(shop) as index:
        index.sync()
        assert "shop" in index.graph.networkx()
    with Index.open(shop, name="store") as index:
        index.sync()
        assert "store" in index.graph.networkx()
        assert "shop" not in index.graph.networkx()


@pytest.mark.usefixtures("shop")
def test_a_name_that_is_taken_or_cannot_be_one_is_refused(repository: Repository) -> None:
    other = repository({"a.py": "x = 1\n"}, "other")
    done = run("index", str(other), "--structure-only", "--name", "shop")
    assert done.exit_code == 2
    assert "is called 'shop' already: choose another name.\n" in done.stderr
    done = run("index", str(other), "--name", "my shop")
    assert done.exit_code == 2
    assert done.stderr == "codeindex: No repository can be called 'my shop': choose 'my-shop'.\n"
    assert run("repos").stdout.count("\n") == 1
    with pytest.raises(ScopeError):
        Index.open(other, name="shop")


@pytest.mark.usefixtures("shop")
def test_a_misspelt_variable_is_noted_with_the_nearest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_LIMITS_MAX_FILE", "9")
    sentence = (
        "environment variable CODEINDEX_LIMITS_MAX_FILE is not a setting and has no effect; the"
        " nearest is CODEINDEX_LIMITS_MAX_FILES."
    )
    assert f"note: {sentence}\n" in run("status").stderr
    assert json.loads(run("status", "--json").stdout)["notes"] == [sentence]


@pytest.mark.usefixtures("shop")
def test_before_there_are_vectors_the_status_says_which_model_will_make_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "model\tnone; words only, as configured\n" in run("status").stdout
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "nomodel")
    assert "model\tnone; codeindex-static only: There is no model 'nomodel'" in run("status").stdout
    monkeypatch.delenv("CODEINDEX_EMBEDDING_MODEL")
    row = next(line for line in run("status").stdout.splitlines() if line.startswith("model\t"))
    assert row.startswith(
        "model\tnone yet; `codeindex index` computes the vectors: codeindex-encoder, which the"
        " package"
    )
    assert json.loads(run("status", "--json").stdout)["model"] == ""


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("shape", [["-l"], ["--columns"], ["--jsonl"], ["-c"]])
def test_no_more_than_m_results_are_printed_docs_included(shape: list[str]) -> None:
    everything = run("search", "how does a payment work", *shape).stdout.splitlines()
    assert "docs/payment.md" in "".join(everything) or shape == ["-c"]
    for most in (1, 2, 3, 4, 9):
        shown = run("search", "how does a payment work", *shape, "-m", str(most)).stdout
        assert len(shown.splitlines()) == min(most, len(everything))
    answer = json.loads(run("search", "how does a payment work", "--json", "-m", "1").stdout)
    assert len(answer["results"]) == 1


def test_a_name_with_a_tab_is_one_cell(repository: Repository, home: Path) -> None:
    root = repository({"a\tb.py": "def odd_name():\n    return 1\n", "c\td.png": "x"})
    assert run("index", str(root), "--structure-only").exit_code == 0
    (row,) = run("search", "odd_name", str(root), "--columns", "-m1").stdout.splitlines()
    assert row.split("\t")[0].endswith("a\\tb.py")
    assert len(row.split("\t")) == 5
    (row,) = run("files", str(root), "--skipped").stdout.splitlines()
    assert row.split("\t") == ["c\\td.png", "not text, by its suffix"]
    assert home.exists()


def test_a_path_too_long_for_the_disk_is_left_out_with_its_reason(
    repository: Repository, home: Path
) -> None:
    root, name = repository({"good.py": "x = 1\n"}), "x" * 300 + ".py"

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("update-index", "--add", "--cacheinfo", f"100644,{git('hash-object', 'good.py')},{name}")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert [(one.path, one.reason) for one in index.skipped()] == [
            (name, "its path is too long for this system")
        ]
    assert home.exists()

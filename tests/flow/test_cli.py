"""The command line on real repositories, from the arguments to the exit status."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex.cli import main
from tests.conftest import Repository

FILES = {
    "shop/payments.py": (
        "# Payments may fail for a while.\n"
        "def retry_payment(order):\n"
        '    """Try a failed payment again."""\n'
        "    for delay in (1, 2, 4):\n"
        "        wait(delay)\n"
        "    raise PaymentError(order)\n"
    ),
    "shop/stock.py": "class Stock:\n    def reserve(self, item):\n        self.items.pop(item)\n",
    "web/cart.js": "export function addToCart(item) {\n  cart.items.push(item);\n}\n",
    "tests/test_payments.py": "def test_a_payment_is_tried_again():\n    retry_payment(None)\n",
    "README.md": "# Shop\n\nHow payments work: a failed payment is tried again.\n",
    "logo.png": "not text",
}
pytestmark = pytest.mark.usefixtures("home")
ODD_QUERIES = (
    "payment " * 1250,
    "é" * 10_000,
    "where is the of and how",
    '"',
    '"payment',
    "*",
    "pay*",
    "NEAR(",
    "NEAR(pay, 2)",
    "AND",
    "pay AND NOT retry OR",
    "-payment",
    "^pay",
    ":",
    "words: payment",
    "{pay} (retry",
    "' OR 1=1 --",
    "🙂",
    "支払いを再試行する",
    "결제 재시도",
    "\x1b[31m",
    "%s %n ${HOME} `id`",
)


def run(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin, catch_exceptions=False)


@pytest.fixture
def shop(home: Path, repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose structure is indexed, as the current folder."""
    root = repository(FILES)
    monkeypatch.chdir(root)
    assert run("index", "--structure-only").exit_code == 0
    assert len(list(home.glob("repos/*/catalog.sqlite"))) == 1
    return root


@pytest.mark.usefixtures("shop")
def test_results_are_printed_as_grep_prints_them() -> None:
    done = run("search", "retry a failed payment", "-m", "1", "--tests", "exclude")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert "shop/payments.py:2:def retry_payment(order):" in lines
    assert all(len(line.split(":", 2)) == 3 for line in lines)
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("shop")
def test_docs_follow_the_code_where_nobody_reads_along() -> None:
    lines = run("search", "how does a failed payment work").stdout.splitlines()
    assert lines[0].startswith(("shop/", "tests/"))
    assert lines[-1].startswith("README.md:")


@pytest.mark.usefixtures("shop")
def test_context_lines_have_dashes_and_groups_are_apart() -> None:
    done = run("search", "retry_payment", "-A", "1", "shop")
    assert "shop/payments.py-3-" in done.stdout.replace(":3:", "-3-")
    assert "shop/payments.py:2:" in done.stdout
    whole = run("search", "retry_payment", "--content", "shop/payments.py").stdout.splitlines()
    assert [line[16] for line in whole].count("-") == 3
    assert len(whole) == 6


def test_paths_are_those_of_the_current_folder(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop / "shop")
    assert run("search", "reserve", "-l").stdout.splitlines()[0] == "stock.py"
    monkeypatch.chdir(tmp_path)
    assert run("search", "reserve", "shop", "-l").stdout.splitlines()[0] == "shop/shop/stock.py"
    monkeypatch.chdir(tmp_path / "home")
    out = run("search", "reserve", "shop", "-l", "-m", "1").stdout  # by the repository's name
    assert out.splitlines()[0] == (shop / "shop/stock.py").as_posix()


@pytest.mark.usefixtures("shop")
def test_the_exit_status_is_greps() -> None:
    assert run("search", "payment").exit_code == 0
    nothing = run("search", "payment", "-g", "*.zig")
    assert (nothing.exit_code, nothing.stdout) == (1, "")
    assert "No indexed file passes these filters" in nothing.stderr
    failed = run("search", "payment", "/no/such/folder")
    assert (failed.exit_code, failed.stdout) == (2, "")
    assert failed.stderr.startswith(
        "codeindex: There is no file or folder '/no/such/folder': check the"
    )
    assert run("search", "payment", "--nonsense").exit_code == 2


@pytest.mark.usefixtures("shop")
def test_paths_and_counts() -> None:
    assert "shop/payments.py" in run("search", "payment", "-l").stdout.splitlines()
    assert "shop/payments.py\0" in run("search", "payment", "-l", "-0").stdout
    assert "shop/payments.py:1\n" in run("search", "payment", "--count").stdout
    assert "shop/payments.py\x001\n" in run("search", "payment", "-c0").stdout
    assert "shop/payments.py\x002:" in run("search", "payment", "--null").stdout


@pytest.mark.usefixtures("shop")
def test_json_is_the_answer_and_jsonl_its_results() -> None:
    answer = json.loads(run("search", "payment", "--json").stdout)
    assert answer["query"] == "payment"
    assert answer["results"][0]["file_path"].endswith("payments.py")
    lines = run("search", "payment", "--jsonl").stdout.splitlines()
    results = [json.loads(line) for line in lines]
    assert [one["file_path"] for one in results if not one["navigation"]] == [
        one["file_path"] for one in answer["results"]
    ]
    empty = run("search", "payment", "--json", "-g", "*.zig")
    assert (empty.exit_code, json.loads(empty.stdout)["results"]) == (1, [])


@pytest.mark.usefixtures("shop")
def test_columns_matching_words_and_signals() -> None:
    row = run("search", "retry_payment", "--columns", "-m1").stdout.splitlines()[0].split("\t")
    assert row[:4] == ["shop/payments.py", "1-6", "function", "retry_payment"]
    words = run("search", "payment", "-o", "shop/payments.py").stdout.splitlines()
    assert {line.rpartition(":")[2] for line in words} == {"Payments", "payment", "Payment"}
    assert "words_best +" in run("search", "payment", "--explain").stdout
    coloured = run("search", "payment", "--color", "always", "--heading", "-m1").stdout
    assert "\x1b[35mshop/payments.py\x1b[0m:1-6" in coloured


@pytest.mark.usefixtures("shop")
def test_files_lists_what_a_search_would_look_at() -> None:
    python = {"shop/payments.py", "shop/stock.py", "tests/test_payments.py"}
    for flags, expected in (
        (["-t", "js"], {"web/cart.js"}),
        (["-T", "js", "-T", "md"], python),
        (["-t", "!js", "-t", "!md"], python),
        (["-g", "*.zig"], set()),
        (["-g", "shop/**", "-g", "!stock.py"], {"shop/payments.py"}),
        (["--tests", "only"], {"tests/test_payments.py"}),
        (["web", "shop/stock.py"], {"web/cart.js", "shop/stock.py"}),
        (["--module", "shop.stock"], {"shop/stock.py"}),
    ):
        done = run("search", "--files", *flags)
        assert (set(done.stdout.split()), done.exit_code) == (expected, int(not expected)), flags


@pytest.mark.usefixtures("shop")
def test_filters_that_nothing_can_match_are_errors() -> None:
    for flags in (["-t", "klingon"], ["-t", "py", "-T", "py"], ["-k", "gizmo"], ["-m", "0"]):
        done = run("search", "payment", *flags)
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1), flags


@pytest.mark.usefixtures("shop")
def test_case_and_whole_words_narrow_the_results() -> None:
    assert "shop/payments.py" in run("search", "PaymentError", "-S", "-l").stdout
    assert run("search", "PAYMENTERROR", "-S", "-l").exit_code == 1
    assert run("search", "Cart", "-w", "-l").stdout.splitlines() == ["web/cart.js"]
    assert run("search", "payment", "-w", "-c", "-m", "1").exit_code == 0


@pytest.mark.usefixtures("shop")
def test_a_cursor_goes_on_where_the_page_ended() -> None:
    first = json.loads(run("search", "payment", "--json", "-m", "1").stdout)
    second = json.loads(
        run("search", "payment", "--json", "-m", "1", "--cursor", first["cursor"]).stdout
    )
    assert first["results"][0] != second["results"][0]
    assert run("search", "payment", "-w", "--cursor", first["cursor"]).exit_code == 2


@pytest.mark.usefixtures("shop")
def test_the_query_may_come_from_a_pipe() -> None:
    wanted = run("search", "reserve", "-l").stdout
    assert run("search", "-l", stdin="reserve\n").stdout == wanted
    assert run("search", "-", ".", "-l", stdin="reserve").stdout == wanted


@pytest.mark.usefixtures("shop")
def test_an_empty_query_is_an_error_with_a_sentence() -> None:
    for query in ("", " \n ", "\t"):
        done = run("search", query)
        assert done.exit_code == 2
        assert done.stderr == "codeindex: The query is empty: say what you are looking for.\n"


def test_nothing_is_indexed_for_an_empty_query(home: Path, tmp_path: Path) -> None:
    assert run("search", " ", str(tmp_path)).exit_code == 2
    assert not list(home.glob("repos/*"))


@pytest.mark.usefixtures("shop")
def test_an_unquoted_query_gets_a_hint_to_quote_it() -> None:
    done = run("search", "failed", "payments")
    assert done.exit_code == 2
    assert "'payments'" in done.stderr
    assert done.stderr.endswith("A query of several words needs quotes.\n")


@pytest.mark.usefixtures("shop")
def test_any_text_is_a_query() -> None:
    for query in ODD_QUERIES:
        done = run("search", "-l", "--", query)
        assert done.exit_code in {0, 1}, query
        assert "codeindex:" not in done.stderr, query


def test_what_was_never_indexed_is_indexed_first(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(FILES))
    done = run("search", "reserve", "-l", "-m1")
    assert done.stdout.splitlines()[0] == "shop/stock.py"
    assert "shop is not indexed yet; indexing its structure first\n" in done.stderr
    assert "vectors" not in done.stderr  # words, names and the static model are complete
    assert done.output.index("shop/stock.py") < done.output.index("shop: 5 added")
    assert len(done.stderr.splitlines()) == 2  # nothing was left out, no setting has changed


def test_only_a_question_about_relations_waits_for_them(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = "from shop.stock import Stock\n\n\ndef sell():\n    Stock().reserve()\n"
    monkeypatch.chdir(repository(FILES | {"shop/sell.py": caller}))
    done = run("search", "what calls reserve")
    assert done.output.index("shop: 6 added") < done.output.index("shop/sell.py:5")


def test_a_mistake_in_a_first_question_leaves_a_whole_index(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(FILES))
    assert run("search", "reserve", "--cursor", "none").exit_code == 2
    assert "structure phase has not finished" not in run("status").output


def test_a_changed_file_is_read_again_before_it_is_cited(shop: Path) -> None:
    (shop / "shop/stock.py").write_text("\n\nclass Stock:\n    def reserve(self): ...\n", "utf-8")
    done = run("search", "Stock", "-m1")
    assert "shop/stock.py:3:class Stock:" in done.stdout
    assert "1 changed file read again: shop/stock.py" in done.stderr


def test_paths_in_two_repositories_are_an_error(
    shop: Path, repository: Callable[..., Path]
) -> None:
    other = repository({"a.py": "x = 1\n"}, "other")
    done = run("search", "payment", str(shop), str(other))
    assert done.exit_code == 2
    assert "different repositories" in done.stderr


@pytest.mark.parametrize("command", ["index", "search"])
def test_a_whole_disk_is_not_indexed_by_mistake(command: str) -> None:
    top = Path(sys.executable).anchor
    done = run(command, top) if command == "index" else run(command, "x", top)
    assert done.exit_code == 2
    assert f"'{top}' is not one project" in done.stderr
    assert run("repos").stdout == ""


def test_excluded_files_stay_out_until_the_next_index(shop: Path) -> None:
    done = run("index", "--structure-only", "-e", "web/**", "--max-file-size", "512")
    assert "removed" in done.stdout
    (shop / "shop/stock.py").write_text("class Stock: ...\n", "utf-8")
    assert run("search", "Stock", "--sync", "-l").exit_code == 0
    assert "web/cart.js" not in run("files").stdout.split()
    assert run("index", "--structure-only").exit_code == 0
    assert "web/cart.js" in run("files").stdout.split()


@pytest.mark.usefixtures("shop")
def test_the_report_is_a_line_or_json() -> None:
    assert run("index", "--structure-only").stdout.startswith("shop: nothing changed, 1 skipped in")
    report = json.loads(run("index", "--structure-only", "--rebuild", "--json").stdout)
    assert (report["added"], report["repo"]) == (5, "shop")
    assert report["skipped"][0]["path"] == "logo.png"


@pytest.mark.usefixtures("shop")
def test_files_and_their_reasons() -> None:
    assert len(run("files").stdout.splitlines()) == 5
    assert run("files", "shop").stdout == "shop/payments.py\nshop/stock.py\n"
    assert run("files", "shop", "-0").stdout == "shop/payments.py\0shop/stock.py\0"
    path, reason = run("files", "--skipped").stdout.strip().split("\t")
    assert (path, bool(reason)) == ("logo.png", True)
    assert json.loads(run("files", "--languages", "--json").stdout)["python"] == 3
    assert json.loads(run("files", "--json").stdout)[0] == "README.md"


@pytest.mark.usefixtures("shop")
def test_status_says_what_there_is() -> None:
    assert "files\t5 indexed, 1 skipped, 0 failed" in run("status").stdout
    status = json.loads(run("status", "--json").stdout)
    assert (status["repo"], status["files"], status["complete"]) == ("shop", 5, True)


def test_status_of_an_unindexed_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("status", str(tmp_path / "empty"))
    assert done.exit_code == 2
    assert "not indexed yet" in done.stderr


def test_repositories_are_listed_with_their_state(
    shop: Path, repository: Callable[..., Path]
) -> None:
    other = repository({"a.py": "x = 1\n"}, "other")
    run("status", str(other))
    assert run("repos").stdout == f"shop\tindexed\t{shop}\n"
    run("index", str(other), "--structure-only")
    assert run("repos").stdout == f"other\tindexed\t{other}\nshop\tindexed\t{shop}\n"
    assert [one["name"] for one in json.loads(run("repos", "--json").stdout)] == ["other", "shop"]


def test_models_are_listed_checked_and_refused(tmp_path: Path) -> None:
    listed = json.loads(run("models", "list", "--json").stdout)
    assert {one["id"] for one in listed} == {
        "arctic-embed-xs-int8",
        "codeindex-encoder",
        "minilm-l6-int8",
        "codeindex-static",
    }
    assert run("models", "verify").stdout.startswith("codeindex-encoder: ready (9.9 MB)")
    for words in (["pull"], ["pull", "nope"], ["verify", "nope"], ["add", str(tmp_path)]):
        done = run("models", *words)
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1), words


def test_a_setting_is_shown_with_its_origin(shop: Path) -> None:
    (shop / ".ai-devtools.yaml").write_text("code-index:\n  test_weight: 0.25\n", "utf-8")
    place = (shop / ".ai-devtools.yaml").as_posix()
    assert run("config", "get", "test_weight").stdout == f"0.25\t({place}:2)\n"
    value = json.loads(run("config", "get", "navigation_docs", "--json").stdout)
    assert (value["origin"], "**/README.md" in value["value"]) == ("default", True)
    listed = run("config", "list")
    assert f"test_weight\t0.25\t({place}:2)" in listed.stdout.splitlines()
    assert f"settings file: {place}" in listed.stderr.splitlines()
    assert run("config", "get", "nonsense").exit_code == 2


@pytest.mark.usefixtures("model")
def test_the_whole_way_with_the_shipped_encoder(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(FILES))
    done = run("index")
    assert done.exit_code == 0
    assert "5 added" in done.stdout
    assert "chunks embedded" in done.stdout
    assert "model: codeindex-encoder, which the package contains" in done.stderr
    found = run("search", "put an article into the shopping basket", "-t", "js", "--json")
    answer = json.loads(found.stdout)
    assert answer["results"][0]["file_path"] == "web/cart.js"
    assert answer["readiness"] == {"words": 1.0, "vectors": 1.0}
    assert answer["meta"]["model"] == "codeindex-encoder"
    assert found.stderr.splitlines() == [
        "weak: the code may not have this",
        "no indexed file has put, article, shopping, basket",
    ]
    again = run("index")
    assert again.stderr == "model: codeindex-encoder, which this index was made with\n"


@pytest.mark.usefixtures("shop")
def test_filters_that_leave_no_file_say_so() -> None:
    done = run("search", "payment", "-g", "*.nothing")
    assert done.exit_code == 1
    assert "No indexed file passes these filters" in done.output


@pytest.mark.usefixtures("shop")
def test_words_that_occur_nowhere_find_nothing() -> None:
    assert run("search", "zxqwvkj").exit_code == 1


def test_sync_brings_all_up_to_date_whatever_becomes_of_one(
    shop: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, gone = repository({"a.py": "def one(): ...\n"}, "other"), repository({}, "gone")
    for root in (other, gone):
        assert run("index", str(root), "--structure-only", "--incremental").exit_code == 0
    gone.rename(tmp_path / "moved")
    (tmp_path / "here" / "other").mkdir(parents=True)  # which is not what is registered so
    monkeypatch.chdir(tmp_path / "here")
    (other / "b.py").write_text("def two(): ...\n")
    (shop / "new.py").write_text("def three(): ...\n")
    assert "has no index: create one with `codeindex index`" in run("sync").stderr
    done = run("sync", "--all", "--structure-only")
    assert done.exit_code == 0
    assert [re.split(r",| in ", line)[0] for line in done.stdout.splitlines()] == [
        "other: 1 added",
        "shop: 1 added",
    ]
    assert f"gone: '{gone}' is gone" in done.stderr
    named = run("sync", "nowhere", "shop", "--json")
    assert named.exit_code == 2
    assert [one["repo"] for one in json.loads(named.stdout)] == ["shop"]
    assert "nowhere: There is no file or folder 'nowhere' here. No repository" in named.stderr


def test_sync_without_names_is_of_the_repository_around_the_folder(
    shop: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repository({"a.py": "def one(): ...\n"}, "other")
    assert run("index", str(other), "--structure-only").exit_code == 0
    for root in (shop, other):
        (root / "new.py").write_text("def three(): ...\n")
    folder = shop / "inner"
    folder.mkdir()
    monkeypatch.chdir(folder)
    done = run("sync", "--structure-only", "--json")
    assert [report["repo"] for report in json.loads(done.stdout)] == ["shop"]
    refused = run("sync", "shop", "--all")
    assert (refused.exit_code, "leave the names out" in refused.stderr) == (2, True)


def test_opposites_are_refused(shop: Path) -> None:
    refused = run("index", str(shop), "--incremental", "--rebuild")
    assert refused.exit_code == 2
    assert "leave one out" in refused.stderr


@pytest.mark.parametrize("group", ["cluster", "config", "hooks", "models", "secrets", "wiki"])
def test_help_of_a_group_shows_whole_sentences(group: str) -> None:
    rows = CliRunner().invoke(main, [group, "--help"]).stdout.split("Commands:\n")[1]
    assert rows.strip().endswith(".")
    assert "..." not in rows


def test_vimgrep_adds_the_column_of_each_match(shop: Path) -> None:
    (shop / "shop/odd.py").write_text("é = retry_payment(retry_payment)\n", "utf-8")
    result = run("search", "-F", "retry_payment", "--vimgrep", "shop/odd.py")
    line = "é = retry_payment(retry_payment)"
    assert result.stdout.splitlines() == [f"shop/odd.py:1:6:{line}", f"shop/odd.py:1:20:{line}"]
    first = run("search", "try a payment again", "--vimgrep", "-m", "1").stdout.splitlines()[0]
    assert first.startswith("shop/payments.py:2:1:def retry_payment(order):")


@pytest.mark.parametrize("flags", [["-v"], ["-rn"], ["-uu"], ["--include=*.py"], ["-q", "-F"]])
def test_a_flag_of_grep_that_is_not_here_says_what_to_do(flags: list[str]) -> None:
    result = run("search", *flags, "retry_payment")
    assert result.exit_code == 2
    message = result.stderr.splitlines()[-1]
    assert message.startswith(("Error: No option -", "Error: -q is --also"))
    assert message.endswith(".")
    assert not result.stdout

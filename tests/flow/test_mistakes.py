"""Mistakes of scripts and people: what is wrong is named, and nothing is done before it is seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Filters, Index
from codeindex.api.overview import OverviewQueries
from codeindex.api.requests import Request, parameters_of
from codeindex.cli import main
from codeindex.cli.command_table import COMMANDS
from codeindex.errors import CodeIndexError, DamagedError, QueryError
from codeindex.mcp.tools import TOOLS
from tests.flow.sites import indexed_repository
from tests.requests import request_types

FILES = {
    "shop/payments.py": "def retry_payment(order):\n    return order\n",
    "shop/stock.py": "class Stock:\n    def payment(self):\n        self.payment()\n",
    "shop/long.py": "def one():\n" + "    x = 1\n" * 300,
    "README.md": "# Shop\n\nHow a payment works: a payment is tried again.\n",
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("mistakes") / "shop"
    with indexed_repository(root, FILES):
        yield root


@pytest.fixture
def shop(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that no test changes, as the current folder."""
    monkeypatch.chdir(indexed)
    return indexed


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args, catch_exceptions=False)


SAMPLES = {str: None, int: "3", float: "3", bool: "no"}


def wrong_types() -> Iterator[tuple[type[Request], str, object]]:
    """Yield each request with each of its plain parameters, and what it cannot be."""
    for request in request_types():
        for parameter in parameters_of(request).values():
            if parameter.choices:
                yield request, parameter.name, "neither"
            elif parameter.kind in SAMPLES and not parameter.is_optional:
                is_text_wrong = parameter.is_list and not parameter.takes_one
                sample = 3 if parameter.takes_one else SAMPLES[parameter.kind]
                yield request, parameter.name, "a.py" if is_text_wrong else sample


def required_values(request: type[Request]) -> dict[str, object]:
    return {
        parameter.name: "x" if parameter.kind is str else ("x",)
        for parameter in parameters_of(request).values()
        if parameter.is_required
    }


def test_every_request_names_the_parameter_that_is_of_another_type() -> None:
    made = 0
    for request, wrong, value in wrong_types():
        with pytest.raises(QueryError) as caught:
            request(**{**required_values(request), wrong: value})
        assert str(caught.value).startswith(f"{wrong} is {value!r}: use "), request
        made += 1
    assert made > 100


def texts_of_requests() -> Iterator[tuple[type[Request], str, bool]]:
    """Yield each request that only reads with each of its texts, and whether it is a list."""
    for request in request_types():
        if request.capability.split(".")[0] not in {"admin", "answers", "workspace"}:
            for parameter in parameters_of(request).values():
                if parameter.kind is str and not parameter.choices:
                    yield request, parameter.name, parameter.is_list


def error_of(index: Index, request: type[Request], given: dict[str, object]) -> str:
    """Return the sentence of an error of ours; any other error is raised."""
    try:
        index.run(request(**{**required_values(request), **given}))
    except CodeIndexError as error:
        if isinstance(error, DamagedError):
            pytest.fail(f"{request}: {error}")
        return str(error)
    return ""


@pytest.mark.parametrize("odd", ["\udcff", "shop/\ud800.py", "\udcff:1", "*\udfff*"])
def test_every_method_answers_text_that_is_not_utf_8(shop: Path, odd: str) -> None:
    with Index.open(shop) as index:
        for request, name, is_list in texts_of_requests():
            error_of(index, request, {name: (odd,) if is_list else odd}).encode()
        for fields in ({"paths": (odd,)}, {"globs": (odd,)}, {"module": odd}):
            assert index.search("payment", filters=Filters(**fields)).as_dict()


def test_a_text_that_is_too_long_is_refused_with_its_length(shop: Path) -> None:
    long, refused = "A" * 60_000, set()
    with Index.open(shop) as index:
        for request, name, is_list in texts_of_requests():
            told = error_of(index, request, {name: (long,) if is_list else long})
            if told.startswith(f"{name} is 'AAA"):
                assert told.endswith("…: it has 60,000 characters, of 4,096 at most.")
                refused.add((request.label(), name))
            assert len(told) < 400
    names = {("lookup", "name"), ("callers", "symbol"), ("type_flow", "type_name")}
    assert names <= refused


LONG_AND_ODD = [
    *("lookup", "callers", "impact", "read", "explain-symbol", "tree", "imports", "context"),
    *("signatures", "type-flow", "outline", "show"),
]


PROCESSES = """
import os, sys
from codeindex import Index
from codeindex.__main__ import main

with Index.open(".") as index:  # imports what most commands need
    index.symbols.lookup("Stock")
    index.graph.callers("Stock")
given = sys.argv[1]
for command in sys.argv[2:]:
    print(f"$ {command}", file=sys.stderr, flush=True)
    child = os.fork()
    if not child:
        sys.argv = ["codeindex", command, given]
        sys.exit(main())
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(f"= {status}", file=sys.stderr, flush=True)
"""
"""A program that runs commands in processes of their own, which have imported codeindex already."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are copies of another")
@pytest.mark.parametrize("given", [b"\xff", b"A" * 60_000])
def test_a_process_ends_with_a_sentence(shop: Path, given: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROCESSES, given, *LONG_AND_ODD],
        capture_output=True,
        check=True,
        timeout=120,
        cwd=shop,
    )
    said = re.findall(r"\$ (\S+)\n(.*?)= (-?\d+)\n", done.stderr.decode(), re.DOTALL)
    assert [command for command, _, _ in said] == LONG_AND_ODD
    for command, told, status in said:
        assert status in {"0", "1", "2"}, (command, told)
        assert not re.search("unexpected|damaged|Traceback", told), command
        assert len(told) < 1_000, command


def test_context_is_as_long_as_its_file(shop: Path) -> None:
    with Index.open(shop) as index:
        found = index.exact.grep("Stock", before=10**9, after=10**9)
    assert [one.line for one in found.lines] == [1, 2, 3]


def test_what_a_method_does_not_know_stays_python_s_to_refuse(shop: Path) -> None:
    with Index.open(shop) as index:
        unknown: Any = index.graph.callers
        with pytest.raises(TypeError, match="nonsense"):
            unknown("retry_payment", nonsense=1)
        given: Any = ["README.md"]
        assert len(index.source.summaries(given).files) == 1  # a list is as good as a tuple


PAYMENTS = "'shop/payments.py' has 2 lines"


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("show", "shop/payments.py:1-0"), f"Lines begin at 1; {PAYMENTS}."),
        (("show", "shop/payments.py:9"), f"{PAYMENTS}: there is no line 9."),
        (("show", "shop/nosuch.py:9"), "No indexed file or folder is called 'shop/nosuch.py'"),
        (("read", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("similar", "shop/payments.py:0"), f"Lines begin at 1; {PAYMENTS}."),
        (("similar", "shop/payments.py:9"), f"{PAYMENTS}: there is no line 9."),
        (("why-not", "shop/payments.py:0", "retry"), f"Lines begin at 1; {PAYMENTS}."),
        (("why-not", "payments.py:9", "retry"), f"{PAYMENTS}: there is no line 9."),
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
        (("dependency-graph", "--html", "/nosuch/x.html"), "'/nosuch/x.html'"),
    ],
)
def test_a_usage_error_ends_with_status_2_and_a_suggestion(
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
        (("unused", "shop"), 0),
    ],
)
def test_what_looks_for_something_ends_as_search_does(words: tuple[str, ...], status: int) -> None:
    done = run(*words)
    assert (done.exit_code, bool(done.stdout)) == (status, True)


def test_a_page_is_refused_before_anything_is_read(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(OverviewQueries, "report", lambda _, part: asked.append(part))
    assert run("report", "--html", str(shop / "none" / "x.html")).exit_code == 2
    assert asked == []


@pytest.mark.usefixtures("shop")
def test_the_end_of_a_path_is_enough_where_one_file_has_it() -> None:
    assert run("why-not", "payments.py", "retry").stdout.startswith("shown: shop/payments.py is")
    assert run("why-not", "payments.py:1", "retry").stdout.startswith("shown: shop/payments.py:1 ")


@pytest.mark.usefixtures("shop")
def test_an_estimate_names_what_the_command_line_and_the_server_both_have() -> None:
    with Index.open() as index:
        told = index.source.token_estimate("shop/stock.py", symbol="Stock").as_dict()["savings"]
        assert told.startswith("`read` of it saves ~")
        advice = index.source.token_estimate("shop/long.py").as_dict()["recommendation"]
    assert set(re.findall(r"`(\w+)`", advice)) == {"summarize", "read"} <= COMMANDS.keys()
    assert {"summarize", "read"} <= TOOLS.keys()

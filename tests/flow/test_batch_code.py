"""Several requests in one call of `batch_code`, over the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from codeindex.mcp.batch_code import MAX_REQUESTS, answer_batch
from codeindex.mcp.reply import DataReply, Reply
from codeindex.types import AgentFormat
from tests.flow.asking import call, indexed_shop, served

READ: dict[str, Any] = {"tool": "read_code", "places": ["charge"]}
LINES: dict[str, Any] = {"tool": "search_code", "query": "def send", "mode": "exact"}
CALLERS: dict[str, Any] = {"tool": "find_symbol", "names": ["charge"], "mode": "callers"}
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_shop(tmp_path_factory.mktemp("batch")) as root:
        yield root


def sent(root: Path, requests: Any, *, sent_as: AgentFormat = "text") -> tuple[bool, str]:
    """Return whether a batch failed, and its text."""

    async def ask(client: Client) -> Any:
        return await client.call_tool("batch_code", {"requests": requests})

    result = served(root, ask, sent_as=sent_as)
    return result.is_error, result.content[0].text


def test_a_batch_has_each_answer_below_its_request_in_order(shop: Path) -> None:
    is_error, text = sent(shop, [CALLERS, LINES, READ])
    assert not is_error
    titles = [text.index(title) for title in ("find_symbol charge", "search_code", "read_code")]
    assert titles == sorted(titles)
    assert "shop/cart.py:9" in text
    assert "Take money from a card" in text


def test_a_title_has_the_number_and_every_argument_that_the_answer_does_not_repeat(
    shop: Path,
) -> None:
    places = [f"shop/pay.py:{line}-{line}" for line in range(1, 12)]
    pattern = "|".join(f"no_such_name_{number}" for number in range(9))
    lines = {"tool": "search_code", "query": ["def send", pattern], "mode": "regex", "path": "shop"}
    failing = {"tool": "read_code", "places": ["no/such/file.py"]}
    _, text = sent(shop, [{"tool": "read_code", "places": places}, lines, failing, CALLERS])
    titles = [line for line in text.split("\n") if re.match(r"== \d", line)]
    assert titles == [
        "== 1 read_code",
        "== 2 search_code regex, shop",
        "== 3 read_code no/such/file.py",
        "== 4 find_symbol charge, callers",
    ]
    assert f"== {pattern}\n0 lines" in text


def test_the_data_of_a_batch_is_what_each_tool_answers_alone(shop: Path) -> None:
    requests = [CALLERS, LINES, READ]
    found = call(shop, "batch_code", {"requests": requests})["results"]
    alone = [
        call(shop, str(request["tool"]), {key: request[key] for key in request if key != "tool"})
        for request in requests
    ]
    assert [result["answer"] for result in found] == alone


def test_a_failed_request_leaves_the_others(shop: Path) -> None:
    absent = {"tool": "read_code", "places": ["no/such/file.py"]}
    is_error, text = sent(shop, [absent, {"tool": "find_symbl", "names": ["x"]}, READ])
    assert not is_error
    assert text.count("note: no answer:") == 2
    assert "did you mean find_symbol" in text
    assert "Take money from a card" in text
    assert call(shop, "batch_code", {"requests": [absent, READ]})["results"][0]["error"]


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ([], "give at least one request"),
        ([READ] * (MAX_REQUESTS + 1), f"give at most {MAX_REQUESTS}"),
        ([{"places": ["charge"]}], "names no tool"),
        (["read_code charge"], "give an object"),
        ([{"tool": "batch_code", "requests": [READ]}], "cannot be part of a batch"),
        ([{"tool": "invalidate_file", "path": "shop/pay.py"}], "cannot be part of a batch"),
        ([{"tool": "read_code", "places": ["charge"], "repo": "elsewhere"}], "elsewhere"),
    ],
)
def test_a_batch_without_a_single_answer_is_an_error(
    shop: Path, requests: list[Any], message: str
) -> None:
    is_error, text = sent(shop, requests)
    assert is_error
    assert message in text


def test_a_secret_within_a_request_is_not_echoed(shop: Path) -> None:
    _, text = sent(shop, [{"tool": "search_code", "query": SECRET, "mode": "exact"}, READ])
    assert SECRET not in text


def test_arguments_may_stand_in_an_object_of_their_own(shop: Path) -> None:
    nested = {"name": "read_code", "arguments": {"places": ["charge"]}}
    assert sent(shop, [nested])[1] == sent(shop, [READ])[1]


def test_an_unforeseen_error_of_one_request_leaves_the_others_answered() -> None:
    def run(name: str, arguments: Mapping[str, Any]) -> Reply[Any]:
        if name == "read_code":
            raise KeyError("internal")
        return DataReply({"asked": arguments["names"]})

    failed, answered = answer_batch([READ, CALLERS], run).data()["results"]
    assert failed["error"] == "unexpected KeyError in read_code: 'internal'"
    assert answered["answer"] == {"asked": ["charge"]}

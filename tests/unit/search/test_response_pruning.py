"""What agents are not told."""

from typing import Any

import pytest

from codeindex.mcp.output_limits import MAX_CHARACTERS, limit_data
from codeindex.search.pack.agent_json import json_size
from codeindex.search.pack.response_pruning import prune_response


def caller(line: int, **more: Any) -> dict[str, Any]:
    return {
        "file": "a.go",
        "lines": [line],
        "kind": "function",
        "certainty": "resolved",
        "is_test": False,
        "through": "",
    } | more


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            {"symbol": "run", "total": 0, "callers": [], "notes": []},
            {"total": 0, "callers": []},
        ),
        ({"symbol": "other", "total": 1}, {"symbol": "other", "total": 1}),
        ({"callers": [caller(3)]}, {"callers": [{"file": "a.go", "lines": [3]}]}),
        (
            {"callers": [caller(3, certainty="ambiguous")]},
            {"callers": [{"file": "a.go", "lines": [3], "certainty": "ambiguous"}]},
        ),
        (
            {"callers": [caller(1), caller(2), caller(3)]},
            {
                "each": {"callers": {"file": "a.go"}},
                "callers": [{"lines": [1]}, {"lines": [2]}, {"lines": [3]}],
            },
        ),
        (
            {"callers": [caller(9), *(caller(one, is_test=True) for one in (4, 5, 6))]},
            {
                "in_tests": {"callers": {"a.go": [4, 5, 6]}},
                "callers": [{"file": "a.go", "lines": [9]}],
            },
        ),
        (
            {"definitions": [{"key": "a.go::run", "file": "a.go", "line": 3}]},
            {"definitions": [{"key": "a.go::run", "line": 3}]},
        ),
    ],
)
def test_what_goes_without_saying_is_left_out(answer: dict[str, Any], told: dict[str, Any]) -> None:
    assert prune_response(answer, {"symbol": "run"}) == told


def test_beside_certain_uses_few_are_shown_that_only_a_name_speaks_for() -> None:
    guesses = [caller(line, certainty="ambiguous") for line in range(10, 30)]
    told = prune_response(
        {"callers": [caller(3), caller(5, certainty="ambiguous", through="W"), *guesses]}, {}
    )
    assert [one["lines"] for one in told["callers"]] == [[3], [5], [10], [11], [12], [13], [14]]
    assert told["left_out"] == {"callers": 15}
    assert len(prune_response({"callers": guesses}, {})["callers"]) == 20


def test_of_many_definitions_the_first_are_named_and_the_rest_counted() -> None:
    many = [{"key": f"{one}.go::run", "file": f"{one}.go", "line": 1 + one} for one in range(20)]
    told = prune_response({"definitions": many}, {})
    assert len(told["definitions"]) + told["left_out"]["definitions"] == 20
    assert limit_data(told) == told


def test_cut_items_are_counted_with_those_left_out_before() -> None:
    data = {"left_out": {"rows": 3}, "rows": ["x" * 100] * 50}
    told = limit_data(data, limit=2_000)
    assert told["truncated"] is True
    assert len(told["rows"]) + told["left_out"]["rows"] == 53


def test_names_that_summaries_leave_out_stay_names() -> None:
    assert limit_data({"left_out": ["a.py"]}) == {"left_out": ["a.py"]}


def test_an_answer_of_many_fields_is_cut_to_the_limit() -> None:
    rows = {f"tests/{'deep/' * 20}test_{number}.py": number for number in range(300)}
    cut = limit_data({"symbol": "x", "in_tests": rows})
    assert json_size(cut) <= MAX_CHARACTERS
    assert cut["left_out"] == {"in_tests": 300 - len(cut["in_tests"])}
    assert cut["truncated"]


def test_uses_in_many_test_files_are_cut_by_file() -> None:
    folder = "tests/" + "very_long_name_of_a_folder/" * 5
    callers = [
        {"name": f"test_{at}", "file": f"{folder}test_{at}.py", "line": at + 1, "is_test": True}
        for at in range(200)
    ]
    told = limit_data(prune_response({"symbol": "charge", "callers": callers}, {}))
    assert json_size(told) <= MAX_CHARACTERS
    assert told["truncated"] is True
    files = told["in_tests"]["callers"]
    assert len(files) > 100
    assert len(files) + told["left_out"]["callers"] == 200


def test_of_several_repositories_each_keeps_results() -> None:
    repos = {f"shop-{at}": {"lines": [f"a{n}.py:1:x = 1" for n in range(900)]} for at in range(3)}
    told = limit_data({"repos": repos})
    assert json_size(told) <= MAX_CHARACTERS
    assert [bool(repo["lines"]) for repo in told["repos"].values()] == [True] * 3


def test_fields_of_an_object_are_never_cut() -> None:
    status = {f"field_{at}": at for at in range(100)}
    assert limit_data({"status": status}, limit=200) == {"status": status}

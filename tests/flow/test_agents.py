"""What an agent reads on the first screen: by a client of the protocol, on a repository of Go."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flow.asking import call
from tests.flow.sites import indexed_repository

WALK = """package graph

// Walker goes over nodes.
type Walker interface {
	Execute(ctx Context, n Node) error
	Close()
}

func Run(w Walker, n Node) error {
	defer w.Close()
	return w.Execute(nil, n)
}
"""
NULL = """package graph

type Null struct{}

func (Null) Execute(Context, Node) error { return nil }

func (Null) Close() {}

// Deep has what it embeds.
type Deep struct {
	Null
}

// Other has methods of these names, but not with these types.
type Other struct{}

func (o *Other) Execute(ctx Context) error { return nil }

func (o *Other) Close() {}
"""
TESTS = """package graph

import "testing"

func TestOne(t *testing.T) { Run(Null{}, nil) }

func TestTwo(t *testing.T) { Run(Null{}, nil) }

func TestThree(t *testing.T) { Run(Null{}, nil) }
"""
LOAD = "package {0}\n\nfunc Load(path string) error {{\n\treturn nil\n}}\n"
MAIN = """package main

import (
	"example.com/shop/first"
	"example.com/shop/second"
	"example.com/shop/graph"
)

func one() { first.Load("a") }

func two() { second.Load("b") }

func main() { graph.Run(graph.Null{}, nil) }
"""
LONG = (
    "package first\n\n// Sweep cleans up after a run.\nfunc Sweep(names []string) {\n"
    + "".join(f'\tprintln("cleaning {one}", names)\n' for one in range(60))
    + '\tprintln("the lock file is gone")\n\tdropLockFile(names)\n'
    + "".join(f'\tprintln("swept {one}", names)\n' for one in range(60))
    + "}\n"
)
FILES = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "graph/walk.go": WALK,
    "graph/null.go": NULL,
    "graph/walk_test.go": TESTS,
    "first/load.go": LOAD.format("first"),
    "first/sweep.go": LONG,
    "second/load.go": LOAD.format("second"),
    "main.go": MAIN,
    "shed/broom.py": "class Broom:\n    def sweep_all(self): ...\n",
    "tests/test_shed.py": (
        "from shed.broom import Broom\n\n\n"
        "def test_sure():\n    Broom().sweep_all()\n\n\n"
        "def test_perhaps(broom):\n    broom.sweep_all()\n"
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("agents") / "shop"
    with indexed_repository(root, FILES):
        yield root


def names(found: dict[str, Any], key: str) -> list[str]:
    return [one["name"] for one in found[key]]


def test_what_implements_an_interface_has_its_methods(shop: Path) -> None:
    found = call(shop, "find", {"query": "Walker", "mode": "implementers"})
    assert names(found, "implementers") == ["Null", "Deep"]
    found = call(shop, "get_implementers", {"symbol": "Walker.Execute"})
    assert names(found, "implementers") == ["Null.Execute"]
    found = call(shop, "search_code", {"query": "what implements Walker"})
    assert [one["symbol"] for one in found["results"]] == ["Null", "Deep"]


def test_what_cannot_be_implemented_is_refused(shop: Path) -> None:
    found = call(shop, "find", {"query": "Run", "mode": "implementers"})
    assert found == "'Run' is a function: name an interface, a type or a method of one."


def test_a_method_is_called_through_its_interface(shop: Path) -> None:
    found = call(shop, "find", {"query": "Null.Execute", "mode": "callers"})
    (run,) = found["callers"]
    assert run == {
        "file": "graph/walk.go",
        "lines": [11],
        "text": "return w.Execute(nil, n)",
        "name": "Run",
        "certainty": "ambiguous",
        "through": "graph/walk.go::Walker.Execute",
    }
    assert found["through"] == {"graph/walk.go::Walker.Execute": 1}
    assert (found["total_certain"], found["total_ambiguous"]) == (0, 1)


def test_a_method_with_other_types_is_not(shop: Path) -> None:
    found = call(shop, "find", {"query": "Other.Execute", "mode": "callers"})
    assert "through" not in found


def test_an_interfaces_method_names_what_its_callers_run(shop: Path) -> None:
    found = call(shop, "get_callers", {"symbol": "Walker.Execute"})
    assert names(found, "callers") == ["Run"]
    assert found["implementations"] == [{"key": "graph/null.go::Null.Execute", "line": 5}]


def test_impact_and_find_agree_on_certain_uses(shop: Path) -> None:
    for symbol in ("Null.Execute", "Walker.Execute", "first/load.go::Load"):
        found = call(shop, "find", {"query": symbol, "mode": "callers"})
        near = {
            (one["file"], *one["lines"], one.get("certainty", "resolved"))
            for one in call(shop, "impact", {"subject": symbol})["dependants"]
            if one["distance"] == 1
        }
        assert near == {
            (one["file"], *one["lines"], one.get("certainty", "resolved"))
            for one in found["callers"]
        }


def test_tests_are_lines_by_file_beside_the_callers(shop: Path) -> None:
    found = call(shop, "find", {"query": "graph/walk.go::Run", "mode": "callers"})
    assert names(found, "callers") == ["main"]
    assert found["in_tests"] == {"callers": {"graph/walk_test.go": [5, 7, 9]}}


def test_callees_are_sorted_by_line(shop: Path) -> None:
    found = call(shop, "find", {"query": "graph/walk.go::Run", "mode": "callees"})
    assert [(one["name"], one["lines"]) for one in found["callees"]] == [
        ("Walker.Close", [10]),
        ("Walker.Execute", [11]),
    ]
    found = call(shop, "find", {"query": "Load", "mode": "callees"})
    assert (found["callees"], found["total"]) == ([], 0)


def test_callers_of_a_name_of_two_say_which_they_mean(shop: Path) -> None:
    found = call(shop, "find", {"query": "Load", "mode": "callers"})
    assert {one["name"]: one["of"] for one in found["callers"]} == {
        "one": "first/load.go::Load",
        "two": "second/load.go::Load",
    }


@pytest.mark.parametrize("name", ["query", "subject", "symbol", "name", "function"])
@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("find", {"mode": "callers"}),
        ("summarize", {}),
        ("read", {}),
        ("get_callers", {}),
        ("get_related_tests", {}),
        ("impact", {}),
        ("context", {}),
        ("explain_symbol", {}),
        ("lookup_symbol", {}),
    ],
)
def test_a_symbol_goes_by_any_name(shop: Path, tool: str, more: dict[str, Any], name: str) -> None:
    found = call(shop, tool, {name: "Sweep", **more})
    assert isinstance(found, dict), found


@pytest.mark.parametrize(
    ("asked", "file", "lines"),
    [
        ({"path": "Null.Execute"}, "graph/null.go", (5, 5)),
        ({"symbols": ["Run"]}, "graph/walk.go", (9, 12)),
        ({"path": "graph/walk.go:9-10"}, "graph/walk.go", (9, 10)),
        ({"path": "first/sweep.go:64"}, "first/sweep.go", (44, 84)),
        ({"path": "graph/walk.go::Run"}, "graph/walk.go", (9, 12)),
    ],
)
def test_what_an_answer_names_can_be_read_as_it_stands(
    shop: Path, asked: dict[str, Any], file: str, lines: tuple[int, int]
) -> None:
    found = call(shop, "read", asked)
    (section,) = found["sections"]
    assert found["file"] == file
    assert (section["start_line"], section["end_line"]) == lines
    assert "line_numbers" not in section


def test_symbols_of_several_files_are_read_at_once(shop: Path) -> None:
    found = call(shop, "read", {"symbols": ["Run", "Null.Close"]})
    assert [one.get("file", found["file"]) for one in found["sections"]] == [
        "graph/walk.go",
        "graph/null.go",
    ]


def test_other_definitions_of_a_read_symbol_are_named(shop: Path) -> None:
    found = call(shop, "read", {"symbol": "Load"})
    assert found["file"] == "first/load.go"
    assert found["elsewhere"] == ["second/load.go::Load:3"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "give a path, or symbols"),
        ({"symbol": "Sweap"}, "did you mean Sweep"),
        ({"symbol": "Run", "start_line": 3}, "not for both"),
        ({"path": "graph/walk.goo"}, "graph/walk.go"),
        ({"path": "graph/walk.go:900"}, "has 12 lines"),
    ],
)
def test_what_cannot_be_read_is_refused(shop: Path, asked: dict[str, Any], sentence: str) -> None:
    found = call(shop, "read", asked)
    assert isinstance(found, str)
    assert sentence in found


def test_an_excerpt_is_round_the_line_that_says_the_name(shop: Path) -> None:
    found = call(shop, "search_code", {"query": "cleaning: dropLockFile(names)", "budget": 300})
    best = found["results"][0]
    assert (best["file_path"], best["shown"]) == ("first/sweep.go", "skeleton")
    assert "66:\tdropLockFile(names)" in best["content"].replace("66:dropLock", "66:\tdropLock")
    assert best["content"].endswith(f"… to line {best['end_line']}")


def test_signatures_are_found_by_what_they_take_and_give(shop: Path) -> None:
    for query, expected in {
        "string -> error": {"Load"},
        "Node -> error": {"Run", "Walker.Execute", "Null.Execute"},
        "Node, Walker": {"Run"},
        "error -> Node": set(),
    }.items():
        found = call(shop, "find", {"query": query, "mode": "signature"})
        assert set(names({"symbols": [], **found}, "symbols")) == expected


def test_tests_are_those_of_the_symbol_in_a_path(shop: Path) -> None:
    found = call(shop, "get_related_tests", {"symbol": "Run", "path": "graph/walk.go"})
    assert [one.get("name") for one in found["tests"]] == ["TestOne", "TestTwo", "TestThree"]
    assert found["each"]["tests"]["file"] == "graph/walk_test.go"


def test_tests_that_may_merely_call_it_are_counted(shop: Path) -> None:
    asked = {"symbol": "Broom.sweep_all"}
    found = call(shop, "get_related_tests", asked)
    assert names(found, "tests") == ["test_sure"]
    assert (found["total"], found["possible"], found["truncated"]) == (2, 1, True)
    found = call(shop, "get_related_tests", asked | {"include_possible": True})
    assert names(found, "tests") == ["test_sure", "test_perhaps"]


def test_a_symbol_in_short_names_its_callers(shop: Path) -> None:
    found = call(shop, "summarize", {"path": "graph/walk.go::Run"})
    assert found["symbols"][0]["callers"] == ["main.go:13 main"]

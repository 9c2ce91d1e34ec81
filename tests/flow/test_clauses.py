"""What agents get of functions with many clauses, from a server over standard input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.text.clauses import clause_head, find_clauses
from tests.conftest import Repository, made_repository, own_data
from tests.flow.asking import with_numbers
from tests.flow.test_long_functions import answers

STATES = ("ordered", "packed", "weighed", "labelled", "sorted", "loaded", "delayed", "returned")
CLAUSES = "".join(
    f"""  # An event in the state {state}.
  def handle_event(:info, {{:moved, place}}, :{state}, %Data{{}} = data)
      when is_binary(place) do
    Logger.info("{state}: #{{place}}")

    case place do
      "{state} twice" ->
        {{:keep_state, data}}

      _ ->
        {{:next_state, :{state}, data, schedule({len(state)})}}
    end
  end

"""
    for state in STATES
)
PARCEL = f"""defmodule Shop.Parcel do
  require Logger

  def handle_event(:info, :lost, _state, data) do
    refund_customer(data.order, :lost_parcel)
    {{:stop, :lost, data}}
  end

{CLAUSES}  defp refund_customer(order, reason), do: {{order, reason}}

  defp schedule(seconds), do: schedule(seconds, :seconds)
  defp schedule(n, unit), do: schedule(n, unit, [])

  defp schedule(n, unit, options), do: {{:state_timeout, n, unit, options}}
end
"""
LINES = PARCEL.split("\n")
MERGE = """merge :: [Int] -> [Int] -> [Int]
merge [] ys = ys
-- The other one is empty.
merge xs [] = xs
merge (x:xs) (y:ys)
  | x <= y = x : merge xs (y:ys)
  | otherwise = y : merged
  where merged = merge (x:xs) ys

merged = merge [] []
"""


@pytest.fixture(scope="module")
def parcel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = made_repository(
        tmp_path_factory.mktemp("clauses") / "parcel", {"lib/shop/parcel.ex": PARCEL}
    )
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
    return root


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


def test_of_a_long_function_the_heads_and_the_clause_in_question_are_read(parcel: Path) -> None:
    place = {"places": ["Parcel.handle_event"], "about": "refund of a lost parcel to the customer"}
    with own_data(parcel.parent):
        (text,) = answers(parcel, ("read_code", place))
    last = LINES.index("  defp refund_customer(order, reason), do: {order, reason}") - 1
    assert f"== lib/shop/parcel.ex:4-{last} Parcel.handle_event (function, 9 clauses)" in text
    for state in STATES:
        head = line_of(f":{state}, %Data")
        parameters = f"(:info, {{:moved, place}}, :{state}, %Data{{}} = data) when is_binary(place)"
        assert f"\n{head}:…{parameters}\n" in with_numbers(text)
    assert "\n5: refund_customer(data.order, :lost_parcel)\n" in with_numbers(text)
    assert "Logger.info" not in text
    assert text.endswith("\n… a clause: read_code Parcel.handle_event:LINE")


def test_without_a_question_the_clauses_of_the_last_search_are_read(parcel: Path) -> None:
    search = {"query": ["delayed twice"], "mode": "exact"}
    with own_data(parcel.parent):
        alone, found, text = answers(
            parcel,
            ("read_code", {"places": ["Parcel.handle_event"]}),
            ("search_code", search),
            ("read_code", {"places": ["Parcel.handle_event"]}),
        )
    head, match = line_of(":delayed, %Data"), line_of('"delayed twice" ->')
    assert "Logger.info" not in alone
    assert f'{match} Parcel.handle_event:{head}: "delayed twice" ->' in found
    assert f'{match}:  "delayed twice" ->' in with_numbers(text)


def test_a_name_with_a_line_is_the_clause_around_it(parcel: Path) -> None:
    match = line_of('"sorted twice" ->')
    with own_data(parcel.parent):
        (text,) = answers(parcel, ("read_code", {"places": [f"Parcel.handle_event:{match}"]}))
    head = line_of(":sorted, %Data")
    assert text.startswith(f"== lib/shop/parcel.ex:{head - 1}-{head + 11}\n")
    assert "state labelled" not in text
    assert "state loaded" not in text


def test_a_question_is_answered_with_the_clauses_that_it_is_about(parcel: Path) -> None:
    with own_data(parcel.parent):
        (text,) = answers(parcel, ("explore_code", {"query": ["what happens to delayed things"]}))
    head = line_of(":delayed, %Data")
    assert f"-- {head - 1}-{head + 11} Parcel.handle_event\n" in text
    match = line_of('"delayed twice" ->')
    assert f'{match}:  "delayed twice" ->' in with_numbers(text)
    assert '"ordered twice"' not in text


def test_a_function_of_which_a_clause_is_shown_is_not_named_again(parcel: Path) -> None:
    query = {"query": ["sorted delayed loaded twice"], "budget": 400}
    with own_data(parcel.parent):
        (text,) = answers(parcel, ("explore_code", query))
    assert "Parcel.handle_event\n" in text
    assert "Parcel.schedule:124" in text
    assert "Parcel.handle_event:" not in text


def test_a_hit_below_the_head_of_a_function_is_named_by_its_own_line(
    repository: Repository,
) -> None:
    states = re.compile(rf"\b({'|'.join(STATES)})\b")
    clauses = "".join(states.sub(rf"\1_{number}", CLAUSES) for number in range(6))
    root = repository({"parcel.ex": PARCEL.replace(CLAUSES, clauses)})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        exploration = index.combined.explore("sorted_4 loaded_5")
    _, rows = exploration.columns()
    lines = [int(line) for _, _, line, symbol in rows if symbol.endswith(".handle_event")]
    assert lines
    assert 4 not in lines
    assert max(lines) > 300


def test_short_functions_of_one_name_are_read_together(parcel: Path) -> None:
    with own_data(parcel.parent):
        (text,) = answers(parcel, ("read_code", {"places": ["Parcel.schedule"]}))
    assert "defp schedule(seconds), do:" in text
    assert "defp schedule(n, unit), do:" in text
    assert "defp schedule(n, unit, options), do:" in text
    assert "also:" not in text


def test_clauses_are_found_by_the_text_up_to_the_name() -> None:
    lines = MERGE.split("\n")
    clauses = find_clauses(lines, "merge", line=1, end_line=8)
    assert [(one.start_line, one.end_line) for one in clauses] == [(1, 2), (3, 4), (5, 8)]
    assert clause_head(lines, clauses[2], "merge") == "… (x:xs) (y:ys)"
    assert find_clauses(lines, "merged", line=10, end_line=10) == []


def test_a_name_is_found_as_a_whole_word() -> None:
    lines = ["  def e(1), do: 1", "  def e(n), do: n"]
    clauses = find_clauses(lines, "e", line=1, end_line=2)
    assert [clause_head(lines, one, "e") for one in clauses] == ["  …(1)", "  …(n)"]


def test_a_signature_is_no_clause() -> None:
    lines = ["run :: Int -> IO ()", "run n = do", "  print n"]
    assert find_clauses(lines, "run", line=1, end_line=3) == []


def test_exact_searches_find_code_beside_long_operators(repository: Repository) -> None:
    body = "\n".join(f'  zebra "{number}"' for number in range(100))
    root = repository({"Op.hs": f"module Op where\n\n(.) a b = do\n{body}\n"})
    search = {"query": ['zebra "50"'], "mode": "exact"}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", search))
    assert text.startswith("1 line in 1 file\nOp.hs\n")

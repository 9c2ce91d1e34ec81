"""The server's tools, the command line and the library say the same."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from mcp import Client

from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.api.requests import parameters_of
from codeindex.cli import main
from codeindex.cli.command_table import COMMANDS
from codeindex.mcp.output_limits import limit_data
from codeindex.mcp.requests import SEARCH_BUDGET
from codeindex.mcp.server import INSTRUCTIONS
from codeindex.mcp.tools import TOOLS, Tool
from codeindex.search.pack.response_pruning import prune_response
from tests.conftest import made_repository
from tests.flow.asking import FILES, call, indexed_shop, served

CALLS: Mapping[str, dict[str, Any]] = {
    "context": {"subject": "shop/pay.py"},
    "explain_search": {"query": "take money from a card", "limit": 2},
    "export_graph": {"path": "shop"},
    "find": {"query": "charge", "mode": "callers"},
    "for_diff": {"ref": "HEAD"},
    "guides": {},
    "impact": {"subject": "charge", "limit": 5},
    "modules": {},
    "patterns": {},
    "read": {"path": "shop/pay.py", "symbols": ["charge"], "expand": 1},
    "summarize": {"path": "Cart"},
    "unused": {"exported": True},
    "why_not": {"subject": "shop/cart.py", "query": "take money from a card"},
    "batch_file_summaries": {"paths": ["shop/pay.py", "shop/cart.py"]},
    "explain_symbol": {"name": "charge"},
    "get_callees": {"symbol": "charge"},
    "get_callers": {"symbol": "charge"},
    "get_dependency_graph": {"format": "json"},
    "get_diff_summary": {"since_ref": "HEAD"},
    "get_file_context": {"path": "shop/pay.py"},
    "get_file_summary": {"path": "shop/pay.py"},
    "get_health": {},
    "get_hotspots": {"sort_by": "nesting"},
    "get_implementers": {"symbol": "Cart"},
    "get_imports": {"path": "shop/cart.py"},
    "get_public_api": {},
    "get_related_tests": {"symbol": "charge"},
    "get_stats": {},
    "get_token_estimate": {"path": "shop/pay.py", "symbol": "charge"},
    "get_tree": {},
    "get_type_flow": {"type_name": "Cart"},
    "list_declarations": {"path": "shop/cart.py", "shallow": True},
    "list_workspace_members": {},
    "lookup_symbol": {"name": "ca"},
    "read_source": {"path": "shop/keys.py"},
    "search_relevant": {"query": "take money from a card"},
    "search_signatures": {"query": "card: str"},
}
"""A typical call of each tool that is a method of `Index`."""
OTHERS: Mapping[str, dict[str, Any]] = {
    "search_code": {"query": "take money from a card"},
    "explore_code": {"query": "take money from a card"},
    "find_symbol": {"names": ["charge"], "mode": "callers"},
    "summarize_code": {"paths": ["shop/pay.py"]},
    "read_code": {"places": ["charge", "shop/cart.py:1-3"]},
    "batch_code": {"requests": [{"tool": "read_code", "places": ["charge"]}]},
    "similar": {"place": "shop/pay.py:4"},
    "code_search": {"query": "take money from a card"},
    "ask_code": {"query": "how is money taken from a card"},
    "open_file": {"repo": "shop", "path": "shop/pay.py"},
    "suggest_context": {"path": "shop/pay.py"},
    "invalidate_file": {"path": "shop/pay.py"},
    "status": {},
}
WIKI: Mapping[str, dict[str, Any]] = {
    "regenerate_index": {"budget": 500},
    "wiki_generate": {"force": True},
    "wiki_contribute": {
        "page": "pay",
        "content": "# Paying\n\n`shop/pay.py:4-9` tries three times; see [[cart]].",
        "title": "Paying",
        "contradictions": [{"description": "says twice", "source": "README.md"}],
        "failures": [{"symptom": "s", "attempted_fix": "f", "diagnosis": "d"}],
    },
    "wiki_search": {"query": "tries", "include_failures": True},
    "wiki_read": {"page": "pay"},
    "wiki_status": {},
    "wiki_update": {"since": "HEAD"},
    "wiki_suggest_contribution": {"synthesis": "three times", "source_pages": ["pay"]},
    "wiki_compound": {"synthesis": "It tries three times", "source_pages": ["pay"]},
    "wiki_record_failure": {"symptom": "s", "attempted_fix": "f", "diagnosis": "d"},
}
"""A call of each tool that writes into the tree, in an order in which all can be answered."""
SHARED = {"repo", "compact", "member"}
RESULT = {"file_path", "start_line", "end_line", "score", "kind"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_shop(tmp_path_factory.mktemp("tools")) as root:
        yield root


def printed(*words: str) -> Any:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def command_of(tool: Tool) -> str:
    return tool.request.label().replace("_", "-")


def words_of(tool: Tool, given: Mapping[str, Any]) -> list[str]:
    """Write arguments as the command line takes them: without a default of their own, in order."""
    words: list[str] = []
    for name, parameter in parameters_of(tool.request).items():
        value = given.get(name)
        values = value if isinstance(value, list) else [value]
        if parameter.keyword_only and value:
            flag = f"--{name.replace('_', '-')}"
            words += [flag] if value is True else [flag, str(value)]
        elif value:
            words += map(str, values)
    return words


def closed(schema: Any) -> Any:
    """Have a schema refuse what it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(one) for key, one in schema.items()}
    is_object = schema.get("type") == "object" and "properties" in schema
    return found | ({"additionalProperties": False} if is_object else {})


def test_every_tool_is_called_here() -> None:
    assert set(TOOLS) == {*CALLS, *OTHERS, *WIKI}


def test_a_schema_names_all_that_the_wiki_answers(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = made_repository(tmp_path / "shop", FILES)
    assert not home.exists()

    async def ask(client: Client) -> None:
        for name, given in WIKI.items():
            found = await client.call_tool(name, given)
            assert not found.is_error, found.content
            Draft202012Validator(closed(TOOLS[name].output)).validate(found.structured_content)

    served(root, ask)


@pytest.mark.parametrize("name", [one for one in WIKI if one.startswith("wiki_")])
def test_each_tool_of_the_wiki_is_a_command_of_a_group(name: str) -> None:
    group = main.get_command(click.Context(main), "wiki")
    assert isinstance(group, click.Group)
    command = group.commands[name.removeprefix("wiki_").replace("_", "-")]
    assert set(TOOLS[name].parameters) - SHARED <= {one.name for one in command.params}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_clients_take_every_tool_as_it_is(tool: Tool) -> None:
    """Some cut descriptions at two kilobytes, and refuse names of more than 64 characters."""
    assert len(f"mcp__codeindex__{tool.name}") <= 64
    assert 0 < len(tool.description) <= 2_048
    assert [name for name, parameter in tool.parameters.items() if not parameter.help] == []


def test_the_default_tool_list_is_short() -> None:
    default = [one for one in TOOLS.values() if one.default]
    said = "".join(one.name + one.description + json.dumps(one.input) for one in default)
    assert count_tokens(said) <= 1_500
    assert len(INSTRUCTIONS) <= 1_500


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_a_schema_is_one_object_in_which_nothing_has_to_be(tool: Tool) -> None:
    Draft202012Validator.check_schema(tool.output)
    assert tool.output["type"] == "object"
    assert set(tool.output) <= {"type", "properties", "$defs"}
    assert {"note", "truncated", "left_out", "columns", "rows"} < set(tool.output["properties"])


@pytest.mark.parametrize("name", [*CALLS, *OTHERS])
def test_a_schema_names_all_that_is_answered(shop: Path, name: str) -> None:
    found = call(shop, name, {**CALLS, **OTHERS}[name])
    assert isinstance(found, dict), found
    Draft202012Validator(closed(TOOLS[name].output)).validate(found)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("find", {"mode": "relevant"}),
        ("find", {"mode": "symbol"}),
        ("find", {"mode": "callers", "compact": True}),
        ("find", {"mode": "callees"}),
        ("find", {"mode": "implementers", "query": "Cart"}),
        ("find", {"mode": "signature", "query": "str, int -> bool"}),
        ("summarize", {"path": "shop"}),
        ("summarize", {"path": "shop/pay.py", "scope": "public"}),
        ("search_code", {"compact": True}),
        ("search_code", {"query": "what calls charge"}),
        ("search_code", {"query": "zyxwvut"}),
        ("explore_code", {"query": ["take money", "a card"]}),
        ("find_symbol", {"mode": "definition", "names": ["charge", "Cart", "nothing_here"]}),
        ("find_symbol", {"mode": "callees"}),
        ("find_symbol", {"mode": "implementers", "names": ["Cart"]}),
        ("find_symbol", {"mode": "tests"}),
        ("find_symbol", {"mode": "impact"}),
        ("find_symbol", {"mode": "context"}),
        ("find_symbol", {"mode": "flow", "names": ["Cart.checkout -> send"]}),
        ("find_symbol", {"mode": "signature", "names": ["str, int -> bool"]}),
        ("find_symbol", {"mode": "type_uses", "names": ["Cart"]}),
        ("find_symbol", {"mode": "imports", "names": ["shop/cart.py"]}),
        ("find_symbol", {"mode": "similar", "names": ["shop/pay.py:4"]}),
        ("find_symbol", {"mode": "unused", "names": ["shop"]}),
        ("find_symbol", {"mode": "diff", "names": ["HEAD"]}),
        ("summarize_code", {"paths": []}),
        ("summarize_code", {"paths": ["charge", "shop"]}),
        ("read_code", {"places": ["charge"]}),
        ("get_token_estimate", {"symbol": ""}),
        ("get_token_estimate", {"symbol": "", "path": "shop"}),
        ("get_dependency_graph", {"format": "dot"}),
        ("status", {"repo": "shop"}),
    ],
)
def test_a_schema_names_every_form_of_an_answer(
    shop: Path, name: str, more: dict[str, Any]
) -> None:
    found = call(shop, name, {**CALLS, **OTHERS}[name] | more)
    Draft202012Validator(closed(TOOLS[name].output)).validate(found)


@pytest.mark.parametrize("name", CALLS)
def test_a_tool_has_a_command_that_takes_and_prints_the_same(shop: Path, name: str) -> None:
    tool = TOOLS[name]
    command = main.get_command(click.Context(main), command_of(tool))
    assert command is not None
    taken = {one.name for one in command.params}
    if command_of(tool) == "summary":  # it takes one path or several
        taken.add("path")
    assert set(tool.parameters) - SHARED <= taken
    words = words_of(tool, CALLS[name])
    found = printed(command_of(tool), *words, "--repo", str(shop), "--json")
    assert limit_data(prune_response(found, CALLS[name])) == call(shop, name, CALLS[name])


def test_what_every_other_tool_answers_is_printed_too(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    budget = str(SEARCH_BUDGET)
    query = OTHERS["search_code"]["query"]
    found = printed("search", query, "--budget", budget, "--json")
    assert found == call(shop, "search_code", {"query": query})
    place = OTHERS["similar"]["place"]
    found = printed("similar", place, "--budget", budget, "--json")
    assert found == call(shop, "similar", {"place": place})
    found, answered = printed("ask", query, "--json"), call(shop, "ask_code", {"query": query})
    assert (found["answer"], found["evidences"]) == (answered["answer"], answered["evidences"])
    path = "shop/pay.py"
    found, answered = (
        printed("invalidate-file", path, "--json"),
        call(shop, "invalidate_file", {"path": path}),  # its own background may be at it
    )
    assert (set(found), found["file"]) == (set(answered), answered["file"])
    opened = call(shop, "open_file", {"repo": "shop", "path": path})
    (section,) = printed("read", path, "--json")["sections"]
    assert opened["content"] == section["content"]
    (known,), found = call(shop, "status", {})["repos"], printed("status", "--json")
    assert {name: known[name] for name in set(known) & set(found) - {"model"}} == {
        name: found[name] for name in set(known) & set(found) - {"model"}
    }


def test_every_method_that_is_a_tool_is_a_command() -> None:
    wanted = [one for name, one in TOOLS.items() if name not in WIKI]
    capabilities = [tool for tool in wanted if tool.request.capability]
    assert [tool.name for tool in capabilities if command_of(tool) not in COMMANDS] == []


def test_the_first_contract_pages_through_a_module(shop: Path) -> None:
    asked = {
        "query": "take money from a card",
        "repo": "shop",
        "module": "shop",
        "include_tests": "exclude",
        "limit": 1,
    }
    first = call(shop, "search_code", asked)
    assert set(first["results"][0]) >= RESULT
    assert set(first) >= {"query_type", "total_count", "cursor", "index_version"}
    second = call(shop, "search_code", asked | {"cursor": first["cursor"]})
    (one,), (other,) = first["results"], second["results"]
    assert one["file_path"] == "shop/pay.py"
    assert (one["file_path"], one["start_line"]) != (other["file_path"], other["start_line"])


def test_the_second_contract_answers_with_snippets(shop: Path) -> None:
    asked = {"query": "card", "language": "python", "path": "shop", "limit": 2, "sync": True}
    (first, *_) = call(shop, "code_search", asked)["results"]
    assert set(first) == {"file_path", "line_start", "line_end", "snippet", "score"}


def test_the_third_contract_asks_by_scope(shop: Path) -> None:
    scope = {"type": "repo", "repo": "shop"}
    asked = {"scope": scope, "query": "take money", "topK": 3, "pathPrefix": "shop/"}
    answer = call(shop, "search_code", asked)
    found = answer["results"]
    assert set(found[0]) >= {*RESULT, "repo"}
    assert {one["file_path"].partition("/")[0] for one in found} == {"shop"}
    whole = {"scope": {"type": "repo", "repos": ["shop"]}, "limit": 3, "path_prefix": "shop"}
    assert answer["meta"] == answer["meta"] | whole
    asked = {"scope": scope, "query": "take money from a card", "topK": 3, "minScore": 0.01}
    answer = call(shop, "ask_code", asked)
    assert "shop/pay.py:" in answer["answer"]
    assert set(answer["evidences"][0]) >= {*RESULT, "repo", "content"}
    assert (answer["meta"]["topK"], answer["meta"]["minScore"]) == (3, 0.01)
    assert "not allowed" in call(shop, "ask_code", asked | {"scope": {"type": "all"}})
    question = {**asked, "question": asked["query"]}
    del question["query"]
    assert call(shop, "ask_code", question)["answer"] == call(shop, "ask_code", asked)["answer"]
    asked = {"repo": "shop", "path": "shop/pay.py", "startLine": 4, "endLine": 5}
    opened = call(shop, "open_file", asked)
    assert (opened["path"], opened["start_line"], opened["end_line"]) == ("shop/pay.py", 4, 5)
    assert opened["content"].startswith("def charge")


def test_the_fourth_contract_needs_three_tools(shop: Path) -> None:
    found = call(shop, "find", {"query": "main card", "mode": "relevant"})
    assert {"query", "spots", "total"} <= set(found)
    assert call(shop, "summarize", {"path": "shop/*.py", "scope": "all"})["files"]
    (section,) = call(shop, "read", {"path": "shop/pay.py", "symbol": "send"})["sections"]
    assert (section["symbol"], section["start_line"]) == ("send", 12)

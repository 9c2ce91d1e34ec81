"""The server as its clients see it: the official client, in this process."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPError

from codeindex import Index
from codeindex.mcp.output_limits import MAX_CHARACTERS
from codeindex.mcp.relevant_resource import relevant_text
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.server import make_server
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import TOOLS, run_tool
from codeindex.search.exact import matchers
from codeindex.store.locks.writer_lock import writer_lock
from tests.conftest import Repository, made_repository, own_data
from tests.flow.asking import DEFAULT, FILES, Mode, call, indexed_shop, served, told

HOME = pytest.mark.usefixtures("home")
CODE_OF_PAY = "def refund_card(card):\n    # give the money back\n    return refund(card)\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_shop(tmp_path_factory.mktemp("mcp")) as root:
        yield root


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_question_is_answered_in_both_protocols(shop: Path, mode: Mode) -> None:
    found = call(shop, "search_code", {"query": "where do we take money from a card"}, mode)
    assert found["results"][0]["file_path"] == "shop/pay.py"


def test_only_the_default_tools_are_listed_unless_asked_for(shop: Path) -> None:
    async def names(client: Client) -> set[str]:
        return {one.name for one in (await client.list_tools()).tools}

    assert served(shop, names) == DEFAULT
    assert served(shop, names, all_tools=True) == set(TOOLS)


def test_a_tool_that_is_not_listed_can_be_called(shop: Path) -> None:
    found = call(shop, "get_callers", {"symbol": "charge"})
    assert {one["name"] for one in found["callers"]} >= {"Cart.checkout"}


@pytest.mark.parametrize(
    ("mode", "query", "key", "value"),
    [
        ("relevant", "take money", "spots", "shop/pay.py"),
        ("symbol", "Cart", "symbols", "shop/cart.py"),
        ("callers", "charge", "callers", "shop/cart.py"),
        ("signature", "card: str", "symbols", "shop/pay.py"),
    ],
)
def test_find_has_a_mode_for_each_kind_of_question(
    shop: Path, mode: str, query: str, key: str, value: str
) -> None:
    found = call(shop, "find", {"query": query, "mode": mode})
    assert value in {one["file"] for one in found[key]}


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("shop/pay.py", "declarations"),
        ("shop", "files"),
        ("./shop/", "files"),
        ("shop/*.py", "files"),
        ("Cart", "symbols"),
    ],
)
def test_summarize_tells_what_a_place_is_by_its_name(shop: Path, place: str, key: str) -> None:
    assert call(shop, "summarize", {"path": place})[key]


def test_other_names_of_parameters_are_understood(shop: Path) -> None:
    found = call(
        shop, "search_code", {"query": "charge", "topK": 1, "pathPrefix": "shop/", "minScore": 0.0}
    )
    assert [one["file_path"] for one in found["results"]] == ["shop/pay.py"]


def test_numbers_and_flags_may_be_texts(shop: Path) -> None:
    given = {"query": "charge", "limit": "1", "min_score": "0.0"}
    assert len(call(shop, "search_code", given)["results"]) == 1
    compact, other = (
        call(shop, "search_code", {**given, "compact": compact})["results"]
        for compact in ("true", True)
    )
    assert compact == other


def test_the_older_contract_answers_in_its_own_shape(shop: Path) -> None:
    found = call(shop, "code_search", {"query": "take money from a card", "limit": 1})
    assert set(found["results"][0]) == {"file_path", "line_start", "line_end", "snippet", "score"}


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("search_code", {"query": ""}, "empty"),
        ("search_code", {"query": "x", "limit": "ten"}, "'limit' is 'ten': give an integer."),
        ("search_code", {"query": "x", "limt": 3}, "did you mean 'limit'"),
        ("read", {"targets": ["a.py"]}, "mean 'start_line'? It takes path"),
        ("search_code", {}, "'query' is missing"),
        ("find", {"query": "x", "mode": "fuzzy"}, "use one of relevant, symbol"),
        ("read", {"path": "shop/pey.py"}, "shop/pay.py"),
        ("get_callers", {"symbol": "chrge"}, "charge"),
        ("search_code", {"query": "x", "repo": "nowhere"}, "nowhere"),
        ("search_code", {"query": "x", "repo": "shop", "scope": {"type": "all"}}, "give one of"),
        ("open_file", {"repo": "shop", "path": "/etc/passwd"}, "absolute"),
        ("open_file", {"repo": "shop", "path": "C:\\windows"}, "absolute"),
        ("open_file", {"repo": "shop", "path": "../shop/pay.py"}, "not allowed"),
        ("open_file", {"repo": "shop", "path": "a\0b"}, "is not a path"),
        ("open_file", {"path": "shop/pay.py"}, "'repo' is missing: A repository's name."),
        ("code_search", {"query": "charge", "path": "nowhere"}, "called 'nowhere'"),
        ("search_code", {"query": "charge", "mode": "exact", "path": "nowhere"}, "'nowhere'"),
        (
            "search_code",
            {"query": "charge", "mode": "exact", "min_score": 0.5},
            "`min_score` is for",
        ),
        ("search_code", {"query": "charge", "mode": "ast", "vector": [0.5]}, "`vector` is for"),
        *(
            ("find_symbol", {"names": "charge", "mode": mode, "path": "shop"}, f"mode `{mode}`")
            for mode in ("callees", "impact", "context", "signature", "imports", "unused", "diff")
        ),
        *(
            ("find_symbol", {"names": "charge", "mode": mode, "include_tests": "only"}, f"`{mode}`")
            for mode in ("callees", "impact", "tests", "type_uses")
        ),
        (
            "find_symbol",
            {"names": "charge", "mode": "impact", "path": "shop"},
            "It limits definition, callers, implementers, tests, type_uses, flow, similar.",
        ),
        ("summarize", {"path": "Cart", "scope": "public"}, "'Cart' is no indexed file or folder"),
        ("read", {"query": "shop/pay.py:0"}, "Lines begin at 1"),
        ("read", {"query": "shop/pey.py:3"}, "shop/pay.py"),
    ],
)
def test_a_bad_request_is_an_error_that_says_what_to_do(
    shop: Path, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    found = call(shop, name, arguments)
    assert isinstance(found, str)
    assert sentence in found


@pytest.mark.parametrize("name", ["query", "path", "symbol", "symbols", "file"])
@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("shop/pay.py:4-6", (4, 6)),
        ("shop/pay.py", (1, 13)),
        ("send", (12, 13)),
        ("shop/pay.py::send", (12, 13)),
    ],
)
def test_read_takes_a_path_lines_or_a_symbol_under_any_name(
    shop: Path, name: str, said: str, span: tuple[int, int]
) -> None:
    (section,) = call(shop, "read", {name: said})["sections"]
    assert (section["start_line"], section["end_line"]) == span


def test_a_place_without_results_is_no_error(shop: Path) -> None:
    asked = {"query": "zeppelin", "path": "shop"}
    assert call(shop, "code_search", asked) == {"results": []}
    assert call(shop, "search_code", {**asked, "mode": "exact"})["total_count"] == 0


def test_an_unknown_tool_is_an_error_of_the_protocol(shop: Path) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'serch'"):
            await client.call_tool("serch", {})
        with pytest.raises(MCPError, match="'get_caller': did you mean get_callers"):
            await client.call_tool("get_caller", {})
        with pytest.raises(MCPError, match=r"no tool '\[REDACTED\]'"):
            await client.call_tool("gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345", {})

    served(shop, ask)


@HOME
def test_links_out_of_the_repository_are_not_followed(
    repository: Repository, tmp_path: Path
) -> None:
    shop = repository(FILES)
    (tmp_path / "secret.py").write_text("x = 1\n")
    (shop / "link.py").symlink_to(tmp_path / "secret.py")
    assert "link.py" in call(shop, "open_file", {"repo": "shop", "path": "link.py"})


def test_secrets_are_redacted_in_opened_files(shop: Path) -> None:
    assert (
        "ghp_" not in call(shop, "open_file", {"repo": "shop", "path": "shop/keys.py"})["content"]
    )


def test_what_was_shown_before_is_pointed_to(shop: Path) -> None:
    async def ask(client: Client) -> Any:
        query = {"query": "take money from a card"}
        return [(await client.call_tool("search_code", query)).structured_content for _ in "12"]

    first, second = served(shop, ask)
    assert first["results"][0]["content"]
    assert "content" not in second["results"][0]


def test_the_older_contract_cannot_point_and_shows_again(shop: Path) -> None:
    async def ask(client: Client) -> Any:
        query = {"query": "take money from a card", "limit": 1}
        return [(await client.call_tool("code_search", query)).structured_content for _ in "12"]

    first, second = served(shop, ask)
    assert first["results"][0]["snippet"] == second["results"][0]["snippet"] != ""


@pytest.mark.parametrize("name", ["get_callers", "callers", "get-callers"])
def test_a_tool_is_called_by_the_name_of_its_command_too(shop: Path, name: str) -> None:
    found = call(shop, name, {"query": "charge"})
    assert "shop/pay.py" in json.dumps(found)


def test_an_empty_question_makes_nothing_relevant(shop: Path) -> None:
    session, place = AgentSession(), RepositoryServer([str(shop)])
    session.note_query("")
    assert relevant_text(place, session) == "Nothing was asked or read in this session yet.\n"
    place.close()


def test_a_summary_shows_a_file_and_asks_about_a_symbol(shop: Path) -> None:
    session, place = AgentSession(), RepositoryServer([str(shop)])
    try:
        run_tool(
            place, session, TOOLS["summarize_code"], {"paths": ["shop/pay.py", "shop", "Cart"]}
        )
        assert session.queries() == ["Cart"]
        assert session.files("shop") == ["shop/pay.py"]
    finally:
        place.close()


def test_relevant_code_depends_on_the_newest_files(shop: Path) -> None:
    session, place = AgentSession(), RepositoryServer([str(shop)])
    for path in ("README.md", "shop/keys.py", "tests/test_pay.py", "shop/pay.py"):
        session.note_named("shop", path)
    try:
        assert "`shop/cart.py`" in relevant_text(place, session)
    finally:
        place.close()


def test_a_file_that_several_questions_lead_to_is_the_most_relevant(shop: Path) -> None:
    place, session = RepositoryServer([str(shop)]), AgentSession()
    try:
        place.open_roots(())
        session.note_named("shop", "shop/cart.py")
        session.note_query("take money from a card")
        (first, *_) = relevant_text(place, session).splitlines()[2:]
    finally:
        place.close()
    assert first.startswith("- `shop/pay.py`: charge (asked: take money from a card); ")
    assert first.endswith(" shop/cart.py")
    assert "is imported by" in first


def test_all_in_a_list_means_all_repositories_of_the_server(shop: Path, tmp_path: Path) -> None:
    place = RepositoryServer([str(shop), str(made_repository(tmp_path / "depot", {"a.py": ""}))])
    try:
        indexes = place.scope_indexes({"type": "repos", "repos": ["all"]}, "")
        assert [index.repository.name for index in indexes] == ["shop", "depot"]
    finally:
        place.close()


def test_a_repository_that_is_not_indexed_does_not_keep_another_from_answering(
    shop: Path, tmp_path: Path
) -> None:
    other = made_repository(tmp_path / "other", {"a.py": "def f(): ...\n"})

    async def run() -> Any:
        place = RepositoryServer([str(shop), str(other)])
        try:
            async with Client(make_server(place, sent_as="json")) as client:
                query = {"query": "take money from a card", "repo": "shop"}
                return await client.call_tool("search_code", query)
        finally:
            place.close()

    folder = Index.open(other).repository.folder
    folder.mkdir(parents=True)
    with writer_lock(folder):
        assert not anyio.run(run).is_error


def test_a_changed_file_is_read_again_before_it_is_cited(repository: Repository) -> None:
    shop = repository(FILES)

    async def ask(client: Client) -> Any:
        await client.call_tool("search_code", {"query": "take money from a card"})
        (shop / "shop/pay.py").write_text("\n\n\ndef charge(card):\n    '''Take money.'''\n")
        while True:  # left out, and said to be, while the first index is being written
            asked = {"query": "charge", "mode": "symbol"}
            found: Any = (await client.call_tool("find", asked)).structured_content
            note = found.get("note", "")
            if "not read yet" not in note and "Still being indexed" not in note:
                return found["symbols"]

    found = served(shop, ask)
    assert [one["line"] for one in found if one["file"] == "shop/pay.py"] == [4]


@HOME
def test_a_repository_that_was_never_indexed_says_so_until_it_is(repository: Repository) -> None:
    """On a slow machine the first state that is published may hold one file."""

    async def ask(client: Client) -> Any:
        while True:
            question = {"query": "take money from a card"}
            found = (await client.call_tool("search_code", question)).structured_content
            if found is not None and "note" not in found:
                return found
            await anyio.sleep(0.2)

    found = served(repository(FILES), ask)
    assert "shop/pay.py" in {one["file_path"] for one in found["results"]}


@HOME
def test_a_folder_without_a_repository_is_refused_unless_wanted(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text("def f(): ...\n")
    assert "serve --root" in call(tmp_path / "plain", "search_code", {"query": "f"})


def test_resources_tell_of_the_session_and_the_index(shop: Path) -> None:
    async def ask(client: Client) -> Any:
        await client.call_tool("search_code", {"query": "take money from a card", "limit": 1})
        uris = ["codeindex://relevant", "codeindex://status"]
        uris += ["codeindex://file/shop/pay.py", "codeindex://symbol/Cart"]
        contents: list[Any] = [(await client.read_resource(uri)).contents[0] for uri in uris]
        return [one.text for one in contents]

    relevant, status, outline, symbol = served(shop, ask)
    assert "shop/cart.py" in relevant
    assert json.loads(status)["repos"][0]["repo"] == "shop"
    assert json.loads(outline)["declarations"][0]["name"] == "charge"
    assert json.loads(symbol)["symbols"][0]["name"] == "Cart"


@pytest.mark.parametrize(
    "uri", ["codeindex://file/..%2F..%2Fetc/passwd", "codeindex://nothing", "codeindex://[a"]
)
def test_a_resource_that_leads_nowhere_is_an_error(shop: Path, uri: str) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.read_resource(uri)

    served(shop, ask)


def test_no_question_waits_for_patterns_that_take_long(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchers, "MOST_SECONDS", 1.5)
    slow = {"mode": "regex", "query": "(.|.)*[01]z"}
    batch = {"requests": [{"tool": "search_code", **slow}]}
    ended: list[str] = []

    async def ask(client: Client) -> list[str]:
        async def run(tool: str, arguments: dict[str, Any], name: str) -> None:
            await client.call_tool(tool, arguments)
            ended.append(name)

        await client.call_tool("search_code", {"query": "charge"})  # what it needs is loaded
        async with anyio.create_task_group() as tasks:
            for _ in range(6):
                tasks.start_soon(run, "search_code", slow, "slow")
                tasks.start_soon(run, "batch_code", batch, "slow")
            await anyio.sleep(0.3)
            tasks.start_soon(run, "search_code", {"query": "charge"}, "plain")
        return ended

    assert served(shop, ask).index("plain") <= 4


def test_a_program_that_changed_while_it_ran_is_to_be_started_again(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(client: Client) -> Any:
        monkeypatch.setitem(sys.modules, "codeindex.api.exact", None)
        return await client.call_tool("search_code", {"mode": "exact", "query": "charge"})

    answer = served(shop, ask)
    assert answer.is_error
    assert "start it again" in answer.content[0].text


def test_a_token_in_an_unknown_address_or_prompt_is_not_repeated(shop: Path) -> None:
    token = "ghp_" + "aB3dE5gH7" * 4

    async def ask(client: Client) -> None:
        for reply in (client.read_resource(f"codeindex://{token}"), client.get_prompt(token)):
            with pytest.raises(MCPError, match=r"There is no \w+ '.*\[REDACTED\]"):
                await reply

    served(shop, ask)


def test_prompts_are_filled_in(shop: Path) -> None:
    async def ask(client: Client) -> Any:
        names = [one.name for one in (await client.list_prompts()).prompts]
        return names, await client.get_prompt("explain_area", {"area": "paying"})

    names, prompt = served(shop, ask)
    assert names == ["explain_area", "change_impact"]
    assert "how paying works" in prompt.messages[0].content.text


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_arguments_break_a_tool(shop: Path, data: st.DataObject) -> None:
    """Whatever is given, the answer is an answer of bounded size or one sentence."""
    tool = data.draw(st.sampled_from([one for one in TOOLS.values() if not one.writes]))
    values = st.one_of(
        st.text(max_size=20),
        st.integers(),
        st.booleans(),
        st.none(),
        st.floats(),
        st.lists(st.text(max_size=5), max_size=3),
        st.sampled_from(["shop/pay.py", "charge", "../..", "/", "*", "HEAD", "\0", "x" * 5000]),
    )
    arguments = data.draw(
        st.fixed_dictionaries({}, optional=dict.fromkeys([*tool.parameters, "bogus"], values))
    )
    found = call(shop, tool.name, arguments)
    if isinstance(found, str):
        assert "Unexpected" not in found
        assert len(found) <= 1_000
    else:
        assert len(json.dumps(found, ensure_ascii=False, separators=(",", ":"))) <= MAX_CHARACTERS


def test_new_text_within_lines_that_were_shown_is_shown(repository: Repository) -> None:
    root = repository({"pay.py": CODE_OF_PAY})

    async def conversation(client: Client) -> list[dict[str, Any]]:
        first = await client.call_tool("search_code", {"query": "refund the card"})
        second = await client.call_tool("search_code", {"query": "refund the card"})
        (root / "pay.py").write_text(CODE_OF_PAY.replace("refund(card)", "reverse(card)"))
        third = await client.call_tool("search_code", {"query": "refund the card"})
        found = [one.structured_content or {} for one in (first, second, third)]
        return [one["results"][0] for one in found]

    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        first, second, third = served(root, conversation)
    assert "refund(card)" in first["content"]
    assert (second["shown"], "content" in second) == ("seen", False)
    assert "reverse(card)" in third["content"]


def test_what_was_cut_out_of_an_answer_was_not_shown(repository: Repository) -> None:
    lines = "".join(f"    total += {number} * {number}  # {'x' * 60}\n" for number in range(600))
    root = repository({"pay.py": f"def add():\n    total = 0\n{lines}    return total\n"})

    async def conversation(client: Client) -> dict[str, Any]:
        read = await client.call_tool("read", {"path": "pay.py", "start_line": 1, "end_line": 400})
        assert (read.structured_content or {})["left_out"]
        found = await client.call_tool("search_code", {"query": "add the total"})
        first: dict[str, Any] = (found.structured_content or {})["results"][0]
        return first

    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        assert served(root, conversation).get("shown") != "seen"


@pytest.mark.parametrize("mode", ["exact", "meaning"])
@pytest.mark.parametrize("path", ["app/[id]/page.tsx", "app/[id]"])
def test_a_path_that_looks_like_a_glob_is_found(mode: str, path: str, tmp_path: Path) -> None:
    files = {
        "app/[id]/page.tsx": "export function Page() {\n  return loadOrder();\n}\n",
        "app/i/page.tsx": "export function Other() {\n  return loadOrder();\n}\n",
    }
    with indexed_shop(tmp_path, files) as root:
        found = told(root, "search_code", query=["loadOrder"], mode=mode, path=[path])
    assert "app/[id]/page.tsx" in found
    assert "app/i/page.tsx" not in found

"""The nine tools of the wiki, as a client of the protocol uses them."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from codeindex import Index
from codeindex.cli import main
from codeindex.clients.guidance import DEFAULT_TOOLS
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.server import make_server
from codeindex.mcp.tools import TOOLS
from tests.conftest import Repository
from tests.flow.asking import FILES
from tests.flow.test_mcp_stdio import environment

WIKI = {name for name in TOOLS if name.startswith("wiki_")}


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")


async def asked(client: Client, name: str, **given: Any) -> Any:
    found = await client.call_tool(name, given)
    content: Any = found.content[0]
    return content.text if found.is_error else found.structured_content


def test_a_session_begins_a_wiki_fills_it_and_brings_it_up_to_date(repository: Repository) -> None:
    root = repository(FILES)

    async def use() -> None:
        command = StdioServerParameters(
            command=sys.executable,
            args=["-P", "-m", "codeindex", "serve", "--structured", str(root)],
            env=environment(),
        )
        async with Client(command) as client:
            before = {one.name for one in (await client.list_tools()).tools}
            assert before == set(DEFAULT_TOOLS)
            assert "wiki generate" in await asked(client, "wiki_search", query="paying")
            begun = await asked(client, "wiki_generate")
            assert {"page", "title", "page_type", "source_files"} <= set(begun["pages"][0])
            after = (await client.list_tools()).tools
            assert {one.name for one in after} == before | WIKI
            await fill(client)
            await bring_up_to_date(client, root)

    anyio.run(use)


async def fill(client: Client) -> None:
    pay = "# Paying\n\n`shop/pay.py:4-9` tries three times; see [[cart]]."
    made = await asked(
        client,
        "wiki_contribute",
        page="pay",
        content=pay,
        title="Paying",
        page_type="module",
        source_files=["shop/pay.py"],
        contradictions=[{"description": "the README says twice", "source": "README.md"}],
        failures=[{"symptom": "s", "attempted_fix": "f", "diagnosis": "d", "source_files": []}],
    )
    assert (made["status"], made["broken_links"]) == ("created", ["cart"])
    again = {"content": f"{pay}\n\nMore.", "resolve_contradictions": True, "resolve_failures": True}
    made = await asked(client, "wiki_contribute", page="pay", **again)
    assert made["status"] == "updated", made
    made = await asked(client, "wiki_contribute", page="cart", content="# Cart", title="Cart")
    assert made["status"] == "created"
    found = await asked(client, "wiki_search", query="three times", limit=5, include_failures=True)
    assert (found["results"][0]["page"], len(found["results"][0]["failures"])) == ("pay", 1)
    read = await asked(client, "wiki_read", page="Payin")
    assert read["content"].endswith("More.")
    assert all(one["resolved"] for one in (*read["contradictions"], *read["failures"]))
    text = "Paying tries three times, and the cart knows nothing of it."
    where = await asked(client, "wiki_suggest_contribution", synthesis=text, source_pages=["pay"])
    assert where["page"] == "pay"
    joined = await asked(client, "wiki_compound", synthesis=text, source_pages=["pay", "cart"])
    assert joined["page"] == "pay"
    failed = await asked(
        client,
        "wiki_record_failure",
        symptom="paying twice",
        attempted_fix="a lock",
        diagnosis="retries are not idempotent",
        actual_fix="a key",
        source_files=["shop/pay.py"],
    )
    assert failed["page"] == "pay"


async def bring_up_to_date(client: Client, root: Path) -> None:
    source = root / "shop/pay.py"
    source.write_text(source.read_text().replace("range(3)", "range(4)"))
    status = await asked(client, "wiki_status")
    assert (status["page_count"], status["stale_pages"]) == (2, 1)
    (affected,) = (await asked(client, "wiki_update"))["affected"]
    assert affected["page"] == "pay"
    assert "range(4)" in affected["changes"][0]["diff"]
    page = root / ".codeindex/wiki/pay.md"
    page.write_text(page.read_text() + "\nSomebody else was here.\n")
    told = await asked(client, "wiki_contribute", page="pay", content="# Paying\n\nFour times.")
    assert "was changed since you read it" in told
    await asked(client, "wiki_read", page="pay")
    made = await asked(client, "wiki_contribute", page="pay", content="# Paying\n\nFour times.")
    assert made["status"] == "updated"
    assert (await asked(client, "wiki_update"))["affected"] == []
    index = await asked(client, "regenerate_index")
    assert (index["status"], index["files_indexed"]) == ("ok", 8)
    assert (root / "INDEX.md").is_file()


def test_tools_that_write_say_so(repository: Repository) -> None:
    async def use() -> dict[str, Any]:
        place = RepositoryServer([str(repository(FILES))])
        try:
            async with Client(make_server(place, all_tools=True, sent_as="json")) as client:
                return {one.name: one.annotations for one in (await client.list_tools()).tools}
        finally:
            place.close()

    said = anyio.run(use)
    writing = {name for name, one in said.items() if not one.read_only_hint}
    reading = {"wiki_read", "wiki_search", "wiki_status", "wiki_suggest_contribution"}
    assert writing == (WIKI - reading) | {"invalidate_file", "regenerate_index"}
    adding = {name for name in writing if not said[name].idempotent_hint}
    assert adding == {"wiki_compound", "wiki_record_failure"}
    assert not any(said[name].destructive_hint for name in (*reading, *adding))


def test_the_command_line_does_the_same(repository: Repository) -> None:
    root = str(repository(FILES))

    def run(*words: str, text: str = "", status: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, "--repo", root], input=text)
        assert done.exit_code == status, done.output
        return done.output

    assert "pages to write" in run("wiki", "generate")
    failure = json.dumps({"symptom": "s", "attempted_fix": "f", "diagnosis": "d"})
    page = ("wiki", "contribute", "pay", "-", "--title", "Paying")
    said = run(*page, "--failures", failure, "--contradictions", "no", text="# Paying\n\nThree.")
    assert "created" in said
    assert "contradiction: no" in run("wiki", "read", "pay")
    assert "1 page," in run("wiki", "status")
    assert "pay  Paying" in run("wiki", "search", "three")
    assert "No page is affected." in run("wiki", "update")
    assert "create the page" in run("wiki", "suggest-contribution", "zyxwv")
    assert "created" in run("wiki", "compound", "-", "--title", "Moon", text="The moon is far.")
    assert "updated" in run("wiki", "record-failure", "s", "f", "d", "--page", "pay")
    assert "give a JSON object" in run(*page, "--failures", "x", text="x", status=2)
    assert "not UTF-8" in CliRunner().invoke(main, [*page, "--repo", root], input=b"\xff").output
    assert "words of QUERY" in run("wiki", "search", "--help")
    assert run("wiki", "search", "zeppelin", status=1).startswith("No page mentions")
    assert "INDEX.md regenerated" in run("regenerate-index")
    assert "from 200 to 100000" in run("regenerate-index", "--budget", "1", status=2)
    with Index.open(root) as index:
        assert index.wiki.read("moon").title == "Moon"


def test_a_page_is_a_text_a_file_or_standard_input(repository: Repository) -> None:
    root = str(repository(FILES))

    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, "--repo", root])
        assert done.exit_code == status, done.output
        return done.output

    run("wiki", "generate")
    draft = Path(root).parent / "draft.md"
    draft.write_text("# Sun\n\nThe sun is near, `shop/pay.py:99`.", encoding="utf-8")
    said = run("wiki", "contribute", "sun", str(draft), "--title", "Sun")
    assert "Cites files or lines that do not exist: shop/pay.py:99." in said
    assert "The sun is near" in run("wiki", "read", "sun")
    told = run("wiki", "contribute", "sun", str(draft.with_name("none.md")), status=2)
    assert f"There is no file '{draft.with_name('none.md')}' here" in told
    draft.write_bytes(b"\xff")
    assert "is not UTF-8" in run("wiki", "contribute", "sun", str(draft), status=2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["watch", "--wiki-exec", "x"], "need --wiki-auto-update"),
        (["watch", "--wiki-auto-update"], "needs --wiki-exec"),
        (["watch", "--wiki-auto-update", "--wiki-exec", "'"], "is not a command"),
        (["serve", "--wiki-auto-update", "--wiki-exec", "x"], "needs --watch"),
    ],
)
def test_options_of_drafts_belong_together(words: list[str], sentence: str) -> None:
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, sentence in done.output) == (2, True)

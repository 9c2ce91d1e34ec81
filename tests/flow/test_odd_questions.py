"""Questions that are long, empty, of another script, or no text at all: an answer or a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters

from codeindex import Index
from codeindex.errors import QueryError
from codeindex.text.words import STOP_WORDS
from tests.conftest import made_repository, own_data
from tests.flow.test_mcp_stdio import environment

FILES = {
    "shop/pay.py": (
        '"""Payments."""\n\n\ndef charge_card(card, amount):\n    """Take money from a card."""\n'
        "    if amount > 0 and card:\n        return card.take(amount)\n    return None\n"
    ),
    "shop/stock.py": "def reserve(item):\n    # 库存 预留 🚀\n    return item.count >= 1\n",
    "shop/flags.js": "export const on = (a, b) => a && !b;\n",
}
LONG = "where does the shop take money from a card and reserve an item "
RANKED = {
    "ten thousand characters": (LONG * 200)[:10_000],
    "stop words": "what is the and of it all",
    "emoji in a text": "🚀",
    "emoji in no text": "☂️ 🎻",
    "another script": "库存 预留",
    "an operator": "=>",
    "operators": ">=",
    "control characters": "charge\x00card\x1b[2J\x07",
    "a lone surrogate": "charge \ud800 card",
    "one long word": "charge_card" + "x" * 9_000,
    "words and a wall of signs": "charge card " + "(" * 5_000,
}
MAY_BE_NOTHING = {"emoji in no text", "one long word"}
EMPTY = {
    "nothing": "",
    "blanks": " \t\n ",
    "controls": "\x00\x07\x1b",
    "surrogates": "\ud800\udfff",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("odd")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync(structure_only=True)
        yield index


@pytest.mark.parametrize("name", RANKED)
def test_what_can_be_ranked_is_shown(shop: Index, name: str) -> None:
    answer = shop.search(RANKED[name])
    if name in MAY_BE_NOTHING:
        assert answer.hits or answer.message
    else:
        assert answer.hits
        assert answer.confidence in {"strong", "likely", "weak"}
    assert answer.absence is None or not answer.absence.verified


@pytest.mark.parametrize("name", EMPTY)
def test_what_says_nothing_is_refused_with_a_sentence(shop: Index, name: str) -> None:
    with pytest.raises(QueryError, match="The query is empty"):
        shop.search(EMPTY[name])


@settings(max_examples=60)
@given(st.text(min_size=1, max_size=80))
def test_any_text_is_answered_or_refused(shop: Index, text: str) -> None:
    if not any(one.isprintable() and not one.isspace() for one in text):
        with pytest.raises(QueryError, match="empty"):
            shop.search(text)
        return
    answer = shop.search(text)
    assert answer.hits or answer.message
    json.dumps(answer.as_dict())


NAMING = "operator new delete self super init main charge_card def class static const"
RELATING = "callers tests imports subclasses implements uses calls where how"
WORDS = sorted({*STOP_WORDS, *NAMING.split(), *RELATING.split()})
SIGNS = ["", "()", "?", ".", "::", "->", "#", "/", ":", "=", "[]", "!", "@", "$", "*", "~", "<T>"]


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.sampled_from(SIGNS), st.sampled_from(WORDS), st.sampled_from(SIGNS)),
        min_size=1,
        max_size=3,
    )
)
@example([("", "operator", "")])  # a keyword before a name that is not there
@example([("", "charge_card", "."), ("", "of", "?")])
def test_words_that_have_a_meaning_for_names_are_answered_too(
    shop: Index, parts: list[tuple[str, str, str]]
) -> None:
    answer = shop.search(" ".join("".join(part) for part in parts))
    assert answer.hits or answer.message


def command(root: Path, given: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "codeindex", "search", "-", str(root)],
        input=given,
        capture_output=True,
        check=False,
        timeout=120,
        env=environment(),
    )


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ((LONG * 4_000).encode(), 0),
        (b"charge\x00card \xff\xfe", 0),
        ("库存".encode(), 0),
        (b"\x00\x01\x02", 2),
        (b"  \n", 2),
    ],
)
def test_the_command_ends_as_grep_does_without_a_traceback(
    shop: Index, given: bytes, status: int
) -> None:
    done = command(shop.root, given)
    told = done.stderr.decode()
    assert done.returncode == status, told
    assert "Traceback" not in told
    if status:
        assert told == "codeindex: The query is empty: say what you are looking for.\n"


def test_two_hundred_kilobytes_over_a_pipe_are_answered(shop: Index) -> None:
    queries = [(LONG * 4_000)[:200_000], "x" * 200_000, "\x00\x01", "charge \x00 card"]
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "codeindex", "serve", "--structured"],
        cwd=str(shop.root),
        env=environment(),
    )

    async def ask() -> list[tuple[bool, str]]:
        async with Client(server) as connected:
            found = [await connected.call_tool("search_code", {"query": one}) for one in queries]
            return [(bool(one.is_error), one.content[0].text) for one in found]  # type: ignore[union-attr]

    long, word, controls, mixed = anyio.run(ask)
    assert not long[0]
    assert json.loads(long[1])["results"]
    assert not word[0]
    assert controls == (True, "The query is empty: say what you are looking for.")
    assert json.loads(mixed[1])["results"]

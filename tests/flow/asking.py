"""A client of the server in this process, and the repository that it asks about."""

import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client

from codeindex import Index
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.server import make_server
from codeindex.types import AgentFormat
from tests.conftest import made_repository

DEFAULT = {
    *("explore_code", "search_code", "find_symbol", "summarize_code", "read_code", "batch_code")
}
"""The tools that are listed without being asked for."""
FILES = {
    "shop/pay.py": '''
"""Paying."""

def charge(card: str, amount: int) -> bool:
    """Take money from a card, three times if it must be."""
    for _ in range(3):
        if send(card, amount):
            return True
    return False


def send(card: str, amount: int) -> bool:
    return bool(card) and amount > 0
''',
    "shop/cart.py": '''
from shop.pay import charge


class Cart:
    """What somebody wants to buy."""

    def checkout(self, card: str) -> bool:
        return charge(card, 3)
''',
    "tests/test_pay.py": """
from shop.pay import charge


def test_charge():
    assert charge("1", 1)
""",
    "shop/keys.py": 'TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ0123"\n',
    "README.md": "# Shop\n\nSells things.\n",
}
Mode = Literal["auto", "legacy"]
Ask = Callable[[Client], Awaitable[Any]]


@contextmanager
def indexed_shop(folder: Path, files: Mapping[str, str] = FILES) -> Iterator[Path]:
    """Index a repository of these files that no test changes, with a data folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(folder / "home"))
        patch.setenv("CODEINDEX_CONFIG", str(folder / "config"))
        root = made_repository(folder / "shop", files)
        with Index.open(root) as index:
            index.sync()
        yield root


def served(
    root: Path,
    ask: Ask,
    *,
    mode: Mode = "auto",
    all_tools: bool = False,
    sent_as: AgentFormat = "json",
) -> Any:
    """Connect a client and let it ask; it checks answers against the schemas of listed tools."""

    async def run() -> Any:
        place = RepositoryServer([str(root)])
        try:
            server = make_server(place, all_tools=all_tools, sent_as=sent_as)
            async with Client(server, mode=mode) as client:
                return await ask(client)
        finally:
            place.close()

    return anyio.run(run)


def call(root: Path, name: str, arguments: dict[str, Any], mode: Mode = "auto") -> Any:
    """Return what a tool answered, or its error's sentence."""

    async def ask(client: Client) -> Any:
        result = await client.call_tool(name, arguments)
        content: Any
        (content,) = result.content
        if result.is_error:
            return content.text
        assert json.loads(content.text) == result.structured_content
        return result.structured_content

    return served(root, ask, mode=mode, all_tools=True)


def told(root: Path, name: str, **arguments: Any) -> str:
    """Return what a tool tells an agent: plain text, or its error's sentence."""

    async def ask(client: Client) -> Any:
        result = await client.call_tool(name, arguments)
        assert result.structured_content is None
        content: Any
        (content,) = result.content
        return content.text

    text: str = served(root, ask, sent_as="text")
    return text


def numbered(root: Path, name: str, **arguments: Any) -> str:
    """Return what `told` returns, with a number before each line of code."""
    return with_numbers(told(root, name, **arguments))


def with_numbers(text: str) -> str:
    """Put the number before each line of code that has none.

    Such a line begins with a blank, and its number follows that of the line above.
    """
    lines, number = list[str](), 0
    for line in text.split("\n"):
        head = re.match(r"(\d+)[^:]*?[:-]", line)
        is_counted = line.startswith(" ") and number > 0
        number = int(head[1]) if head else number + is_counted
        lines.append(f"{number}:{line[1:]}" if is_counted else line)
        number = number if head or is_counted else 0
    return "\n".join(lines)

"""What agents read of long functions and named constants, from a server over standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from codeindex import Index
from codeindex.config import environment
from tests.conftest import Repository, own_data
from tests.flow.asking import with_numbers

STEPS = "\n".join(f"        total += price({number})" for number in range(50))
FILES = {
    "src/shop/parcel.py": f"""MAX_WEIGHT = 30


def send(parcel):
    if parcel.sealed:
{STEPS}
        parcel.weigh()
    elif parcel.lost:
        raise Lost(parcel)
{STEPS.replace("        ", "    ")}
""",
    "src/shop/limits.py": "from shop.parcel import MAX_WEIGHT\n\nLIMIT = 2 * MAX_WEIGHT\n",
}


def answers(root: Path, *calls: tuple[str, Mapping[str, Any]]) -> list[str]:
    """Return the texts that one server process answers to calls."""

    async def ask() -> list[str]:
        words = ["-P", "-m", "codeindex", "serve", str(root)]
        place = StdioServerParameters(command=sys.executable, args=words, env=dict(environment()))
        async with Client(stdio_client(place)) as client:
            results: list[Any] = [
                await client.call_tool(name, dict(given)) for name, given in calls
            ]
        return [result.content[0].text for result in results]

    return anyio.run(ask)


def test_a_server_shows_lines_of_long_functions_with_their_conditions(
    repository: Repository,
) -> None:
    root = repository(FILES)
    about = {"places": ["parcel.py::send"], "about": "where is it weighed?"}
    question = {"query": ["what may a parcel weigh: send and MAX_WEIGHT"]}
    parts = {"places": ["parcel.py:1-1", "parcel.py:4-5", "limits.py:3-3"]}
    with own_data(root.parent):
        with Index.open(root) as index:
            index.sync(structure_only=True)
        (read,) = answers(root, ("read_code", about))
        explored, lines = answers(root, ("explore_code", question), ("read_code", parts))
    for text in map(with_numbers, (read, explored)):
        assert "\n5: if parcel.sealed:\n" in text
        assert "\n56:  parcel.weigh()\n57: elif parcel.lost:\n58:  raise Lost(parcel)\n" in text
        assert "price(40)" not in text
    uses = "src/shop/limits.py\n1: from shop.parcel import MAX_WEIGHT\n3: LIMIT = 2 * MAX_WEIGHT"
    assert explored.endswith(f"\n== other lines with MAX_WEIGHT\n2 lines in 1 file\n{uses}")
    assert lines.startswith("== src/shop/parcel.py:1-1\n")
    assert "\n\n-- 4-5\n" in lines
    assert "\n\n== src/shop/limits.py:3-3\n3:LIMIT = 2 * MAX_WEIGHT" in lines

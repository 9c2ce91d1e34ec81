"""The entry of each client starts a server whose default tools answer."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from codeindex import Index
from codeindex.cli import main
from codeindex.clients.client import SetupContext
from codeindex.clients.guidance import DEFAULT_TOOLS
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.plan import find_server_entry
from tests.conftest import Repository
from tests.flow.serving import FILES

CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "explore_code": ({"query": "who takes money from a card"}, "shop/pay.py"),
    "search_code": ({"query": "take money from a card"}, "shop/pay.py"),
    "find_symbol": ({"name": "charge", "mode": "callers"}, "shop/cart.py:5"),
    "summarize_code": ({"path": "shop/pay.py"}, "def charge(card)"),
    "read_code": ({"path": "shop/pay.py:1-2"}, "Take money from a card."),
    "batch_code": (
        {"requests": [{"tool": "find_symbol", "name": "charge", "mode": "callers"}]},
        "shop/cart.py:5",
    ),
}
"""Arguments of each default tool, and what its answer must hold."""
LOCAL = [name for name in CLIENTS if not CLIENTS[name].command]
Line = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


def line_of(name: str, root: Path) -> Line:
    """Read the command line and variables from what `init` wrote or printed, as the client does."""
    client = CLIENTS[name]
    if client.by_hand:
        done = CliRunner().invoke(main, ["init", "--print", "--client", name])
        settings = yaml.safe_load(done.stdout.partition("\n")[2])  # JSON is YAML
    else:
        done = CliRunner().invoke(main, ["init", "--yes", "--no-hooks", "--client", name])
        file = find_server_entry(SetupContext.current(root), client).file
        text = file.read_text(encoding="utf-8")
        settings = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    assert done.exit_code == 0
    entry = settings[client.key]["codeindex"]
    words = client.entry_format.command_line(entry)
    words = [word.replace("${workspaceFolder}", str(root)) for word in words]
    return tuple(words), tuple(entry[client.entry_format.env].items())


async def answers(line: Line, root: Path) -> tuple[list[str], dict[str, str]]:
    (program, *args), variables = line
    env = {**os.environ, **dict(variables)}  # noqa: TID251
    command = StdioServerParameters(command=program, args=args, cwd=str(root), env=env)
    async with Client(command) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        said = {}
        for tool, (arguments, _) in CALLS.items():
            result = await client.call_tool(tool, arguments)
            said[tool] = result.content[0].text  # type: ignore[union-attr]
            assert not result.is_error, said[tool]
        return listed, said


@pytest.mark.usefixtures("home")
def test_the_default_tools_answer_by_the_entry_of_every_client(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(FILES)
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    with Index.open(root) as index:
        index.sync()
    lines = {name: line_of(name, root) for name in LOCAL}
    for line in dict.fromkeys(lines.values()):  # clients whose lines are equal share a server
        listed, said = anyio.run(answers, line, root)
        assert listed == list(DEFAULT_TOOLS)
        assert [tool for tool, (_, part) in CALLS.items() if part not in said[tool]] == []

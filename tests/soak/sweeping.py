"""Every command and every tool, asked about a repository, with all that they say."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
from click.testing import CliRunner
from mcp import Client

from codeindex.cli import COMMANDS, main
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.server import make_server
from codeindex.mcp.tools import TOOLS

_FILE, _SYMBOL = "app/a0.py", "password"
ARGUMENTS: Mapping[str, Sequence[Sequence[str]]] = {
    "search": (
        ["where is the password set"],
        ["password", "--json"],
        ["REDACTED", "--limit", "50"],
    ),
    "explore": (["where is the password set"],),
    "explain-search": (["password"],),
    "why-not": ([_FILE, "where is the password set"],),
    "similar": ([f"{_FILE}:1"],),
    "callees": ([_SYMBOL],),
    "implementers": (["Config"],),
    "show": ([_FILE], [_SYMBOL]),
    "outline": ([_FILE],),
    "wiki": (["generate"], ["status"]),
    "hooks": (["status"],),
    "cluster": (["status", "--store", "store"],),
    "graph": (["compare"],),
    "cache": (["stats"],),
    "export": (["--to", "../bundle"],),
    "import": (["../bundle"],),
    "completions": (["bash"],),
    "callers": ([_SYMBOL],),
    "lookup": (["f"], ["password"]),
    "signatures": (["a"],),
    "explain-symbol": ([_SYMBOL],),
    "read": ([_FILE], ["odd/key.py"], ["conf/a0.json"]),
    "declarations": ([_FILE],),
    "summary": ([_FILE],),
    "summaries": ([_FILE, "odd/border.py"],),
    "file-context": ([_FILE],),
    "imports": (["app/e0.py"],),
    "related-tests": ([_SYMBOL],),
    "token-estimate": ([_FILE],),
    "context": ([_FILE],),
    "impact": ([_SYMBOL],),
    "for-diff": (["HEAD~1"],),
    "diff-summary": (["HEAD~1"],),
    "suggest-context": ([_FILE],),
    "invalidate-file": ([_FILE],),
    "type-flow": (["Config"],),
    "search-relevant": (["password"],),
    "find": (["password"], ["password", "--mode", "symbol"]),
    "summarize": ([_FILE], ["app"]),
    "ask": (["what is the password"],),
    "files": ([], ["--skipped"]),
    "secrets": (["list"], ["list", "--json"], ["check", "conf/a0.json"]),
    "models": (["list"],),
    "config": (["list"],),
    "init": (["--client", "claude-code", "--print"],),
}
"""What commands are asked; the others take no argument. `serve` and `hook` are asked by tools."""
_PASTED = ("search", "lookup", "callers", "read", "find", "ask", "context", "similar")
"""Commands that take a text of the user's own."""
_ELSEWHERE = {"serve", "hook"}
_ENDLESS = {"watch"}
_LONG_ENOUGH = 10.0
"""Seconds in which such a command has said what it has to say."""
_TOOL_ARGUMENTS: Mapping[str, Any] = {
    "query": "password",
    "path": _FILE,
    "paths": [_FILE, "conf/a0.json"],
    "symbol": _SYMBOL,
    "name": _SYMBOL,
    "subject": _FILE,
    "place": f"{_FILE}:1",
    "type_name": "Config",
    "since_ref": "HEAD~1",
    "ref": "HEAD~1",
}


def printed(
    names: Iterable[str] = COMMANDS, *, pasted: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Run each command, by json and for people, in the current folder; `pasted` are queries too."""
    for name in names:
        for words in ARGUMENTS.get(name, ([],)) if name not in _ELSEWHERE else ():
            for form in ((), ("--json",)):
                run = _interrupted if name in _ENDLESS else _run
                yield run(name, *words, *form)
    for text in pasted:
        for name in (one for one in _PASTED if one in names):
            yield _run(name, text)
            yield _run(name, text, "--json")


def _run(*words: str) -> tuple[str, str]:
    done = CliRunner().invoke(main, words)
    return " ".join(words[:2])[:60], f"{done.stdout}\n{done.stderr}"


def _interrupted(*words: str) -> tuple[str, str]:
    """Run a command that goes on for ever, and end it as Ctrl-C does."""
    command = [sys.executable, "-P", "-m", "codeindex", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            process.wait(_LONG_ENOUGH)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    return words[0], said.decode()


def told(root: Path, *, pasted: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Call each tool of a server of `root`, read its resources, and paste secrets into queries."""

    async def ask() -> list[tuple[str, str]]:
        place = RepositoryServer([str(root)])
        try:
            async with Client(make_server(place, all_tools=True, sent_as="json")) as client:
                return [one async for one in _answers(client, root.name, pasted)]
        finally:
            place.close()

    yield from anyio.run(ask)


async def _answers(client: Client, repo: str, pasted: Sequence[str]) -> Any:
    for name, tool in TOOLS.items():
        known = {**_TOOL_ARGUMENTS, "repo": repo} if name == "open_file" else _TOOL_ARGUMENTS
        given = {key: value for key, value in known.items() if key in tool.input["properties"]}
        for text in ("", *(pasted if "query" in given else ())):
            asked = given | ({"query": text} if text else {})
            result = await client.call_tool(name, asked)
            yield f"tool {name}", result.model_dump_json()
    for one in (await client.list_resources()).resources:
        found = await client.read_resource(one.uri)
        yield f"resource {one.uri}", json.dumps(found.model_dump(mode="json"))

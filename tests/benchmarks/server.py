"""Measure the MCP server: `server.py [handshake] [tokens] [load] [--repository DIR] [--seconds N]`.

The handshake is compared, in pairs of the same run, with a bare server of the SDK that has one
tool. Load is fifty clients of the SDK by HTTP, each in a session of its own, that ask one question
after the other; they share one process, whose work is in the figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import psutil
from mcp import Client
from mcp.shared.exceptions import MCPError
from meter import Timings

from codeindex import Index
from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.mcp.tools import TOOLS

ROUNDS, CLIENTS = 10, 50
BUDGET_RATIO, BUDGET_TOKENS = 1.3, 1_500
BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def search(query: str) -> str:
    "Find code."
    return query
server.run()
"""
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_code", {"query": "where are retries limited"}),
    ("search_code", {"query": "how is a file read and its text decoded"}),
    ("search_code", {"query": "what is written when an error is raised"}),
    ("search_code", {"query": "open a connection to a server and close it again"}),
    ("find", {"query": "close", "mode": "symbol"}),
    ("find", {"query": "close", "mode": "callers"}),
    ("find", {"query": "self, url", "mode": "signature"}),
)


@dataclass(slots=True)
class Load:
    """What the clients have seen."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def handshake(folder: Path) -> str:
    """Compare the time from the start of a process to its answer to `initialize`."""
    ours = [sys.executable, "-P", "-m", "codeindex", "serve", str(folder)]
    bare = [sys.executable, "-P", "-c", BARE]
    _greet(ours)  # compiles what was never imported
    rounds = [(_greet(ours), _greet(bare)) for _ in range(ROUNDS)]
    lines = []
    for which, name in enumerate(("elapsed", "processor")):
        one, other = (Timings(tuple(pair[side][which] for pair in rounds)) for side in (0, 1))
        verdict = "ok" if one.median <= BUDGET_RATIO * other.median else "OVER"
        lines.append(
            f"handshake, {name}: {one}; bare: {other}; ratio of medians"
            f" {one.median / other.median:.2f}, of minima {one.least / other.least:.2f}"
            f" (budget {BUDGET_RATIO}: {verdict})"
        )
    return "\n".join(lines)


def _greet(command: Sequence[str]) -> tuple[float, float]:
    """Return the seconds that passed, and those of the processor, until a server has answered."""
    pipe = subprocess.PIPE
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert b"serverInfo" in process.stdout.readline()
        seconds = time.perf_counter() - started
        times = psutil.Process(process.pid).cpu_times()
        process.kill()
    return seconds, times.user + times.system


def tokens() -> str:
    """Count what the default tools cost an agent before it asks anything."""
    total, lines = 0, []
    for tool in TOOLS.values():
        if tool.default:
            cost = count_tokens(tool.name + tool.description + json.dumps(tool.input))
            output = count_tokens(json.dumps(tool.output)) if tool.output else 0
            lines.append(f"  {tool.name}: {cost} tokens, output schema {output}")
            total += cost
    verdict = "ok" if total <= BUDGET_TOKENS else "OVER"
    lines.append(f"default tools together: {total} tokens (budget {BUDGET_TOKENS}: {verdict})")
    return "\n".join(lines)


def load(folder: Path, seconds: float) -> str:
    """Have fifty clients ask at once."""
    with Index.open(folder) as index:
        index.sync()
    with _server(folder) as (url, process):
        found = anyio.run(_all_ask, url, seconds)
        memory = process.memory_full_info().pss / 1e6
        threads = process.num_threads()
    timings = Timings(tuple(found.seconds))
    first = f", the first: {found.errors[0]}" if found.errors else ""
    return (
        f"{CLIENTS} clients for {seconds:.0f} s: {len(found.seconds)} calls,"
        f" {len(found.seconds) / seconds:.1f} a second, p50 {timings.quantile(0.5):.2f} s,"
        f" p99 {timings.quantile(0.99):.2f} s, {len(found.errors)} errors{first};"
        f" server: {threads} threads, {memory:.0f} MB"
    )


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    command = [sys.executable, "-P", "-m", "codeindex", "serve", "--http", "0", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[-1], psutil.Process(process.pid)
        finally:
            process.terminate()


async def _all_ask(url: str, seconds: float) -> Load:
    found = Load()
    until = time.monotonic() + seconds
    async with anyio.create_task_group() as tasks:
        for number in range(CLIENTS):
            tasks.start_soon(_ask, url, number, until, found)
    return found


async def _ask(url: str, number: int, until: float, found: Load) -> None:
    async with Client(url, mode="legacy") as client:
        while time.monotonic() < until:
            name, given = CALLS[number % len(CALLS)]
            number += 1
            started = time.perf_counter()
            try:
                result = await client.call_tool(name, given)
            except MCPError as error:
                found.errors.append(str(error))
                continue
            found.seconds.append(time.perf_counter() - started)
            if result.is_error:
                found.errors.append(f"{name}: {result.content}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["handshake", "tokens", "load"])
    parser.add_argument("--repository", type=Path, default=Path.cwd())
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    if "handshake" in given.what:
        with tempfile.TemporaryDirectory() as folder:
            print(handshake(Path(folder)), flush=True)
    if "tokens" in given.what:
        print(tokens(), flush=True)
    if "load" in given.what:
        print(load(given.repository, given.seconds), flush=True)


if __name__ == "__main__":
    main()

"""What typical calls of an agent cost: `python tests/benchmarks/agent_calls.py TERRAFORM [--show]`.

TERRAFORM is an indexed clone of hashicorp/terraform. The calls go through the official client to a
server of its own, over standard input and output; tokens are characters / 4 of what it answers.
`codeindex/docs/agents.md` has the figures, and the tasks that were done with these tools and with
grep.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from codeindex.analysis.outline.token_estimates import count_tokens
from codeindex.config import environment

_LOCKS = "internal/depsfile/locks_file.go"
CALLS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("search_code", {"query": "where is the provider lock file written"}),
    ("search_code", {"query": "state migration between backends"}),
    ("search_code", {"query": "what implements the Backend interface"}),
    ("search_code", {"query": "func SaveLocksToFile"}),
    ("find", {"query": "SaveLocksToFile", "mode": "callers"}),
    ("find", {"query": "ContextGraphWalker.Execute", "mode": "callers"}),
    ("find", {"query": "GraphNodeExecutable.Execute", "mode": "callers"}),
    ("find", {"query": "backendMigrateState", "mode": "symbol"}),
    ("find", {"query": "Backend", "mode": "symbol"}),
    ("find", {"query": "retry a failed request", "mode": "relevant"}),
    ("find", {"query": "*depsfile.Locks", "mode": "signature"}),
    ("summarize", {"path": _LOCKS}),
    ("summarize", {"path": "SaveLocksToFile"}),
    ("summarize", {"path": "internal/backend/init"}),
    ("read", {"path": _LOCKS, "symbols": ["SaveLocksToFile"]}),
    ("read", {"path": "internal/command/init.go", "start_line": 100, "end_line": 180}),
    ("get_related_tests", {"symbol": "backendMigrateState"}),
    ("get_related_tests", {"symbol": "Run"}),
    ("impact", {"subject": "SaveLocksToFile"}),
    ("context", {"subject": _LOCKS}),
)


async def measured(root: str, *, show: bool) -> None:
    words = ["-P", "-m", "codeindex", "serve", root]
    place = StdioServerParameters(command=sys.executable, args=words, env=dict(environment()))
    total = 0
    async with Client(stdio_client(place)) as client:
        for name, given in CALLS:
            result = await client.call_tool(name, dict(given))
            content: Any = result.content[0]
            total += count_tokens(content.text)
            print(f"{count_tokens(content.text):>6}  {name} {json.dumps(given)}")
            if show or result.is_error:
                print(content.text)
    print(f"{total:>6}  together")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("terraform")
    parser.add_argument("--show", action="store_true", help="Print the answers too.")
    args = parser.parse_args()
    anyio.run(partial(measured, args.terraform, show=args.show))


if __name__ == "__main__":
    main()

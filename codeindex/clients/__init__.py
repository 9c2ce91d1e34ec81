"""Set up the clients that start our MCP server; each client has a module with its name.

In: a repository and the user's options. Out: edits of the clients' settings files. The package
must not know how questions are answered.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.clients.client import Client

CLIENTS = (
    *("claude-code", "claude-desktop", "cursor", "windsurf", "codex", "codex-project", "vscode"),
    *("copilot-cli", "copilot-agent", "gemini-cli", "antigravity", "qwen-code", "opencode"),
    *("kilo-code", "roo-code", "cline", "continue-dev", "zed", "junie", "jetbrains", "kiro", "amp"),
    *("goose", "warp"),
)
"""Names of the clients; their modules are imported on demand, since `--help` needs only names."""


def client_named(name: str) -> Client:
    module = importlib.import_module(f"codeindex.clients.{name.replace('-', '_')}")
    client: Client = module.CLIENT
    return client


def every_client() -> tuple[Client, ...]:
    return tuple(map(client_named, CLIENTS))

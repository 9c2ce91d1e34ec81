"""Setting up the programs that talk to our server: one module each, named as the client is."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.clients.client import Client

CLIENTS = (
    "claude-code",
    "claude-desktop",
    "cursor",
    "windsurf",
    "codex",
    "codex-project",
    "vscode",
    "copilot-cli",
    "copilot-agent",
    "gemini-cli",
    "antigravity",
    "qwen-code",
    "opencode",
    "kilo-code",
    "roo-code",
    "cline",
    "continue-dev",
    "zed",
    "junie",
    "jetbrains",
    "kiro",
    "amp",
    "goose",
    "warp",
)
"""Their modules are imported when they are asked for: `--help` needs the names alone."""


def client_named(name: str) -> Client:
    module = importlib.import_module(f"codeindex.clients.{name.replace('-', '_')}")
    client: Client = module.CLIENT
    return client


def every_client() -> tuple[Client, ...]:
    return tuple(map(client_named, CLIENTS))

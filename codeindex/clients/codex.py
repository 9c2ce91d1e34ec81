"""Codex CLI, which starts the server in the folder that it was started in itself.

A repository's own `.codex/config.toml` counts only once it is trusted; the user's always does.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="codex",
    title="Codex CLI",
    file="~/.codex/config.toml",
    source="https://developers.openai.com/codex/mcp",
    key="mcp_servers",
    traces=("~/.codex/",),
    programs=("codex",),
)

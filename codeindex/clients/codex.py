"""Codex CLI: user settings; it starts the server in its own working folder.

A repository's `.codex/config.toml` (`codex_project`) is read only once it is trusted.
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

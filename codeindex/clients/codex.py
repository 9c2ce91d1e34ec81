"""Define the client Codex CLI, set up in user settings.

It starts the server in its own working folder, and reads a repository's `.codex/config.toml`
(`codex_project`) only if the repository is trusted.
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

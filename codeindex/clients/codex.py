"""Set up Codex CLI with user settings; it starts the server in its own working folder.

It reads a repository's `.codex/config.toml` (`codex_project`) only if the repository is trusted.
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

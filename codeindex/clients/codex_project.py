"""Define the client Codex CLI, set up in project settings.

Codex reads these settings only if the repository is trusted.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="codex-project",
    title="Codex CLI (project)",
    file=".codex/config.toml",
    source="https://developers.openai.com/codex/config-reference",
    key="mcp_servers",
    traces=(".codex",),
)

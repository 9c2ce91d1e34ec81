"""Define the client Kiro, which reads workspace settings."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="kiro",
    title="Kiro",
    file=".kiro/settings/mcp.json",
    source="https://kiro.dev/docs/mcp/configuration",
    root="{root}",
    traces=(".kiro", "~/.kiro"),
    programs=("kiro", "kiro-cli"),
)

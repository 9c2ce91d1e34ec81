"""Continue: one file of our own in a folder whose files it reads all."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="continue-dev",
    title="Continue",
    file=".continue/mcpServers/codeindex.json",
    source="https://docs.continue.dev/customize/deep-dives/mcp",
    root="{root}",
    traces=(".continue", "~/.continue"),
    programs=("cn",),
    guide="",
)

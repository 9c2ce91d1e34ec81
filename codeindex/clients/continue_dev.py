"""Define the client Continue, which gets a file of our own: it reads every file in a folder."""

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

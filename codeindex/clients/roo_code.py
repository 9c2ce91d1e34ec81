"""Define the client Roo Code, which reads project settings."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="roo-code",
    title="Roo Code",
    file=".roo/mcp.json",
    source="https://docs.roocode.com/features/mcp/using-mcp-in-roo",
    root="{root}",
    traces=(".roo", "~/.roo"),
)

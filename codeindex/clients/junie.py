"""Define the client JetBrains Junie, which reads project settings."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="junie",
    title="JetBrains Junie",
    file=".junie/mcp/mcp.json",
    source="https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
    root="{root}",
    traces=(".junie", "~/.junie"),
    programs=("junie",),
)

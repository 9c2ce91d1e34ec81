"""Define the client Antigravity.

The user pastes the entry, since the documentation names no file.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="antigravity",
    title="Antigravity",
    file="Manage MCP Servers, View raw config",
    source="https://antigravity.google/docs/mcp",
    by_hand=True,
    root="{root}",
    traces=("~/.gemini/antigravity", "~/.gemini/antigravity-cli"),
    programs=("antigravity", "agy"),
)

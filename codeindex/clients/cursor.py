"""Define the client Cursor.

It reads project settings and expands `${workspaceFolder}` in them.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="cursor",
    title="Cursor",
    file=".cursor/mcp.json",
    source="https://cursor.com/docs/context/mcp",
    root="${workspaceFolder}",
    traces=(".cursor", "~/.cursor"),
    programs=("cursor",),
)

"""Cursor, which puts the folder of the window in place of its variable."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="cursor",
    title="Cursor",
    file=".cursor/mcp.json",
    root="${workspaceFolder}",
    traces=(".cursor", "~/.cursor"),
    programs=("cursor",),
)

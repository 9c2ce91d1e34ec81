"""Define the client Windsurf.

It has no variable for the folder, and so starts one server for all repositories.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="windsurf",
    title="Windsurf",
    file="~/.codeium/windsurf/mcp_config.json",
    source="https://docs.windsurf.com/windsurf/cascade/mcp",
    root="{root}",
    traces=("~/.codeium/windsurf",),
    programs=("windsurf",),
    note="Refresh the servers in Windsurf's settings.",
)

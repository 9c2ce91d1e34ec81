"""Set up Windsurf with one server for all repositories: it has no variable for the folder."""

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

"""Define the client Warp, which reads project settings; the user starts its servers."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="warp",
    title="Warp",
    file=".warp/.mcp.json",
    source="https://docs.warp.dev/agents/capabilities/mcp",
    root="{root}",
    traces=(".warp", "~/.warp"),
    programs=("warp-terminal",),
    note="Start the server in Warp's settings: Agents, MCP servers.",
)

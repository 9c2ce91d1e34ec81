"""Antigravity: the settings of the workspace, which the editor and `agy` read."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="antigravity",
    title="Antigravity",
    file=".agents/mcp_config.json",
    source="https://antigravity.google/docs/mcp",
    root="{root}",
    traces=("~/.gemini/antigravity", "~/.gemini/antigravity-cli", "~/.gemini/config"),
    programs=("antigravity", "agy"),
)

"""Define the client Amp.

It reads workspace settings; its key `amp.mcpServers` contains a dot.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="amp",
    title="Amp",
    file=".amp/settings.json",
    source="https://ampcode.com/manual#mcp",
    key="amp.mcpServers",
    traces=(".amp", "~/.config/amp"),
    programs=("amp",),
    note="Amp starts servers of a workspace once they are approved: amp mcp approve codeindex",
)

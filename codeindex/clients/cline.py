"""Define the client Cline, set up in the settings of its command line.

The documentation does not name the folder of its editor extensions, so in an editor the user pastes
the entry with "Configure MCP Servers".
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="cline",
    title="Cline",
    file="~/.cline/data/settings/cline_mcp_settings.json",
    source="https://docs.cline.bot/mcp/mcp-overview",
    traces=("~/.cline",),
    programs=("cline",),
    note='In an editor, paste the entry with "Configure MCP Servers".',
)

"""Define the client Claude Desktop.

It knows no folders, and so starts one server for all repositories.
"""

import sys

from codeindex.clients.client import Client

_FOLDERS = {"darwin": "~/Library/Application Support/Claude", "win32": "~/AppData/Roaming/Claude"}
_FOLDER = _FOLDERS.get(sys.platform, "~/.config/Claude")

CLIENT = Client(
    name="claude-desktop",
    title="Claude Desktop",
    file=f"{_FOLDER}/claude_desktop_config.json",
    source="https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    root="{root}",
    traces=(_FOLDER,),
    guide="",
    note="Quit Claude Desktop and start it again.",
)

"""Define the client opencode, set up in project settings.

Its `command` lists program and arguments.
"""

from codeindex.clients.client import Client
from codeindex.clients.entry_format import OPENCODE

CLIENT = Client(
    name="opencode",
    title="opencode",
    file="opencode.json",
    other_files=("opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
    source="https://opencode.ai/docs/mcp-servers/",
    key="mcp",
    entry_format=OPENCODE,
    settings={"type": "local", "enabled": True, "timeout": 30_000},  # ms; its own is 5,000
    traces=("opencode.json", "opencode.jsonc", ".opencode", "~/.config/opencode"),
    programs=("opencode",),
)

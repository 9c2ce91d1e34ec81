"""Define the client Kilo Code, set up in project settings.

Its `command` lists program and arguments.
"""

from codeindex.clients.client import Client
from codeindex.clients.entry_format import OPENCODE

CLIENT = Client(
    name="kilo-code",
    title="Kilo Code",
    file=".kilo/kilo.jsonc",
    other_files=("kilo.jsonc", ".kilo/kilo.json", "kilo.json"),
    source="https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
    key="mcp",
    entry_format=OPENCODE,
    settings={"type": "local", "enabled": True, "timeout": 30_000},  # ms; its own is 5,000
    traces=(".kilo", "kilo.jsonc", "kilo.json", ".kilocode", "~/.config/kilo"),
    programs=("kilo",),
)

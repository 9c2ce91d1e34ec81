"""Define the client Goose.

The user pastes the entry: rewriting its YAML would lose comments. Goose starts the server
in the folder of the session.
"""

from codeindex.clients.client import Client
from codeindex.clients.entry_format import GOOSE

CLIENT = Client(
    name="goose",
    title="Goose",
    file="~/.config/goose/config.yaml",
    source="https://block.github.io/goose/docs/getting-started/using-extensions",
    by_hand=True,
    key="extensions",
    entry_format=GOOSE,
    settings={"name": "codeindex", "type": "stdio", "enabled": True, "timeout": 300},
    traces=("~/.config/goose",),
    programs=("goose",),
)

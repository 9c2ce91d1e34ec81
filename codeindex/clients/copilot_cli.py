"""Define the client Copilot CLI, set up in user settings.

It reads the settings of a folder only if the folder is trusted, and starts the server in its own
working folder.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="copilot-cli",
    title="Copilot CLI",
    file="~/.copilot/mcp-config.json",
    source=(
        "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers"
    ),
    settings={"type": "local", "tools": ["*"]},
    traces=("~/.copilot",),
    programs=("copilot",),
)

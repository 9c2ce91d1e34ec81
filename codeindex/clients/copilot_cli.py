"""Set up Copilot CLI with user settings: it reads a folder's settings only if it is trusted.

Copilot CLI starts the server in its own working folder.
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

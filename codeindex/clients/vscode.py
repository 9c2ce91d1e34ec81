"""Define the client VS Code, set up in workspace settings; the key of its servers is `servers`."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="vscode",
    title="VS Code",
    file=".vscode/mcp.json",
    source="https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    key="servers",
    root="${workspaceFolder}",
    settings={"type": "stdio"},
    traces=(".vscode", "~/.vscode"),
    programs=("code",),
)

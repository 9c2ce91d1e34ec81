"""Define the client JetBrains AI Assistant: the user pastes the entry into a dialog."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="jetbrains",
    title="JetBrains AI Assistant",
    file="Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON",
    source="https://www.jetbrains.com/help/ai-assistant/mcp.html",
    by_hand=True,
    root="{root}",
    traces=(".idea",),
    guide="",
)

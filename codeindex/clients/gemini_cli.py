"""Define the client Gemini CLI, set up in project settings.

It starts the server in its own working folder.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="gemini-cli",
    title="Gemini CLI",
    file=".gemini/settings.json",
    source="https://geminicli.com/docs/tools/mcp-server/",
    traces=(".gemini", "~/.gemini/settings.json"),
    programs=("gemini",),
    guide="GEMINI.md",
    note="Gemini CLI connects to servers of folders that are trusted only.",
)

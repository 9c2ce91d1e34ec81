"""Gemini CLI, which starts the server in the folder that it was started in itself."""

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

"""Define the client Copilot coding agent; the user pastes the entry on GitHub.

It runs on GitHub. The entry lists the tools by name, since the agent runs them without asking. The
package index can be reached only if the repository's firewall settings allow it.
"""

from codeindex.clients.client import Client
from codeindex.clients.guidance import DEFAULT_TOOLS
from codeindex.clients.server_entry import UVX_COMMAND

CLIENT = Client(
    name="copilot-agent",
    title="Copilot coding agent",
    file="GitHub: Settings of the repository, Copilot, MCP configuration",
    source=(
        "https://docs.github.com/en/copilot/how-tos/use-copilot-agents/cloud-agent/"
        "extend-cloud-agent-with-mcp"
    ),
    by_hand=True,
    settings={"type": "local", "tools": list(DEFAULT_TOOLS)},
    command=UVX_COMMAND,
    traces=(".github/copilot-instructions.md", ".github/workflows/copilot-setup-steps.yml"),
)

"""Define the client Qwen Code, set up in project settings.

It starts the server in its own working folder.
"""

from codeindex.clients.client import Client

CLIENT = Client(
    name="qwen-code",
    title="Qwen Code",
    file=".qwen/settings.json",
    source="https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp",
    traces=(".qwen", "~/.qwen"),
    programs=("qwen",),
    guide="QWEN.md",
)

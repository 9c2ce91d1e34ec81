"""Qwen Code, which starts the server in the folder that it was started in itself."""

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

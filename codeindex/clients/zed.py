"""Define the client Zed, which reads project settings if the worktree is trusted."""

from codeindex.clients.client import Client

CLIENT = Client(
    name="zed",
    title="Zed",
    file=".zed/settings.json",
    source="https://zed.dev/docs/ai/mcp",
    key="context_servers",
    root="{root}",
    settings={"source": "custom"},
    traces=(".zed", "~/.config/zed"),
    programs=("zed", "zeditor"),
    note="Zed asks whether to trust the worktree before it starts the server.",
)

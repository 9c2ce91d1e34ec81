"""Define the client Claude Code.

It gets a server entry in the project, hooks and a sub-agent.
"""

from codeindex.clients.client import Client
from codeindex.clients.hooks import ClientHook

CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    file=".mcp.json",
    source="https://code.claude.com/docs/en/mcp",
    settings={"type": "stdio"},
    traces=(".claude", "~/.claude", "~/.claude.json"),
    programs=("claude",),
    guide="CLAUDE.md",
    hooks=(
        ClientHook(
            "PreToolUse", "pre-read", matcher="Read", tool="suggest_context", file="file_path"
        ),
        ClientHook(
            "PostToolUse",
            "post-edit",
            matcher="Edit|Write",
            tool="invalidate_file",
            file="file_path",
        ),
        ClientHook(
            "PostToolUse",
            "post-edit",
            matcher="NotebookEdit",
            tool="invalidate_file",
            file="notebook_path",  # its input has no `file_path`
        ),
        ClientHook("SessionStart", "session-start"),  # the server is not connected yet
    ),
    hook_file=".claude/settings.json",
    local_hook_file=".claude/settings.local.json",
    subagent=".claude/agents/codeindex.md",
    note="Claude Code asks once whether to trust the project's servers.",
)

"""Define the clients that start our MCP server: their settings files, keys and traces."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from codeindex.clients.client import Client
from codeindex.clients.entry_format import GOOSE, OPENCODE
from codeindex.clients.guidance import DEFAULT_TOOLS
from codeindex.clients.hooks import ClientHook
from codeindex.clients.server_entry import UVX_COMMAND

_DESKTOP_FOLDERS = {
    "darwin": "~/Library/Application Support/Claude",
    "win32": "~/AppData/Roaming/Claude",
}
_DESKTOP_FOLDER = _DESKTOP_FOLDERS.get(sys.platform, "~/.config/Claude")
_OPENCODE_SETTINGS = {"type": "local", "enabled": True, "timeout": 30_000}
"""Settings of an entry for opencode and for Kilo Code, which reads the same. The timeout is in ms;
their own is 5,000."""
_CLIENTS = (
    Client(
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
    ),
    # It knows no folders, and so starts one server for all repositories.
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        file=f"{_DESKTOP_FOLDER}/claude_desktop_config.json",
        source="https://modelcontextprotocol.io/docs/develop/connect-local-servers",
        root="{root}",
        traces=(_DESKTOP_FOLDER,),
        guide="",
        note="Quit Claude Desktop and start it again.",
    ),
    # It expands `${workspaceFolder}` in project settings.
    Client(
        name="cursor",
        title="Cursor",
        file=".cursor/mcp.json",
        source="https://cursor.com/docs/context/mcp",
        root="${workspaceFolder}",
        traces=(".cursor", "~/.cursor"),
        programs=("cursor",),
    ),
    # It has no variable for the folder, and so starts one server for all repositories.
    Client(
        name="windsurf",
        title="Windsurf",
        file="~/.codeium/windsurf/mcp_config.json",
        source="https://docs.windsurf.com/windsurf/cascade/mcp",
        root="{root}",
        traces=("~/.codeium/windsurf",),
        programs=("windsurf",),
        note="Refresh the servers in Windsurf's settings.",
    ),
    # It starts the server in its own working folder, and reads a repository's
    # `.codex/config.toml` (`codex-project`) only if the repository is trusted.
    Client(
        name="codex",
        title="Codex CLI",
        file="~/.codex/config.toml",
        source="https://developers.openai.com/codex/mcp",
        key="mcp_servers",
        traces=("~/.codex/",),
        programs=("codex",),
    ),
    # Codex reads these settings only if the repository is trusted.
    Client(
        name="codex-project",
        title="Codex CLI (project)",
        file=".codex/config.toml",
        source="https://developers.openai.com/codex/config-reference",
        key="mcp_servers",
        traces=(".codex",),
    ),
    Client(
        name="vscode",
        title="VS Code",
        file=".vscode/mcp.json",
        source="https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        key="servers",
        root="${workspaceFolder}",
        settings={"type": "stdio"},
        traces=(".vscode", "~/.vscode"),
        programs=("code",),
    ),
    # It reads the settings of a folder only if the folder is trusted, and starts the server in
    # its own working folder.
    Client(
        name="copilot-cli",
        title="Copilot CLI",
        file="~/.copilot/mcp-config.json",
        source=(
            "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers"
        ),
        settings={"type": "local", "tools": ["*"]},
        traces=("~/.copilot",),
        programs=("copilot",),
    ),
    # It runs on GitHub, where the user pastes the entry. The entry lists the tools by name, since
    # the agent runs them without asking. The package index can be reached only if the
    # repository's firewall settings allow it.
    Client(
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
    ),
    # It starts the server in its own working folder.
    Client(
        name="gemini-cli",
        title="Gemini CLI",
        file=".gemini/settings.json",
        source="https://geminicli.com/docs/tools/mcp-server/",
        traces=(".gemini", "~/.gemini/settings.json"),
        programs=("gemini",),
        guide="GEMINI.md",
        note="Gemini CLI connects to servers of folders that are trusted only.",
    ),
    # The user pastes the entry, since the documentation names no file.
    Client(
        name="antigravity",
        title="Antigravity",
        file="Manage MCP Servers, View raw config",
        source="https://antigravity.google/docs/mcp",
        by_hand=True,
        root="{root}",
        traces=("~/.gemini/antigravity", "~/.gemini/antigravity-cli"),
        programs=("antigravity", "agy"),
    ),
    # It starts the server in its own working folder.
    Client(
        name="qwen-code",
        title="Qwen Code",
        file=".qwen/settings.json",
        source="https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp",
        traces=(".qwen", "~/.qwen"),
        programs=("qwen",),
        guide="QWEN.md",
    ),
    Client(
        name="opencode",
        title="opencode",
        file="opencode.json",
        other_files=("opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
        source="https://opencode.ai/docs/mcp-servers/",
        key="mcp",
        entry_format=OPENCODE,
        settings=_OPENCODE_SETTINGS,
        traces=("opencode.json", "opencode.jsonc", ".opencode", "~/.config/opencode"),
        programs=("opencode",),
    ),
    Client(
        name="kilo-code",
        title="Kilo Code",
        file=".kilo/kilo.jsonc",
        other_files=("kilo.jsonc", ".kilo/kilo.json", "kilo.json"),
        source="https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
        key="mcp",
        entry_format=OPENCODE,
        settings=_OPENCODE_SETTINGS,
        traces=(".kilo", "kilo.jsonc", "kilo.json", ".kilocode", "~/.config/kilo"),
        programs=("kilo",),
    ),
    Client(
        name="roo-code",
        title="Roo Code",
        file=".roo/mcp.json",
        source="https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        root="{root}",
        traces=(".roo", "~/.roo"),
    ),
    # These are the settings of its command line. The documentation does not name the folder of
    # its editor extensions, so in an editor the user pastes the entry with "Configure MCP
    # Servers".
    Client(
        name="cline",
        title="Cline",
        file="~/.cline/data/settings/cline_mcp_settings.json",
        source="https://docs.cline.bot/mcp/mcp-overview",
        traces=("~/.cline",),
        programs=("cline",),
        note='In an editor, paste the entry with "Configure MCP Servers".',
    ),
    # It gets a file of our own: it reads every file in a folder.
    Client(
        name="continue-dev",
        title="Continue",
        file=".continue/mcpServers/codeindex.json",
        source="https://docs.continue.dev/customize/deep-dives/mcp",
        root="{root}",
        traces=(".continue", "~/.continue"),
        programs=("cn",),
        guide="",
    ),
    # It reads project settings if the worktree is trusted.
    Client(
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
    ),
    Client(
        name="junie",
        title="JetBrains Junie",
        file=".junie/mcp/mcp.json",
        source="https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
        root="{root}",
        traces=(".junie", "~/.junie"),
        programs=("junie",),
    ),
    # The user pastes the entry into a dialog.
    Client(
        name="jetbrains",
        title="JetBrains AI Assistant",
        file="Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON",
        source="https://www.jetbrains.com/help/ai-assistant/mcp.html",
        by_hand=True,
        root="{root}",
        traces=(".idea",),
        guide="",
    ),
    Client(
        name="kiro",
        title="Kiro",
        file=".kiro/settings/mcp.json",
        source="https://kiro.dev/docs/mcp/configuration",
        root="{root}",
        traces=(".kiro", "~/.kiro"),
        programs=("kiro", "kiro-cli"),
    ),
    # The key `amp.mcpServers` contains a dot.
    Client(
        name="amp",
        title="Amp",
        file=".amp/settings.json",
        source="https://ampcode.com/manual#mcp",
        key="amp.mcpServers",
        traces=(".amp", "~/.config/amp"),
        programs=("amp",),
        note="Amp starts servers of a workspace once they are approved: amp mcp approve codeindex",
    ),
    # The user pastes the entry: rewriting its YAML would lose comments. Goose starts the server
    # in the folder of the session.
    Client(
        name="goose",
        title="Goose",
        file="~/.config/goose/config.yaml",
        source="https://block.github.io/goose/docs/getting-started/using-extensions",
        by_hand=True,
        key="extensions",
        entry_format=GOOSE,
        settings={"name": "codeindex", "type": "stdio", "enabled": True, "timeout": 300},
        traces=("~/.config/goose",),
        programs=("goose",),
    ),
    # The user starts its servers.
    Client(
        name="warp",
        title="Warp",
        file=".warp/.mcp.json",
        source="https://docs.warp.dev/agents/capabilities/mcp",
        root="{root}",
        traces=(".warp", "~/.warp"),
        programs=("warp-terminal",),
        note="Start the server in Warp's settings: Agents, MCP servers.",
    ),
)
CLIENTS: Mapping[str, Client] = {client.name: client for client in _CLIENTS}
"""The clients by name, in the order in which `codeindex init` offers them."""

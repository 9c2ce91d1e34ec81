"""Create a Claude Code plugin (server, hooks, sub-agent, skill) and its marketplace.

https://code.claude.com/docs/en/plugins-reference
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeindex.clients.distribution.metadata import ProjectMetadata, pretty_json
from codeindex.clients.guidance import GUIDE, subagent_text
from codeindex.clients.hooks import ClientHook
from codeindex.clients.known_clients import CLIENTS
from codeindex.clients.server_entry import SERVER_NAME

FOLDER = ".claude-plugin"
"""The folder in the source tree in which `/plugin marketplace add` finds `marketplace.json`."""
_PLUGIN = f"{FOLDER}/{SERVER_NAME}"
_SERVER = f"plugin:{SERVER_NAME}:{SERVER_NAME}"
"""The name that Claude Code gives the server of a plugin."""
_TOOLS = f"plugin_{SERVER_NAME}_{SERVER_NAME}"
"""The server's name as it occurs in names of tools."""
_SKILL = f"""\
---
name: finding-code
description: Finds code in this repository by what it does; follows callers, callees and tests. \
Use it before grep for questions of the form where, how, who calls, what breaks.
---

{GUIDE}
"""


def plugin_files(metadata: ProjectMetadata) -> Mapping[str, str]:
    """Return {path: text} for the marketplace and the plugin; paths start at the source tree."""
    return {
        f"{FOLDER}/marketplace.json": pretty_json(_marketplace(metadata)),
        f"{_PLUGIN}/.claude-plugin/plugin.json": pretty_json(_plugin(metadata)),
        f"{_PLUGIN}/.mcp.json": pretty_json({"mcpServers": {SERVER_NAME: _server(metadata)}}),
        f"{_PLUGIN}/hooks/hooks.json": pretty_json({"hooks": _hooks(metadata)}),
        f"{_PLUGIN}/agents/{SERVER_NAME}.md": subagent_text(_TOOLS),
        f"{_PLUGIN}/skills/finding-code/SKILL.md": _SKILL,
    }


def _marketplace(metadata: ProjectMetadata) -> dict[str, Any]:
    return {
        "name": SERVER_NAME,
        "owner": {"name": SERVER_NAME},
        "metadata": {"description": metadata.description, "version": metadata.version},
        "plugins": [
            {
                "name": SERVER_NAME,
                "source": f"./{_PLUGIN}",
                "description": metadata.description,
                "version": metadata.version,
            }
        ],
    }


def _plugin(metadata: ProjectMetadata) -> dict[str, Any]:
    return {
        "name": SERVER_NAME,
        "version": metadata.version,
        "description": metadata.description,
        "author": {"name": SERVER_NAME},
        "license": metadata.license,
        "keywords": list(metadata.keywords),
    }


def _server(metadata: ProjectMetadata) -> dict[str, Any]:
    """Return the plugin's server entry; Claude Code passes the folder in CLAUDE_PROJECT_DIR."""
    program, *args = metadata.command_line
    return {"command": program, "args": [*args, "serve"]}


def _hooks(metadata: ProjectMetadata) -> dict[str, list[Any]]:
    """Return {event: hooks} of the plugin.

    The hooks are the same as those that `init` writes, but for the plugin's server and command.
    """
    events: dict[str, list[Any]] = {}
    for hook in CLIENTS["claude-code"].hooks:
        events.setdefault(hook.event, []).append(_group(metadata, hook))
    return events


def _group(metadata: ProjectMetadata, hook: ClientHook) -> dict[str, Any]:
    group = hook.group("", as_command=False)
    for call in group["hooks"]:
        if call["type"] == "mcp_tool":
            call["server"] = _SERVER
        else:
            program, *args = metadata.command_line
            call |= {"command": program, "args": [*args, "hook", hook.command]}
    return group

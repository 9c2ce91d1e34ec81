"""Create a Gemini CLI extension with the server and a guide to its tools.

https://geminicli.com/docs/extensions/reference
"""

from __future__ import annotations

from collections.abc import Mapping

from codeindex.clients.distribution.metadata import ProjectMetadata, pretty_json
from codeindex.clients.guidance import GUIDE
from codeindex.clients.server_entry import SERVER_NAME

_CONTEXT = "GEMINI.md"


def extension_files(metadata: ProjectMetadata) -> Mapping[str, str]:
    """Return {path: text} for the extension's files; paths start at the extension's folder."""
    program, *args = metadata.command_line
    manifest = {
        "name": SERVER_NAME,
        "version": metadata.version,
        "description": metadata.description,
        "mcpServers": {SERVER_NAME: {"command": program, "args": [*args, "serve"]}},
        "contextFileName": _CONTEXT,
    }
    return {"gemini-extension.json": pretty_json(manifest), _CONTEXT: f"{GUIDE}\n"}

"""Create the entry for the MCP registry; its name contains the GitHub repository's owner.

https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json
"""

from __future__ import annotations

import re
from typing import Any

from codeindex.clients.distribution.metadata import ProjectMetadata
from codeindex.clients.server_entry import SERVER_NAME
from codeindex.errors import ConfigError

_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9-]+)/[A-Za-z0-9._-]+")
_MAX_DESCRIPTION = 100
"""Most characters of a description in the registry."""


def registry_name(metadata: ProjectMetadata) -> str:
    """Return the server's name in the registry: `io.github.OWNER/codeindex`.

    A line `mcp-name: NAME` in the README proves who owns it. Raises ConfigError if `repository` is
    not the URL of a GitHub repository.
    """
    owner = _GITHUB.fullmatch(metadata.repository)
    if owner is None:
        raise ConfigError(
            f"'{metadata.repository}' is not a repository on GitHub: give https://github.com/OWNER/NAME"
        )
    return f"io.github.{owner[1]}/{SERVER_NAME}"


def registry_entry(metadata: ProjectMetadata) -> dict[str, Any]:
    return {
        "$schema": _SCHEMA,
        "name": registry_name(metadata),
        "description": metadata.description[:_MAX_DESCRIPTION],
        "repository": {"url": metadata.repository, "source": "github"},
        "version": metadata.version,
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": metadata.distribution,
                "version": metadata.version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {
                        "type": "positional",
                        "valueHint": "repository",
                        "description": "A repository to serve; without one, the client's folders.",
                        "format": "filepath",
                        "isRepeated": True,
                    },
                ],
            }
        ],
    }

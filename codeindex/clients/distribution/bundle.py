"""Create the desktop bundle (.mcpb), a zip file with which a client installs the server.

It contains a manifest and a small project that names the package, which `uv` then installs. The
package itself is not inside, since its dependencies are compiled code.
https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from codeindex.clients.distribution.metadata import ProjectMetadata, pretty_json
from codeindex.clients.server_entry import SERVER_NAME

_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the bundle; it is fixed, so that equal input gives equal bytes."""
_ENTRY_POINT = "server.py"
_SCRIPT = '''\
"""Start the server for the folders that its user chose."""

from codeindex.__main__ import main

main()
'''


def bundle(metadata: ProjectMetadata) -> bytes:
    """Return the content of the bundle as a zip file; equal metadata gives equal bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in bundle_files(metadata).items():
            member = zipfile.ZipInfo(name, _TIMESTAMP)
            member.external_attr = 0o644 << 16
            file.writestr(member, text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def bundle_files(metadata: ProjectMetadata) -> Mapping[str, str]:
    return {
        "manifest.json": pretty_json(_manifest(metadata)),
        "pyproject.toml": _project(metadata),
        _ENTRY_POINT: _SCRIPT,
    }


def _manifest(metadata: ProjectMetadata) -> dict[str, Any]:
    return {
        "manifest_version": "0.4",
        "name": SERVER_NAME,
        "display_name": SERVER_NAME,
        "version": metadata.version,
        "description": metadata.description,
        "author": {"name": SERVER_NAME},
        "license": metadata.license,
        "keywords": list(metadata.keywords),
        "server": {
            "type": "uv",
            "entry_point": _ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run",
                    "--directory",
                    "${__dirname}",
                    _ENTRY_POINT,
                    "serve",
                    "${user_config.folders}",
                ],
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "user_config": {
            "folders": {
                "type": "directory",
                "title": "Repositories",
                "description": "The repositories to search.",
                "required": True,
                "multiple": True,
            }
        },
        "compatibility": {"runtimes": {"python": metadata.requires_python}},
    }


def _project(metadata: ProjectMetadata) -> str:
    return f"""\
[project]
name = "{SERVER_NAME}-bundle"
version = "{metadata.version}"
requires-python = "{metadata.requires_python}"
dependencies = ["{metadata.distribution}=={metadata.version}"]

[tool.uv]
package = false
"""

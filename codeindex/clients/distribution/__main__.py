"""Write all distribution files: `python -m codeindex.clients.distribution`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from codeindex.clients.distribution.bundle import bundle
from codeindex.clients.distribution.claude_plugin import plugin_files
from codeindex.clients.distribution.gemini_extension import extension_files
from codeindex.clients.distribution.metadata import ProjectMetadata, pretty_json, read_metadata
from codeindex.clients.distribution.registry import registry_entry, registry_name
from codeindex.errors import ConfigError
from codeindex.files.write import write_atomically

_DIST = "dist"
_MODE = 0o644


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m codeindex.clients.distribution")
    parser.add_argument("--to", type=Path, default=Path(), help="Root of the tree [default: .].")
    parser.add_argument(
        "--repository", default="", help="https://github.com/OWNER/NAME, for server.json."
    )
    arguments = parser.parse_args()
    metadata = read_metadata(Path(), repository=arguments.repository)
    try:
        files = all_files(metadata)
    except ConfigError as error:
        parser.error(str(error))
    for name, data in files.items():
        file = arguments.to / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, data, mode=_MODE)
        sys.stdout.write(f"{name}\n")
    if not metadata.repository:
        sys.stderr.write(f"{_DIST}/server.json needs --repository\n")
    else:
        name = registry_name(metadata)
        sys.stderr.write(f"The README of the package must have: mcp-name: {name}\n")
    return 0


def all_files(metadata: ProjectMetadata) -> Mapping[str, bytes]:
    """Return {path: content} of all distribution files.

    `server.json` is left out if the URL of the repository is not known.
    """
    texts = dict(plugin_files(metadata))
    for name, text in extension_files(metadata).items():
        texts[f"{_DIST}/gemini-extension/{name}"] = text
    if metadata.repository:
        texts[f"{_DIST}/server.json"] = pretty_json(registry_entry(metadata))
    files = {name: text.encode() for name, text in texts.items()}
    return {**files, f"{_DIST}/codeindex-{metadata.version}.mcpb": bundle(metadata)}


if __name__ == "__main__":
    sys.exit(main())

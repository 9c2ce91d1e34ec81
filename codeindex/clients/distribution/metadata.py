"""Read the project's name, version and other metadata from `pyproject.toml`."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from codeindex.clients.server_entry import UVX_COMMAND


@dataclass(frozen=True, slots=True)
class ProjectMetadata:
    """Fields of `pyproject.toml`; `repository` is the URL of the source, '' if unpublished."""

    distribution: str
    version: str
    description: str
    license: str
    requires_python: str
    keywords: tuple[str, ...]
    repository: str = ""

    @property
    def command_line(self) -> tuple[str, ...]:
        """The command that starts this version of the package, without `serve` and what follows."""
        program, package = UVX_COMMAND
        return program, f"{package}@{self.version}"


def read_metadata(root: Path, *, repository: str = "") -> ProjectMetadata:
    """Read `pyproject.toml` in the source tree at `root`; `repository` is the URL of the source."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return ProjectMetadata(
        distribution=project["name"],
        version=project["version"],
        description=project["description"],
        license=project["license"],
        requires_python=project["requires-python"],
        keywords=tuple(project["keywords"]),
        repository=repository,
    )


def pretty_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

"""Limit what is indexed by options of `codeindex index` and `serve`, which override settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.config import load_settings
from codeindex.files.safe_open import open_beneath
from codeindex.text.globs import escape_glob

_MAX_MANIFEST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """Limits of an index; None, () and False mean that the settings decide.

    `max_file_kb` is in KB; `max_depth` counts levels of folders, 1 for the files of the root;
    `exclude` are gitignore patterns. `reads_ignored` indexes files that git ignores. `members` are
    names of packages of the workspace, and only these and the manifests are indexed.
    `ignores_workspaces` turns the detection of workspaces off.
    """

    max_file_kb: int | None = None
    max_depth: int | None = None
    exclude: tuple[str, ...] = ()
    reads_ignored: bool = False
    members: tuple[str, ...] = ()
    ignores_workspaces: bool = False

    def settings_of(self, root: Path) -> dict[str, object]:
        """Return the settings that have the effect of the limits: {dotted key: value}.

        Return {} without limits. `root` is the repository's root. Raises QueryError for a member
        that the workspace does not have.
        """
        settings: dict[str, object] = {}
        if self.max_file_kb is not None:
            settings["limits.max_file_kb"] = self.max_file_kb
        if self.max_depth is not None:
            settings["limits.max_depth"] = self.max_depth
        if self.exclude:
            settings["exclude"] = list(self.exclude)
        if self.reads_ignored:
            settings["gitignore"] = False
        if self.ignores_workspaces:
            settings["detect_workspaces"] = False
        if self.members:
            settings["include"] = _include_patterns(root, self.members)
        return settings


def _include_patterns(root: Path, names: Sequence[str]) -> list[str]:
    """Return gitignore patterns that include only the members with these names.

    They match the members' folders, and the manifests that list the members.
    """
    # Only this option needs them: together they take 100 ms to import.
    from codeindex.analysis.repository.workspace_members import find_workspace_members
    from codeindex.ingest.discover.files import discover

    def read(path: str) -> str:
        with open_beneath(root, path) as handle:
            return handle.read(_MAX_MANIFEST_BYTES).decode(errors="replace")

    found = discover(root, config=load_settings(root).config)
    paths = [file.path for file in found.files]
    members = find_workspace_members(paths, read, root_name=root.name)
    folders = [members.folder_of(name) for name in names]
    return [f"/{escape_glob(folder)}/" if folder else "*" for folder in folders] + [
        f"/{escape_glob(manifest)}" for manifest in members.manifests
    ]

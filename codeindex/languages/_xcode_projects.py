"""Read which Swift files the build targets of Xcode projects have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from codeindex.languages.source_tree import SourceTree, join_path

MANIFEST = "*.pbxproj"
_PHASE = re.compile(
    r"(\w{24}) /\* Sources \*/ = \{\s*isa = PBXSourcesBuildPhase;[^}]*?files = \(([^)]*)"
)
_SOURCE = re.compile(r"/\* (.+?\.swift) in Sources \*/")
_FOLDER = re.compile(
    r"(\w{24}) /\*[^*]*\*/ = \{\s*isa = PBXFileSystemSynchronizedRootGroup;[^}]*?\{\};"
    r'[^}]*?\bpath = "?([^;"]+)'
)
_TARGET = re.compile(r"isa = PBXNativeTarget;([^}]*)\}")
_NAME = re.compile(r'\sname = "?([^;"]+)')
_ID = re.compile(r"\b[0-9A-F]{24}\b")


@lru_cache(maxsize=4)
def project_targets(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {name of a build target: its Swift files} for all Xcode projects of a repository.

    A project lists files by name without their folder, or whole folders. If several projects have a
    target with the same name, that of the last project counts.
    """
    files = sorted(path for path in tree.files if path.endswith(".swift"))
    return {
        name: found
        for path in sorted(tree.files)
        if path.endswith(".pbxproj")
        for name, found in _targets_of(tree.text(path), path, files)
        if found
    }


def _targets_of(
    project: str, path: str, files: Sequence[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield (name, Swift files) of each build target of an Xcode project.

    `project` is the text of the project file at `path`; `files` are all Swift files.
    """
    folder = path.rpartition("/")[0].rpartition("/")[0]
    root = f"{folder}/" if folder else ""
    below = [file for file in files if file.startswith(root)]
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for file in below:
        by_name[file.rpartition("/")[2]].append(file)
    members = {
        number: [file for name in _SOURCE.findall(listed) for file in by_name.get(name, ())]
        for number, listed in _PHASE.findall(project)
    }
    for number, name in _FOLDER.findall(project):
        inside = f"{join_path(folder, name)}/"
        members[number] = [file for file in below if file.startswith(inside)]
    for target in _TARGET.findall(project):
        name = _NAME.search(target)
        found = {file for number in _ID.findall(target) for file in members.get(number, ())}
        if name:
            yield name[1], sorted(found)

"""Locate names of C# by the namespaces and projects that declare them, whatever files are called.

The files of a project lie below the folder of its project file (`Shop.csproj`); they share the
parts of partial types and the imports that hold for the whole project.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import (
    EXTENSION_MARK,
    PROJECT_IMPORTS,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
)

_FOLDER_SETTINGS = "Directory.Build.props"
"""Name of the file that holds settings of all projects in the folder and below."""
PROJECT_FILES = ("*.csproj", _FOLDER_SETTINGS)
"""Globs of the files that name imports for a whole project."""
_USING = re.compile(r"<Using\b(?![^>]*\b(?:Alias|Remove)=)[^>]*\bInclude=\"([\w.;]+)\"")


def locate_in_namespaces(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the files that define a qualified name such as `Shop.Cart`, nearest first.

    Parts of `module` after a type are members. ``::Shop.Cart`` stands for the files of the same
    project that define the type, `this Total` for those that define an extension method `Total`,
    and `PROJECT_IMPORTS` for what all files of the project import. Return None if the name is in
    no namespace of the repository.
    """
    names = tree.packages.names("")
    if module == PROJECT_IMPORTS:
        spaces = " ".join(_project_usings(tree, _project(tree, path)))
        files = _in_project(tree, path, names.get(PROJECT_IMPORTS, ()))
        return ModuleLocation(files, symbol=spaces) if files or spaces else None
    if module.startswith(EXTENSION_MARK):
        files = tuple(nearest_first(names.get(module, ()), path))
        return ModuleLocation(files) if files else None
    if module.startswith("::"):
        name = module.removeprefix("::")
        files = tuple(_main_part_first(_in_project(tree, path, names.get(name, ())), name))
        return ModuleLocation(files) if files else None
    parts = module.removesuffix(".*").split(".")
    for end in range(len(parts), 0, -1):
        name = ".".join(parts[:end])
        if name in names:
            files = _nearest_project_first(tree, path, names[name], name)
            return ModuleLocation(files, symbol=module)
    around = module.rpartition(".")[0]
    spaces_of_names = _namespaces(tree)
    is_space = module in spaces_of_names or around in spaces_of_names
    return ModuleLocation((), symbol="" if module.endswith(".*") else module) if is_space else None


def _nearest_project_first(
    tree: SourceTree, path: str, files: Collection[str], name: str
) -> tuple[str, ...]:
    """Return files by project, the nearest one first; in each, see `_main_part_first`."""
    if len(files) == 1:
        return tuple(files)
    projects = dict.fromkeys(_project(tree, file) for file in nearest_first(files, path))
    order = {project: number for number, project in enumerate(projects)}
    ordered = _main_part_first(files, name)
    return tuple(sorted(ordered, key=lambda file: order[_project(tree, file)]))


def _main_part_first(files: Collection[str], name: str) -> list[str]:
    """Return the files of a type with those named after it first: `Cart.cs` before `Sums.cs`."""
    stems = {file: file.rpartition("/")[2].removesuffix(".cs") for file in files}
    last = name.rpartition(".")[2]
    return sorted(files, key=lambda file: (stems[file] != last, stems[file].count("."), file))


def _in_project(tree: SourceTree, path: str, files: Collection[str]) -> tuple[str, ...]:
    project = _project(tree, path) if files else ""
    return tuple(file for file in files if _project(tree, file) == project)


def _project(tree: SourceTree, path: str) -> str:
    """Return the folder of the project that compiles a file; "" if no project file is above it."""
    return _projects(tree).get(path.rpartition("/")[0], "")


@lru_cache(maxsize=4)
def _projects(tree: SourceTree) -> dict[str, str]:
    """Return {folder: nearest folder at or above it that has a project file, "" without one}."""
    projects: dict[str, str] = {}
    for folder, files in sorted(tree.folders.items()):
        has_project = any(file.endswith(".csproj") for file in files)
        around = projects.get(folder.rpartition("/")[0], "")
        projects[folder] = folder if has_project else around
    return projects


@lru_cache(maxsize=1 << 10)
def _project_usings(tree: SourceTree, project: str) -> tuple[str, ...]:
    """Return the namespaces that the files of a project folder, and of those around it, import."""
    files = [file for file in tree.folders.get(project, ()) if file.endswith(".csproj")]
    folder: str | None = project
    while folder is not None:
        file = join_path(folder, _FOLDER_SETTINGS)
        files += [file] if file in tree.files else []
        folder = ancestor_folder(folder, 1)
    written = (match[1].split(";") for file in files for match in _USING.finditer(tree.text(file)))
    return tuple(dict.fromkeys(name for names in written for name in names if name))


@lru_cache(maxsize=4)
def _namespaces(tree: SourceTree) -> frozenset[str]:
    """Return the namespaces around the names that files define."""
    spaces: set[str] = set()
    for name in tree.packages.names(""):
        space = name.rpartition(".")[0]
        while space and space not in spaces:
            spaces.add(space)
            space = space.rpartition(".")[0]
    return frozenset(spaces)

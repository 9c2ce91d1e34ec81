"""List the modules of a repository, with descriptions from the settings."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codeindex.config import ModuleConfig
from codeindex.store.catalog.files import file_records
from codeindex.types.report import DataReport, Table, plural


@dataclass(frozen=True, slots=True)
class RepositorySubmodule:
    name: str
    description: str
    files: int


@dataclass(frozen=True, slots=True)
class RepositoryModule:
    """A module; `configured` is true if the settings describe it."""

    name: str
    description: str
    files: int
    configured: bool
    submodules: tuple[RepositorySubmodule, ...]


@dataclass(frozen=True, slots=True)
class RepositoryModules(DataReport):
    modules: tuple[RepositoryModule, ...]

    def columns(self) -> Table:
        rows: list[tuple[str, str, str]] = []
        for module in self.modules:
            rows.append((module.name, str(module.files), module.description or "-"))
            rows += [
                (
                    f"{module.name}.{submodule.name}",
                    str(submodule.files),
                    submodule.description or "-",
                )
                for submodule in module.submodules
            ]
        return ("module", "files", "description"), rows

    def text(self) -> Iterator[str]:
        for module in self.modules:
            yield f"{module.name}  {plural(module.files, 'file')}  {module.description}".rstrip()
            for submodule in module.submodules:
                files = plural(submodule.files, "file")
                yield f"  {submodule.name}  {files}  {submodule.description}".rstrip()


def list_modules(
    connection: sqlite3.Connection, configured: Mapping[str, ModuleConfig]
) -> RepositoryModules:
    """Return the modules that the settings describe, then all others, largest first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for file in file_records(connection):
        if file.is_test or not file.module:
            continue
        hidden = "." if file.module.startswith(".") else ""  # .github/workflows
        root, _, rest = file.module.removeprefix(".").partition(".")
        counts[hidden + root][rest.partition(".")[0] if "." in rest else ""] += 1
    result = [name for name in counts if counts[name].total() > 1]  # one file is no module
    result.sort(key=lambda name: (-counts[name].total(), name))
    ordered = dict.fromkeys((*configured, *result))
    return RepositoryModules(
        tuple(_module(name, counts[name], configured.get(name)) for name in ordered)
    )


def _module(
    name: str, counts: Counter[str], module_config: ModuleConfig | None
) -> RepositoryModule:
    described = module_config.submodules if module_config else {}
    names = dict.fromkeys((*described, *sorted(filter(None, counts))))
    return RepositoryModule(
        name=name,
        description=module_config.description if module_config else "",
        files=counts.total(),
        configured=module_config is not None,
        submodules=tuple(
            RepositorySubmodule(name, described.get(name, ""), counts[name]) for name in names
        ),
    )

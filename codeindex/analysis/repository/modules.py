"""The modules of a repository: what the settings say of them, and what is found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.config import ModuleConfig

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class RepositorySubmodule:
    name: str
    description: str
    files: int


@dataclass(frozen=True, slots=True)
class RepositoryModule:
    """A module; `configured` says whether a person has described it."""

    name: str
    description: str
    files: int
    configured: bool
    submodules: tuple[RepositorySubmodule, ...]


@dataclass(frozen=True, slots=True)
class RepositoryModules:
    modules: tuple[RepositoryModule, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows: list[tuple[str, str, str]] = []
        for one in self.modules:
            rows.append((one.name, str(one.files), one.description or "-"))
            rows += [
                (f"{one.name}.{each.name}", str(each.files), each.description or "-")
                for each in one.submodules
            ]
        return ("module", "files", "description"), rows

    def text(self) -> Iterator[str]:
        for one in self.modules:
            yield f"{one.name}  {one.files} files  {one.description}".rstrip()
            for each in one.submodules:
                yield f"  {each.name}  {each.files} files  {each.description}".rstrip()


def list_modules(
    connection: sqlite3.Connection, configured: Mapping[str, ModuleConfig]
) -> RepositoryModules:
    """Return the modules of the settings, then all others, the largest first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    rows = connection.execute("SELECT module FROM files WHERE NOT is_test AND module != ''")
    for (module,) in rows:
        root, _, rest = module.partition(".")
        counts[root][rest.partition(".")[0] if "." in rest else ""] += 1
    found = [name for name in counts if counts[name].total() > 1]  # one file is no module
    found.sort(key=lambda name: (-counts[name].total(), name))
    ordered = dict.fromkeys((*configured, *found))
    return RepositoryModules(
        tuple(_module(name, counts[name], configured.get(name)) for name in ordered)
    )


def _module(name: str, counts: Counter[str], said: ModuleConfig | None) -> RepositoryModule:
    described = said.submodules if said else {}
    names = dict.fromkeys((*described, *sorted(one for one in counts if one)))
    return RepositoryModule(
        name=name,
        description=said.description if said else "",
        files=counts.total(),
        configured=said is not None,
        submodules=tuple(
            RepositorySubmodule(one, described.get(one, ""), counts[one]) for one in names
        ),
    )

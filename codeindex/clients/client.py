"""What there is to know about a client, and where on this machine it applies."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

from codeindex.clients.entry_format import STANDARD, EntryFormat
from codeindex.clients.hooks import ClientHook
from codeindex.config import environment

_MOVED = {
    "~/.codex": "CODEX_HOME",
    "~/.copilot": "COPILOT_HOME",
    "~/.config": "XDG_CONFIG_HOME",
    "~/AppData/Roaming": "APPDATA",
}
"""Folders that a variable can put elsewhere."""
_OURS = ("CODEINDEX_HOME", "CODEINDEX_CONFIG")
"""Clients do not pass on all variables, and those on a desktop have none of a shell's."""


class FileEdit(Protocol):
    """Something of ours in a file; what is added can be taken out again."""

    @property
    def file(self) -> Path: ...
    def is_in(self, text: str) -> bool: ...
    def add(self, text: str) -> str: ...
    def take(self, text: str) -> str: ...


@dataclass(frozen=True, slots=True)
class SetupContext:
    """The repository that is set up, its user's home folder, and the Python that runs us."""

    root: Path
    home: Path
    python: str
    variables: Mapping[str, str]

    @classmethod
    def here(cls, root: Path) -> Self:
        return cls(root, Path.home(), sys.executable, environment())

    def path(self, text: str) -> Path:
        """Return the file of a table's text: below the home folder with `~/`, else the root."""
        for folder, variable in _MOVED.items():
            if text.startswith(f"{folder}/") and self.variables.get(variable):
                return Path(self.variables[variable]) / text.removeprefix(f"{folder}/")
        return self.home / text[2:] if text.startswith("~/") else self.root / text

    def shown(self, file: Path) -> str:
        """Return a file as people know it: relative to the root, or to their home folder."""
        if file.is_relative_to(self.root):
            return file.relative_to(self.root).as_posix()
        if file.is_relative_to(self.home):
            return f"~/{file.relative_to(self.home).as_posix()}"
        return file.as_posix()

    def own_variables(self) -> dict[str, str]:
        """Return those of our variables that say where things are; none holds a secret."""
        return {name: self.variables[name] for name in _OURS if self.variables.get(name)}


@dataclass(frozen=True, slots=True)
class Client:
    """A program that can talk to our server. Paths are as `Site.path` reads them."""

    name: str
    title: str
    file: str
    """The settings file that lists servers, JSON with comments or TOML; a place if `by_hand`."""
    source: str
    """URL of the page that documents the file and the shape of an entry."""
    other_files: tuple[str, ...] = ()
    """Names that the client also reads; one that exists is changed if `file` does not exist."""
    by_hand: bool = False
    """The user pastes the entry: there is no file, or none that can be changed safely."""
    key: str = "mcpServers"
    """The key of the object that holds all servers."""
    shape: EntryFormat = STANDARD
    root: str = ""
    """Argument that names the folder, where the server is not started in it: {root} is ours."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """What an entry needs besides the command."""
    command: tuple[str, ...] = ()
    """Program and arguments before `serve`; empty for the Python that runs `init`.

    Set for a client that starts the server on another machine."""
    traces: tuple[str, ...] = ()
    """Files and folders that show that it is used here."""
    programs: tuple[str, ...] = ()
    guide: str = "AGENTS.md"
    """The document that it gives its agent to read; empty for none."""
    hooks: tuple[ClientHook, ...] = ()
    hook_file: str = ""
    local_hook_file: str = ""
    """Where hooks go that are not for everybody who works on the repository."""
    subagent: str = ""
    note: str = ""
    """What its user should know after the setup."""

    def is_here(self, site: SetupContext) -> bool:
        """Tell whether it has left a trace or is on the PATH."""
        found = any(os.path.exists(site.path(trace)) for trace in self.traces)  # noqa: PTH110 (pathlib's raises where one may not look)
        return found or any(shutil.which(program) for program in self.programs)

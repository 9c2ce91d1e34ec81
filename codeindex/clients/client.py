"""Describe a client (an editor or agent), and the machine and repository to set it up for."""

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

_RELOCATABLE = {
    "~/.codex": "CODEX_HOME",
    "~/.copilot": "COPILOT_HOME",
    "~/.config": "XDG_CONFIG_HOME",
    "~/AppData/Roaming": "APPDATA",
}
"""Folders that an environment variable can move."""
_OWN_VARIABLES = ("CODEINDEX_HOME", "CODEINDEX_CONFIG")
"""Variables that entries set, since many clients do not pass on those of the user's shell."""


class FileEdit(Protocol):
    """An edit of a text file that can be undone.

    It adds an entry for our server, hooks or a marked block of lines, or it writes the whole text.
    """

    @property
    def file(self) -> Path: ...
    def is_in(self, text: str) -> bool:
        """Tell whether the text contains this edit."""

    def add(self, text: str) -> str:
        """Return the text with this edit; raise ConfigError if the text cannot be edited."""

    def remove(self, text: str) -> str:
        """Return the text without this edit."""


@dataclass(frozen=True, slots=True)
class SetupContext:
    """What a setup starts from: the repository, the user's home folder and the environment.

    `python` is the path of the Python that clients start.
    """

    root: Path
    home: Path
    python: str
    variables: Mapping[str, str]

    @classmethod
    def current(cls, root: Path) -> Self:
        return cls(root, Path.home(), sys.executable, environment())

    def resolve(self, text: str) -> Path:
        """Return the absolute path of a client's file.

        A `text` that begins with `~/` is in the home folder; other paths are relative to the
        repository. Variables such as CODEX_HOME can name another place for a folder of the home.
        """
        for folder, variable in _RELOCATABLE.items():
            if text.startswith(f"{folder}/") and self.variables.get(variable):
                return Path(self.variables[variable]) / text.removeprefix(f"{folder}/")
        return self.home / text[2:] if text.startswith("~/") else self.root / text

    def display_path(self, file: Path) -> str:
        """Return a path for messages: relative to the repository, else `~/…`, else absolute."""
        if file.is_relative_to(self.root):
            return file.relative_to(self.root).as_posix()
        if file.is_relative_to(self.home):
            return f"~/{file.relative_to(self.home).as_posix()}"
        return file.as_posix()

    def own_variables(self) -> dict[str, str]:
        """Return those environment variables of the user that set our data and settings folders.

        Server entries pass them on; they contain no secrets.
        """
        return {name: self.variables[name] for name in _OWN_VARIABLES if self.variables.get(name)}


@dataclass(frozen=True, slots=True)
class Client:
    """An editor or agent that can start our server, and the files where it is set up.

    `SetupContext.resolve` makes the paths absolute.
    """

    name: str
    title: str
    file: str
    """The settings file with the servers (JSONC or TOML); if `by_hand`, where users paste."""
    source: str
    """URL of the documentation of the file and its entries."""
    other_files: tuple[str, ...] = ()
    """Other files that the client reads; an existing one is edited if `file` does not exist."""
    by_hand: bool = False
    """True if the user pastes the entry: there is no file, or it cannot be edited safely."""
    key: str = "mcpServers"
    """The key of the object with all servers."""
    entry_format: EntryFormat = STANDARD
    root: str = ""
    """Argument that names the folder to serve; empty if the client starts the server in it.
    {root} is replaced by the root."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Keys of the entry besides those of `entry_format`."""
    command: tuple[str, ...] = ()
    """Program and arguments before `serve`; by default the Python that runs `init`.

    Set for a client that starts the server on another machine."""
    traces: tuple[str, ...] = ()
    """Files and folders whose existence shows that the client is used."""
    programs: tuple[str, ...] = ()
    """Programs whose presence on the PATH shows that the client is used."""
    guide: str = "AGENTS.md"
    """The document that the client gives its agent to read; empty if there is none."""
    hooks: tuple[ClientHook, ...] = ()
    hook_file: str = ""
    local_hook_file: str = ""
    """The settings file for hooks of this user alone."""
    subagent: str = ""
    note: str = ""
    """A hint for the user after the setup."""

    def is_used(self, context: SetupContext) -> bool:
        """Return whether the client is used on this machine.

        It is if one of the paths in `traces` exists, or one of its programs is on the PATH.
        """
        has_trace = any(os.path.exists(context.resolve(trace)) for trace in self.traces)  # noqa: PTH110 (pathlib's raises without permission)
        return has_trace or any(shutil.which(program) for program in self.programs)

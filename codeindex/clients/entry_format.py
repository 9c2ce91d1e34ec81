"""Write and read the keys of a server entry, which differ between clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EntryFormat:
    """How a client's settings file names the parts of a server entry.

    These are the keys of the program, of its arguments, and of environment variables.
    """

    command: str = "command"
    args: str = "args"
    """Key of the arguments; empty if `command` is a list of the program and its arguments."""
    env: str = "env"

    def make_entry(self, line: Sequence[str], variables: Mapping[str, str]) -> dict[str, Any]:
        """Return the server entry for a command line and environment variables.

        Without variables, the entry has no key for them.
        """
        command: dict[str, Any] = (
            {self.command: line[0], self.args: list(line[1:])}
            if self.args
            else {self.command: list(line)}
        )
        return {**command, self.env: dict(variables)} if variables else command

    def command_line(self, entry: Mapping[str, Any]) -> list[str]:
        """Return the program and arguments in a server entry; skip values other than strings."""
        words = [entry.get(self.command)]
        for key in filter(None, (self.command, self.args)):
            value = entry.get(key)
            words += value if isinstance(value, list) else []
        return [word for word in words if isinstance(word, str)]


STANDARD = EntryFormat()
OPENCODE = EntryFormat(args="", env="environment")
GOOSE = EntryFormat(command="cmd", env="envs")

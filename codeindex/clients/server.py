"""The entry that tells a client how to start our server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from codeindex.clients import jsonc, toml
from codeindex.errors import ConfigError

NAME = "codeindex"
START = ("-P", "-m", "codeindex")
"""Arguments of Python; -P keeps it from importing what lies in the current folder."""
_SERVE = "serve"


class _Format(Protocol):
    """What both kinds of files can do."""

    def value_at(self, text: str, path: Sequence[str | int], *, name: str) -> Any: ...
    def put(self, text: str, path: Sequence[str | int], value: object, *, name: str) -> str: ...
    def take(self, text: str, path: Sequence[str | int], *, name: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Server:
    """An entry below `key`; of a client that knows no folders, it names the roots to serve.

    Such an entry is shared: other repositories have their roots in it. Options and settings that
    somebody added to it stay.
    """

    file: Path
    key: str
    command: str
    roots: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    """What the client wants of an entry besides."""
    variables: Mapping[str, str] = field(default_factory=dict)

    def is_in(self, text: str) -> bool:
        return self._known(text, refuse=False) is not None

    def add(self, text: str) -> str:
        known = self._known(text)
        said = _after_serve(known or {})
        roots = [root for root in self.roots if root not in said]
        args = [*START, _SERVE, *said, *roots]
        entry = {**self.settings, "command": self.command, "args": args}
        if self.variables:
            entry["env"] = dict(self.variables)
        if known is None:
            return self._format.put(text, self._path, entry, name=str(self.file))
        for path, value in _leaves(entry):
            text = self._format.put(text, (*self._path, *path), value, name=str(self.file))
        return text

    def take(self, text: str) -> str:
        known = self._known(text, refuse=False)
        if known is None:
            return text
        left = [word for word in _after_serve(known) if word not in self.roots]
        if self.roots and any(Path(word).is_absolute() for word in left):
            args = [*START, _SERVE, *left]
            return self._format.put(text, (*self._path, "args"), args, name=str(self.file))
        return self._format.take(text, self._path, name=str(self.file))

    @property
    def _path(self) -> tuple[str, str]:
        return self.key, NAME

    @property
    def _format(self) -> _Format:
        return toml if self.file.suffix == ".toml" else jsonc

    def _known(self, text: str, *, refuse: bool = True) -> dict[str, Any] | None:
        """Return our entry; somebody else's of this name is an error, or none of our business."""
        known = self._format.value_at(text, self._path, name=str(self.file))
        if known is None or (isinstance(known, dict) and _is_ours(known)):
            return known
        if refuse:
            raise ConfigError(
                f"'{self.file}' has another server called `{NAME}`; rename it, or take it out."
            )
        return None


def is_module_call(args: object) -> bool:
    """Tell whether arguments of Python run this package."""
    words = args if isinstance(args, list) else []
    return ("-m", NAME) in itertools.pairwise(words)


def _is_ours(entry: Mapping[str, Any]) -> bool:
    command = entry.get("command")
    program = Path(command).stem if isinstance(command, str) else ""
    return program == NAME or is_module_call(entry.get("args"))


def _after_serve(entry: Mapping[str, Any]) -> list[str]:
    args = entry.get("args")
    words = [word for word in args if isinstance(word, str)] if isinstance(args, list) else []
    return words[words.index(_SERVE) + 1 :] if _SERVE in words else []


def _leaves(entry: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from (((key, *path), leaf) for path, leaf in _leaves(value))
        else:
            yield (key,), value

"""The entry that tells a client how to start our server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from codeindex.clients import jsonc, toml
from codeindex.clients.entry_format import STANDARD, EntryFormat
from codeindex.errors import ConfigError

NAME = "codeindex"
START = ("-P", "-m", "codeindex")
"""Arguments of Python; -P keeps it from importing what lies in the current folder."""
PUBLISHED = ("uvx", "codeindex-local")
"""The command line where the package is not installed: `uvx` gets it from the package index."""
_SERVE = "serve"
_YAML = {".yaml", ".yml"}


class _Format(Protocol):
    """What both kinds of files can do."""

    def value_at(self, text: str, path: Sequence[str | int], *, name: str) -> Any: ...
    def put(self, text: str, path: Sequence[str | int], value: object, *, name: str) -> str: ...
    def take(self, text: str, path: Sequence[str | int], *, name: str) -> str: ...


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """An entry below `key`; of a client that knows no folders, it names the roots to serve.

    Such an entry in the home folder is shared: other repositories have their roots in it. Options
    and settings that somebody added to it stay.
    """

    file: Path
    key: str
    command: tuple[str, ...]
    """Program and arguments before `serve`."""
    roots: tuple[str, ...] = ()
    shape: EntryFormat = STANDARD
    settings: Mapping[str, object] = field(default_factory=dict)
    """What the client wants of an entry besides."""
    variables: Mapping[str, str] = field(default_factory=dict)
    is_shared: bool = True
    """Other repositories may have roots in the file; else a root that is gone is left out."""

    def is_in(self, text: str) -> bool:
        return self._known(text, refuse=False) is not None

    def add(self, text: str) -> str:
        known = self._known(text)
        said = [word for word in self._after_serve(known or {}) if not self._is_gone(word)]
        roots = [root for root in self.roots if root not in said]
        entry = self._entry([*said, *roots])
        if known is None:
            return self._format.put(text, self._path, entry, name=str(self.file))
        for path, value in _leaves(entry):
            text = self._format.put(text, (*self._path, *path), value, name=str(self.file))
        return text

    def take(self, text: str) -> str:
        known = self._known(text, refuse=False)
        if known is None:
            return text
        left = [word for word in self._after_serve(known) if word not in self.roots]
        if self.roots and self.is_shared and any(Path(word).is_absolute() for word in left):
            key = self.shape.args or self.shape.command
            args = self._entry(left)[key]
            return self._format.put(text, (*self._path, key), args, name=str(self.file))
        return self._format.take(text, self._path, name=str(self.file))

    def as_yaml(self) -> str:
        """Return the entry as YAML, to be pasted: such a file is not changed by us."""
        import yaml

        entry = {self.key: {NAME: self._entry(self.roots)}}
        return str(yaml.safe_dump(entry, sort_keys=False, allow_unicode=True))

    @property
    def is_yaml(self) -> bool:
        return self.file.suffix in _YAML

    @property
    def _path(self) -> tuple[str, str]:
        return self.key, NAME

    @property
    def _format(self) -> _Format:
        return toml if self.file.suffix == ".toml" else jsonc

    def _entry(self, words: Sequence[str]) -> dict[str, Any]:
        line = (*self.command, _SERVE, *words)
        return {**self.settings, **self.shape.entry(line, self.variables)}

    def _known(self, text: str, *, refuse: bool = True) -> dict[str, Any] | None:
        """Return our entry; somebody else's of this name is an error, or none of our business."""
        known = self._format.value_at(text, self._path, name=str(self.file))
        if known is None or (isinstance(known, dict) and _is_ours(self.shape.line(known))):
            return known
        if refuse:
            raise ConfigError(
                f"'{self.file}' has another server called `{NAME}`; rename it, or take it out."
            )
        return None

    def _after_serve(self, entry: Mapping[str, Any]) -> list[str]:
        words = self.shape.line(entry)
        return words[words.index(_SERVE) + 1 :] if _SERVE in words else []

    def _is_gone(self, word: str) -> bool:
        """Tell whether a word is the root of a repository that was moved with its settings."""
        path = Path(word)
        return not self.is_shared and path.is_absolute() and not path.exists()


def is_module_call(args: object) -> bool:
    """Tell whether arguments of Python run this package."""
    words = args if isinstance(args, list) else []
    return ("-m", NAME) in itertools.pairwise(words)


def _is_ours(line: Sequence[str]) -> bool:
    return bool(line) and (Path(line[0]).stem == NAME or is_module_call(list(line)))


def _leaves(entry: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from (((key, *path), leaf) for path, leaf in _leaves(value))
        else:
            yield (key,), value

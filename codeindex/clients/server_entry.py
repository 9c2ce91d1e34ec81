"""Add the entry that starts our server to a client's settings, and remove it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from codeindex.clients.entry_format import STANDARD, EntryFormat
from codeindex.clients.jsonc import prune_json_entry, read_json_value, set_json_value
from codeindex.clients.toml import prune_toml_entry, read_toml_value, set_toml_value
from codeindex.errors import ConfigError

SERVER_NAME = "codeindex"
PYTHON_ARGUMENTS = ("-P", "-m", "codeindex")
"""Arguments of Python; -P prevents imports from the current folder."""
UVX_COMMAND = ("uvx", "codeindex-local")
"""The command for machines without the package: `uvx` gets it from the package index."""
_SERVE = "serve"
_YAML = {".yaml", ".yml"}


class _Editor(NamedTuple):
    """The functions that read, set and remove a value in a settings file of one format.

    They take the text, the path of the value, for `set` the value, and the file's `name`.
    """

    read: Callable[..., Any]
    set: Callable[..., str]
    prune: Callable[..., str]


_JSON = _Editor(read_json_value, set_json_value, prune_json_entry)
_TOML = _Editor(read_toml_value, set_toml_value, prune_toml_entry)


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """An edit that adds our server under `key` of a client's settings file.

    If the client does not pass a folder, the entry lists `roots`, the repositories to serve.
    Options and settings that the user added to the entry are kept.
    """

    file: Path
    key: str
    command: tuple[str, ...]
    """Program and arguments before `serve`."""
    roots: tuple[str, ...] = ()
    entry_format: EntryFormat = STANDARD
    settings: Mapping[str, object] = field(default_factory=dict)
    """Further keys of the entry that the client needs."""
    variables: Mapping[str, str] = field(default_factory=dict)
    is_shared: bool = True
    """True if other repositories may be listed too; if not, roots that do not exist are removed."""

    def is_in(self, text: str) -> bool:
        return self._existing(text, refuse=False) is not None

    def add(self, text: str) -> str:
        existing = self._existing(text)
        words = [word for word in self._serve_words(existing or {}) if not self._is_gone(word)]
        roots = [root for root in self.roots if root not in words]
        entry = self._entry([*words, *roots])
        if existing is None:
            return self._editor.set(text, self._path, entry, name=str(self.file))
        for path, value in _leaves(entry):
            text = self._editor.set(text, (*self._path, *path), value, name=str(self.file))
        return text

    def remove(self, text: str) -> str:
        existing = self._existing(text, refuse=False)
        if existing is None:
            return text
        words = [word for word in self._serve_words(existing) if word not in self.roots]
        if self.roots and self.is_shared and any(Path(word).is_absolute() for word in words):
            key = self.entry_format.args or self.entry_format.command
            args = self._entry(words)[key]
            return self._editor.set(text, (*self._path, key), args, name=str(self.file))
        return self._editor.prune(text, self._path, name=str(self.file))

    def as_yaml(self) -> str:
        """Return the entry as YAML for the user to paste; YAML files are not edited."""
        import yaml

        entry = {self.key: {SERVER_NAME: self._entry(self.roots)}}
        return str(yaml.safe_dump(entry, sort_keys=False, allow_unicode=True))

    @property
    def is_yaml(self) -> bool:
        return self.file.suffix in _YAML

    @property
    def _path(self) -> tuple[str, str]:
        return self.key, SERVER_NAME

    @property
    def _editor(self) -> _Editor:
        return _TOML if self.file.suffix == ".toml" else _JSON

    def _entry(self, words: Sequence[str]) -> dict[str, Any]:
        line = (*self.command, _SERVE, *words)
        return {**self.settings, **self.entry_format.make_entry(line, self.variables)}

    def _existing(self, text: str, *, refuse: bool = True) -> dict[str, Any] | None:
        """Return our server entry in the text of a settings file; None if it has none.

        If another server has our name, raise ConfigError if `refuse` is true, else return None.
        """
        entry = self._editor.read(text, self._path, name=str(self.file))
        if entry is None or (
            isinstance(entry, dict) and _is_own(self.entry_format.command_line(entry))
        ):
            return entry
        if refuse:
            raise ConfigError(
                f"'{self.file}' has another server called `{SERVER_NAME}`; rename it, or remove it."
            )
        return None

    def _serve_words(self, entry: Mapping[str, Any]) -> list[str]:
        """Return the words after `serve` in the command line of an entry: options and roots."""
        words = self.entry_format.command_line(entry)
        return words[words.index(_SERVE) + 1 :] if _SERVE in words else []

    def _is_gone(self, word: str) -> bool:
        """Return whether a word is the path of a root that no longer exists, as after a move."""
        path = Path(word)
        return not self.is_shared and path.is_absolute() and not path.exists()


def is_module_call(args: object) -> bool:
    """Return whether `args`, the arguments of Python, contain `-m codeindex`."""
    words = args if isinstance(args, list) else []
    return ("-m", SERVER_NAME) in itertools.pairwise(words)


def _is_own(line: Sequence[str]) -> bool:
    return bool(line) and (Path(line[0]).stem == SERVER_NAME or is_module_call(list(line)))


def _leaves(entry: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield (path of keys, value) for each value in a server entry.

    Objects are not yielded, but the values in them are.
    """
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from (((key, *path), leaf) for path, leaf in _leaves(value))
        else:
            yield (key,), value

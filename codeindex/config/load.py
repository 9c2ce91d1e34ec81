"""Merge the sources of settings: user, repository, environment, flags."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_origin

from codeindex.config.environment import (
    NON_SETTING_VARIABLES,
    config_folder,
    environment_settings,
    environment_variable,
)
from codeindex.config.schema import (
    Config,
    RepositoryPermission,
    SettingEntry,
    setting_entries,
    setting_sections,
)
from codeindex.config.validate import unknown_setting, validate_settings
from codeindex.config.yaml_document import KeyPath, YamlDocument, read_yaml
from codeindex.errors import ConfigError
from codeindex.text.globs import split_globs

REPOSITORY_FILE = ".ai-devtools.yaml"
REPOSITORY_KEY = "code-index"
USER_FILE = "config.yaml"
DEFAULT = "default"
_WORDS = {"1": True, "on": True, "yes": True, "true": True} | dict.fromkeys(
    ("0", "off", "no", "false", ""), False
)
_SELECTING = (
    *("include", "exclude", "include_override", "gitignore", "limits.max_depth"),
    *("limits.max_file_kb", "limits.max_document_kb", "limits.max_files"),
)
"""Settings that only select files: each sync compares the selected files with the catalog."""
_NO_FLAGS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """The merged settings, the source of each value, and notes about ignored settings."""

    config: Config = field(default_factory=Config)
    origins: Mapping[str, str] = field(default_factory=dict)
    """Source of each value that is not a default, by dotted key: file and line, variable, or
    command line."""
    notes: tuple[str, ...] = ()
    """Sentences about settings that were ignored, which `codeindex status` shows."""


def load_settings(root: Path | None, *, flags: Mapping[str, object] = _NO_FLAGS) -> Settings:
    """Return the settings of the repository at `root`; those of the user alone if `root` is None.

    Sources: the user's file, the repository's file, the environment, `flags`; a later one overrides
    an earlier one, but a repository's file may only do what `RepositoryPermission` allows. Raise
    ConfigError for an invalid value or an unknown key.
    """
    values = {name: entry.default for name, entry in setting_entries().items()}
    origins: dict[str, str] = {}
    notes: list[str] = []
    for document, trusted in _sources(root, flags, notes):
        for entry, value, place in validate_settings(document):
            name = entry.name
            kept, note = (value, "") if trusted else _apply_permission(entry, value, values[name])
            if note:
                notes.append(f"{place}: {note}")
            else:
                values[name], origins[name] = kept, place
    return Settings(_config(values), origins, tuple(notes))


def settings_files(root: Path) -> tuple[Path, ...]:
    """Return the paths of the user's and the repository's settings file; they need not exist."""
    return config_folder() / USER_FILE, root / REPOSITORY_FILE


def setting_value(settings: Settings, key: str) -> tuple[object, str]:
    """Return (value, source) of a setting; raise ConfigError for an unknown key.

    `key` is dotted, like `watch.interval`; the source is `default`, a location or a variable.
    """
    if key not in setting_entries():
        raise ConfigError(unknown_setting(key))
    value: Any = settings.config
    for part in key.split("."):
        value = getattr(value, part)
    return value, settings.origins.get(key, DEFAULT)


def ingest_digest(config: Config) -> str:
    """Return the digests of the settings that affect indexing, joined by a dot.

    These are the settings whose `SettingKey.indexed` is true: first those that decide what is
    stored for a file, then those that only select files.
    """
    settings = Settings(config)
    values = {
        name: setting_value(settings, name)[0]
        for name, entry in setting_entries().items()
        if entry.key.indexed
    }
    selecting = {name: values.pop(name) for name in _SELECTING}
    return f"{_digest(values)[:32]}.{_digest(selecting)[:16]}"


def _digest(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> object:
    return {name: getattr(value, name) for name in value.__slots__}


def load_synonyms() -> Mapping[str, tuple[str, ...]]:
    """Return the user's synonyms from `synonyms.yaml`: {word: other words that a search may try}.

    Raise ConfigError if the file is not a mapping of words to lists of words.
    """
    document = read_yaml(config_folder() / "synonyms.yaml")
    table = document.values.get("synonyms", document.values)
    if not isinstance(table, Mapping):
        raise ConfigError(f"{document.name}: `synonyms` must have words below it.")
    for word, others in table.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            path: KeyPath = (word,) if table is document.values else ("synonyms", word)
            raise ConfigError(f"{document.place(path)}: `{word}` must have a list of words.")
    return {word.lower(): tuple(others) for word, others in table.items()}


def _sources(
    root: Path | None, flags: Mapping[str, object], notes: list[str]
) -> Iterable[tuple[YamlDocument, bool]]:
    """Yield (settings of one source, whether the user controls the source).

    A later source overrides earlier ones. Remarks for the user are added to `notes`.
    """
    yield read_yaml(config_folder() / USER_FILE), True
    if root is not None:
        file = root / REPOSITORY_FILE
        if file.resolve().is_relative_to(root.resolve()):
            document = read_yaml(file, key=REPOSITORY_KEY)
            if not document.values and (misplaced := _settings_at_top(file)):
                names = ", ".join(misplaced)
                notes.append(
                    f"'{file.as_posix()}' has {names}, without effect: settings of a repository are"
                    f" below the key `{REPOSITORY_KEY}`."
                )
            yield document, False
        else:
            notes.append(f"'{file.as_posix()}' is a link out of the repository; it was not read.")
    yield _from_environment(notes), True
    yield _from_flags(flags), True


def _settings_at_top(file: Path) -> list[str]:
    """Return the keys at the top of a repository's file that are settings; [] if it is right."""
    keys = read_yaml(file).values
    known = {name.partition(".")[0] for name in setting_entries()}
    return [] if REPOSITORY_KEY in keys else sorted(known.intersection(keys))


def _from_environment(notes: list[str]) -> YamlDocument:
    keys = {environment_variable(name): entry for name, entry in setting_entries().items()}
    values: dict[str, object] = {}
    places: dict[KeyPath, str] = {}
    for variable, text in environment_settings().items():
        place = f"environment variable {variable}"
        if variable not in keys:
            from difflib import get_close_matches

            near = get_close_matches(variable, [*NON_SETTING_VARIABLES, *keys], n=1, cutoff=0)[0]
            notes.append(f"{place} is not a setting and has no effect; the nearest is {near}.")
            continue
        entry = keys[variable]
        _put(values, entry.name, _convert_text(text, entry))
        places[tuple(entry.name.split("."))] = place
    return YamlDocument(values, places, "environment")


def _convert_text(text: str, entry: SettingEntry) -> object:
    """Convert an environment variable's text to the type of its setting.

    A text that cannot be converted is returned unchanged.
    """
    if entry.hint is bool:
        return _WORDS.get(text.strip().lower(), text)
    if get_origin(entry.hint) is tuple:
        return split_globs(text)
    if entry.hint in {int, float}:
        try:
            return entry.hint(text)
        except ValueError:
            return text
    return text


def _from_flags(flags: Mapping[str, object]) -> YamlDocument:
    values: dict[str, object] = {}
    for name, value in flags.items():
        if name not in setting_entries():
            raise ConfigError(unknown_setting(name))
        if value is not None:  # a flag that was not given
            _put(values, name, value)
    return YamlDocument(values, {}, "command line")


def _put(values: dict[str, object], name: str, value: object) -> None:
    section, _, last = name.rpartition(".")
    inner: Any = values.setdefault(section, {}) if section else values
    inner[last] = value


def _apply_permission(entry: SettingEntry, value: object, current: Any) -> tuple[object, str]:
    """Return (value, note): the value that a setting gets from a repository's settings file.

    `current` is the value from earlier sources, which stays if the file may not change it. `note`
    says why the file's value was ignored; it is '' if the value is allowed.
    """
    match entry.key.reach:
        case RepositoryPermission.SETS:
            return value, ""
        case RepositoryPermission.ADDS:
            return (*current, *(item for item in _items(value) if item not in current)), ""
        case RepositoryPermission.LOWERS if _size(value) <= _size(current):
            return value, ""
        case RepositoryPermission.LOWERS:
            return current, f"a repository may only lower {entry.name}; ignored."
        case _:
            return current, f"{entry.name} can only be set by the user; ignored."


def _items(value: Any) -> tuple[object, ...]:
    return tuple(value)


def _size(value: Any) -> float:
    return float(value) or float("inf")  # zero means no limit


def _config(values: Mapping[str, object]) -> Config:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        _put(nested, name, value)
    changes: dict[str, Any] = {
        name: replace(getattr(Config(), name), **value) if name in setting_sections() else value
        for name, value in nested.items()
    }
    return Config(**changes)

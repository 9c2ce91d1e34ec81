"""Validate the raw values of settings against the schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from codeindex.config.schema import (
    REMOVED_SETTINGS,
    SecretPattern,
    SettingEntry,
    SettingKey,
    setting_entries,
    setting_sections,
)
from codeindex.config.yaml_document import KeyPath, YamlDocument
from codeindex.errors import ConfigError
from codeindex.text.globs import expand_braces
from codeindex.text.truncate import truncate

_MAX_PATTERN = 1000  # characters of a user's regular expression
_MAX_QUOTED = 60  # characters of a wrong value that an error quotes


def validate_settings(document: YamlDocument) -> Iterable[tuple[SettingEntry, object, str]]:
    """Yield (setting, validated value, location) for each setting in `document`.

    Raise ConfigError at the first unknown key or invalid value.
    """
    for path, raw in _flat(document):
        entry = setting_entries()[".".join(path)]
        yield entry, convert_value(raw, entry, path=path, document=document), document.place(path)


def _flat(document: YamlDocument) -> Iterable[tuple[tuple[str, ...], object]]:
    for name, raw in document.values.items():
        if name not in setting_sections():
            yield _require_known((name,), document), raw
            continue
        if raw is None:  # `embedding:` with everything below it commented out
            continue
        if not isinstance(raw, Mapping):
            raise ConfigError(f"{document.place((name,))}: {name} must have keys below it.")
        for inner, value in raw.items():
            yield _require_known((name, inner), document), value


def _require_known(path: tuple[str, ...], document: YamlDocument) -> tuple[str, ...]:
    key = ".".join(path)
    for old in (path[0], key):
        if old in REMOVED_SETTINGS:
            raise ConfigError(f"{document.place(path)}: remove {old}: {REMOVED_SETTINGS[old]}.")
    if key not in setting_entries():
        raise ConfigError(f"{document.place(path)}: {unknown_setting(key)}")
    return path


def unknown_setting(key: str) -> str:
    """Return the error message for an unknown key, which suggests the most similar setting."""
    import difflib

    near = difflib.get_close_matches(
        key, [*sorted(setting_sections()), *setting_entries()], n=1, cutoff=0
    )[0]
    return f"unknown setting `{key}`; the nearest is `{near}`."


def convert_value(
    raw: object, entry: SettingEntry, *, path: KeyPath, document: YamlDocument
) -> object:
    """Convert `raw`, the value at `path`, to the type of the setting `entry`.

    Raise ConfigError, which names the error and its location, if the value is invalid.
    """
    value = _Converter(document, ".".join(map(str, path)), entry.key).value(raw, entry.hint, path)
    if entry.hint == tuple[SecretPattern, ...]:
        _check_patterns(value, path, document)
    return value


def _check_patterns(patterns: Any, path: KeyPath, document: YamlDocument) -> None:
    if not patterns:
        return
    from codeindex.text.bounded_regex import is_valid_regex

    for at, detector in enumerate(patterns):
        if len(detector.pattern) > _MAX_PATTERN or not is_valid_regex(detector.pattern):
            place = document.place((*path, at))
            raise ConfigError(
                f"{place}: `{detector.name}` is not a regular expression; correct it."
            )


class _Converter:
    """Converts the value of one setting to its type; its error messages name the setting."""

    def __init__(self, document: YamlDocument, name: str, key: SettingKey) -> None:
        self._document, self._name, self._key = document, name, key

    def value(self, raw: object, hint: Any, path: KeyPath) -> object:
        origin = get_origin(hint)
        if origin is tuple:
            return self._list(raw, get_args(hint)[0], path)
        if origin is not None:
            return self._mapping(raw, get_args(hint)[1], path)
        if is_dataclass(hint):
            return self._record(raw, hint, path)
        return (
            self._number(raw, hint, path) if hint in {int, float} else self._plain(raw, hint, path)
        )

    def _list(self, raw: object, inner: Any, path: KeyPath) -> tuple[object, ...]:
        if raw is None:
            return ()
        if not isinstance(raw, list | tuple):
            raise self._misfit(raw, "a list", path)
        return tuple(self.value(item, inner, (*path, at)) for at, item in enumerate(raw))

    def _mapping(self, raw: object, inner: Any, path: KeyPath) -> dict[str, object]:
        if raw is None:
            return {}
        if not isinstance(raw, Mapping):
            raise self._misfit(raw, "names with values", path)
        return {str(key): self.value(item, inner, (*path, key)) for key, item in raw.items()}

    def _record(self, raw: object, kind: Any, path: KeyPath) -> object:
        values = raw or {}
        known = {entry.name: entry for entry in fields(kind)}
        if not isinstance(values, Mapping) or values.keys() - known:
            raise self._misfit(raw, f"a mapping with only {' and '.join(known)}", path)
        missing = [
            name for name, entry in known.items() if name not in values and _is_required(entry)
        ]
        if missing:
            raise self._misfit(raw, f"a mapping with {' and '.join(missing)}", path)
        hints = get_type_hints(kind)
        return kind(
            **{name: self.value(item, hints[name], (*path, name)) for name, item in values.items()}
        )

    def _number(self, raw: object, hint: Any, path: KeyPath) -> float:
        low, high = self._key.low, self._key.high
        wanted = f"a {'whole ' * (hint is int)}number from {low:g} to {high:,.10g}"
        if isinstance(raw, bool) or not isinstance(raw, int | hint):
            raise self._misfit(raw, wanted, path)
        if not low <= raw <= high:  # NaN fails too
            raise self._misfit(raw, wanted, path)
        number: float = hint(raw)
        return number

    def _plain(self, raw: object, hint: Any, path: KeyPath) -> object:
        if not isinstance(raw, hint):
            wanted = "text (put it in quotes)" if hint is str else "true or false"
            raise self._misfit(raw, wanted, path)
        if self._key.choices and raw not in self._key.choices:
            raise self._misfit(raw, f"one of {', '.join(self._key.choices)}", path)
        if self._key.globs and isinstance(raw, str) and not expand_braces(raw):
            place, text = self._document.place(path), truncate(repr(raw), _MAX_QUOTED)
            raise ConfigError(
                f"{place}: the glob {text} of {self._name} is invalid: a '{{' has no '}}', or it"
                " means too many."
            )
        return raw

    def _misfit(self, raw: object, wanted: str, path: KeyPath) -> ConfigError:
        place, text = self._document.place(path), truncate(repr(raw), _MAX_QUOTED)
        return ConfigError(f"{place}: {self._name} must be {wanted}, not {text}.")


def _is_required(entry: Any) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING

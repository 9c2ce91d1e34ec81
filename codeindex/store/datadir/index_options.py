"""Store the options of the last `codeindex index`, which automatic syncs use again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from codeindex.config import Settings, load_settings, setting_value
from codeindex.errors import StoreError
from codeindex.files.write import write_atomically
from codeindex.store.datadir.home import Repository

_NAME = "flags.json"


def options_file(repository: Repository) -> Path:
    return repository.folder / _NAME


def read_options(repository: Repository) -> Mapping[str, object]:
    """Return a repository's stored options as {dotted settings key: value}; {} without any."""
    try:
        flags: Any = json.loads(options_file(repository).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return flags if isinstance(flags, dict) else {}


def apply_options(settings: Settings, root: Path, flags: Mapping[str, object]) -> Settings:
    """Return the settings of `root`, changed by the options `flags` ({settings key: value}).

    An option replaces the value of its setting, but a list is appended to the list of the setting.
    """
    if not flags:
        return settings
    values = {}
    for key, value in flags.items():
        old = setting_value(settings, key)[0]
        values[key] = [*old, *value] if _is_list(old) and _is_list(value) else value
    return load_settings(root, flags=values)


def _is_list(value: object) -> TypeGuard[Iterable[object]]:
    return isinstance(value, (list, tuple))


def save_options(repository: Repository, flags: Mapping[str, object]) -> None:
    """Replace the stored options of a repository; an empty mapping deletes them."""
    path = options_file(repository)
    try:
        if flags:
            write_atomically(path, json.dumps(flags, sort_keys=True).encode())
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"The flags '{path}' cannot be written ({error.strerror}): see who owns the folder."
        ) from error

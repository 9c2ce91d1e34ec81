"""Settings that a person gave on the command line, kept for the syncs that follow by themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from codeindex.errors import StoreError
from codeindex.store.home import Repository, write_atomically

_NAME = "flags.json"


def recalled(repository: Repository) -> Mapping[str, object]:
    """Return the flags that were last given for this root, by dotted key."""
    try:
        flags: Any = json.loads((repository.folder / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return flags if isinstance(flags, dict) else {}


def remember(repository: Repository, flags: Mapping[str, object]) -> None:
    """Keep `flags` in place of those given before; none at all are forgotten."""
    path = repository.folder / _NAME
    try:
        if flags:
            write_atomically(path, json.dumps(flags, sort_keys=True).encode())
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}).") from error

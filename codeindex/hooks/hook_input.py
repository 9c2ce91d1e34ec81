"""Read the input of a hook: a file on the command line, or a JSON object on standard input."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MAX_BYTES = 1_000_000
"""Most bytes of standard input: a larger input, with the long output of a tool, is ignored."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """An event that a client sent to a hook.

    `folder` is the client's current folder, `file` the file that a tool reads or edits. `session`
    is the client's session id, and `source` the reason why a session starts, like `compact`.
    """

    folder: Path
    file: str = ""
    session: str = ""
    source: str = ""


def read_hook_input(words: Sequence[str]) -> HookInput | None:
    """Return the hook's input: the file in `words`, or else the JSON object on standard input.

    Options in `words` are ignored, so that an unknown option is no error. None if the JSON is
    invalid.
    """
    file = next((word for word in words if word and not word.startswith("-")), "")
    if file:
        return HookInput(Path.cwd(), file)
    return parse_hook_input(_read_stdin())


def parse_hook_input(data: bytes) -> HookInput | None:
    """Parse the JSON object of a client's hook; None if it is invalid or too large."""
    if len(data) > _MAX_BYTES:
        return None
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    tool_input = event.get("tool_input")
    arguments = tool_input if isinstance(tool_input, dict) else {}
    return HookInput(
        folder=Path(_text(event, "cwd") or Path.cwd()),
        file=_text(arguments, "file_path") or _text(arguments, "notebook_path"),
        session=_text(event, "session_id"),
        source=_text(event, "source"),
    )


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _read_stdin() -> bytes:
    """Return standard input, cut soon after `_MAX_BYTES`; b"" if it is a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    parts: list[bytes] = []
    while sum(map(len, parts)) <= _MAX_BYTES and (part := os.read(0, _MAX_BYTES + 1)):
        parts.append(part)
    return b"".join(parts)

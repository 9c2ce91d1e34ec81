"""What a client says when it calls a hook."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MOST_BYTES = 1_000_000
"""Of standard input; a tool's answer is in it, and may be any size."""


@dataclass(frozen=True, slots=True)
class Call:
    """One event of a client's session; `source` says why a session starts."""

    folder: Path
    file: str = ""
    session: str = ""
    source: str = ""


def call_of(words: Sequence[str]) -> Call | None:
    """Return what is asked: of a file that the command line names, else of standard input.

    Options are not known here and are passed over: a wrong one must not end in an error.
    """
    file = next((one for one in words if one and not one.startswith("-")), "")
    if file:
        return Call(Path.cwd(), file)
    return parsed(_standard_input())


def parsed(data: bytes) -> Call | None:
    """Read the JSON object that a client sends; None for anything else."""
    if len(data) > _MOST_BYTES:
        return None
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    given = said.get("tool_input")
    tool = given if isinstance(given, dict) else {}
    return Call(
        folder=Path(_text(said, "cwd") or Path.cwd()),
        file=_text(tool, "file_path") or _text(tool, "notebook_path"),
        session=_text(said, "session_id"),
        source=_text(said, "source"),
    )


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _standard_input() -> bytes:
    """Read what there is up to the limit and a byte; a terminal would wait for a person."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    parts: list[bytes] = []
    while sum(map(len, parts)) <= _MOST_BYTES and (part := os.read(0, _MOST_BYTES + 1)):
        parts.append(part)
    return b"".join(parts)

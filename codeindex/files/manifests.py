"""What the manifests of packages say; one that its own tool would refuse says nothing."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_NOISE = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_GO_MODULE = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)


def parse_json(text: str) -> Json:
    """Return JSON as people write it, with comments and last commas; None where it is broken."""
    plain = _NOISE.sub(lambda match: match[1] or " ", text.removeprefix("\ufeff"))
    try:
        content: Json = json.loads(_LAST_COMMA.sub(lambda match: match[1] or "", plain))
    except (ValueError, RecursionError):
        return None
    return content


def parse_toml(text: str) -> dict[str, Any]:
    """Return a table of TOML, an empty one where it is broken."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def go_module_path(text: str) -> str:
    """Return the path of the module that a `go.mod` is of."""
    found = _GO_MODULE.search(text)
    return found[1] if found else ""

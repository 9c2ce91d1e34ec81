"""Parse package manifests, such as `package.json` and `pyproject.toml`.

For a malformed manifest, the result is empty.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_GO_MODULE = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)


def parse_json(text: str) -> Json:
    """Parse JSON that may have comments and trailing commas; return None if it is malformed."""
    plain = _COMMENT.sub(lambda match: match[1] or " ", text.removeprefix("\ufeff"))
    try:
        content: Json = json.loads(_TRAILING_COMMA.sub(lambda match: match[1] or "", plain))
    except (ValueError, RecursionError):
        return None
    return content


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; return {} if it is malformed."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def go_module_path(text: str) -> str:
    """Return the module path that the text of a `go.mod` declares, "" if it declares none."""
    match = _GO_MODULE.search(text)
    return match[1] if match else ""

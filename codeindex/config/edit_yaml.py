"""Add an item to a list in a YAML file without changing any other byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.config.yaml_document import child_node
from codeindex.errors import ConfigError

if TYPE_CHECKING:
    from yaml import Node

_INDENT = 2


def add_list_item(text: str, keys: tuple[str, str], item: str, *, comment: str, name: str) -> str:
    """Return the YAML `text` with `item` added to the list at `keys`, unless the list has it.

    `comment` follows the item in its line; `name` is the file name for errors. Raise ConfigError if
    the text is invalid YAML, or if the list cannot be extended as text.
    """
    import json

    import yaml

    try:
        if item in _items(text, keys):
            return text
    except yaml.YAMLError as error:
        raise ConfigError(f"'{name}' is not valid YAML: correct it first.") from error
    note = f"  # {' '.join(comment.split())}" if comment.strip() else ""
    entry = f"- {json.dumps(item, ensure_ascii=False)}{note}\n"
    after = _append_entry(text if text.endswith("\n") or not text else f"{text}\n", keys, entry)
    try:
        done = item in _items(after, keys)
    except yaml.YAMLError:
        done = False
    if not done:
        raise ConfigError(
            f"'{name}' has `{'.'.join(keys)}` in a form that codeindex cannot extend: add"
            f" {entry.strip()} there."
        )
    return after


def _items(text: str, keys: tuple[str, str]) -> list[object]:
    """Return the items of the list at `keys`, [] without such a list.

    Raise YAMLError if the text is invalid.
    """
    import yaml

    value = yaml.safe_load(text)
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _append_entry(text: str, keys: tuple[str, str], entry: str) -> str:
    """Return the YAML text with the line `entry` added to the list at `keys`.

    The list and its section are created if they are missing.
    """
    section = child_node(_compose(text), keys[0])
    if section is None:
        return f"{text}{keys[0]}:\n{_INDENT * ' '}{keys[1]}:\n{2 * _INDENT * ' '}{entry}"
    lines = text.splitlines(keepends=True)
    items = child_node(section, keys[1])
    if items is None:
        at = section.start_mark
        lines.insert(at.line, f"{at.column * ' '}{keys[1]}:\n{(at.column + _INDENT) * ' '}{entry}")
    elif items.value:
        last = items.value[-1]
        lines.insert(last.end_mark.line + 1, f"{items.start_mark.column * ' '}{entry}")
    return "".join(lines)


def _compose(text: str) -> Node | None:
    import yaml

    return yaml.compose(text, Loader=yaml.SafeLoader) if text.strip() else None

"""Add an item to a list in a YAML file without changing any other byte."""

from __future__ import annotations

from pathlib import Path

from codeindex.config.yaml_document import child_node, compose_yaml, parse_yaml
from codeindex.errors import ConfigError

_INDENT = 2


def add_list_item(text: str, keys: tuple[str, str], item: str, *, comment: str, name: str) -> str:
    """Return the YAML `text` with `item` added to the list at `keys`, unless the list has it.

    `comment` follows the item in its line; `name` is the file name for errors. Raise ConfigError if
    the text is invalid YAML, or if the list cannot be extended as text.
    """
    import json

    file = Path(name)
    if item in _items(text, keys, file):
        return text
    note = f"  # {' '.join(comment.split())}" if comment.strip() else ""
    entry = f"- {json.dumps(item, ensure_ascii=False)}{note}\n"
    lines = text if text.endswith("\n") or not text else f"{text}\n"
    after = _append_entry(lines, keys, entry, file)
    try:
        done = item in _items(after, keys, file)
    except ConfigError:
        done = False
    if not done:
        raise ConfigError(
            f"'{name}' has `{'.'.join(keys)}` in a form that codeindex cannot extend: add"
            f" {entry.strip()} there."
        )
    return after


def _items(text: str, keys: tuple[str, str], file: Path) -> list[object]:
    """Return the items of the list at `keys`, [] without such a list."""
    value: object = parse_yaml(text, file).values
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _append_entry(text: str, keys: tuple[str, str], entry: str, file: Path) -> str:
    """Return the YAML text with the line `entry` added to the list at `keys`.

    The list and its section are created if they are missing.
    """
    section = child_node(compose_yaml(text, file), keys[0])
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

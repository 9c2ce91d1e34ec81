"""Show settings and their origins: `codeindex config`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note, print_rows
from codeindex.config import Settings, load_settings, setting_value, settings_files
from codeindex.config.schema import setting_entries
from codeindex.store.datadir.roots import locate_root


@click.group(cls=CommandGroup)
def config_group() -> None:
    """Show settings and where they come from."""


@config_group.command("get")
@click.argument("key")
@path_argument
@json_option
def config_get_command(key: str, path: str, *, as_json: bool) -> None:
    """Print the value of KEY for the repository of PATH, and its origin."""
    value, origin = setting_value(_load_settings_at(path), key)
    if as_json:
        print_json({"key": key, "value": _to_json_value(value), "origin": origin})
    else:
        print_line(f"{_format_value(value)}\t({origin})")


@config_group.command("list")
@path_argument
@json_option
def config_list_command(path: str, *, as_json: bool) -> None:
    """Print every setting for the repository of PATH, with its value and origin."""
    settings = _load_settings_at(path)
    values = {key: setting_value(settings, key) for key in setting_entries()}
    if as_json:
        print_json(
            {
                key: {"value": _to_json_value(value), "origin": origin}
                for key, (value, origin) in values.items()
            }
        )
        return
    print_rows(
        (key, _format_value(value), f"({origin})") for key, (value, origin) in values.items()
    )
    for file in settings_files(locate_root(path).root):
        print_note(f"settings file: {file}{'' if file.exists() else ' (there is none)'}")
    for note in settings.notes:
        print_note(f"note: {note}")


def _load_settings_at(path: str) -> Settings:
    return load_settings(locate_root(path).root)


def _format_value(value: object) -> str:
    """Return a text unchanged, and any other value as JSON, which YAML also accepts."""
    if isinstance(value, str):
        return value
    return json.dumps(_to_json_value(value), ensure_ascii=False)


def _to_json_value(value: Any) -> Any:
    """Return a value that JSON can express: dataclasses and mappings as dicts, tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {key: _to_json_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_json_value(item) for item in value]
    return value

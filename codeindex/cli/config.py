"""`codeindex config`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_json, print_line, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.config import Settings


@click.group()
def config() -> None:
    """Show settings and where they come from."""


@config.command()
@click.argument("key")
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def get(key: str, path: str, *, as_json: bool) -> None:
    """Print the value of KEY for the repository of PATH, and its origin."""
    from codeindex.config import setting_value as value_of

    value, origin = value_of(_settings(path), key)
    if as_json:
        print_json({"key": key, "value": _plain(value), "origin": origin})
    else:
        print_line(f"{_text(value)}\t({origin})")


@config.command("list")
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(path: str, *, as_json: bool) -> None:
    """Print every setting for the repository of PATH, with its value and origin."""
    from codeindex.config import setting_value as value_of
    from codeindex.config.schema import setting_entries

    settings = _settings(path)
    found = {key: value_of(settings, key) for key in setting_entries()}
    if as_json:
        print_json({key: {"value": _plain(v), "origin": at} for key, (v, at) in found.items()})
        return
    print_rows((key, _text(value), f"({origin})") for key, (value, origin) in found.items())
    for note in settings.notes:
        print_note(f"note: {note}")


def _settings(path: str) -> Settings:
    from codeindex.config import load_settings
    from codeindex.store.datadir.roots import locate_root

    return load_settings(locate_root(path).root)


def _text(value: object) -> str:
    """Texts as they are, the rest as JSON, which is YAML too."""
    return value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value

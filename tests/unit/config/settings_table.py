"""Generate the text of docs/settings.md from the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from codeindex.config.schema import SettingEntry, setting_entries

_HEAD = """\
# Settings

User settings are in `config.yaml` in the folder `codeindex` of the platform's configuration
folder (`~/.config/codeindex` on Linux; `CODEINDEX_CONFIG` sets another one). Repository settings
are in `.ai-devtools.yaml` under the key `code-index`. A variable `CODEINDEX_<SECTION>_<KEY>`
overrides both files, and a flag overrides everything. Separate list items in variables with
commas. Globs are those of `.gitignore`, and `*.{ts,tsx}` means both. `codeindex config get KEY`
prints a value and its source; `codeindex config list` prints all, and names the two files.

The authors of a repository are not its user. The last column says what a repository's file may do
to a setting; `codeindex status` reports settings that it may not change and that are ignored.

`CODEINDEX_HOME` sets the data folder. `ALLOW_GLOBAL_SCOPE` is another name of
`CODEINDEX_SEARCH_ALLOW_GLOBAL_SCOPE`. `HF_ENDPOINT` and `HF_HUB_OFFLINE` are respected.
`synonyms.yaml` beside `config.yaml` maps words to lists of words that a search may try instead.

| key | type | default | what it does | a repository |
|---|---|---|---|---|
"""


def settings_table() -> str:
    """Return the Markdown of docs/settings.md: a heading, and a row for each setting."""
    return _HEAD + "".join(map(_row, setting_entries().values()))


def _row(entry: SettingEntry) -> str:
    key = entry.key
    doc = f"{key.doc} ({', '.join(key.choices)})" if key.choices else key.doc
    cells = (f"`{entry.name}`", _type(entry.hint), _default(entry.default), doc, key.reach)
    return f"| {' | '.join(cells)} |\n"


def _type(hint: Any) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if get_origin(hint) is tuple:
        return "list" if get_args(hint)[0] is str else "list of mappings"
    return names.get(hint, "mapping")


def _default(value: object) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return " ".join(f"`{item}`" for item in value)
    return "" if value == "" or isinstance(value, Mapping) else f"`{value}`"

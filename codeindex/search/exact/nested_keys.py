"""Find the nested keys of YAML and JSON that code names with dots, such as `session.initialize`.

Code names settings and translated texts so. No line of the YAML or JSON file has the whole name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.text.control_lines import indent_width
from codeindex.types import Filters

_DOTTED = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+")
_LANGUAGES = ("yaml", "json")
_KEY = re.compile(r"""\s*(?P<items>(?:- )*)["']?(?P<key>[\w.-]+)["']?\s*(?::|=>)""")
FARTHEST = 400
"""Most lines above a key that are read for the keys that it is nested in."""
_MOST_LINES = 60
"""Most lines with the last key of a name that are checked."""


def find_nested_keys(
    name: str, filters: Filters, result: GrepResult, search: Callable[..., GrepResult]
) -> GrepResult:
    """Add to a result the lines where YAML and JSON have a name with dots as nested keys.

    `result` has the lines with the name as it is written: if YAML or JSON has one of these, it is
    returned unchanged. `search` returns the lines that match a regular expression, given fields of
    a `GrepRequest`.
    """
    languages = filters.languages or _LANGUAGES
    is_spelt = any(path.endswith((".yaml", ".yml", ".json")) for path in result.counts)
    if not _DOTTED.fullmatch(name) or is_spelt or not set(languages) <= set(_LANGUAGES):
        return result
    found = search(
        rf"""^\s*["']?{re.escape(name.rpartition(".")[2])}["']?\s*:""",
        filters=replace(filters, languages=languages),
        tests="include",
        before=FARTHEST,
        limit=_MOST_LINES,
    )
    is_cut = found.total_count > len(found.matches)
    return replace(result, nested=tuple(_nested(name, found)), nested_is_cut=is_cut)


def _nested(name: str, found: GrepResult) -> Sequence[GrepLine]:
    """Return the lines of `found` whose key, with those that it is nested in, ends with `name`."""
    texts = found.texts()
    return [line for line in found.matches if f".{key_path(line, texts)}".endswith(f".{name}")]


def key_path(line: GrepLine, texts: Mapping[tuple[str, int], str]) -> str:
    """Return the keys that a line is nested in and its own key, joined with dots.

    `texts` has the line and those above it by (path, number).
    """
    keys, indent = list[str](), indent_width(line.text) + 1
    for number in range(line.line, 0, -1):
        text = texts.get((line.path, number))
        if text is None or not indent:
            break
        key = _KEY.match(text)
        column = indent_width(text) + len(key["items"]) if key else indent
        if key and column < indent:
            keys.append(key["key"])
            indent = column
    return ".".join(reversed(keys))

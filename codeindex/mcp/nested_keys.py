"""Find the nested keys of YAML and JSON that code names with dots, such as `session.initialize`.

Code names settings and translated texts so. No line of the YAML or JSON file has the whole name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.text.control_lines import indent_width
from codeindex.types import Filters

_DOTTED = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+")
_LANGUAGES = ("yaml", "json")
_KEY = re.compile(r"""\s*(?P<items>(?:- )*)["']?(?P<key>[\w.-]+)["']?\s*:""")
_FARTHEST = 400
"""Most lines above a key that are read for the keys that it is nested in."""
_MOST_LINES, _SHOWN = 60, 3
"""Most lines with the last key of a name that are checked, and most places that are listed."""


def nested_keys(
    server: RepositoryServer, name: str, filters: Filters, result: GrepResult
) -> Iterator[str]:
    """Yield a line of text for each place where YAML and JSON have a name with dots as nested keys.

    At most three places are listed; a last line tells how many more there are. `result` has the
    lines with the name as it is written: if YAML or JSON has one of these, nothing is yielded.
    """
    languages = filters.languages or _LANGUAGES
    is_spelt = any(path.endswith((".yaml", ".yml", ".json")) for path in result.counts)
    if not _DOTTED.fullmatch(name) or is_spelt or not set(languages) <= set(_LANGUAGES):
        return
    found = server.grep(
        (rf"""^\s*["']?{re.escape(name.rpartition(".")[2])}["']?\s*:""",),
        mode="regex",
        filters=replace(filters, languages=languages),
        before=_FARTHEST,
        limit=_MOST_LINES,
        repo=result.repo,
    )[0]
    texts = {(line.path, line.line): line.text for line in found.lines}
    places = [line for line in found.matches if f".{_path_of(line, texts)}".endswith(f".{name}")]
    for line in places[:_SHOWN]:
        yield f"nested keys: {line.path}:{line.line}: {line.text.strip()}"
    if len(places) > _SHOWN:
        least = "at least " if sum(found.counts.values()) > len(found.matches) else ""
        yield f"… {least}{len(places) - _SHOWN} more places with these keys"


def _path_of(line: GrepLine, texts: Mapping[tuple[str, int], str]) -> str:
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

"""Find the nested keys of YAML and JSON that code names with dots, such as `session.initialize`.

Settings and texts of translations are named so; no line has such a name.
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
"""Most lines between a key and the one at the top that it is nested in."""
_MOST_LINES, _SHOWN = 60, 3
"""Most lines with the last key that are looked at; most places that are listed."""


def nested_keys(
    server: RepositoryServer, name: str, filters: Filters, result: GrepResult
) -> Iterator[str]:
    """Yield the places of a name with dots in YAML and JSON files, at most three.

    `result` has the lines with the name as it is; if those files have some, nothing is yielded.
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
    """Return the keys that a line is nested in, and its own, joined with dots.

    `texts` has the lines above by (path, number).
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

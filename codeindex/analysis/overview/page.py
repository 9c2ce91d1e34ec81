"""Render the repository report as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING, Any

from codeindex.text.sanitize import escape_data

if TYPE_CHECKING:
    from codeindex.analysis.overview.parts import IndexCoverage, OverviewParts

_ABSOLUTE = re.compile(
    r"(?<![\w.~/\\-])(?:/|[A-Za-z]:[/\\])[^\s'\",;:]*?(?P<name>[^\s'\",;:/\\]+)(?![^\s'\",;:])"
)
_MOST_MEMBERS = 50
"""Most files that are listed per pattern; the page draws no more."""


def render_html(overview: OverviewParts) -> str:
    """Return the report as an HTML page.

    Data are escaped, and a content security policy blocks all other scripts.
    """
    style, script = _part("page.css"), _part("page.js") + _part("map.js")
    page = _part("page.html").replace("@POLICY@", _policy(style, script))
    page = page.replace("@STYLE@", style).replace("@SCRIPT@", script)
    return page.replace("@DATA@", page_data(overview))


def _part(name: str) -> str:
    return resources.files("codeindex.analysis.overview").joinpath(name).read_text("utf-8")


def page_data(overview: OverviewParts) -> str:
    """Return the data of the page as ASCII JSON with HTML characters escaped."""
    text = json.dumps(escape_data(_data(overview)), separators=(",", ":"))
    for mark in "<>&\x7f":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows only this style and script, by digest."""
    return (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}';"
        f" script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _strip_absolute_paths(reason: str) -> str:
    """Replace absolute paths by their last part, so that the page can be shared."""
    return _ABSOLUTE.sub(lambda match: f"…/{match['name']}", reason)


def _data(overview: OverviewParts) -> dict[str, Any]:
    """Return the data that the page's script reads; long lists are rows instead of objects."""
    land = overview.landscape
    return {
        "state": asdict(overview.state),
        "files": [
            [file.path, file.language, file.lines, int(file.is_test), file.complexity, file.commits]
            for file in land.files
        ],
        "links": [n for link in land.links for n in (link.source, link.target, link.uses)],
        "rest": [[rest.folder, rest.files, rest.lines] for rest in land.rest],
        "hot": [asdict(hot) for hot in overview.hot_files],
        "functions": [asdict(spot) for spot in overview.hotspots.hotspots],
        "health": dict(overview.health.as_dict()),
        "spread": [list(step) for step in overview.spread],
        "clusters": [asdict(cluster) for cluster in overview.clusters],
        "patterns": [
            {
                "name": group.name,
                "place": group.place,
                "language": group.language,
                "canonical": group.canonical,
                "methods": group.methods,
                "bases": group.bases,
                "size": len(group.members),
                "members": [
                    [member.file, member.extra, member.missing]
                    for member in group.members[:_MOST_MEMBERS]
                ],
            }
            for group in overview.patterns.patterns
        ],
        "cover": _cover(overview.cover),
        "use": asdict(overview.use),
    }


def _cover(coverage: IndexCoverage) -> dict[str, Any]:
    return asdict(coverage) | {
        "reasons": [
            {
                "reason": _strip_absolute_paths(reason.reason),
                "files": reason.files,
                "paths": reason.paths,
            }
            for reason in coverage.reasons
        ],
        "unparsed": [[path, _strip_absolute_paths(reason)] for path, reason in coverage.unparsed],
    }

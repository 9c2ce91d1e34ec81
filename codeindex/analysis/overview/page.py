"""The report as one page: data as JSON in a template that loads nothing."""

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
    from codeindex.analysis.overview import RepositoryOverview
    from codeindex.analysis.overview.parts import IndexCoverage

_ABSOLUTE = re.compile(
    r"(?<![\w.~/\\-])(?:/|[A-Za-z]:[/\\])[^\s'\",;:]*?(?P<name>[^\s'\",;:/\\]+)(?![^\s'\",;:])"
)
_MOST_MEMBERS = 50
"""Files of a pattern that are named."""


def render_html(one: RepositoryOverview) -> str:
    """Return the page; no name of a file can end its data, and nothing but its own script runs."""
    style, script = _part("page.css"), _part("page.js") + _part("map.js")
    page = _part("page.html").replace("@POLICY@", _policy(style, script))
    page = page.replace("@STYLE@", style).replace("@SCRIPT@", script)
    return page.replace("@DATA@", page_data(one))


def _part(name: str) -> str:
    return resources.files("codeindex.analysis.overview").joinpath(name).read_text("utf-8")


def page_data(one: RepositoryOverview) -> str:
    """Return the data in ASCII, with nothing in it that means something to HTML."""
    text = json.dumps(escape_data(_data(one)), separators=(",", ":"))
    for mark in "<>&\x7f":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _policy(style: str, script: str) -> str:
    """Allow the page's own style and script, by their digests, and nothing else."""
    return (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}';"
        f" script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _told(reason: str) -> str:
    """Leave of a path outside of the repository, like that of a file of rules, its name alone."""
    return _ABSOLUTE.sub(lambda match: f"…/{match['name']}", reason)


def _data(one: RepositoryOverview) -> dict[str, Any]:
    """Return what the page's script reads: rows in place of objects where there are many."""
    land = one.landscape
    return {
        "state": asdict(one.state),
        "files": [
            [file.path, file.language, file.lines, int(file.is_test), file.complexity, file.commits]
            for file in land.files
        ],
        "links": [n for link in land.links for n in (link.source, link.target, link.uses)],
        "rest": [[rest.folder, rest.files, rest.lines] for rest in land.rest],
        "hot": [asdict(hot) for hot in one.hot_files],
        "functions": [asdict(spot) for spot in one.hotspots.hotspots],
        "health": dict(one.health.as_dict()),
        "spread": [list(step) for step in one.spread],
        "clusters": [asdict(cluster) for cluster in one.clusters],
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
            for group in one.patterns.patterns
        ],
        "cover": _cover(one.cover),
        "use": asdict(one.use),
    }


def _cover(found: IndexCoverage) -> dict[str, Any]:
    return asdict(found) | {
        "reasons": [
            {"reason": _told(one.reason), "files": one.files, "paths": one.paths}
            for one in found.reasons
        ],
        "unparsed": [[path, _told(reason)] for path, reason in found.unparsed],
    }

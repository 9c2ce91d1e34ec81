"""From the paths of a command line to an index and the parts of it that were named."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from codeindex.errors import QueryError
from codeindex.store.datadir.roots import RootScope, locate_root


def place_of_any(path: str) -> RootScope:
    """Resolve a folder, a file, or the name of a registered repository."""
    given = Path(path).expanduser()
    if not os.path.isfile(given):  # noqa: PTH113 (pathlib's raises for odd names)
        return locate_root(path)
    place = locate_root(given.parent)
    return replace(place, part=f"{place.part}/{given.name}".removeprefix("/"))


def scope_of(paths: Sequence[str]) -> tuple[Path, tuple[str, ...]]:
    """Return the one root that all paths lie in and the parts that they name; no parts mean all."""
    places = [place_of_any(path) for path in paths or (".",)]
    roots = sorted({place.root for place in places})
    if len(roots) > 1:
        raise QueryError(
            f"The paths lie in different repositories ('{roots[0]}', '{roots[1]}'):"
            " search one at once."
        )
    parts = [place.part for place in places]
    return roots[0], () if "" in parts else tuple(dict.fromkeys(parts))

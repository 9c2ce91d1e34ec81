"""Questions that public histories ask of a snapshot of their own tree (`snapshots.py`).

`yardsticks.tsv` lists the repositories and the newest commit of each to look at; none is of the
benchmark whose questions `devset.py` reads.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from mined import git
from snapshots import Question, from_commits, from_documentation, functions_of, snapshot_of

from codeindex import Index
from codeindex.evaluation.metrics import CodeSpan


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question of one repository, and the functions that answer it."""

    repo: str
    text: str
    kind: str
    functions: tuple[CodeSpan, ...]

    @property
    def files(self) -> frozenset[str]:
        return frozenset(path for path, _, _ in self.functions)


def listed() -> list[tuple[str, str]]:
    """Return owner/name and the newest commit of each repository."""
    rows = Path(__file__).with_name("yardsticks.tsv").read_text("utf-8").splitlines()
    return [(name, commit) for name, commit, *_ in (row.split("\t") for row in rows)]


def history(mirror: Path, tip: str, work: Path) -> tuple[Path, list[Labelled]]:
    """Return the tree of a snapshot, its documentation deleted, and what it is asked.

    `work` keeps both, as `trees/NAME` and `NAME.json`, so that they are made once.
    """
    name = mirror.parent.name
    tree, kept = work / "trees" / name, work / f"{name}.json"
    if not (kept.exists() and tree.is_dir()):
        shutil.rmtree(tree, ignore_errors=True)
        tree.parent.mkdir(parents=True, exist_ok=True)
        git(mirror, "clone", "--quiet", "--shared", "--no-checkout", str(mirror), str(tree))
        commit, later = snapshot_of(tree, tip)
        git(tree, "checkout", "--quiet", "--force", commit)
        kept.write_text(json.dumps(mined(tree, later)), "utf-8")
    rows = json.loads(kept.read_text("utf-8"))
    found = [Labelled(name, text, kind, tuple(map(tuple, lines))) for text, kind, lines in rows]
    return tree, [one for one in found if one.functions]


def mined(tree: Path, later: list[str]) -> list[tuple[str, str, list[CodeSpan]]]:
    """Delete documentation from a tree; return it and later commits' messages as questions."""
    with Index.open(tree, root=True) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            found = from_documentation(catalog.connection, tree)
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            known = functions_of(catalog.connection)
    found += from_commits(tree, later, frozenset(known))
    return [(one.text, one.kind, _lines(one, known)) for one in found]


def _lines(one: Question, known: dict[tuple[str, str], tuple[int, int]]) -> list[CodeSpan]:
    names = sorted(target for target in one.targets if target in known)
    return [(path, *known[path, name]) for path, name in names]

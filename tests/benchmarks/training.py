"""What the ranker sees of questions whose answers are known: rows of features, with labels.

An `Observation` has a row for each candidate file and for each place in the best of them, made with
all evidence that the index has; `reduced` takes columns away as if there were less.
"""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from mined import git
from snapshots import Question, from_commits, from_documentation, functions_of, snapshot_of

from codeindex import Index
from codeindex.search.answer import model_of
from codeindex.search.features import FEATURES
from codeindex.search.features.file_features import FILE_FEATURES, Files, file_matrix
from codeindex.search.features.place_features import PLACE_FEATURES, Places, place_matrix
from codeindex.search.filters import Filters, file_mask
from codeindex.search.rank import asked_of, candidates
from codeindex.search.reader import query_vectors
from codeindex.search.run import Request, scores_of
from codeindex.search.weights import Asked, Evidence, weights

Rows = npt.NDArray[np.float16]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

KEPT = 40
"""Candidate files of a question whose places are kept, beside the right ones."""
SMALL = 4_000
"""Chunks of an index that is embedded for the rows of the model's vectors."""
_TOKEN = {"token", "token_top", "place_token", "place_token_in_file"}
_DENSE = {"dense", "dense_top", "place_dense", "place_dense_in_file"}
Target = tuple[str, int, int]
"""A path, and the first and last line of the answer in it; 0 and 0 for the whole file."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One question: `owner` is the row of each place's file; `spans` the lines of each place.

    `wanted` counts the files and the places that answer, found or not.
    """

    repo: str
    text: str
    kind: str
    asked: Asked
    evidence: Evidence
    paths: tuple[str, ...]
    files: Rows
    right_files: Flags
    places: Rows
    owner: Ints
    spans: Ints
    right_places: Flags
    wanted: tuple[int, int]


def observed(
    index: Index, repo: str, asked: Iterable[tuple[str, str, Sequence[Target]]]
) -> Iterator[Observation]:
    """Ask (text, kind, targets) and yield what the ranker sees."""
    with index.reader().corpus() as (catalog, corpus):
        vectors = query_vectors(corpus, index.encoder_of(model_of(corpus)))
        allowed = file_mask(corpus, Filters()) & ~corpus.is_navigation
        has_model = corpus.dense.coverage > 0.5  # noqa: PLR2004
        for text, kind, targets in asked:
            question, scores = scores_of(catalog, corpus, Request(text, Filters(), vectors))
            files = candidates(corpus, scores, allowed)
            right = {target[0] for target in targets}
            wanted = [at for at, path in enumerate(corpus.paths) if path in right]
            files = np.union1d(files, np.array(wanted, dtype=np.int64))
            seen = Files(corpus, scores, question, files)
            rows = file_matrix(seen)
            row = weights("dense" if has_model else "token", asked_of(question)).files
            order = np.argsort(-(rows @ np.array(row)), kind="stable")
            right_files = np.array([path in right for path in seen.paths], dtype=bool)
            kept = np.union1d(order[:KEPT], np.flatnonzero(right_files))
            places = Places.of(corpus, scores, files[kept])
            lines = corpus.chunk_lines[places.chunks]
            paths = [seen.paths[kept[one]] for one in places.owner]
            yield Observation(
                repo=repo,
                text=text,
                kind=kind,
                asked=asked_of(question),
                evidence="dense" if has_model else "token",
                paths=tuple(seen.paths),
                files=rows.astype(np.float16),
                right_files=right_files,
                places=place_matrix(places).astype(np.float16),
                owner=kept[places.owner].astype(np.int32),
                spans=lines.astype(np.int32),
                right_places=_right(paths, lines, targets),
                wanted=(len(right), sum(bool(target[1]) for target in targets)),
            )


def _right(paths: Sequence[str], lines: npt.NDArray[np.int64], targets: Sequence[Target]) -> Flags:
    """Tell which places answer: inside the target for three quarters, or hardly longer than it."""
    right = np.zeros(len(paths), dtype=bool)
    first, last = lines.T
    for path, start, end in targets:
        mine = np.array([one == path for one in paths], dtype=bool)
        inside = np.minimum(last, end) - np.maximum(first, start) + 1
        size = last - first + 1
        holds = (first <= start) & (start <= last) & (size <= max(60, 3 * (end - start + 1)))
        right |= mine & bool(start) & ((inside >= 0.75 * size) | holds)
    return right


def reduced(one: Observation, evidence: Evidence) -> Observation:
    """Take columns away, as in an index with less evidence."""
    gone = {"dense": set[str](), "token": _DENSE, "words": _DENSE | _TOKEN}[evidence]
    files, places = one.files.copy(), one.places.copy()
    for columns, features in ((files, FILE_FEATURES), (places, PLACE_FEATURES)):
        columns[:, [at for at, it in enumerate(features) if it.name in gone]] = 0
    return replace(one, files=files, places=places, evidence=evidence)


def of_history(mirror: Path, tip: str, work: Path, *, model: bool) -> list[Observation]:
    """Return the observations of one repository's snapshot.

    `work` keeps the tree, what it is asked, and the observations: delete `*.pickle` when features
    change.
    """
    name = mirror.parent.name
    kept, tree, asked_file = work / f"{name}.pickle", work / "trees" / name, work / f"{name}.json"
    if kept.exists():
        with kept.open("rb") as file:
            found: list[Observation] = pickle.load(file)
            return found
    if not asked_file.exists():
        shutil.rmtree(tree, ignore_errors=True)
        tree.parent.mkdir(parents=True, exist_ok=True)
        git(mirror, "clone", "--quiet", "--shared", "--no-checkout", str(mirror), str(tree))
        commit, later = snapshot_of(tree, tip)
        git(tree, "checkout", "--quiet", "--force", commit)
        asked_file.write_text(json.dumps(_questions(tree, later)), "utf-8")
    asked = json.loads(asked_file.read_text("utf-8"))
    with Index.open(tree, root=True) as index:
        index.sync(structure_only=True)
        if model and index.status().chunks <= SMALL:
            index.sync()
        found = list(observed(index, name, asked))
    with kept.open("wb") as file:
        pickle.dump(found, file)
    return found


def _questions(tree: Path, later: list[str]) -> list[tuple[str, str, list[Target]]]:
    """Delete documentation from a tree, and return what it and later commits ask for."""
    with Index.open(tree, root=True) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            asked = from_documentation(catalog.connection, tree)
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            known = functions_of(catalog.connection)
    asked += from_commits(tree, later, frozenset(known))
    return [_with_lines(one, known) for one in asked]


def _with_lines(
    one: Question, known: dict[tuple[str, str], tuple[int, int]]
) -> tuple[str, str, list[Target]]:
    targets = [(path, *known[path, name]) for path, name in sorted(one.targets) if (path, name) in known]
    return one.text, one.kind, targets


def feature_names() -> tuple[str, ...]:
    return tuple(one.name for one in FEATURES)


def main() -> None:
    import sys

    model = "--model" in sys.argv
    mirrors, work, *names = (one for one in sys.argv[1:] if one != "--model")
    for name in names:
        mirror = Path(mirrors) / name.replace("/", "+") / "repo"
        try:
            tip = git(mirror, "rev-parse", "HEAD").strip()
            found = of_history(mirror, tip, Path(work), model=model)
        except (subprocess.CalledProcessError, OSError) as error:
            print(name, "FAILED", error, flush=True)
            continue
        kinds = {kind: sum(one.kind == kind for one in found) for kind in ("docstring", "commit", "issue")}
        print(name, kinds, found[0].evidence if found else "", flush=True)


if __name__ == "__main__":
    main()

"""What the ranker sees of questions whose answers are known: rows of features, with labels.

`training.py MIRRORS WORK OWNER/NAME... [--dev EVALS TREE...] [--written TREES]` writes a file of
them for each repository below WORK, where `fit.py` reads them. MIRRORS holds git directories,
`<owner>+<name>/repo`; TREE is a work tree of the benchmark; TREES holds those of `places.py`.

An `Observation` has a row for each candidate file and for each place in the best of them, made with
all evidence that the index has; `reduced` takes columns away as if there were less.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from devset import places_of, queries
from histories import history
from mined import delete_documentation, git
from places import PlaceQuestion, by_repo
from searched import shows_lines
from snapshots import functions_of

from codeindex import Index
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import PipelineRequest, classify_and_retrieve
from codeindex.search.rank.features.file_features import FILE_FEATURES, CandidateFiles, file_matrix
from codeindex.search.rank.features.place_features import (
    PLACE_FEATURES,
    CandidatePlaces,
    place_matrix,
)
from codeindex.search.rank.ranker import candidate_files, question_kind
from codeindex.search.rank.weights import ranker_weights
from codeindex.search.reader import query_vectorizer
from codeindex.search.weight_rows import EvidenceLevel, QuestionKind
from codeindex.types import Filters

Rows = npt.NDArray[np.float16]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

KEPT = 40
"""Candidate files of a question whose places are kept, beside the right ones."""
_TOKEN = {"token", "token_top", "place_token", "place_token_in_file"}
_DENSE = {"dense", "dense_top", "place_dense", "place_dense_in_file"}
Target = tuple[str, int, int]
"""A path, and the first and last line of the answer in it; 0 and 0 for the whole file."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One question: `owner` is the row of each place's file; `spans` the lines of each place.

    `target` is the number of the answer that each place is, -1 for none. `wanted` counts the files
    and the places that answer, found or not.
    """

    repo: str
    text: str
    kind: str
    asked: QuestionKind
    evidence: EvidenceLevel
    paths: tuple[str, ...]
    files: Rows
    right_files: Flags
    places: Rows
    owner: Ints
    spans: Ints
    target: Ints
    wanted: tuple[int, int]


def observed(
    index: Index, repo: str, asked: Iterable[tuple[str, str, Sequence[Target]]]
) -> Iterator[Observation]:
    """Ask (text, kind, targets) and yield what the ranker sees."""
    with index.reader().corpus() as (catalog, corpus):
        vectors = query_vectorizer(corpus, index.query_encoders(corpus.generation))
        allowed = file_mask(corpus, Filters()) & ~corpus.is_navigation
        has_model = corpus.dense.coverage > 0.5
        for text, kind, targets in asked:
            question, scores = classify_and_retrieve(
                catalog, corpus, PipelineRequest(text, Filters(), vectors)
            )
            files = candidate_files(corpus, scores, allowed)
            right = {target[0] for target in targets}
            wanted = [at for at, path in enumerate(corpus.paths) if path in right]
            files = np.union1d(files, np.array(wanted, dtype=np.int64))
            seen = CandidateFiles(corpus, scores, question, files)
            rows = file_matrix(seen)
            row = ranker_weights("dense" if has_model else "token", question_kind(question)).files
            order = np.argsort(-(rows @ np.array(row)), kind="stable")
            right_files = np.array([path in right for path in seen.paths], dtype=bool)
            kept = np.union1d(order[:KEPT], np.flatnonzero(right_files))
            places = CandidatePlaces.of(corpus, scores, files[kept])
            lines = corpus.chunk_lines[places.chunks]
            paths = [seen.paths[kept[one]] for one in places.owner]
            yield Observation(
                repo=repo,
                text=text,
                kind=kind,
                asked=question_kind(question),
                evidence="dense" if has_model else "token",
                paths=tuple(seen.paths),
                files=rows.astype(np.float16),
                right_files=right_files,
                places=place_matrix(places).astype(np.float16),
                owner=kept[places.owner].astype(np.int32),
                spans=lines.astype(np.int32),
                target=_answered(paths, lines, targets),
                wanted=(len(right), sum(bool(target[1]) for target in targets)),
            )


def _answered(
    paths: Sequence[str], lines: npt.NDArray[np.int64], targets: Sequence[Target]
) -> Ints:
    """Return which target each place shows (`shows_lines`), -1 for none."""
    found = np.full(len(paths), -1, dtype=np.int32)
    first, last = lines.T
    for at, (path, start, end) in enumerate(targets):
        mine = np.array([one == path for one in paths], dtype=bool)
        found[mine & bool(start) & shows_lines((first, last), (start, end))] = at
    return found


def reduced(one: Observation, evidence: EvidenceLevel) -> Observation:
    """Take columns away, as in an index with less evidence."""
    gone = {"dense": set[str](), "token": _DENSE, "words": _DENSE | _TOKEN}[evidence]
    files, places = one.files.copy(), one.places.copy()
    for columns, features in ((files, FILE_FEATURES), (places, PLACE_FEATURES)):
        columns[:, [at for at, it in enumerate(features) if it.name in gone]] = 0
    return replace(one, files=files, places=places, evidence=evidence)


def of_history(mirror: Path, tip: str, work: Path, embed: int) -> list[Observation]:
    """Return the observations of one repository's snapshot.

    `work` keeps the tree, what it is asked, and the observations: delete `*.pickle` when features
    change. An index of up to `embed` chunks is embedded.
    """
    name = mirror.parent.name
    kept = work / f"{name}.pickle"
    if kept.exists():
        return _read(kept)
    tree, labelled = history(mirror, tip, work)
    asked = [(one.text, one.kind, one.functions) for one in labelled]
    documented = [one for one in asked if one[1] == "docstring"]
    others = [one for one in asked if one[1] != "docstring"]
    found = [*_observed(tree, name, others, embed)]
    found += _observed_bare(tree, name, documented, embed)
    _write(kept, found)
    return found


def _observed(
    tree: Path, name: str, asked: Iterable[tuple[str, str, Sequence[Target]]], embed: int
) -> Iterator[Observation]:
    with Index.open(tree, root=True) as index:
        index.sync(structure_only=True)
        if index.status().chunks <= embed:
            index.sync()
        yield from observed(index, name, asked)


def _observed_bare(
    tree: Path, name: str, asked: Sequence[tuple[str, str, Sequence[Target]]], embed: int
) -> Iterator[Observation]:
    """Ask for documentation in a copy of the tree where no definition has any.

    Where the answers alone have none, what tells them is that they say less of the question.
    """
    bare = tree.parent.with_name("bare") / tree.name
    with Index.open(tree, root=True) as index, index.reader().catalog() as (catalog, _):
        functions = functions_of(catalog.connection)
        called = {(path, *lines): (path, name) for (path, name), lines in functions.items()}
        if not bare.exists():
            shutil.copytree(tree, bare, symlinks=True)
            delete_documentation(catalog.connection, bare)
    with Index.open(bare, root=True) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            known = functions_of(catalog.connection)
    moved = [
        (
            text,
            kind,
            [
                (path, *known[one])
                for path, first, last in targets
                if (one := called.get((path, first, last))) and one in known
            ],
        )
        for text, kind, targets in asked
    ]
    yield from _observed(bare, name, [one for one in moved if one[2]], embed)


def of_dev(evals: Path, tree: Path, work: Path, embed: int) -> list[Observation]:
    """Return the observations of the benchmark's questions about one of its work trees."""
    kept = work / "dev" / f"{tree.parent.name}-{tree.name}.pickle"
    if kept.exists():
        return _read(kept)
    places = places_of(evals)
    asked = []
    for one in queries(evals):
        if one.repo == tree.name:
            digest = hashlib.sha1(one.text.encode()).hexdigest()
            functions = [
                (it["path"], it["start_line"], it["end_line"])
                for it in places.get((one.repo, digest), [])
            ]
            files = [(path, 0, 0) for path in sorted(one.relevant)]
            asked.append((one.text, one.category, files + functions))
    found = list(_observed(tree, tree.name, asked, embed))
    _write(kept, found)
    return found


def of_written(
    tree: Path, repo: str, questions: Sequence[PlaceQuestion], work: Path, embed: int
) -> list[Observation]:
    """Return the observations of the written questions about one work tree."""
    name = repo.replace("/", "+")
    kept = work / "written" / f"{name}.pickle"
    if kept.exists():
        return _read(kept)
    asked = [
        (one.text, one.kind, [(it.path, it.first, it.last) for it in one.places])
        for one in questions
    ]
    found = list(_observed(tree, name, asked, embed))
    _write(kept, found)
    return found


def _read(kept: Path) -> list[Observation]:
    with kept.open("rb") as file:
        found: list[Observation] = pickle.load(file)
    return found


def _write(kept: Path, found: list[Observation]) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("wb") as file:
        pickle.dump(found, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("names", nargs="*", metavar="OWNER/NAME")
    parser.add_argument("--embed", type=int, default=0, help="chunks of an index to embed, at most")
    parser.add_argument("--dev", type=Path, nargs="+", metavar=("EVALS", "TREE"), default=[])
    parser.add_argument("--written", type=Path, help="work trees of `places.py`")
    args = parser.parse_args()
    for name in args.names:
        mirror = args.mirrors / name.replace("/", "+") / "repo"
        tip = git(mirror, "rev-parse", "HEAD").strip()
        print_count(name, of_history(mirror, tip, args.work, args.embed))
    for tree in args.dev[1:]:
        print_count(str(tree), of_dev(args.dev[0], tree, args.work, args.embed))
    for repo, questions in by_repo().items() if args.written else ():
        tree = args.written / repo.partition("/")[2]
        print_count(repo, of_written(tree, repo, questions, args.work, args.embed))


def print_count(name: str, found: list[Observation]) -> None:
    kinds = Counter(one.kind for one in found)
    print(name, dict(kinds), found[0].evidence if found else "", flush=True)


if __name__ == "__main__":
    import training  # so that observations are read again as that module's

    training.main()

"""How far an answer's confidence can be relied on: `reliability.py MIRRORS WORK NAME... [options]`.

NAME is `owner/name` of a history in MIRRORS (`owner+name/repo`); WORK keeps the trees, their
questions (`training.py` mines the same) and, by level of evidence, how the answers looked: delete
`reliability-*.json` when the ranker changes. All answers are those of `Index.search`. Questions
about existing code, none written by a model:

- *docstring*, *commit*, *issue*: as `snapshots.py` mines them; the documentation is deleted from
  the tree before it is indexed;
- *short*: three to six words of a docstring in their order, some exchanged for a synonym;
- *name* and *typo*: the name of a function, and with one slip of the finger;
- *written*: with `--written TREES`, newcomers' questions about the trees of `places.py`.

Questions about nothing here:

- *absurd*: topics of other trades whose first word no file has, every other one as a question;
- *half*: a word of the repository with two words of such a topic.

The model is fitted on one half of the repositories and on `golden/absurd_fit.txt`, and the other
half is reported with `golden/absurd.txt`, then the other way round. `--write` fits on all and
writes `codeindex/data/confidence.json`. `--words` leaves vectors out; `--embed N` embeds
indexes of up to N chunks and asks these alone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from histories import Labelled, history
from mined import git
from places import PlaceQuestion, by_repo

from codeindex import Index
from codeindex.evaluation.metrics import CodeSpan
from codeindex.search import pipeline
from codeindex.search.rank import confidence
from codeindex.search.rank.confidence import ConfidenceModel, ConfidenceSignals
from codeindex.search.rank.nearness import nearest_to_topics, relative_nearness
from codeindex.text.words import STOP_WORDS

Floats = npt.NDArray[np.float64]

GOLDEN = Path(__file__).parent / "golden"
WRITTEN = Path(confidence.__file__).parents[2] / "data" / "confidence.json"
REAL = ("docstring", "short", "commit", "issue", "name", "typo", "written")
A_KIND = 6
"""Questions of each kind from one repository."""
STRONG = 0.85
"""What `strong` promises: the chance that a right file is among the first five."""
ABSURD_ABOVE = 0.03
"""Share of the absurd and half absurd topics fitted on that `likely` lets pass: other topics pass
somewhat more often, and .05 is the target."""
FARTHEST = 0.03
"""Share of real questions whose nearest vector may be farther than what is called near. That is at
most the mean of the unrelated topics, since less may be true of a model not fitted on."""
RIDGE = 1.0
_FRAMES = {
    "fit": ("where is the {} checked", "how does it handle {}"),
    "held": ("where do we configure {}", "code that computes the {}"),
}
_SYNONYMS = {
    "add": "append", "adds": "appends", "allow": "permit", "allows": "permits", "build": "assemble",
    "builds": "assembles", "call": "invoke", "calls": "invokes", "change": "alter",
    "check": "verify", "checks": "verifies", "convert": "transform", "converts": "transforms",
    "create": "construct", "creates": "constructs", "current": "present", "default": "standard",
    "delete": "erase", "error": "failure", "errors": "failures", "fetch": "retrieve",
    "function": "routine", "given": "supplied", "list": "sequence", "new": "fresh",
    "number": "amount", "object": "thing", "parse": "interpret", "print": "output",
    "remove": "strip", "removes": "strips", "replace": "swap", "return": "yield",
    "returns": "yields", "run": "execute", "runs": "executes", "save": "store",
    "send": "transmit", "set": "assign", "sets": "assigns", "start": "begin", "starts": "begins",
    "string": "text", "update": "refresh", "value": "content", "values": "contents",
    "wait": "pause", "write": "emit", "writes": "emits",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A question, its kind, and what answers it; `topics` is the list that an absurd one is of."""

    text: str
    kind: str
    targets: Sequence[CodeSpan] = ()
    topics: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """How one case was answered; `signs` is empty where nothing was rated."""

    repo: str
    kind: str
    topics: str
    text: str
    denied: bool
    right_file: bool
    right_function: bool
    nearest: float
    signs: Mapping[str, float]


def cases(
    index: Index, asked: Sequence[Labelled], written: Sequence[PlaceQuestion] = ()
) -> Iterator[Case]:
    """Yield the questions of one repository, drawn with a seed of its own; all written ones."""
    chance = random.Random(index.root.name)
    with index.reader().catalog() as (catalog, _):
        said = "\n".join(
            t for (t,) in catalog.connection.execute("SELECT text FROM chunks")
        ).lower()
        names = catalog.connection.execute(
            "SELECT s.name, f.path, min(s.line), min(s.end_line) FROM symbols s"
            " JOIN files f ON f.id = s.file_id WHERE s.kind IN ('function', 'method')"
            " AND NOT f.is_test AND length(s.folded) > 7 GROUP BY s.folded HAVING count(*) = 1"
            " ORDER BY s.folded"
        ).fetchall()
    kinds = ("docstring", "commit", "issue")
    by_kind = {kind: [one for one in asked if one.kind == kind] for kind in kinds}
    for kind, every in by_kind.items():
        drawn = chance.sample(every, min(A_KIND, len(every)))
        for one in drawn:
            yield Case(one.text, kind, one.functions)
            if kind == "docstring" and (short := _short(one.text, chance)):
                yield Case(short, "short", one.functions)
    for name, path, first, last in chance.sample(names, min(A_KIND, len(names))):
        yield Case(name, "name", [(path, first, last)])
        yield Case(_slipped(name, chance), "typo", [(path, first, last)])
    for it in written:
        spans = [(place.path, place.first, place.last) for place in it.places]
        yield Case(it.text, "written", spans)
    texts = [*(one.text for one in by_kind["docstring"]), *(it.text for it in written)]
    own = sorted({it for text in texts for it in _telling(text) if it in said})
    for topics in ("fit", "held"):
        yield from _absurd(topics, said, own, chance)


def _absurd(topics: str, said: str, own: Sequence[str], chance: random.Random) -> Iterator[Case]:
    file = GOLDEN / ("absurd_fit.txt" if topics == "fit" else "absurd.txt")
    foreign = [one for one in file.read_text("utf-8").splitlines() if one.split()[0] not in said]
    words = [word for one in foreign for word in one.split() if word not in said]
    for at, topic in enumerate(chance.sample(foreign, min(A_KIND, len(foreign)))):
        frame = _FRAMES[topics][at // 2 % 2] if at % 2 else "{}"
        yield Case(frame.format(topic), "absurd", topics=topics)
        if own and len(words) > 1:
            mixed = [chance.choice(own), *chance.sample(words, 2)]
            yield Case(" ".join(chance.sample(mixed, 3)), "half", topics=topics)


def _telling(text: str) -> list[str]:
    plain = re.findall(r"(?<![\w.`])[A-Za-z][a-z]+(?![\w`(])", text)
    return [one.lower() for one in plain if one.lower() not in STOP_WORDS]


def _short(text: str, chance: random.Random) -> str:
    words = [_SYNONYMS.get(one, one) for one in dict.fromkeys(_telling(text))]
    return " ".join(words[: chance.randint(3, 6)]) if len(words) > 2 else ""


def _slipped(name: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


@contextlib.contextmanager
def _recorded() -> Iterator[dict[str, Any]]:
    """Keep what the product itself sees of an answer while it rates it."""
    kept: dict[str, Any] = {}
    signs_of, rate = confidence.confidence_signals, pipeline._rate_confidence
    unrelated: list[npt.NDArray[np.float32]] = []

    def signs(*given: object) -> ConfidenceSignals:
        found = signs_of(*given)  # type: ignore[arg-type]
        kept["signs"] = asdict(found)
        return found

    def rated(state: Any, hits: Any) -> Any:
        cosines = confidence.best_vectors(state.scores)
        if cosines.any():
            if not unrelated:  # the same for all questions to an index
                unrelated.append(nearest_to_topics(partial(pipeline._cosines_of, state)))
            kept["nearest"] = relative_nearness(float(cosines.max()), unrelated[0])
        return rate(state, hits)

    vars(confidence).update(confidence_signals=signs)
    vars(pipeline).update(_rate_confidence=rated)
    try:
        yield kept
    finally:
        vars(confidence).update(confidence_signals=signs_of)
        vars(pipeline).update(_rate_confidence=rate)


def answered(index: Index, asked: Sequence[Case]) -> Iterator[Row]:
    """Ask each case through `Index.search`."""
    with _recorded() as kept:
        for case in asked:
            kept.clear()
            answer = index.search(case.text, limit=5)
            paths = {path for path, *_ in case.targets}
            first = answer.hits[0] if answer.hits else None
            signs = kept.get("signs", {}) if answer.hits else {}
            if answer.missing_words and not signs.get("missing"):
                signs = {}  # asked again as the index spells it, which is always weak
            yield Row(
                repo=index.root.name,
                kind=case.kind,
                topics=case.topics,
                text=case.text[:200],
                denied=not answer.hits,
                right_file=any(hit.path in paths for hit in answer.hits),
                right_function=first is not None
                and any(
                    first.path == path
                    and bool(start)
                    and first.start_line <= end
                    and start <= first.end_line
                    for path, start, end in case.targets
                ),
                nearest=float(kept.get("nearest", 0.0)),
                signs=signs,
            )


def rows_of(mirror: Path, work: Path, evidence: str, embed: int) -> list[Row]:
    """Return the rows of one repository, from WORK if they are there."""
    kept = work / f"reliability-{evidence}-{mirror.parent.name}.json"
    if not kept.exists():
        tree, asked = history(mirror, git(mirror, "rev-parse", "HEAD").strip(), work)
        _ask(tree, kept, embed if evidence == "dense" else None, asked)
    return _read(kept)


def written_rows(
    tree: Path, written: Sequence[PlaceQuestion], work: Path, evidence: str, embed: int
) -> list[Row]:
    """Return the rows of one tree of `places.py`, from WORK if they are there."""
    kept = work / f"reliability-{evidence}-{tree.name}.json"
    if not kept.exists():
        _ask(tree, kept, embed if evidence == "dense" else None, (), written)
    return _read(kept)


def _ask(
    tree: Path,
    kept: Path,
    embed: int | None,
    asked: Sequence[Labelled],
    written: Sequence[PlaceQuestion] = (),
) -> None:
    """Index a tree, ask it all cases, and write the rows to `kept`.

    With `embed`, the tree is embedded if it has no more chunks than that; else there are no rows.
    """
    rows: list[Row] = []
    with Index.open(tree, root=True) as index:
        index.sync(structure_only=True)
        if embed is None or index.status().chunks <= embed:
            if embed is not None:
                index.sync()
            rows = list(answered(index, list(cases(index, asked, written))))
    kept.write_text(json.dumps([asdict(one) for one in rows]), "utf-8")


def _read(kept: Path) -> list[Row]:
    return [Row(**one) for one in json.loads(kept.read_text("utf-8"))]


def fitted(rows: Sequence[Row]) -> ConfidenceModel:
    """Fit a model on all rows but those of topics that are held back."""
    real = [one for one in rows if one.kind in REAL and one.signs]
    foreign = [one for one in rows if one.topics == "fit" and one.signs]
    used = [*real, *foreign]
    names = [one.name for one in fields(ConfidenceSignals)]
    values = np.array([[one.signs[name] for name in names] for one in used])
    labels = np.array([one.right_file for one in used], dtype=float)
    share = 0.5 * len(real) / max(len(foreign), 1)
    counts = np.array([1.0] * len(real) + [share] * len(foreign))
    weights, bias = _logistic(values, labels, counts)
    found = ConfidenceModel(bias, dict(zip(names, weights, strict=True)), 0.0, STRONG, 0.0)
    likely = float(
        np.quantile(
            [found.chance(ConfidenceSignals(**one.signs)) for one in foreign], 1 - ABSURD_ABOVE
        )
    )
    nearest = [one.nearest for one in real if one.nearest]
    near = min(float(np.quantile(nearest, FARTHEST)), 0.0) if nearest else 0.0
    likely = round(min(likely, STRONG), 3)
    return ConfidenceModel(found.bias, found.weights, likely, STRONG, round(near, 3))


def _logistic(values: Floats, labels: Floats, counts: Floats) -> tuple[list[float], float]:
    """Return weights and a bias: ridge on standardised columns, by Newton's method."""
    mean, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    columns = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    ridge = np.diag([RIDGE] * values.shape[1] + [0.0])
    row = np.zeros(columns.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-columns @ row))
        slope = columns.T @ (counts * (labels - chances)) - ridge @ row
        bend = (columns * (counts * chances * (1 - chances))[:, None]).T @ columns + ridge
        row += np.linalg.solve(bend, slope)
    weights = row[:-1] / spread
    return [round(one, 4) for one in weights.tolist()], round(float(row[-1] - weights @ mean), 4)


def crossed(rows: Sequence[Row]) -> list[tuple[Row, str]]:
    """Return each reported row with its level by a model that was fitted on other repositories."""
    names = sorted(set(map(_name, rows)))
    halves = (set(names[::2]), set(names[1::2]))
    found: list[tuple[Row, str]] = []
    for half, other in (halves, halves[::-1]):
        model = fitted([one for one in rows if _name(one) in other])
        for one in rows:
            if _name(one) in half and one.topics != "fit":
                level = (
                    "denied"
                    if one.denied
                    else "weak"
                    if not one.signs
                    else model.level(ConfidenceSignals(**one.signs))
                )
                found.append((one, level))
    return found


def _name(row: Row) -> str:
    """Return the name of a row's repository without its owner.

    Rows of the history and rows of the tree of a repository have the same name.
    """
    return row.repo.rpartition("+")[2]


def print_table(evidence: str, rated: Sequence[tuple[Row, str]]) -> None:
    real = [(one, level) for one, level in rated if one.kind in REAL]
    print(
        f"\n{evidence}: {len(real)} questions of {len({one.repo for one, _ in rated})} repositories"
    )
    for kind in REAL:
        mine = [(one, level) for one, level in real if one.kind == kind]
        _print_row(kind, mine)
    for kind in ("absurd", "half"):
        _print_row(kind, [(one, level) for one, level in rated if one.kind == kind])
    _print_row("all real", real)
    written = [(one, level) for one, level in real if one.kind == "written"]
    for label, mine in (("real", real), ("written", written)):
        for level in ("strong", "likely", "weak"):
            rows = [one for one, its in mine if its == level]
            if rows:
                print(
                    f"  {level:10} {len(rows):5} of {label}   right file in five"
                    f" {np.mean([one.right_file for one in rows]):.3f}   right function first"
                    f" {np.mean([one.right_function for one in rows]):.3f}"
                )


def _print_row(label: str, rated: Sequence[tuple[Row, str]]) -> None:
    shares = {
        level: np.mean([its == level for _, its in rated])
        for level in ("denied", "strong", "likely", "weak")
    }
    told = "   ".join(f"{level} {share:.3f}" for level, share in shares.items())
    print(f"  {label:10} {len(rated):5}   {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--written", type=Path, help="trees of places.py, asked as well")
    parser.add_argument("--embed", type=int, default=0, help="chunks of an index to embed, at most")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    evidence = "words" if given.words else "dense" if given.embed else "token"
    if given.words:
        os.environ["CODEINDEX_EMBEDDING_MODEL"] = "none"  # noqa: TID251
    rows: list[Row] = []
    for name in given.names:
        mirror = given.mirrors / name.replace("/", "+") / "repo"
        rows += rows_of(mirror, given.work, evidence, given.embed)
        print(name, len(rows), flush=True)
    for repo, questions in by_repo().items() if given.written else ():
        tree = given.written / repo.partition("/")[2]
        rows += written_rows(tree, questions, given.work, evidence, given.embed)
        print(tree.name, len(rows), flush=True)
    print_table(evidence, crossed(rows))
    if given.write:
        table = json.loads(WRITTEN.read_text("utf-8")) | {evidence: asdict(fitted(rows))}
        text = json.dumps(table, indent=1, sort_keys=True)
        WRITTEN.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()

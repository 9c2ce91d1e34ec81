"""Fit the ranker's weights: `fit.py WORK [--write FILE]`.

WORK holds the observations that `training.py` makes of repositories' histories and documentation,
of the benchmark's dev half, and of the questions of `places.py`. The loss of a question is that of
a softmax: each answer against the best places of the other files, and against the other places of
its file. One row of weights is shared by all kinds of questions; each kind may differ from it at a
price. A weight is held to its feature's prior, also at a price, so that a feature which no question
shows keeps it. With the model's vectors, which only the smaller repositories have, it is held to
what it is without them.

Repositories are left out a fold at a time, all of one repository together; the table printed is of
questions whose repository the weights have not seen. Needs scipy.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from training import Observation, reduced

from codeindex.search.rank.features import FILE_FEATURES, PLACE_FEATURES
from codeindex.search.weight_rows import EvidenceLevel, QuestionKind

Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

FEATURES = (*FILE_FEATURES, *PLACE_FEATURES)
FILES = len(FILE_FEATURES)
PRIORS: Vector = np.array([one.prior for one in FEATURES])
KINDS: tuple[QuestionKind, ...] = ("symbol", "how", "other")
EVIDENCE: tuple[EvidenceLevel, ...] = ("words", "token", "dense")
FOLDS = 6
ROUNDS = 2
"""The best places of files are chosen anew so many times."""
RIVALS = 40
"""Wrong files of a question that count, by their best places, and wrong places of a file."""
STEPS = 80
SHARED_L2, OWN_L2 = 20.0, 20.0
"""Beside a loss of all questions together, some thousands: from 2 to 60 the histories' figures are
the same, and places of the dev half .57 to .60."""
FURTHER = 0.5
"""Taken off times the logarithm of a place's rank in its file; .25 to 1 make no difference."""
INNER = 1.0
"""Weight of the loss between places of one file; the loss between files has weight 1."""
SHARES = {"dev": 1.5, "written": 0.3, "docstring": 0.2, "commit": 0.6, "issue": 0.6}
"""Weight of all questions of a source together. With .6 of the written ones and 1 of dev, written
questions have the right function among ten for .758, not .740, and dev first for .691, not .709."""
_HIDDEN = {"place_doc", "place_documented"}
"""Features of documentation: the answers of `docstring` questions alone have none."""
_HELD = {"place_prototype"}
"""Features that keep their prior: documentation of C and C++ stands at prototypes, so that mined
questions take these for answers, where people want the body."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Rows of a question's places: file features and place features side by side.

    `file` is the number of each row's file; `right_file` and `right` tell which rows answer. Where
    no place is known to answer, `right` holds nothing and the best place of a right file counts.
    """

    one: Observation
    source: str
    rows: Rows
    file: Ints
    right_file: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]


def prepared(one: Observation, source: str) -> Prepared:
    files, places = one.files.astype(np.float32), one.places.astype(np.float32)
    unseen = _HELD | _HIDDEN if one.kind == "docstring" else _HELD
    places[:, [at for at, it in enumerate(PLACE_FEATURES) if it.name in unseen]] = 0
    rows = np.concatenate([files[one.owner], places], axis=1)
    return Prepared(
        one, source, rows, one.owner.astype(np.int64), one.right_files[one.owner], one.target >= 0
    )


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Answers with their rivals: `better` is a row; rivals `rival` are of group `of`.

    `parts` are the rows of each kind of question.
    """

    rows: Rows
    parts: tuple[slice, ...]
    better: Ints
    rival: Ints
    of: Ints
    weight: Vector


def fit(questions: Sequence[Prepared], priors: Vector = PRIORS) -> dict[QuestionKind, Vector]:
    """Return weights of all features for each kind of question."""
    state = np.zeros((len(KINDS) + 1, len(FEATURES)))
    state[0] = priors
    totals = {kind: _weight_of(questions, kind) for kind in {one.source for one in questions}}
    for _ in range(ROUNDS):
        groups = _grouped(questions, state, totals)
        found = minimize(
            _loss, state.ravel(), (groups, priors), jac=True, method="L-BFGS-B",
            options={"maxiter": STEPS},
        )  # fmt: skip
        state = found.x.reshape(state.shape)
    return {kind: state[0] + state[at] for at, kind in enumerate(KINDS, 1)}


def _weight_of(questions: Sequence[Prepared], source: str) -> float:
    return SHARES[source] / max(sum(one.source == source for one in questions), 1)


def _grouped(questions: Sequence[Prepared], state: Vector, totals: dict[str, float]) -> Groups:
    """Choose each question's answers and rivals by these weights."""
    kept: list[Rows] = []
    sizes = [0] * len(KINDS)
    better: list[int] = []
    rival: list[Ints] = []
    weight: list[float] = []
    start = 0
    scale = len(questions) / sum(SHARES.values())
    for one in sorted(questions, key=lambda it: KINDS.index(it.one.asked)):
        kind = KINDS.index(one.one.asked)
        scores = one.rows @ (state[0] + state[kind + 1])
        heads, others, inner = _chosen(one, scores)
        if not len(heads):
            continue
        used = np.unique(np.concatenate([heads, others, *inner]))
        at = np.full(len(scores), -1)
        at[used] = np.arange(start, start + len(used))
        kept.append(one.rows[used])
        sizes[kind] += len(used)
        start += len(used)
        share = scale * totals[one.source] / len(heads)
        for head, mates in zip(heads.tolist(), inner, strict=True):
            for rivals, factor in ((others, 1.0), (mates, INNER)):
                if len(rivals):
                    better.append(int(at[head]))
                    rival.append(at[rivals])
                    weight.append(share * factor)
    ends = np.cumsum(sizes).tolist()
    return Groups(
        np.concatenate(kept),
        tuple(slice(end - size, end) for size, end in zip(sizes, ends, strict=True)),
        np.array(better),
        np.concatenate(rival),
        np.repeat(np.arange(len(rival)), [len(one) for one in rival]),
        np.array(weight),
    )


def _chosen(one: Prepared, scores: Vector) -> tuple[Ints, Ints, list[Ints]]:
    """Return the answers, the best places of the hardest wrong files, and each answer's mates."""
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(one.file[order], return_index=True)
    best = order[np.sort(first)]  # of each file, best first
    others = best[~one.right_file[best]][:RIVALS]
    if one.right.any():
        heads = np.flatnonzero(one.right)
        wrong = [order[(one.file[order] == one.file[h]) & ~one.right[order]] for h in heads]
        return heads, others, [mates[:RIVALS] for mates in wrong]
    heads = best[one.right_file[best]]
    return heads, others, [np.zeros(0, dtype=np.int64)] * len(heads)


def _loss(flat: Vector, groups: Groups, priors: Vector) -> tuple[float, Vector]:
    """Return the loss of all groups, and its gradient."""
    state = flat.reshape(len(KINDS) + 1, -1)
    scores = np.empty(len(groups.rows), dtype=np.float32)
    for at, rows in enumerate(groups.parts):
        scores[rows] = groups.rows[rows] @ (state[0] + state[at + 1]).astype(np.float32)
    margins = np.exp(np.clip(scores[groups.rival] - scores[groups.better][groups.of], -50, 50))
    sums = np.bincount(groups.of, weights=margins, minlength=len(groups.better))
    loss = float(groups.weight @ np.log1p(sums))
    pulls = (groups.weight / (1 + sums))[groups.of] * margins
    of_groups = np.bincount(groups.of, weights=pulls, minlength=len(groups.better))
    force = np.bincount(groups.rival, weights=pulls, minlength=len(scores))
    force -= np.bincount(groups.better, weights=of_groups, minlength=len(scores))
    gradient = np.zeros_like(state)
    for at, rows in enumerate(groups.parts):
        gradient[at + 1] = force[rows].astype(np.float32) @ groups.rows[rows]
    gradient[0] = gradient[1:].sum(axis=0)
    away = state.copy()
    away[0] -= priors
    prices = np.array([SHARED_L2, *[OWN_L2] * len(KINDS)])[:, None]
    loss += float((prices * away**2).sum()) / 2
    gradient += prices * away
    return loss, gradient.ravel()


# what a ranking is worth


def ranked(one: Prepared, weights: Vector, further: float) -> tuple[Ints, Vector]:
    """Return the rows in the order that `search.rank` gives them, and their log-odds."""
    own = one.rows[:, FILES:] @ weights[FILES:]
    order = np.lexsort((-own, one.file))
    starts = np.r_[True, one.file[order][1:] != one.file[order][:-1]]
    begin = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - begin
    odds = one.rows[:, :FILES] @ weights[:FILES] + own - further * np.log1p(rank)
    kept = np.flatnonzero(rank < 5)
    return kept[np.argsort(-odds[kept], kind="stable")], odds


def judged(one: Prepared, weights: Vector, further: float) -> dict[str, float]:
    """Return one question's figures: NDCG@10 of files, and whether right functions come first."""
    order, _ = ranked(one, weights, further)
    seen: list[int] = []
    for file in one.file[order].tolist():
        if file not in seen:
            seen.append(file)
    gains = [float(one.one.right_files[file]) for file in seen[:10]]
    found = {"file_ndcg": _ndcg(gains, one.one.wanted[0])}
    if one.one.wanted[1]:
        hits = one.right[order]
        mine = one.right_file[order]
        found |= {
            "place1": float(hits[:1].any()),
            "place3": float(hits[:3].any()),
            "recall10": float(hits[:10].any()),
            "ndcg10": _ndcg(_once(one, order[:10]), one.one.wanted[1]),
        }
        if mine.any():
            found["given_file"] = float(one.right[order[mine.argmax()]])
        targets = _targets(one)
        found["all10"] = float(len(targets & _owners(one, order[:10])) >= one.one.wanted[1])
    return found


def _targets(one: Prepared) -> set[int]:
    return _owners(one, np.flatnonzero(one.right))


def _owners(one: Prepared, rows: Ints) -> set[int]:
    """Return the targets that these rows answer, by file and line of the target."""
    return {_target_of(one, int(row)) for row in rows if one.right[row]}


def _target_of(one: Prepared, row: int) -> int:
    return int(one.one.target[row])


def _once(one: Prepared, rows: Ints) -> list[float]:
    """Return 1 for the first place of each target, 0 for others."""
    done: set[int] = set()
    gains = []
    for row in rows.tolist():
        target = _target_of(one, row) if one.right[row] else -1
        gains.append(float(target >= 0 and target not in done))
        done.add(target)
    return gains


def _ndcg(gains: Sequence[float], wanted: int) -> float:
    ideal = sum(1 / np.log2(at + 2) for at in range(min(wanted, 10)))
    return float(sum(gain / np.log2(at + 2) for at, gain in enumerate(gains)) / max(ideal, 1e-9))


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Questions to fit; `before` are those that give weights to hold the fitted ones to."""

    questions: Sequence[Prepared]
    before: Sequence[Prepared] = ()

    def without(self, repos: set[str]) -> Training:
        kept = ([o for o in it if o.one.repo not in repos] for it in (self.questions, self.before))
        return Training(*kept)

    def fit(self) -> dict[QuestionKind, Vector]:
        """Return weights of all features for each kind of question."""
        if not self.before:
            return fit(self.questions)
        return fit(self.questions, np.mean(list(fit(self.before).values()), axis=0))


def crossed(
    training: Training, further: float
) -> tuple[list[dict[str, float]], list[dict[QuestionKind, Vector]]]:
    """Judge every question by weights that have not seen its repository."""
    names = sorted({one.one.repo for one in training.questions})
    fold = {name: at % FOLDS for at, name in enumerate(names)}
    held = [{name for name in names if fold[name] == at} for at in range(FOLDS)]
    fits = [training.without(repos).fit() for repos in held]
    return [
        judged(one, fits[fold[one.one.repo]][one.one.asked], further) for one in training.questions
    ], fits


def print_table(questions: Sequence[Prepared], results: Sequence[dict[str, float]]) -> None:
    """Print the mean of each figure by the source of the questions, and their number."""
    labels = [f"{o.source}:{o.one.kind}" if o.source != "dev" else o.source for o in questions]
    columns = ("file_ndcg", "place1", "place3", "given_file", "recall10", "ndcg10", "all10")
    print(f"{'':22}" + "".join(f"{one:>12}" for one in columns))
    for label in sorted(set(labels)):
        mine = [result for result, it in zip(results, labels, strict=True) if it == label]
        cells = []
        for column in columns:
            values = [one[column] for one in mine if column in one]
            cells.append(f"{np.mean(values):>12.3f}" if values else f"{'':>12}")
        print(f"{label:18}{len(mine):4}" + "".join(cells), flush=True)


def loaded(paths: Iterable[Path]) -> list[Observation]:
    found: list[Observation] = []
    for path in sorted(paths):
        with path.open("rb") as file:
            found += pickle.load(file)
    return found


def calibrated(
    questions: Sequence[Prepared], rows: dict[QuestionKind, Vector], further: float
) -> tuple[float, float]:
    """Return the factor and the bias that make log-odds of the first ten hits true chances."""
    scores: list[float] = []
    right: list[bool] = []
    for one in questions:
        if one.one.wanted[1]:
            order, odds = ranked(one, rows[one.one.asked], further)
            scores += odds[order[:10]].tolist()
            right += one.right[order[:10]].tolist()

    def loss(line: Vector) -> float:
        margin = np.clip(line[0] * np.array(scores) + line[1], -50, 50)
        return float(np.logaddexp(0, np.where(right, -margin, margin)).mean())

    factor, bias = minimize(loss, [1.0, 0.0], method="Nelder-Mead").x
    return float(factor), float(bias)


def table(
    questions: Sequence[Prepared], rows: dict[QuestionKind, Vector], further: float
) -> dict[str, dict[str, float]]:
    """Return the rows of `weights.json` for one level of evidence."""
    factor, bias = calibrated(questions, rows, further)
    return {
        kind: {
            "bias": round(bias, 3),
            "further": round(further * factor, 3),
            **{
                one.name: round(weight * factor, 3)
                for one, weight in zip(FEATURES, rows[kind].tolist(), strict=True)
            },
        }
        for kind in KINDS
    }


def questions_of(work: Path, evidence: EvidenceLevel) -> list[Prepared]:
    """Read the observations below a folder that have this evidence, seen without any more."""
    found = [(one, one.kind) for one in loaded(work.glob("*.pickle"))]
    for source in ("dev", "written"):
        found += [(one, source) for one in loaded((work / source).glob("*.pickle"))]
    enough = EVIDENCE[EVIDENCE.index(evidence) :]
    return [
        prepared(reduced(one, evidence), source) for one, source in found if one.evidence in enough
    ]


def training_of(work: Path, evidence: EvidenceLevel) -> Training:
    """Read what to fit the weights of a level of evidence to."""
    before = questions_of(work, "token") if evidence == "dense" else ()
    return Training(questions_of(work, evidence), before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--evidence", nargs="*", default=EVIDENCE)
    parser.add_argument("--write", type=Path, help="the table of weights to replace rows of")
    args = parser.parse_args()
    for evidence in args.evidence:
        training = training_of(args.work, evidence)
        results, _ = crossed(training, FURTHER)
        print(evidence)
        print_table(training.questions, results)
        if args.write:
            rows = json.loads(args.write.read_text("utf-8"))
            rows[evidence] = table(training.questions, training.fit(), FURTHER)
            args.write.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""`codeindex eval --tune`: weights of a repository's own, if the other half of it agrees.

Files fall into two halves by the digest of their path. Weights are fitted on the questions about
the files of one half, and tried on those about the other; a commit that changed files of both is
in neither, so that no file is learned from and tried on. They are kept if the lower end of the
95 % interval of the mean gain in NDCG@10 on the second half, each kind of question counting the
same, is above 0 and no kind loses more than a hundredth. What is kept is what was tried.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.evaluation.evaluate import Progress, group_of, see
from codeindex.evaluation.fitting import chosen_strength, fitted, ndcg
from codeindex.evaluation.metrics import Estimate, estimate
from codeindex.evaluation.questions import half_of, questions
from codeindex.evaluation.report import Trial
from codeindex.evaluation.seen import Bench, Seen
from codeindex.search.tuned import Tuned
from codeindex.search.weights import Asked, Evidence, Row, weights

if TYPE_CHECKING:
    from pathlib import Path

    from codeindex.embed.encoder import Encoder
    from codeindex.search.corpus import Corpus
    from codeindex.store.catalog import Catalog

_FEWEST = 40
"""Questions of one sort in a half; of fewer nothing can be learned that is not chance."""
_WORST_LOSS = -0.01
LONGEST_SECONDS = 240.0


def tuned_weights(
    catalog: Catalog,
    corpus: Corpus,
    encoder: Encoder | None,
    *,
    root: Path,
    max_tokens: int,
    limit: int,
    progress: Progress,
) -> tuple[tuple[Trial, ...], Tuned | None, tuple[str, ...]]:
    """Return what was tried, the weights to keep if any, and sentences on what is missing."""
    asked, notes = questions(catalog.connection, corpus, root, limit=limit)
    bench = Bench.of(catalog, corpus, encoder, max_tokens)
    halves = [(one, {half_of(corpus.paths[at]) for at in one.targets}) for one in asked]
    whole = [one for one, of in halves if len(of) == 1]
    seen = list(see(bench, whole, progress, seconds=LONGEST_SECONDS))
    trials, rows = [], {}
    for evidence in bench.levels:
        mine = [one for one in seen if one.evidence == evidence]
        for asked_as, parts in _enough(corpus, mine):
            trial, row = _tried(evidence, asked_as, parts)
            trials.append(trial)
            if trial.kept:
                rows[evidence, asked_as] = row
    if not trials:
        notes += (
            f"Too little to tune with: {_FEWEST} questions about each half of the files are"
            f" needed, and {len(seen) // max(len(bench.levels), 1)} about both were found.",
        )
    gain = "; ".join(
        f"{one.evidence} {one.gain.mean:+.3f} [{one.gain.low:+.3f} {one.gain.high:+.3f}]"
        for one in trials
        if one.kept
    )
    kept = Tuned(rows, corpus.model, time.time(), gain) if rows else None
    return tuple(trials), kept, notes


def _enough(
    corpus: Corpus, seen: Sequence[Seen]
) -> Iterator[tuple[Asked, tuple[list[Seen], list[Seen]]]]:
    """Yield the sorts of questions that there are enough of, parted into the halves."""
    for asked in dict.fromkeys(one.asked for one in seen):
        parts: tuple[list[Seen], list[Seen]] = ([], [])
        for one in seen:
            if one.asked == asked:
                parts[half_of(corpus.paths[group_of(one)])].append(one)
        if min(map(len, parts)) >= _FEWEST:
            yield asked, parts


def _tried(
    evidence: Evidence, asked: Asked, parts: tuple[list[Seen], list[Seen]]
) -> tuple[Trial, Row]:
    fit, rest = parts
    shipped = weights(evidence, asked)
    strength = chosen_strength(fit, shipped)
    row = fitted(fit, shipped, strength)
    before, after = ([ndcg(one, of) for one in rest] for of in (shipped, row))
    gain = _balanced(rest, [new - old for old, new in zip(before, after, strict=True)])
    gains = {
        kind: sum(
            new - old
            for one, old, new in zip(rest, before, after, strict=True)
            if one.question.kind == kind
        )
        / count
        for kind, count in sorted(Counter(one.question.kind for one in rest).items())
    }
    trial = Trial(
        evidence=evidence,
        fitted_on=len(fit),
        tried_on=len(rest),
        shipped=_balanced(rest, before),
        tuned=_balanced(rest, after),
        gain=gain,
        gains=gains,
        strength=strength,
        kept=gain.low > 0 and min(gains.values()) >= _WORST_LOSS,
    )
    return trial, row


def _balanced(seen: Sequence[Seen], values: Sequence[float]) -> Estimate:
    """Average values so that each kind of question counts the same."""
    kinds = Counter(one.question.kind for one in seen)
    share = len(seen) / len(kinds)
    scaled = [
        value * share / kinds[one.question.kind] for one, value in zip(seen, values, strict=True)
    ]
    return estimate(scaled, [group_of(one) for one in seen])

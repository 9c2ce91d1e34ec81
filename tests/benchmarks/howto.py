"""How-to questions: `python tests/benchmarks/howto.py TREES WORK [--own FILE] [--fit]`.

TREES holds one work tree a repository. A heading of its documents that begins with a verb is a
question twice, as it stands ("Add a custom command") and as "How do I add a custom command?"; its
section is the answer. Each is asked of the tree as it is (*kept*) and of a copy in WORK where that
heading reads "Part 7" (*hidden*), so that the body must answer. The first half of the repositories,
by a digest of their names, is for tuning, the other is reported.

Printed, through `Index.search` with words and token vectors: how often the section is the first
hit, among the first three of `limit=3`, and among the first ten; how often one of the first three
is code, and how often the first code hit is the one of a search without documents. `--own` adds
questions written by hand, one JSON object a line: `repo`, `query`, `path`, and `line` and `last`,
the lines of the section.
`--fit` fits the weights of `search/docs_blend.py` on the tuning half and prints them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codeindex import Index
from codeindex.ingest.chunk.prose import read_headings
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.search.pipeline import PipelineRequest, classify_and_retrieve
from codeindex.search.rank.document_blend import SECTION_FEATURES, section_candidates
from codeindex.search.reader import query_vectorizer
from codeindex.types import Filters, Hit

_MOST = 30
"""Headings of a repository, so that none counts for more than a few others."""
_LEAST_WORDS = 25
"""Words below a heading from which on it answers something."""
_FEWEST = 4
"""Headings below which a repository is left out."""
_SEED = 11
_VERB_LINES = """
access add allow append apply assign attach authenticate avoid batch bind build cache cancel
capture catch change check choose clean clear close collect combine compare compile compose
configure connect consume control convert copy create customize customise debug declare decode
decorate define delete deploy derive detect disable display document download embed enable encode
enqueue escape evaluate execute exit expand export extend extract fetch filter find fix format
generate get group handle hide host ignore implement import improve include increase inherit
initialize inject inspect install instantiate integrate intercept invoke iterate join launch limit
load localize make manage map match measure merge migrate mix mock modify monitor mount move name
nest open optimize organize output override package pass parse persist plan prepare prevent print
profile protect provide publish query raise read receive recover redirect reduce register release
remove rename render replace require reset resolve restart restore restrict retry return reuse
rotate route run sanitize save schedule secure select send separate serialize serve set share shut
skip sort specify split start stop store stream structure style submit subscribe support suppress
swap switch target test throttle throw trace track transform translate trigger troubleshoot
truncate turn unregister update upgrade upload use validate verify view wait watch work wrap write
"""
_VERBS = frozenset(_VERB_LINES.split())
_DOUBLED = frozenset(
    {"get", "map", "plan", "run", "set", "shut", "skip", "split", "stop", "submit", "swap", "wrap"}
)
_NOUN_BEFORE = frozenset({"in", "of", "case", "case:", "and", "time", "order"})
"""Words after which a verb is a noun, as in "change in behaviour" and "use case"."""
_NO_ANSWERS = re.compile(
    r"(?:^|/)(?:change|history|news|release|licen[cs]e|copying|authors|upgrad|security|contributing|\.github/|code_of)"
    r"|(?:^|/)(?:tests?|spec|fixtures?|vendor|node_modules|benchmarks?)/",
    re.IGNORECASE,
)


def _gerund(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") else f"{verb}ing"


_BASE = {_gerund(one): one for one in _VERBS} | {one: one for one in _VERBS}


@dataclass(frozen=True, slots=True)
class Question:
    """A question in two forms, and the lines of its section."""

    repo: str
    task: str
    path: str
    first: int
    last: int
    title: str

    @property
    def forms(self) -> dict[str, str]:
        if self.task.endswith("?") or not self.title:
            return {"own": self.task}
        return {"how do I": f"How do I {self.task}?", "imperative": self.task}

    def is_answered_by(self, hit: Hit) -> bool:
        return hit.path == self.path and hit.start_line <= self.last and hit.end_line >= self.first


def task_of(title: str) -> str:
    """Return what a heading tells to do, in the imperative; nothing if it tells nothing to do."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]|\{#[^}]*\}|\(?\[.*", lambda m: m[1] or "", title)
    plain = re.sub(
        r"^(?:\d+[.)]\s*)+|^how (?:to|do i|can i)\s+", "", plain.strip(), flags=re.IGNORECASE
    )
    words = plain.rstrip("?.:! ").split()
    base = _BASE.get(words[0].lower()) if 3 <= len(words) <= 10 else None
    if base is None or words[1].lower() in _NOUN_BEFORE:
        return ""
    return " ".join([base, *words[1:]])


def mined(tree: Path) -> list[Question]:
    """Return questions of the headings of a tree's documents, the same ones at each call."""
    found: list[Question] = []
    for path in sorted(tree.rglob("*")):
        told = path.relative_to(tree).as_posix()
        language = language_for_path(told)
        if not (language and language.name in {"markdown", "rst", "asciidoc"} and path.is_file()):
            continue
        if not _NO_ANSWERS.search(told):
            found += _of_file(tree.name, told, path.read_text("utf-8", "replace"), language.name)
    titles = [one.task.lower() for one in found]
    alone = [one for one in found if titles.count(one.task.lower()) == 1]
    random.Random(_SEED).shuffle(alone)
    return alone[:_MOST]


def _of_file(repo: str, path: str, text: str, language: str) -> Iterator[Question]:
    lines = text.split("\n")
    headings = list(read_headings(lines, language=language))
    for at, one in enumerate(headings):
        after = (it.line - 1 for it in headings[at + 1 :] if it.level <= one.level)
        last = next(after, len(lines))
        own_end = headings[at + 1].line - 1 if at + 1 < len(headings) else len(lines)
        words = " ".join(lines[one.line : own_end]).split()
        if len(words) >= _LEAST_WORDS and (task := task_of(one.title)):
            yield Question(repo, task, path, one.line, last, one.title)


def hide(tree: Path, copy: Path, questions: Iterable[Question]) -> None:
    """Copy a tree, with headings that are questions replaced by what says nothing."""
    if copy.exists():
        return
    shutil.copytree(tree, copy, symlinks=True)
    for number, one in enumerate(questions):
        path = copy / one.path
        lines = path.read_text("utf-8", "replace").split("\n")
        mark = re.match(r"\s*[#=]+ ", lines[one.first - 1])
        lines[one.first - 1] = f"{mark[0] if mark else ''}Part {number}"
        path.write_text("\n".join(lines), "utf-8")


def is_tuning(repo: str) -> bool:
    return hashlib.sha256(repo.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of one question."""

    question: Question
    form: str
    variant: str
    rank: int
    """Rank of the section from 1; 0 where it is not among the first ten."""
    rank_of_three: int
    """Rank when three hits are asked for."""
    is_denied: bool
    has_code: bool
    keeps_code: bool


def asked(index: Index, question: Question, variant: str) -> Iterator[Seen]:
    for form, text in question.forms.items():
        fifty, three = index.search(text, limit=50).hits, index.search(text, limit=3).hits
        code = [one for one in fifty if not _is_prose(one)]
        yield Seen(
            question,
            form,
            variant,
            _rank(fifty[:10], question),
            _rank(three, question),
            not fifty,
            any(not _is_prose(one) for one in three),
            not code or code[0].path in {one.path for one in three},
        )


def _is_prose(hit: Hit) -> bool:
    return LANGUAGES[hit.language].prose


def _rank(hits: Sequence[Hit], question: Question) -> int:
    return next((n for n, one in enumerate(hits, 1) if question.is_answered_by(one)), 0)


def report(seen: Sequence[Seen], label: str) -> None:
    for variant, form in sorted({(one.variant, one.form) for one in seen}):
        rows = [one for one in seen if (one.variant, one.form) == (variant, form)]

        def share(values: Iterable[bool], rows: Sequence[Seen] = rows) -> str:
            return f"{sum(values) / len(rows):.3f}"

        print(
            f"{label:9} {variant:7} {form:10} n={len(rows):<4}"
            f" first {share(one.rank == 1 for one in rows)}"
            f" of three {share(one.rank_of_three > 0 for one in rows)}"
            f" of ten {share(one.rank > 0 for one in rows)}"
            f" denied {share(one.is_denied for one in rows)}"
            f" code in three {share(one.has_code for one in rows)}"
            f" first code kept {share(one.keeps_code for one in rows)}"
        )


def observed(index: Index, question: Question) -> Iterator[tuple[Any, Any]]:
    """Yield the features of the candidate sections of each form, and which of them answer."""
    for text in question.forms.values():
        with index.reader().corpus() as (catalog, corpus):
            request = PipelineRequest(
                text, Filters(), query_vectorizer(corpus, index.query_encoders(corpus.generation))
            )
            _, scores = classify_and_retrieve(catalog, corpus, request)
            allowed = np.ones(len(corpus.paths), dtype=bool)
            found = section_candidates(corpus, scores, allowed)
            inside = [
                corpus.paths[corpus.chunk_file[at]] == question.path
                and corpus.chunk_lines[at][0] <= question.last
                and corpus.chunk_lines[at][1] >= question.first
                for at in found.chunks.tolist()
            ]
            yield found.rows, np.array(inside, dtype=bool)


def fitted(rows: Sequence[tuple[Any, Any]]) -> list[float]:
    """Return the bias and weights under which a section's chance to answer is likeliest.

    Each question counts twice: with its section, and as one that no section answers.
    """
    from scipy.optimize import minimize

    blocks = [(x, y) for x, y in rows if len(x) and y.any()]
    values = [np.concatenate([x, x[~y]]) for x, y in blocks]
    answers = [np.concatenate([y, np.zeros((~y).sum(), dtype=bool)]) for x, y in blocks]
    weight = np.concatenate([np.full(len(one), 1 / 2) for one in answers])
    x = np.concatenate(values).astype(float)
    x, y = np.hstack([np.ones((len(x), 1)), x]), np.concatenate(answers)

    def loss(row: Any) -> tuple[float, Any]:
        odds = x @ row
        error = 1 / (1 + np.exp(-odds)) - y
        total = np.logaddexp(0, odds) - y * odds
        return float(weight @ total + 0.5 * row[1:] @ row[1:]), x.T @ (weight * error) + [
            0.0,
            *row[1:],
        ]

    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return [round(float(one), 2) for one in found.x]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--own", type=Path)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    seen: list[Seen] = []
    rows: list[tuple[Any, Any]] = []
    for tree in sorted(args.trees.iterdir()):
        questions = mined(tree)
        if len(questions) < _FEWEST or (args.fit and not is_tuning(tree.name)):
            continue
        hide(tree, args.work / tree.name, questions)
        for variant, root in (("kept", tree), ("hidden", args.work / tree.name)):
            with Index.open(root, root=True) as index:
                index.sync(structure_only=True)
                if args.fit:
                    rows += [row for one in questions for row in observed(index, one)]
                else:
                    seen += [row for one in questions for row in asked(index, one, variant)]
    if args.fit:
        print(dict(zip(("bias", *SECTION_FEATURES), fitted(rows), strict=True)))
        return
    report([one for one in seen if is_tuning(one.question.repo)], "tuning")
    report([one for one in seen if not is_tuning(one.question.repo)], "reported")
    if args.own:
        report(list(own(args.own, args.trees)), "own")


def own(path: Path, trees: Path) -> Iterator[Seen]:
    """Ask the questions of a file of the trees as they are."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    for repo in sorted({one["repo"] for one in rows}):
        with Index.open(trees / repo, root=True) as index:
            index.sync(structure_only=True)
            for one in rows:
                if one["repo"] == repo:
                    question = Question(
                        repo, one["query"], one["path"], one["line"], one["last"], ""
                    )
                    yield from asked(index, question, "own")


if __name__ == "__main__":
    main()

"""Masking, figures and fitting, against the same done in another way."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.errors import DamagedError
from codeindex.evaluation.benchmark import RankerCandidates
from codeindex.evaluation.changed_functions import find_changed_functions, follow_lines
from codeindex.evaluation.masking import mask_docstring
from codeindex.evaluation.metrics import (
    bootstrap_mean,
    covers_function,
    function_quality,
    ranking_quality,
)
from codeindex.evaluation.questions import EvaluationQuestion, split_half
from codeindex.evaluation.weight_fitting import candidates_ndcg, fit_weights
from codeindex.git.hunks import Hunk
from codeindex.search.rank.features import FILE_FEATURES
from codeindex.search.rank.tuned_weights import (
    TunedWeights,
    count_other_editions,
    describe_tuning,
    read_tuned_rows,
    read_tuned_weights,
    tuned_weights_path,
    write_tuned_weights,
)
from codeindex.search.rank.weights import ranker_weights
from codeindex.search.weight_rows import FileWeightRow
from codeindex.store.segments.word_index import ChunkWords, WordIndex, write_words
from tests.conftest import Repository

PYTHON = '''\
def retry(job):
    """
    Try a job again.

    Raises what it raises.
    """
    return job()
'''
GO = """\
// Retry tries a job
// again, and waits.
//
// It never gives up.
func Retry(job Job) {
    // again
    job()
}
"""


@pytest.mark.parametrize(
    ("code", "doc", "left"),
    [
        (PYTHON, "Try a job again.", ["def retry(job):", "    return job()"]),
        (PYTHON.replace('"""', "'''"), "Try a job", ["def retry(job):", "    return job()"]),
        ('def a():\n    """Try again."""\n    b()', "Try again.", ["def a():", "    b()"]),
        ('def a():\n    """Try\n    again."""\n    b()', "Try again.", ["def a():", "    b()"]),
        (
            GO,
            "tries a job again, and waits.",
            ["func Retry(job Job) {", "    // again", "    job()", "}"],
        ),
        ("/**\n * Tries again.\n * @x\n */\nf()", "Tries again.", ["f()"]),
    ],
)
def test_a_documentation_is_taken_out_whole(code: str, doc: str, left: list[str]) -> None:
    lines = code.split("\n")
    without = mask_docstring(lines, doc)
    assert without is not None
    assert len(without) == len(lines)
    assert [line for line in without if line.strip()] == left


@pytest.mark.parametrize("doc", ["", "Try a task again.", "again job"])
def test_a_documentation_that_is_not_there_is_not_taken_out(doc: str) -> None:
    assert mask_docstring(PYTHON.split("\n"), doc) is None


TEXTS = st.text("ab ", max_size=12).map(lambda text: " ".join(text.split()))
CHUNKS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=6)


@settings(max_examples=40)
@given(CHUNKS, TEXTS, st.integers(0, 5))
def test_replaced_words_are_those_of_an_index_that_has_the_others(
    tmp_path_factory: pytest.TempPathFactory,
    chunks: list[tuple[str, str, str, str]],
    body: str,
    at: int,
) -> None:
    folder = tmp_path_factory.mktemp("words")
    at %= len(chunks)
    ids = np.arange(1, len(chunks) + 1)
    said = [ChunkWords(number, *one) for number, one in enumerate(chunks, 1)]
    anew = [*said[:at], said[at]._replace(body=body), *said[at + 1 :]]
    masked = WordIndex(folder, [write_words(folder, said)], ids).replacing([anew[at]])
    whole = WordIndex(folder, [write_words(folder, anew)], ids)
    assert masked.lengths.tolist() == whole.lengths.tolist()
    for word in {word for one in chunks for text in (*one, body) for word in text.split()}:
        mine, wanted = masked.occurrences(word), whole.occurrences(word)
        order = np.argsort(mine.positions)
        assert mine.positions[order].tolist() == wanted.positions.tolist()
        assert mine.counts[order].tolist() == wanted.counts.tolist()
        assert mine.marks[order].tolist() == wanted.marks.tolist()
        assert masked.frequency(word) == whole.frequency(word)


def test_figures_are_those_computed_by_hand() -> None:
    found = ranking_quality([7, 3, 9, 4], {3, 4})
    ideal = 1 + 1 / np.log2(3)
    assert found.ndcg == pytest.approx((1 / np.log2(3) + 1 / np.log2(5)) / ideal)
    assert (found.mrr, found.recall) == (0.5, 1.0)
    assert ranking_quality(range(20), {15}) == replace(found, ndcg=0.0, mrr=1 / 16, recall=0.0)
    assert ranking_quality([], {1}).mrr == 0.0
    assert ranking_quality([1], {1}).ndcg == ranking_quality([2, 3, 1], {1}).mrr * 3 == 1.0


def test_a_hit_shows_a_function_that_it_is_a_part_of_or_hardly_longer_than() -> None:
    function = ("a.py", 10, 19)
    assert covers_function(("a.py", 12, 15), function)
    assert covers_function(("a.py", 8, 19), function)
    assert covers_function(("a.py", 1, 60), function)
    assert not covers_function(("a.py", 1, 61), function)
    assert not covers_function(("a.py", 18, 25), function)
    assert not covers_function(("b.py", 10, 19), function)


def test_each_function_counts_once() -> None:
    wanted = [("a.py", 1, 9), ("a.py", 20, 29)]
    hits = [("a.py", 1, 5), ("a.py", 6, 9), ("a.py", 20, 29)]
    found = function_quality(hits, wanted)
    assert (found.recall, found.mrr) == (1.0, 1.0)
    assert found.ndcg == pytest.approx((1 + 1 / np.log2(4)) / (1 + 1 / np.log2(3)))
    assert function_quality(hits[:2], wanted).recall == 0.5


FEW_LINES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(FEW_LINES, FEW_LINES)
def test_lines_are_followed_to_the_same_text(old: list[str], new: list[str]) -> None:
    same = SequenceMatcher(None, old, new, autojunk=False)
    hunks = [
        # of a side without lines git names the line before
        Hunk(a + (b > a), b - a, c + (d > c), d - c)
        for what, a, b, c, d in same.get_opcodes()
        if what != "equal"
    ]
    kept = [
        at for block in same.get_matching_blocks() for at in range(block.a, block.a + block.size)
    ]
    went = list(follow_lines([at + 1 for at in range(len(old))], hunks))
    assert [new[at - 1] for at in went] == [old[at] for at in kept]
    assert went == sorted(set(went))


def test_an_interval_is_wider_where_values_hang_together() -> None:
    values = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0] * 5
    alone = bootstrap_mean(values, range(30))
    together = bootstrap_mean(values, [at // 3 for at in range(30)])
    assert alone.mean == together.mean == 0.5
    assert together.low < alone.low < 0.5 < alone.high < together.high
    assert bootstrap_mean([], []).high == 0.0


def test_about_half_of_all_files_are_in_each_half() -> None:
    halves = [split_half(f"src/part{n}.py") for n in range(400)]
    assert 150 < sum(halves) < 250
    assert set(halves) == {0, 1}


SHIPPED = ranker_weights("token", "other").row
NAMES = tuple(one.name for one in FILE_FEATURES)
STEM, WORDS_BEST, TEST = (NAMES.index(one) for one in ("stem", "words_best", "test"))


def misled(number: int) -> RankerCandidates:
    """Return a question whose right file has the words, and whose wrong one has the name."""
    rows = np.zeros((12, len(NAMES) + 1), dtype=np.float32)  # and the score of the best place
    rows[:, WORDS_BEST] = np.linspace(0.6, 0.1, 12)
    rows[0, WORDS_BEST], rows[1:4, STEM], rows[1:4, TEST] = 1.0, 1.0, number % 2
    relevant = np.arange(12) == 0
    question = EvaluationQuestion("docstring", "a b c", "x", frozenset({number}))
    return RankerCandidates(question, "token", "other", rows, relevant)


def test_weights_follow_what_a_repository_asks_for_and_taste_stays() -> None:
    seen = [misled(number) for number in range(30)]
    row = fit_weights(seen, SHIPPED, 0.001)
    assert np.mean([candidates_ndcg(one, row) for one in seen]) > np.mean(
        [candidates_ndcg(one, SHIPPED) for one in seen]
    )
    assert row[0][STEM] < SHIPPED[0][STEM]
    assert row[0][TEST] == SHIPPED[0][TEST]
    best = [(one.rows[:, :-1] @ np.array(SHIPPED[0])).max() + SHIPPED[1] for one in seen]
    now = [(one.rows[:, :-1] @ np.array(row[0])).max() + row[1] for one in seen]
    assert np.mean(now) == pytest.approx(np.mean(best))


def test_a_high_price_leaves_the_shipped_weights() -> None:
    row = fit_weights([misled(number) for number in range(30)], SHIPPED, 1.0)
    assert np.abs(np.array(row[0]) - SHIPPED[0]).max() < 0.3
    nothing = replace(misled(0), relevant=np.zeros(12, dtype=bool))
    assert fit_weights([nothing], SHIPPED, 0.01) == SHIPPED


def test_targets_that_no_retriever_found_count_as_missed() -> None:
    one = misled(0)
    more = replace(one, question=replace(one.question, targets=frozenset({0, 1})))
    assert candidates_ndcg(more, SHIPPED) < candidates_ndcg(one, SHIPPED)


ROW: FileWeightRow = (tuple(float(n) for n in range(len(NAMES))), -7.5)
TUNED = TunedWeights(
    {("token", "other"): ROW, ("words", "other"): ROW}, "m@1/128", 1.8e9, "words +0.020"
)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    assert read_tuned_weights(tmp_path) is None
    assert describe_tuning(tmp_path, "") == ""
    assert write_tuned_weights(tmp_path, TUNED)
    assert read_tuned_weights(tmp_path) == TUNED
    assert read_tuned_rows(tmp_path, "m@1/256") == TUNED.rows
    assert "gain in NDCG@10: words +0.020" in describe_tuning(tmp_path, "m@1/128")
    assert read_tuned_rows(tmp_path, "m@2/128") == {("words", "other"): ROW}
    assert "eval --tune` again" in describe_tuning(tmp_path, "other@1/128")
    assert write_tuned_weights(tmp_path, None)
    assert not write_tuned_weights(tmp_path, None)
    assert not tuned_weights_path(tmp_path).exists()


def test_weights_of_another_release_are_kept_and_not_used(tmp_path: Path) -> None:
    write_tuned_weights(tmp_path, TUNED)
    data = json.loads(tuned_weights_path(tmp_path).read_text())
    (mine,) = data["editions"].values()
    other = write_edition(tmp_path, {"0123456789ab": mine})
    assert read_tuned_weights(tmp_path) is None
    assert "another release" in describe_tuning(tmp_path, "")
    write_tuned_weights(tmp_path, TUNED)
    assert count_other_editions(tmp_path) == 1
    write_tuned_weights(tmp_path, None)
    assert json.loads(tuned_weights_path(tmp_path).read_text()) == other


def write_edition(folder: Path, entries: dict[str, object]) -> dict[str, object]:
    import hashlib

    text = json.dumps(entries, sort_keys=True).encode()
    data: dict[str, object] = {"sum": hashlib.sha256(text).hexdigest(), "editions": entries}
    tuned_weights_path(folder).write_text(json.dumps(data))
    return data


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: text.replace("-7.5", "-9.5"),
        lambda _: "[]",
        lambda _: "\0" * 100,
        lambda _: "[" * 50_000,
        lambda _: "",
    ],
)
def test_a_damaged_file_is_a_sentence_and_the_shipped_weights(
    tmp_path: Path, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    write_tuned_weights(tmp_path, TUNED)
    path = tuned_weights_path(tmp_path)
    assert callable(damage)
    path.write_text(damage(path.read_text()))
    with pytest.raises(DamagedError, match="so the shipped ones rank: `codeindex repair`"):
        read_tuned_weights(tmp_path)
    assert read_tuned_rows(tmp_path, "m@1/128") is None
    assert "tuned.json" in caplog.text
    assert "cannot be read" in describe_tuning(tmp_path, "")
    write_tuned_weights(tmp_path, TUNED)
    assert read_tuned_weights(tmp_path) == TUNED


@pytest.mark.parametrize("bad", [{"bias": None}, {"stem": "x"}, {"stem": 1e999}])
def test_an_entry_with_other_than_numbers_is_damaged(
    tmp_path: Path, bad: dict[str, object]
) -> None:
    write_tuned_weights(tmp_path, TUNED)
    data = json.loads(tuned_weights_path(tmp_path).read_text())
    ((name, entry),) = data["editions"].items()
    entry["rows"]["words"]["other"] |= bad
    write_edition(tmp_path, {name: entry})
    with pytest.raises(DamagedError):
        read_tuned_weights(tmp_path)


@pytest.mark.usefixtures("home")
def test_a_path_with_brackets_is_the_only_one_whose_changes_are_followed(
    repository: Repository,
) -> None:
    root = repository({"[ab].py": "def pay():\n    return 1\n", "a.py": "def send():\n    pass\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        head = index.status().head
        assert head
        with index.reader().catalog() as (catalog, _):
            found = find_changed_functions(catalog.connection, root, head, head, ["[ab].py"])
            assert list(found) == [("[ab].py", 1, 2)]

"""An index is measured on its own repository, tuned to it only if that helps, and untuned again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.embed.encoder import QueryEncoders
from codeindex.errors import LockedError, NotIndexedError, QueryError
from codeindex.evaluation.benchmark import Benchmark, EvaluatedIndex
from codeindex.evaluation.questions import generate_questions
from codeindex.evaluation.report import Evaluation
from codeindex.search.rank import weights
from codeindex.search.rank.features import FILE_FEATURES
from codeindex.search.rank.tuned_weights import read_tuned_weights, tuned_weights_path
from codeindex.store.locks.writer_lock import writer_lock
from tests.conftest import Repository, made_repository, own_data

NAMES = tuple(
    head + tail
    for head in ("am", "bi", "ce", "do", "em", "fj", "gr", "ha", "iv")
    for tail in ("ber", "rch", "dar", "lta", "ord")
)
WORDS = ("gather", "polish", "weigh")


def misleading() -> dict[str, str]:
    """Return files whose documentation is about what another one is called, and speaks of more."""
    files = {}
    for at, name in enumerate(NAMES):
        other = NAMES[(at * 7 + 3) % len(NAMES)]
        lines = []
        for word in WORDS:
            lines += [
                f"def {word[0]}{at}(box):",
                f'    """{word.title()} every {other} of the stone box."""',
                f"    # {word}: the stone box",
                f"    return box.stone({other}, {other}, {other}, {other})",
                "",
            ]
        files[f"lib/{name}.py"] = "\n".join(lines)
    return files


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give all tests of this file one data folder, without a model."""
    folder = tmp_path_factory.mktemp("data")
    with own_data(folder):
        yield folder


def commit(root: Path, message: str, **files: str) -> None:
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    git = ("git", "-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    subprocess.run([*git, "add", "-A"], cwd=root, check=True)
    subprocess.run([*git, "commit", "-qm", message], cwd=root, check=True)


@pytest.fixture(scope="module")
def shop(data: Path) -> Iterator[Index]:
    """A small repository with a history, a docstring that says a secret thing, and a test."""
    root = made_repository(
        data / "shop",
        {
            "cart.py": "def total(items):\n    return sum(items)\n",
            "pay.py": (
                "def charge(card):\n"
                '    """Take the money off the zebra striped card.\n\n'
                '    Returns nothing.\n    """\n'
                "    return gate(card)\n"
            ),
            "test_pay.py": "from pay import charge\n",
            "tags.php": (
                "<?php\n/**\n * @return array<int|string, mixed> numbers or telling words\n */\n"
                "function mixed_up() { return []; }\n"
            ),
            "notes.md": "# Notes\n\nnothing here\n",
        },
    )
    commit(root, "Bump version to 2", cart="def total(items):\n    return sum(items) + 0\n")
    commit(
        root,
        "fix(pay): refuse cards that have expired long ago (#12)",
        pay=(root / "pay.py").read_text() + "\n\ndef expired(card):\n    return card.old\n",
        test_pay="from pay import expired\n",
    )
    commit(root, "wip", cart="def total(items):\n    return sum(items)\n")
    with Index.open(root) as index:
        index.sync()
        yield index


@contextmanager
def shipped_row(**changed: float) -> Iterator[None]:
    """Have the block rank other questions by words with changed weights, and nothing after it."""
    caches = (weights.weights_edition, weights._shipped)
    row = weights._table()["words"]["other"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(weights._table()["words"], "other", row | changed)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture(scope="module")
def stones(data: Path) -> Iterator[Index]:
    """Give a repository for which the shipped weights are wrong: they go by the names of files."""
    faint = dict.fromkeys(("words_best", "file_bm25", "file_tf", "coverage"), 0.2)
    root = made_repository(data / "stones", misleading())
    with shipped_row(**faint, stem=6.0), Index.open(root) as index:
        index.sync()
        yield index


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_questions_are_telling_messages_and_docstrings(shop: Index) -> None:
    with shop.reader().corpus() as (catalog, corpus):
        asked, notes = generate_questions(catalog, corpus, shop.root, limit=10)
        paths = {
            one.text: (
                {corpus.paths[at] for at in one.targets},
                {corpus.paths[at] for at in one.ignored},
            )
            for one in asked
        }
    assert notes == ()
    assert paths == {
        "refuse cards that have expired long ago": ({"pay.py"}, {"test_pay.py"}),
        "Take the money off the zebra striped card": ({"pay.py"}, set()),
    }


def test_a_docstring_is_asked_for_without_itself(shop: Index) -> None:
    """Only the docstring says zebra: with it taken out, nobody does."""
    assert shop.search("zebra striped").hits[0].path == "pay.py"
    with shop.reader().corpus() as (catalog, corpus):
        ground = EvaluatedIndex("shop", shop.root, catalog, corpus, QueryEncoders(), 128)
        bench = Benchmark.of(ground)
        asked, _ = generate_questions(catalog, corpus, shop.root, limit=10)
        (one,) = (one for one in asked if one.kind == "docstring")
        (seen,) = bench.ask(one)
        (candidates,) = bench.candidates(one)
    names = [feature.name for feature in FILE_FEATURES]
    assert candidates.rows.shape[1] == len(names) + 1
    said = candidates.rows[:, names.index("coverage")]  # the share of the words that a file has
    assert said.max(initial=0) < 0.5
    assert seen.evidence == bench.best == "words"
    assert ("pay.py", 1, 6) not in seen.hits[:1]


def test_a_commit_asks_for_the_functions_whose_lines_it_wrote(shop: Index) -> None:
    """The commit added `expired` and an import to a test, which is neither right nor wrong."""
    with shop.reader().corpus() as (catalog, corpus):
        asked, _ = generate_questions(catalog, corpus, shop.root, limit=10)
    (one,) = (one for one in asked if one.kind == "commit")
    assert one.functions == {("pay.py", 9, 10)}


def test_the_report_fits_a_terminal_and_states_its_evidence(shop: Index) -> None:
    done = run("eval", str(shop.root))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("shop: 2 questions in ")
    assert lines[1] == "weights: as shipped"
    assert max(map(len, lines)) <= 79
    assert "commit message -> files that it changed (1 question)" in lines
    assert "commit message -> functions that it changed (1 question)" in lines
    assert "docstring -> its function (1 question)" in lines
    assert "removed from the words and vectors of its chunk" in " ".join(lines)
    found = json.loads(run("eval", str(shop.root), "--json").stdout)
    assert {one["task"] for one in found["scores"]} == {
        "commit",
        "changed",
        "docstring",
        "function",
    }
    assert all(0 <= one["ndcg"]["low"] <= one["ndcg"]["high"] <= 1 for one in found["scores"])
    assert [one for one in found["worst"] if one["rank"] == 1] == []


def test_kinds_without_questions_are_named(data: Path) -> None:
    root = data / "plain"
    root.mkdir()
    (root / "a.py").write_text("def retry():\n    return 1\n")
    with Index.open(root, root=True) as index:
        with pytest.raises(NotIndexedError):
            index.evaluation.evaluate()
        with pytest.raises(NotIndexedError):
            index.evaluation.untune()
        index.sync()
        found = index.evaluation.evaluate()
        assert found.scores == ()
        assert [note.partition(":")[0] for note in found.notes] == [
            "No questions from the history",
            "No questions from documentation",
        ]
        tuning = index.evaluation.tune()
        assert not tuning.kept
        assert "Too few questions to tune" in tuning.notes[-1]
        with pytest.raises(QueryError, match="limit is 0"):
            index.evaluation.evaluate(limit=0)
    assert run("eval", str(root), "--tune", "--reset").exit_code == 2


def test_a_secret_in_a_message_is_not_repeated(repository: Repository, data: Path) -> None:
    assert data.exists()
    root = repository({"a.py": "x = 1\n"}, name="till")
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    commit(root, f"retry uploads with the token {token} when refused", a="def retry(): pass\n")
    with Index.open(root) as index:
        index.sync()
        text = json.dumps(index.evaluation.evaluate().as_dict())
        with index.reader().corpus() as (catalog, corpus):
            asked, _ = generate_questions(catalog, corpus, root, limit=10)
    assert len(asked) == 1
    assert token not in text
    assert token not in asked[0].text


def by_words(found: Evaluation, task: str) -> float:
    return next(one.ndcg.mean for one in found.scores if one.task == task)


def test_weights_are_kept_where_the_other_half_gains_and_undone(stones: Index) -> None:
    root, folder = str(stones.root), stones.repository.folder
    before = stones.evaluation.evaluate()
    query = "gather every fjord emberstone"
    usual = stones.search(query, limit=1)
    first = stones.search(query, limit=1)
    done = run("eval", root, "--tune")
    assert done.exit_code == 0, done.output
    assert "  kept" in done.stdout.splitlines()
    assert "codeindex eval --reset` removes them" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 79
    tuned = read_tuned_weights(folder)
    assert tuned is not None
    assert set(tuned.rows) == {("words", "other")}
    # an index that was open already ranks by them, and cuts no page of another order
    again = stones.search(query, limit=1)
    assert again.index_version == usual.index_version + 1
    assert again.hits[0].why != usual.hits[0].why
    assert first.cursor
    with pytest.raises(QueryError):
        stones.search(query, limit=1, cursor=first.cursor)
    after = stones.evaluation.evaluate()
    assert by_words(after, "docstring") > by_words(before, "docstring") + 0.01
    assert after.tuned == stones.status().tuned != ""
    assert "gain in NDCG@10: words +0." in run("status", root).stdout
    # it outlives a rebuild, as what it was learned from does
    stones.sync(rebuild=True)
    assert stones.search(query, limit=1).hits[0].why == again.hits[0].why
    done = run("eval", root, "--reset")
    assert done.stdout == "stones: searches use the shipped weights\n"
    assert stones.search(query, limit=1).hits[0].why == usual.hits[0].why
    assert run("eval", root, "--reset").stdout.startswith("stones: nothing was tuned; ")


def test_a_damaged_file_is_named_and_repaired(stones: Index) -> None:
    root, path = str(stones.root), tuned_weights_path(stones.repository.folder)
    usual = stones.search("polish every cedar").hits
    assert [one.text for one in stones.admin.verify().verdicts if one.subject == "weights"] == [
        "as shipped"
    ]
    stones.evaluation.tune()
    path.write_bytes(path.read_bytes()[:-9])
    with Index.open(root) as fresh:
        assert [hit.path for hit in fresh.search("polish every cedar").hits] == [
            hit.path for hit in usual
        ]
        assert "so the shipped ones rank" in fresh.status().tuned
    (bad,) = stones.admin.verify().problems
    assert (bad.subject, bad.remedy) == ("weights", "run `codeindex repair`")
    assert "weights" in run("doctor", root).stdout
    repaired = stones.admin.repair()
    assert [one.subject for one in repaired.found] == ["weights"]
    assert repaired.left == ()
    assert not path.exists()
    assert (stones.repository.folder / "broken" / path.name).exists()
    assert stones.search("polish every cedar").hits[0].why == usual[0].why


def test_nothing_is_tuned_while_another_writes(
    stones: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeindex.evaluation.tune._WAIT_SECONDS", 0.0)
    with writer_lock(stones.repository.folder), pytest.raises(LockedError):
        stones.evaluation.untune()

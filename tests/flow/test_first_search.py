"""The first search of a folder without an index answers from the files likeliest to answer it."""

from dataclasses import replace
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.ingest.sync.context import WaitingQuestions
from codeindex.ingest.sync.repository import sync_repository
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Answer
from tests.conftest import Repository
from tests.flow.sites import Pools, content, install_tiny, opened
from tests.flow.test_cli import run

RESERVE = {
    "shop/stock.py": "class Stock:\n    def reserve_item(self, item):\n        self.items.pop(0)\n",
    "shop/order.py": "from shop.stock import Stock\n\n\ndef place(order):\n"
    "    for item in order:\n        Stock().reserve_item(item)\n",
    "shop/reserve_note.md": "# How items are reserved\n\nA reserved item leaves the stock.\n",
}
MANY = {f"lib/part_{n}.py": f"def step_{n}(value):\n    return value + {n}\n" for n in range(120)}
QUESTION = "reserve_item"
FROM_SOME = f"of {len(MANY | RESERVE)} files, the likeliest by their words"


@pytest.fixture
def shop(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert not home.exists()
    root = repository(MANY | RESERVE)
    monkeypatch.chdir(root)
    return root


@pytest.mark.usefixtures("shop")
def test_the_likeliest_files_answer_before_the_others_are_stored() -> None:
    done = run("search", QUESTION, "-m2")
    assert done.exit_code == 0
    assert done.stdout.startswith("shop/stock.py:2:")
    order = ["shop/stock.py:2:", FROM_SOME, "shop: 123 added", "with all files indexed"]
    places = [done.output.index(text) for text in order]
    assert places == sorted(places)
    assert done.stdout.count("shop/stock.py:2:") == 1  # the answer of all files is only compared
    again = run("search", QUESTION, "-m2")
    assert again.stdout == done.stdout
    assert not again.stderr


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    "command", [("search", QUESTION), ("index",), ("index", "--structure-only")]
)
def test_word_segments_that_a_first_sync_merges_are_deleted(
    command: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeindex.ingest.sync.writer._BATCH_FILES", 40)
    assert run(*command).exit_code == 0
    assert len(list(home.glob("repos/*/segments/words-*"))) == 1


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("words", "exit_code"),
    [((QUESTION, "--json"), 0), (("zeppelin_mooring",), 1)],
)
def test_what_must_be_complete_waits_for_all_files(words: tuple[str, ...], exit_code: int) -> None:
    done = run("search", *words)
    assert done.exit_code == exit_code
    assert FROM_SOME not in done.stderr
    assert "123 added" in done.stderr


def test_a_first_sync_that_was_interrupted_goes_on(shop: Path) -> None:
    answers: list[Answer] = []

    def stop(phase: str, _done: int, _total: int) -> None:
        if phase == "first":
            with Index.open(shop, flags={"search.fresh": False}) as index:
                answers.extend(map(index.search, (QUESTION, "zeppelin_mooring", "item zeppelin")))
            raise KeyboardInterrupt

    with Index.open(shop) as index, pytest.raises(KeyboardInterrupt):
        index.sync(structure_only=True, next_question=lambda: QUESTION, progress=stop)
    found, absent, partly = answers
    assert found.hits[0].path == "shop/stock.py"
    assert found.readiness.words < 1
    assert absent.absence is None  # a file that is not stored yet may have it
    assert not partly.missing_words
    done = run("search", "step_77", "-l", "-m1")
    assert "the first sync of shop was interrupted; it goes on" in done.stderr
    assert done.stdout == "lib/part_77.py\n"
    assert run("search", "what calls reserve_item", "-l").stdout == "shop/order.py\n"


def test_the_order_of_files_does_not_change_the_index(
    tmp_path: Path, home: Path, repository: Repository
) -> None:
    root, pools = repository(MANY | RESERVE), Pools()
    install_tiny(home)
    phases: list[tuple[str, int, int]] = []
    with opened(root, tmp_path / "by path", home, pools) as site:
        sync_repository(site, structure_only=True)
        by_path = content(site.repository)
    with opened(root, tmp_path / "likely", home, pools) as site:
        likely = replace(
            site,
            questions=WaitingQuestions(
                lambda: QUESTION, lambda files, _: [file for file in files if file.path in RESERVE]
            ),
            progress=lambda *step: phases.append(step),
        )
        sync_repository(likely, structure_only=True)
        with Catalog.open(site.repository.catalog) as catalog, catalog.reading() as generation:
            assert generation.complete
            assert generation.statistics["chunks"] > len(MANY)
            assert set(generation.statistics) == {"file", "model", "chunks", "changed"}
        assert content(site.repository) == by_path
        assert content(site.repository).with_token_vector
    pools.close()
    (first,) = (step for step in phases if step[0] == "first")
    assert len(RESERVE) <= first[1] < first[2] == len(MANY | RESERVE)

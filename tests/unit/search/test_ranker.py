"""The ranker on small indexes: candidates, order, score parts, limits for one file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from codeindex import Filters, Index
from codeindex.search.filters import file_mask
from codeindex.search.names.boosts import (
    EXACT_NAME_BOOST,
    FOLDED_NAME_BOOST,
    KIND_WEIGHT,
    MINOR_KIND_PENALTY,
    PARTIAL_NAME_BOOST,
    PATH_BOOST,
    RESTYLED_NAME_BOOST,
    SPOKEN_NAME_BOOST,
)
from codeindex.search.pipeline import PipelineRequest, classify_and_retrieve, run_pipeline
from codeindex.search.rank.features import FILE_FEATURES, PLACE_FEATURES
from codeindex.search.rank.ranker import (
    RankedChunk,
    ScorePart,
    candidate_files,
    evidence_level,
    rank_candidates,
    rank_chunks,
)
from codeindex.search.rank.weights import ranker_weights
from tests.conftest import made_repository, own_data

METHODS = "".join(
    f'    def ledger_{n}(self):\n        """Ledger entry."""\n        return {n}\n\n'
    for n in range(9)
)
FILES = {
    "bank/ledger.py": f"class Ledger:\n{METHODS}",
    "bank/transfer.py": (
        'def transfer(a, b):\n    """Move money between accounts."""\n    return b\n'
    ),
    "bank/other.py": "def other():\n    return transfer(1, 2)\n",
    "tests/test_transfer.py": "def test_transfer():\n    assert transfer(1, 2)\n",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("ranker")
    with own_data(folder), Index.open(made_repository(folder / "bank", FILES)) as index:
        index.sync(structure_only=True)
        yield index


def ranked(index: Index, query: str, **filters: tuple[str, ...]) -> list[tuple[str, RankedChunk]]:
    """Return paths and ranked chunks."""
    request = PipelineRequest(query, Filters(**filters))  # type: ignore[arg-type]
    with index.reader().corpus() as (catalog, corpus):
        question, scores = classify_and_retrieve(catalog, corpus, request)
        allowed = file_mask(corpus, request.filters)
        hits = rank_chunks(corpus, scores, question=question, allowed=allowed)
        files = corpus.chunk_file[np.searchsorted(corpus.chunk_ids, [it.chunk_id for it in hits])]
        return [(corpus.paths[file], hit) for file, hit in zip(files, hits, strict=True)]


def test_a_score_is_the_logistic_function_of_its_parts(bank: Index) -> None:
    hits = ranked(bank, "move money between accounts")
    assert hits
    for _, hit in hits:
        log_odds = math.fsum(part.contribution for part in hit.parts)
        assert hit.score == pytest.approx(1 / (1 + math.exp(-log_odds)))


def test_scores_descend_and_the_described_function_is_first(bank: Index) -> None:
    hits = ranked(bank, "move money between accounts")
    scores = [hit.score for _, hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert hits[0][0] == "bank/transfer.py"


def test_a_named_symbol_outranks_its_callers_and_tests(bank: Index) -> None:
    (path, first), *others = ranked(bank, "transfer")
    assert path == "bank/transfer.py"
    assert first.why["place_named"] > 0
    assert first.line == 1
    assert "tests/test_transfer.py" in {other for other, _ in others}


def test_one_file_has_at_most_five_places_that_are_not_named(bank: Index) -> None:
    hits = [hit for path, hit in ranked(bank, "ledger entry") if path == "bank/ledger.py"]
    unnamed = [hit for hit in hits if not hit.line]
    assert len(unnamed) <= 5
    assert len({hit.rank_in_file for hit in hits}) == len(hits)


def test_only_allowed_files_are_candidates(bank: Index) -> None:
    paths = {path for path, _ in ranked(bank, "transfer", paths=("tests",))}
    assert paths == {"tests/test_transfer.py"}


def test_without_candidates_nothing_is_ranked(bank: Index) -> None:
    request = PipelineRequest("transfer")
    with bank.reader().corpus() as (catalog, corpus):
        question, scores = classify_and_retrieve(catalog, corpus, request)
        nothing = np.zeros(len(corpus.paths), dtype=bool)
        assert not len(candidate_files(corpus, scores, nothing))
        assert rank_chunks(corpus, scores, question=question, allowed=nothing) == []


def test_further_places_of_a_file_cost_more(bank: Index) -> None:
    request = PipelineRequest("ledger entry")
    with bank.reader().corpus() as (catalog, corpus):
        question, scores = classify_and_retrieve(catalog, corpus, request)
        everything = np.ones(len(corpus.paths), dtype=bool)
        ranking = rank_candidates(corpus, scores, question=question, allowed=everything)
        of_file = ranking.weights.bias + ranking.file_rows @ ranking.weights.files
        cost = of_file[ranking.places.owner] + ranking.own - ranking.odds
        expected = ranking.weights.further * np.log1p(ranking.rank_in_file)
        assert cost == pytest.approx(expected)
        assert evidence_level(corpus) == "words"


def test_the_pipeline_returns_what_the_ranker_ranked(bank: Index) -> None:
    with bank.reader().corpus() as (catalog, corpus):
        result = run_pipeline(catalog, corpus, PipelineRequest("transfer"))
    assert [hit.chunk_id for hit in result.ranked] == [
        hit.chunk_id for _, hit in ranked(bank, "transfer")
    ]
    assert result.absence is None


def test_a_part_contributes_its_value_times_its_weight() -> None:
    part = ScorePart("stem", 0.5, 4.0)
    assert part.contribution == 2.0
    hit = RankedChunk(1, 0.5, extra_parts=(part, ScorePart("folder", 0.0, 1.8)))
    assert hit.why == {"stem": 2.0}
    assert hit.rank_in_file == 0


def test_every_feature_has_a_weight_for_each_evidence_and_question() -> None:
    for evidence in ("words", "token", "dense"):
        for question in ("symbol", "how", "other"):
            row = ranker_weights(evidence, question)
            assert len(row.files) == len(FILE_FEATURES)
            assert len(row.places) == len(PLACE_FEATURES)


def test_tuned_rows_replace_the_weights_of_files_only() -> None:
    shipped = ranker_weights("words", "other")
    tuned = ranker_weights(
        "words", "other", {("words", "other"): ((0.5,) * len(FILE_FEATURES), -3.0)}
    )
    assert set(tuned.files.tolist()) == {0.5}
    assert tuned.bias == -3.0
    assert tuned.places.tolist() == shipped.places.tolist()
    assert tuned.further == shipped.further


def test_a_folder_file_counts_as_reexport_unless_a_function_in_it_has_a_body(
    tmp_path: Path,
) -> None:
    files = {
        "passed/__init__.py": "from passed.teller import pay\n\n__all__ = ['pay']\n",
        "passed/teller.py": "def pay(teller):\n    return teller\n",
        "defined/__init__.py": "def withdraw(teller):\n    return teller\n",
    }
    with own_data(tmp_path), Index.open(made_repository(tmp_path / "repo", files)) as index:
        index.sync(structure_only=True)
        counted = {path for path, hit in ranked(index, "the teller pays") if "reexport" in hit.why}
        assert {path for path, _ in ranked(index, "the teller pays")} == files.keys()
    assert counted == {"passed/__init__.py"}


def test_features_tell_a_function_that_hands_on_from_one_that_says_all(tmp_path: Path) -> None:
    code = (
        "def charge(card):\n    return charge_card(card)\n\n\n"
        "def charge_card(card):\n    if not card.credit:\n        return None\n"
        "    card.credit -= 1\n    return card\n"
    )
    root = made_repository(tmp_path / "shop", {"pay.py": code})
    with own_data(tmp_path), Index.open(root) as index:
        index.sync(structure_only=True)
        with index.reader().corpus() as (catalog, corpus):
            question, scores = classify_and_retrieve(
                catalog, corpus, PipelineRequest("how is the credit of a card charged")
            )
            allowed = file_mask(corpus, Filters())
            ranking = rank_candidates(corpus, scores, question=question, allowed=allowed)
    names = [feature.name for feature in PLACE_FEATURES]
    rows = ranking.place_rows[:, [names.index("place_thin"), names.index("place_coverage")]]
    assert rows[:, 0].tolist() == [1, 0]  # `charge`, `charge_card`
    assert rows[0, 1] < rows[1, 1] == pytest.approx(1)


@pytest.mark.parametrize("question", ["throttle of a server", "zebra throttle of a server"])
def test_the_commonest_word_of_a_question_counts_less_in_names(
    tmp_path: Path, question: str
) -> None:
    files = {f"part_{n}.py": f"def part_{n}(server):\n    return server\n" for n in range(9)}
    files["server.py"] = "class Server:\n    port = 80\n"
    files["throttle.py"] = "def throttle(client):\n    return client.wait()\n"
    root = made_repository(tmp_path / "net", files)
    with own_data(tmp_path), Index.open(root) as index:
        index.sync(structure_only=True)
        parts = {
            path: {part.name: part.value for part in hit.parts}
            for path, hit in ranked(index, question)
        }
    for feature in ("stem", "place_name_words"):
        assert parts["throttle.py"][feature] == pytest.approx(1)
        assert 0.7 < parts["server.py"][feature] < 0.95


def test_boosts_order_the_ways_of_naming() -> None:
    boosts = [
        EXACT_NAME_BOOST,
        FOLDED_NAME_BOOST,
        RESTYLED_NAME_BOOST,
        SPOKEN_NAME_BOOST,
        PARTIAL_NAME_BOOST,
    ]
    assert boosts == sorted(boosts, reverse=True)
    assert PATH_BOOST["whole"] > PATH_BOOST["end"] > PATH_BOOST["folded"] > PATH_BOOST["slipped"]
    assert all(0 < weight < 1 for weight in KIND_WEIGHT.values())
    exact_field = EXACT_NAME_BOOST - MINOR_KIND_PENALTY * (1 - KIND_WEIGHT["field"])
    assert exact_field > RESTYLED_NAME_BOOST


KINDS_OF_FILES = {
    "client/retry.py": "def retry_request(request):\n    for delay in (1, 2, 4):\n"
    "        if request.send():\n            return request.answer\n",
    "client/test_retry.py": "def test_retry_request():\n    assert retry_request(request())\n",
    "examples/retry.py": "from client import retry_request\n\nretry_request('GET /')\n",
    "web/retry.scss": ".retry-request {\n  color: red;\n}\n",
    "web/retry.erb": "<div class='retry-request'>retry the request</div>\n",
    ".github/workflows/retry.yml": "name: Retry\njobs:\n  request:\n    steps: [retry]\n",
    "guide/limits.md": "# Retries\n\nRetrying a request takes the client seven seconds.\n",
}


@pytest.fixture(scope="module")
def kinds_of_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("kinds")
    with own_data(folder), Index.open(made_repository(folder / "client", KINDS_OF_FILES)) as index:
        index.sync(structure_only=True)
        yield index


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("retry a request", "client/retry.py"),
        ("tests for retrying a request", "client/test_retry.py"),
        ("how is retrying a request tested", "client/test_retry.py"),
        ("sample code for retrying a request", "examples/retry.py"),
        ("documentation of retrying a request", "guide/limits.md"),
        ("styles for retrying a request", "web/retry.scss"),
        ("html page for retrying a request", "web/retry.erb"),
        ("ci pipeline for retrying a request", ".github/workflows/retry.yml"),
    ],
)
def test_a_question_may_ask_for_a_kind_of_files(
    kinds_of_files: Index, query: str, path: str
) -> None:
    assert kinds_of_files.search(query).hits[0].path == path

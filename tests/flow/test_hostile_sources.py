"""Texts and patterns that are written to stop an indexer; `tests/soak/fuzz.py` tries thousands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.child_process.limits import cpu_seconds_for
from codeindex.config import LimitsConfig, SecretsConfig
from codeindex.ingest.workers import child
from codeindex.ingest.workers.child import WorkerSettings
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.languages import LANGUAGES
from codeindex.types import Filters, SourceFile
from tests.conftest import Repository
from tests.soak.fuzz import mutated

SAMPLES = {
    name: one.read_bytes()
    for name, language in LANGUAGES.items()
    if language.symbols
    for one in sorted(Path(__file__).parents[1].glob(f"languages/{name}/*"))
    if one.suffix in language.suffixes
}
LARGEST = 20_000
"""Bytes of a mutation: the slow ones are for the long run."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tree")


@pytest.fixture(scope="module")
def pool(tree: Path) -> Iterator[WorkerPool]:
    settings = WorkerSettings(tree, LimitsConfig(), SecretsConfig(), (), tree / "none")
    with WorkerPool(settings, size=1) as pool:
        yield pool


@settings(max_examples=18)
@given(name=st.sampled_from(sorted(SAMPLES)), seed=st.integers(0, 2**32))
def test_no_mutilated_source_is_lost(tree: Path, pool: WorkerPool, name: str, seed: int) -> None:
    seeds = [SAMPLES[name], SAMPLES["python"]]
    data = mutated(seeds, random.Random(seed))[:LARGEST]
    path = f"mutilated{min(LANGUAGES[name].suffixes)}"
    (tree / path).write_bytes(data)
    (prepared,) = pool.prepare([SourceFile(path, name, len(data), 0, 0)])
    assert prepared.path == path
    assert prepared.status in {"indexed", "plain", "skipped"}


def test_an_interface_is_read_by_the_grammar_of_its_suffix(tree: Path, pool: WorkerPool) -> None:
    text = "val total : int list -> int\nmodule Inner : sig val go : int -> int end\n"
    (tree / "sums.mli").write_text(text)
    (prepared,) = pool.prepare([SourceFile("sums.mli", "ocaml", len(text), 0, 0)])
    assert [one.qualified for one in prepared.symbols] == ["total", "Inner", "Inner.go"]
    assert prepared.reason == ""


def test_a_parser_that_is_killed_is_counted_and_its_file_named(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    hostile = ("a<b<c<" * 30 + "\n") * 667  # 20,000 times: the parser falls over
    with Index.open(repository({"A.java": hostile, "good.py": "x = 1\n"})) as index:
        report = index.sync(structure_only=True)
        assert report.killed == 1
        assert [one.path for one in index.status().unparsed] == ["A.java"]
        assert index.sync(structure_only=True).killed == 0


def test_a_file_may_take_so_much_processor_time_and_no_more(
    repository: Repository,
) -> None:
    long = "".join(f"def f{n}(a):\n    return g{n}(a)\n" for n in range(20_000))
    root = repository({"long.py": long, "short.py": "x = 1\n"})
    strict = WorkerSettings(
        root, LimitsConfig(parse_seconds=0.5), SecretsConfig(), (), root / "none"
    )
    files = [SourceFile(path, "python", 300_000, 0, 0) for path in ("long.py", "short.py")]
    with WorkerPool(strict, size=1) as pool:
        by = {one.path: one for one in pool.prepare(files)}
        assert by["long.py"].reason.endswith("over 0.5 s")
        assert by["short.py"].status == "indexed"
        assert pool.killed >= 1


def test_a_child_alone_ends_later_than_its_parent_would_end_it(tmp_path: Path) -> None:
    limits = LimitsConfig(parse_seconds=0.5)
    strict = WorkerSettings(tmp_path, limits, SecretsConfig(), (), tmp_path / "none")
    deadline = child._WALL_TIME_FACTOR * cpu_seconds_for(0, most=0.5, is_document=True)
    assert strict.as_json()["orphan_seconds"] > deadline


def test_patterns_with_many_stars_end(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    long, bomb = "a" * 200, "*a" * 40 + "b"
    with Index.open(repository({f"{long}/{long}.py": "def quaint(): ...\n"})) as index:
        index.sync(structure_only=True)
        assert not index.search("quaint", filters=Filters(globs=(bomb,))).hits
        assert index.search("quaint", filters=Filters(globs=("*a" * 40,))).hits
        assert index.source.summaries(glob="*a" * 40 + "*").paths == (f"{long}/{long}.py",)


def test_brackets_in_the_name_of_a_file_or_folder_are_no_pattern(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    path = "app/[id]/pay.ts"
    with Index.open(repository({path: "export function pay() {}\n"})) as index:
        index.sync(structure_only=True)
        assert index.combined.summarize(path).paths == (path,)
        assert index.combined.summarize("app/[id]").paths == (path,)
        assert index.combined.summarize("app/*/pay.ts").paths == (path,)

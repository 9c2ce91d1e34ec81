"""Everything that can break on the disk: `verify` names it, `repair` mends it, nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codeindex.errors import DamagedError, LockedError, StoreError
from codeindex.ingest.sync.context import SyncContext
from codeindex.maintenance.repair import forget_damage
from codeindex.maintenance.verify import Verification, verify
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.cache.contents import read_contents
from codeindex.store.catalog.connection import FORMAT, Catalog
from codeindex.store.exports.vector_store import build_collection
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.segments.vectors import Vectors, live_chunk_ids
from tests.conftest import made_repository
from tests.flow.sites import Content, Pools, content, install_tiny, opened, synced

FILES = {
    **{f"pay{n}.py": f"def retry{n}():\n    return payment{n}()\n" for n in range(8)},
    "cart.py": "import pay1\n\n\nclass Cart:\n    def ask(self):\n        return pay1.retry1()\n",
    "guide.md": "# Guide\n\nSee `Cart.ask`.\n\n## Retry a payment\n\nask the window\n",
}


@dataclass(frozen=True)
class Place:
    """An index in a folder, with caches beside it."""

    root: Path
    folder: Path

    @property
    def catalog(self) -> Path:
        return self.folder / "catalog.sqlite"

    def segment(self, pattern: str) -> Path:
        return min((self.folder / "segments").glob(pattern))

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.catalog)) as connection, connection:
            for one in statements:
                connection.execute(one)


Damage = Callable[[Place], Any]


@pytest.fixture(scope="module")
def pools() -> Iterator[Pools]:
    made = Pools()
    yield made
    made.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    install_tiny(folder)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, home: Path, pools: Pools) -> Place:
    return _built(tmp_path_factory.mktemp("built") / "shop", FILES, home, pools)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory, home: Path, pools: Pools) -> Place:
    """Another index, whose files somebody may put in the place of ours."""
    files = {name.replace("pay", "buy"): text for name, text in FILES.items()}
    return _built(tmp_path_factory.mktemp("other") / "shop", files, home, pools)


def _built(root: Path, files: dict[str, str], home: Path, pools: Pools) -> Place:
    made_repository(root, files)
    place = Place(root, root.parent / "index")
    with opened(root, place.folder, home, pools) as site:
        synced(site)
    return place


@pytest.fixture(scope="module")
def whole(built: Place, home: Path, pools: Pools) -> Content:
    with reopened(built, home, pools) as site:
        return content(site.repository)


def reopened(place: Place, home: Path, pools: Pools) -> Any:
    """Open an index that is there already."""
    aside = place.folder.with_name("aside")
    place.folder.rename(aside)
    context = opened(place.root, place.folder, home, pools)

    class Again:
        def __enter__(self) -> SyncContext:
            site: SyncContext = context.__enter__()
            shutil.rmtree(place.folder)
            aside.rename(place.folder)
            return site

        def __exit__(self, *error: object) -> None:
            context.__exit__(None, None, None)

    return Again()


def put_back(path: Path, request: pytest.FixtureRequest) -> None:
    """Leave a file of all tests as it was, when this one ends."""
    text = path.read_text()
    request.addfinalizer(lambda: path.write_text(text))


def flip(path: Path, at: int = -30) -> None:
    """Change a byte, as a disk that wears out does."""
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garble(path: Path) -> None:
    path.write_bytes(b"garbage" * 2000)


def hollow(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))


def no_codes(place: Place) -> None:
    rows = np.load(place.segment("dense-????????????.npy"), mmap_mode="r+")
    rows[0] = 1  # the largest code of a vector is 127
    rows.flush()


def halved(place: Place) -> None:
    rows = np.load(place.segment("token-????????????.npy"), mmap_mode="r+")
    rows[1] //= 2
    rows.flush()


def unseen_edit(place: Place) -> None:
    """Change a file, and have the catalog believe that it was read like that."""
    path = place.root / "pay3.py"
    path.write_text(path.read_text().replace("payment3", "payment4"))
    now = path.stat()
    place.sql(
        f"UPDATE files SET mtime_ns = {now.st_mtime_ns}, ctime_ns = {now.st_ctime_ns}"
        " WHERE path = 'pay3.py'"
    )


def by_sql(*statements: str) -> Damage:
    return lambda place: place.sql(*statements)


def to_segment(damage: Callable[[Path], object], pattern: str) -> Damage:
    return lambda place: damage(place.segment(pattern))


def to_cache(name: str, damage: Callable[[Path], object]) -> Damage:
    return lambda place: damage(place.folder / name / "cache.db")


def to_catalog(damage: Callable[[Path], object]) -> Damage:
    return lambda place: damage(place.catalog)


def spoil_vectors(place: Place) -> None:
    with closing(sqlite3.connect(place.folder / "embeddings/cache.db")) as connection, connection:
        connection.execute("UPDATE Cache SET value = zeroblob(40) WHERE rowid = 3")


def on_graph(damage: Callable[[Path], object]) -> Damage:
    return lambda place: damage(next(place.folder.glob("graph-*")))


FORGET = "INSERT INTO trigrams (trigrams, rowid, text) SELECT 'delete', id, text FROM chunks"
DENSE = "dense-????????????.npy"
PAY3 = "(SELECT id FROM files WHERE path = 'pay3.py')"
DAMAGES: dict[str, tuple[Damage, set[str]]] = {
    "catalog garbled": (to_catalog(garble), {"catalog"}),
    "catalog emptied": (to_catalog(empty), {"catalog"}),
    "catalog hollow": (to_catalog(hollow), {"catalog"}),
    "catalog of an older version": (by_sql("UPDATE meta SET value = '1'"), {"catalog"}),
    "row without its owner": (
        by_sql("PRAGMA foreign_keys = OFF", "DELETE FROM files WHERE path = 'pay2.py'"),
        {"catalog"},
    ),
    "stored text changed": (
        by_sql("UPDATE chunks SET text = replace(text, 'payment5', 'payment7')"),
        {"files", "trigrams"},
    ),
    "runs of a chunk forgotten": (
        by_sql(f"{FORGET} WHERE id = (SELECT max(id) FROM chunks)"),
        {"trigrams"},
    ),
    "runs of all chunks forgotten": (
        by_sql("INSERT INTO trigrams (trigrams) VALUES ('delete-all')"),
        {"trigrams"},
    ),
    "runs garbled": (
        by_sql("UPDATE trigrams_data SET block = x'00ff' WHERE id > 10"),
        {"trigrams"},
    ),
    "runs not kept any more": (by_sql("DROP TRIGGER trigrams_of_old"), {"trigrams"}),
    "table of runs gone": (by_sql("DROP TABLE trigrams"), {"trigrams"}),
    "chunk lost": (
        by_sql("DELETE FROM chunks WHERE id = (SELECT min(id) FROM chunks)"),
        {"files"},
    ),
    "packed columns lost": (
        by_sql(f"DELETE FROM packed_chunks WHERE file_id = {PAY3}"),
        {"files"},
    ),
    "contexts garbled": (
        by_sql(f"UPDATE packed_chunks SET contexts = x'00' WHERE file_id = {PAY3}"),
        {"files"},
    ),
    "token counts garbled": (
        by_sql(f"UPDATE packed_chunks SET tokens = x'00' WHERE file_id = {PAY3}"),
        {"files"},
    ),
    "searches see other lines": (
        by_sql("UPDATE files SET layout = x'' WHERE path = 'cart.py'"),
        {"files"},
    ),
    "edges to nowhere": (
        by_sql("UPDATE edge_rows SET target_file = 999 WHERE target_file"),
        {"edges"},
    ),
    "file changed unseen": (unseen_edit, {"files"}),
    "words flipped": (to_segment(flip, "words-*"), {"words"}),
    "words cut off": (to_segment(cut, "words-*"), {"words"}),
    "words gone": (to_segment(Path.unlink, "words-*"), {"words"}),
    "vectors flipped": (to_segment(flip, DENSE), {"dense"}),
    "vectors emptied": (to_segment(empty, DENSE), {"dense"}),
    "vectors of wrong codes": (no_codes, {"dense"}),
    "sums of vectors gone": (to_segment(Path.unlink, "dense-*.sums.npy"), {"dense"}),
    "ids of vectors flipped": (to_segment(flip, "dense-*.ids.npy"), {"dense"}),
    "token vectors of wrong codes": (halved, {"token"}),
    "statistics flipped": (to_segment(flip, "statistics-*"), {"statistics"}),
    "statistics gone": (to_segment(Path.unlink, "statistics-*"), {"statistics"}),
    "cached vector spoilt": (spoil_vectors, {"embeddings"}),
    "embedding cache garbled": (to_cache("embeddings", garble), {"embeddings"}),
    "tree cache garbled": (to_cache("merkle", garble), {"merkle"}),
}


@pytest.fixture
def copied(built: Place, tmp_path: Path) -> Place:
    shutil.copytree(built.folder, tmp_path / "index")
    return Place(built.root, tmp_path / "index")


def subjects(found: Verification) -> set[str]:
    return {one.subject for one in found.problems}


def misses(site: SyncContext) -> int:
    return read_contents(site.embeddings.folder).misses


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_reported_and_repaired_without_embedding_again(
    name: str,
    copied: Place,
    home: Path,
    pools: Pools,
    whole: Content,
    request: pytest.FixtureRequest,
) -> None:
    damage, expected = DAMAGES[name]
    put_back(copied.root / "pay3.py", request)
    damage(copied)
    with reopened(copied, home, pools) as site:
        found = verify(site)
        assert subjects(found) == expected
        assert all(one.text and one.remedy for one in found.problems)
        forget_damage(site, found)
        before = misses(site)
        synced(site)
        assert verify(site, deep=True).problems == ()
        if name == "file changed unseen":
            assert misses(site) == before + 1
            return
        assert misses(site) == before
        assert content(site.repository) == whole


@pytest.mark.parametrize(
    "damage", ["UPDATE symbols SET end_line = 9", "UPDATE relations SET interface = x'00'"]
)
def test_what_only_a_deep_check_finds_is_left_to_a_deep_repair(
    damage: str, copied: Place, home: Path, pools: Pools, whole: Content
) -> None:
    copied.sql(f"{damage} WHERE file_id = {PAY3}")
    with reopened(copied, home, pools) as site:
        assert verify(site).problems == ()
        found = verify(site, deep=True)
        assert [(one.subject, one.names, one.remedy) for one in found.problems] == [
            ("files", ("pay3.py",), "run `codeindex repair --deep`")
        ]
        forget_damage(site, found)
        synced(site)
        assert verify(site, deep=True).problems == ()
        assert content(site.repository) == whole


CART = "(SELECT id FROM files WHERE path = 'cart.py')"
GUIDE = "(SELECT id FROM files WHERE path = 'guide.md')"


@pytest.mark.parametrize(
    ("damage", "path"),
    [
        (f"DELETE FROM edge_rows WHERE source_file = {CART} AND kind = 'calls'", "cart.py"),
        (f"UPDATE edge_rows SET target_symbol = 1 WHERE source_file = {CART}", "cart.py"),
        (f"UPDATE edge_rows SET is_ambiguous = 1 WHERE source_file = {CART}", "cart.py"),
        (f"UPDATE relations SET consulted = x'' WHERE file_id = {CART}", "cart.py"),
        (f"DELETE FROM edge_rows WHERE source_file = {GUIDE}", "guide.md"),
    ],
)  # fmt: skip
def test_a_deep_check_compares_edges_with_those_that_are_resolved_again(
    damage: str, path: str, copied: Place, home: Path, pools: Pools, whole: Content
) -> None:
    copied.sql(damage)
    with reopened(copied, home, pools) as site:
        assert verify(site).problems == ()
        found = verify(site, deep=True)
        assert [(one.subject, one.names) for one in found.problems] == [("edges", (path,))]
        forget_damage(site, found)
        synced(site)
        assert verify(site, deep=True).problems == ()
        assert content(site.repository) == whole


@pytest.mark.parametrize("kind", ["words-*", DENSE])
def test_a_segment_of_another_repository_is_not_taken_for_ours(
    kind: str, copied: Place, other: Place, home: Path, pools: Pools, whole: Content
) -> None:
    shutil.copy(other.segment(kind), copied.segment(kind))
    with reopened(copied, home, pools) as site:
        found = verify(site)
        assert subjects(found) == {kind.partition("-")[0]}
        forget_damage(site, found)
        synced(site)
        assert content(site.repository) == whole


def test_the_catalog_of_another_repository_is_reported_and_repaired(
    copied: Place, other: Place, home: Path, pools: Pools, whole: Content
) -> None:
    shutil.copy(other.catalog, copied.catalog)
    for end in ("-wal", "-shm"):
        copied.catalog.with_name(f"catalog.sqlite{end}").unlink(missing_ok=True)
    with reopened(copied, home, pools) as site:
        found = verify(site)
        assert {"words", "dense", "token"} <= subjects(found)
        forget_damage(site, found)
        synced(site)
        assert verify(site).problems == ()
        assert content(site.repository) == whole


def test_vectors_are_saved_before_a_catalog_goes_though_the_cache_has_forgotten_them(
    copied: Place, home: Path, pools: Pools, whole: Content
) -> None:
    copied.sql("PRAGMA foreign_keys = OFF", "DELETE FROM files WHERE path = 'pay2.py'")
    with reopened(copied, home, pools) as site:
        site.embeddings.clear()
        found = verify(site)
        assert subjects(found) == {"catalog"}
        forget_damage(site, found)
        synced(site)
        assert misses(site) <= 1  # of the one file that was lost
        assert content(site.repository) == whole


def test_a_flipped_byte_costs_one_vector_though_the_cache_has_forgotten_them(
    copied: Place, home: Path, pools: Pools, whole: Content
) -> None:
    flip(copied.segment("dense-????????????.npy"))
    with reopened(copied, home, pools) as site:
        site.embeddings.clear()
        forget_damage(site, verify(site))
        synced(site)
        assert misses(site) == 1
        assert content(site.repository) == whole


def test_an_index_of_a_newer_version_is_not_touched(
    copied: Place, home: Path, pools: Pools
) -> None:
    copied.sql(f"UPDATE meta SET value = '{FORMAT + 1}'")
    with reopened(copied, home, pools) as site:
        with pytest.raises(StoreError, match="newer codeindex") as caught:
            verify(site)
        assert not isinstance(caught.value, DamagedError)


def test_a_file_that_changed_is_stale_and_not_broken(
    built: Place, home: Path, pools: Pools, request: pytest.FixtureRequest
) -> None:
    put_back(built.root / "pay6.py", request)
    (built.root / "pay6.py").write_text("def other():\n    return 1\n")
    with reopened(built, home, pools) as site:
        found = verify(site)
    assert found.problems == ()
    (stale,) = [one for one in found.verdicts if one.state == "note" and one.subject == "files"]
    assert stale.names == ("pay6.py",)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        f"{FORGET} WHERE text LIKE '%payment5%'",
        "INSERT INTO trigrams (trigrams) VALUES ('delete-all')",
    ],
)
def test_lines_that_exact_searches_would_miss_are_told(
    copied: Place, home: Path, pools: Pools, statement: str, deep: bool
) -> None:
    copied.sql(statement)
    with reopened(copied, home, pools) as site:
        assert subjects(verify(site, deep=deep)) == {"trigrams"}


def test_an_index_that_is_whole_has_nothing_wrong_with_it(
    built: Place, home: Path, pools: Pools
) -> None:
    with reopened(built, home, pools) as site:
        assert {one.state for one in verify(site, deep=True).verdicts} <= {"ok", "note"}


def test_strays_are_a_note_and_broken_parts_are_kept_aside(
    copied: Place, home: Path, pools: Pools
) -> None:
    (copied.folder / "segments" / "dense-0123456789ab.npy").write_bytes(b"x")
    flip(copied.segment("words-*"))
    with reopened(copied, home, pools) as site:
        found = verify(site)
        assert ("segments/dense-0123456789ab.npy",) in [one.names for one in found.verdicts]
        forget_damage(site, found)
    assert [one.suffix for one in (copied.folder / "broken").iterdir()] == [".words"]


def test_nothing_is_repaired_while_another_process_writes(
    copied: Place, home: Path, pools: Pools
) -> None:
    flip(copied.segment("words-*"))
    with reopened(copied, home, pools) as site:
        found = verify(site)
        with writer_lock(copied.folder), pytest.raises(LockedError):
            forget_damage(site, found)


def test_a_clone_embeds_nothing_and_the_cache_counts_that(
    built: Place, tmp_path: Path, home: Path, pools: Pools
) -> None:
    with reopened(built, home, pools) as first:
        before = read_contents(first.embeddings.folder)
        clone = made_repository(tmp_path / "clone", FILES)
        with opened(clone, tmp_path / "index", home, pools) as given:
            synced(replace(given, embeddings=first.embeddings))
        after = read_contents(first.embeddings.folder)
    assert after.misses == before.misses == before.entries
    assert after.hits == before.hits + after.entries
    assert 0 < before.since == after.since


def test_a_cache_that_forgets_everything_costs_an_index_nothing(
    tmp_path: Path, home: Path, pools: Pools
) -> None:
    root = made_repository(tmp_path / "shop", FILES)
    with opened(root, tmp_path / "index", home, pools) as given:
        tiny = EmbeddingCache(tmp_path / "tiny", ttl_days=1, size_limit_mb=0)
        site = replace(given, embeddings=tiny)
        synced(site)
        assert read_contents(tiny.folder).entries < len(FILES)  # it is over its limit all the while
        for number in range(4):  # enough dead rows for the segments to be merged
            (root / f"pay{number}.py").write_text(f"def new{number}(): ...\n")
        synced(site)
        before = read_contents(tiny.folder)
        repository = site.repository
        with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
            live = live_chunk_ids(catalog)
            dense = generation.of_kind("dense")
        assert Vectors(repository.segments, dense, live).coverage == 1.0
        assert sum(one.rows for one in dense) == len(live)  # no row of what is gone is left
        state = build_collection(
            repository.folder, model=generation.model, repository="shop", environment=_environment()
        )
        assert state["rows"] == len(live)
        assert read_contents(tiny.folder) == before
        tiny.close()


def _environment() -> dict[str, str]:
    from codeindex.config import environment

    return environment()


def test_documents_that_are_read_again_as_they_were_still_point_at_the_code(
    copied: Place, home: Path, pools: Pools, whole: Content
) -> None:
    copied.sql("UPDATE files SET digest = '' WHERE path = 'guide.md'")
    with reopened(copied, home, pools) as site:
        synced(site)
        assert content(site.repository) == whole

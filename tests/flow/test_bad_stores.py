"""Everything that can be wrong with what is stored: it is said in a sentence and made again."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import (
    DamagedError,
    LockedError,
    QueryError,
    StoreError,
    refuse_shortage,
)
from codeindex.query.validation import mask_surrogates
from codeindex.store.catalog.connection import FORMAT
from codeindex.store.shadow_index import published_state
from tests.conftest import Repository
from tests.flow.sites import content, install_tiny

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")
GOOD = {"good.py": "def quaint():\n    return 'tree'\n", "b.py": "def other():\n    return 1\n"}


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    return home


@pytest.fixture
def tiny(words_only: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install_tiny(words_only)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    return words_only


def paths(index: Index, query: str = "quaint") -> list[str]:
    return [hit.path for hit in index.search(query).hits][:1]


def garble(path: Path) -> None:
    path.write_bytes(b"garbage" * 2000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def hollow(path: Path) -> None:
    """Overwrite all but the first page, as a disk that lost blocks does."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))


def indexed(root: Path) -> Path:
    """Index and close; return the index's folder."""
    with Index.open(root) as index:
        index.sync()
        return index.repository.folder


@dataclass(frozen=True)
class Built:
    """An index with vectors, a collection and filled caches, to be copied and broken."""

    root: Path
    home: Path
    folder: Path

    def copy(self, home: Path) -> Built:
        shutil.copytree(self.home, home)
        return Built(self.root, home, home / self.folder.relative_to(self.home))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    place = tmp_path_factory.mktemp("built")
    (place / "shop").mkdir()
    others = {f"f{n}.py": f"def f{n}(): ...\n" for n in range(12)}
    for name, text in {**GOOD, **others}.items():
        (place / "shop" / name).write_text(text)
    install_tiny(place / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(place / "home"))
        patch.setenv("CODEINDEX_CONFIG", str(place / "config"))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
        return Built(place / "shop", place / "home", indexed(place / "shop"))


@pytest.fixture
def copied(built: Built, words_only: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    return built.copy(words_only)


DAMAGES = (garble, empty, hollow)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_catalog_is_moved_aside_and_rebuilt_by_a_sync(
    repository: Repository, damage: Callable[[Path], None]
) -> None:
    root = repository(GOOD)
    folder = indexed(root)
    damage(folder / "catalog.sqlite")
    with Index.open(root) as index:
        report = index.sync()
        assert report.added == 2
        assert paths(index) == ["good.py"]
        if damage is not empty:  # an empty file is an index that was never begun
            assert any("was moved to 'broken' and rebuilt" in note for note in report.notes)
            assert (folder / "broken" / "catalog.sqlite").exists()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_catalog_is_rebuilt_by_a_search(
    repository: Repository, damage: Callable[[Path], None]
) -> None:
    root = repository(GOOD)
    damage(indexed(root) / "catalog.sqlite")
    with Index.open(root) as index:
        assert paths(index) == ["good.py"]


def test_a_catalog_that_breaks_under_an_open_reader_is_rebuilt(repository: Repository) -> None:
    root = repository(GOOD)
    with Index.open(root) as index:
        index.sync()
        assert paths(index) == ["good.py"]
        with closing(sqlite3.connect(index.repository.catalog)) as connection, connection:
            connection.execute("DROP TABLE chunks")
        assert paths(index) == ["good.py"]


def test_an_index_of_a_newer_version_is_left_alone_until_a_rebuild(repository: Repository) -> None:
    root = repository(GOOD)
    with closing(sqlite3.connect(indexed(root) / "catalog.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = ?", (str(FORMAT + 1),))
    with Index.open(root) as index:
        for ask in (index.sync, index.status, lambda: index.search("quaint")):
            with pytest.raises(StoreError, match=r"newer codeindex .* --rebuild") as caught:
                ask()
            assert not isinstance(caught.value, DamagedError)
        assert index.sync(rebuild=True).added == 2
        assert paths(index) == ["good.py"]


def test_an_index_of_an_older_version_is_rebuilt(repository: Repository) -> None:
    root = repository(GOOD)
    with closing(sqlite3.connect(indexed(root) / "catalog.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = '0'")
    with Index.open(root) as index:
        assert index.sync().added == 2


@pytest.mark.parametrize("damage", [garble, empty, cut, Path.unlink])
@pytest.mark.parametrize(
    "kind", ["words-*", "token-*[0-9a-f].npy", "dense-*.ids.npy", "statistics-*"]
)
def test_broken_segments_are_made_again(
    copied: Built, kind: str, damage: Callable[[Path], None]
) -> None:
    found = (copied.folder / "segments").glob(kind)
    path = min(one for one in found if not one.match("token*.ids.npy"))
    damage(path)
    with Index.open(copied.root) as index:
        assert paths(index) == ["good.py"]  # a search repairs what it needs
        index.sync()
        with index.reader().corpus() as (_, corpus):
            assert corpus.dense.coverage == corpus.token.coverage == 1.0
            assert corpus.statistics is not None
            assert corpus.words.present.all()
        assert index.sync().notes == ()


DEEP = {
    "shop/cart.py": "import os\n\nclass Cart:\n    def add(self):\n        pass\n\n    TOTAL = 3\n",
    "docs/guide.md": "# Guide\n\nask\n\n## Retry a payment\n\nSee `Cart.add`.\n",
    "pay.go": "package pay\n\nfunc (c *Cart) PayNow() error { return nil }\n",
    "shop/README": "words of plain text\n",
}


def test_words_that_are_lost_are_made_again_as_they_were(repository: Repository) -> None:
    with Index.open(repository(DEEP)) as index:
        index.sync()
        before = content(index.repository)
        for path in index.repository.segments.glob("words-*"):
            path.unlink()
        report = index.sync(structure_only=True)
        assert (report.added, report.changed) == (0, 0)
        assert "Words words-" in report.notes[0]
        assert content(index.repository) == before


@pytest.mark.parametrize("damage", ["gone", "garbled", "cut"])
def test_a_broken_collection_is_built_again_and_never_missed(copied: Built, damage: str) -> None:
    (collection,) = (copied.folder / "chroma").iterdir()
    if damage == "gone":
        shutil.rmtree(collection)
    elif damage == "garbled":
        garble(collection / "chroma.sqlite3")
    else:
        empty(next(collection.glob("*/data_level0.bin")))
    with Index.open(copied.root) as index:
        assert paths(index) == ["good.py"]
        assert any("Chroma collection" in note for note in index.sync().notes)
        rebuilt = index.status().chroma["path"]
        assert (copied.folder / rebuilt / "chroma.sqlite3").exists()
        assert rebuilt != f"chroma/{collection.name}"
        assert index.sync().notes == ()


@pytest.mark.parametrize("damage", [garble, empty, cut, Path.unlink])
def test_a_broken_graph_is_made_again(
    repository: Repository, damage: Callable[[Path], None]
) -> None:
    with Index.open(repository(GOOD)) as index:
        index.sync()
        (path,) = index.repository.folder.glob("graph-*")
        damage(path)
        assert "good.py::quaint" in index.graph.networkx()


@pytest.mark.parametrize("damage", [garble, hollow, empty])
@pytest.mark.parametrize("cache", ["merkle", "embeddings"])
def test_a_broken_cache_costs_time_and_no_data(
    copied: Built, request: pytest.FixtureRequest, cache: str, damage: Callable[[Path], None]
) -> None:
    damage(copied.home / "cache" / cache / "cache.db")
    (copied.root / "new.py").write_text("def newer(): ...\n")
    request.addfinalizer((copied.root / "new.py").unlink)
    with Index.open(copied.root) as index:
        report = index.sync()
        assert (report.added, report.changed, report.embedded) == (1, 0, 1)
        assert paths(index, "newer") == ["new.py"]
        assert index.sync().changed == 0


@pytest.mark.parametrize("blob", [b"", b"x", b"\x78\x01", b"[]", b'{"good.py": 1}', b"null"])
def test_a_snapshot_that_is_none_costs_one_reading(
    words_only: Path, repository: Repository, blob: bytes
) -> None:
    root = repository(GOOD)
    indexed(root)
    with closing(sqlite3.connect(words_only / "cache/merkle/cache.db")) as connection, connection:
        connection.execute("UPDATE Cache SET value = ?", (blob,))
    with Index.open(root) as index:
        report = index.sync()
        assert (report.added, report.changed, report.removed, report.version) == (0, 0, 0, 1)


def test_a_model_with_changed_bytes_is_not_used_and_a_note_says_so(
    tiny: Path, repository: Repository
) -> None:
    model = tiny / "models" / "tiny" / "onnx" / "model.onnx"
    data = bytearray(model.read_bytes())
    data[-10] ^= 1
    model.write_bytes(data)
    with Index.open(repository(GOOD)) as index:
        report = index.sync()
        assert report.model == ""
        assert "codeindex-static only: tiny is configured and damaged" in index.model_choice
        assert paths(index) == ["good.py"]


def test_a_second_indexer_is_refused_and_searches_go_on(
    repository: Repository,
) -> None:
    root = repository(GOOD)
    hold = (
        "import sys; from codeindex import Index\n"
        "def wait(*_): print('indexing', flush=True); sys.stdin.readline()\n"
        "with Index.open(sys.argv[1]) as index: index.sync(progress=wait)\n"
    )
    with Index.open(root) as index:
        index.sync()
        (root / "new.py").write_text("def newer(): ...\n")
        with subprocess.Popen(
            [sys.executable, "-P", "-c", hold, str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as child:
            assert child.stdout
            assert child.stdout.readline() == b"indexing\n"
            with pytest.raises(
                LockedError, match=rf"pid {child.pid}\) is indexing .* in the phase `structure`"
            ):
                index.sync()
            (root / "b.py").write_text("def changed(): ...\n")
            assert paths(index) == ["good.py"]
            assert "b.py" not in paths(index, "other")
            child.communicate(b"\n" * 100)
        assert child.returncode == 0
        assert paths(index, "newer") == ["new.py"]


def without_root(program: str, *arguments: str) -> str:
    command = [sys.executable, "-P", "-c", program, *arguments]
    if sys.platform != "win32" and os.getuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("running as root and there is no setpriv: modes stop nobody")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


TRIED = """
import sys
from codeindex import Index
from codeindex.errors import CodeIndexError

def tried(action):
    try:
        print(action())
    except CodeIndexError as error:
        print(type(error).__name__, error)

def found():
    with Index.open(sys.argv[1]) as index:
        return [hit.path for hit in index.search("quaint").hits]

def synced():
    with Index.open(sys.argv[1]) as index:
        return index.sync().added

tried(found)
tried(synced)
"""


@POSIX
def test_a_home_that_cannot_be_written_is_a_sentence(home: Path, repository: Repository) -> None:
    root = repository(GOOD)
    home.mkdir(mode=0o500)
    first, second = without_root(TRIED, str(root)).splitlines()
    home.chmod(0o700)
    assert first.startswith("NotIndexedError ")
    assert second.startswith("StoreError The index folder ")
    assert "cannot be created (Permission denied)" in second


@POSIX
def test_an_index_that_became_read_only_still_answers_or_says_why_not(
    home: Path, repository: Repository
) -> None:
    root = repository({**GOOD, "edited.py": "def quaint_edit():\n    return 'tree'\n"})
    indexed(root)
    (root / "edited.py").write_text("def plain_edit():\n    return 'shrub'\n")
    everything = [home, *home.rglob("*")]
    modes = {path: path.stat().st_mode for path in everything}
    for path in everything:
        path.chmod(modes[path] & 0o555)
    try:
        found, synced = without_root(TRIED, str(root)).splitlines()
    finally:
        for path in everything:
            path.chmod(modes[path])
    assert found == "['good.py']"
    assert synced.startswith("StoreError ")
    assert "cannot be" in synced
    with Index.open(root) as index:
        report = index.sync()
        assert (report.added, report.changed) == (0, 1)
        assert paths(index) == ["good.py"]


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "none", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small file system cannot be mounted here: no disk to fill")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("megabytes", [1, 2])
def test_a_full_disk_is_a_sentence_and_loses_nothing(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch, megabytes: int
) -> None:
    with small_disk(home, megabytes):
        install_tiny(home)
        monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
        root = repository(GOOD)
        with Index.open(root) as index:
            if megabytes > 1:
                index.sync(structure_only=True)
            for number in range(6):
                lines = (f"tree {number} colour {n} of the window\n" for n in range(10_000))
                (root / f"f{number}.txt").write_text("".join(lines))
            with pytest.raises(StoreError, match="free some disk space"):
                index.sync()
            if megabytes > 1:
                assert paths(index) == ["good.py"]
            subprocess.run(["mount", "-o", "remount,size=200m", str(home)], check=True)
            index.sync(structure_only=True)
            assert len(index.files()) == 8
            assert paths(index) == ["good.py"]


ODD = [
    *(
        "x" * 10_000,
        "".join(chr(97 + n * n % 23) for n in range(9_000)),
        "word " * 2_000,
        "the of and a",
        "how does the",
        "?",
        "!!!",
        "-",
        "--help",
    ),
    *("AND", "OR NOT", "NEAR(a b)", '"', '"unclosed', "a* OR b^2", "body: x", "{a b}: c", "(", ")"),
    *("a' OR 1=1 --", "*", "^quaint", "quaint*", "+quaint -tree", "\\", "%", "_", "[x](y)"),
    *(
        "🙂",
        "👩‍👩‍👧",
        "支払いを再試行",
        "결제",
        "إعادة",
        "ñandú",
        "\u202equaint",
        "e\u0301",
    ),
    *(
        "a\0b",
        "quaint\ud800",
        "\x1b[31m",
        "\n\nquaint\n",
        "quaint\r\n",
        "../../etc/passwd",
        "C:\\x",
    ),
]


@pytest.mark.usefixtures("tiny")
def test_any_query_has_an_answer(repository: Repository) -> None:
    with Index.open(repository(GOOD)) as index:
        index.sync(structure_only=True)
        for query in ODD:
            answer = index.search(query)
            assert answer.query == mask_surrogates(query)
            assert answer.as_dict()["total_count"] >= len(answer.hits)


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000", "\0", "\u200b", "\ud800"])
def test_an_empty_query_is_refused_with_a_sentence(repository: Repository, query: str) -> None:
    with Index.open(repository(GOOD)) as index:
        index.sync()
        with pytest.raises(QueryError, match="The query is empty"):
            index.search(query)


@pytest.mark.parametrize("asked", [{"limit": 0}, {"limit": 10**9}, {"min_score": 2.0}])
def test_a_number_out_of_range_is_refused_with_its_bounds(
    repository: Repository, asked: dict[str, float]
) -> None:
    with Index.open(repository(GOOD)) as index, pytest.raises(QueryError, match="use "):
        index.search("quaint", **asked)  # type: ignore[arg-type]


def as_folder(path: Path) -> None:
    path.unlink()
    (path / "inner").mkdir(parents=True)


def as_plain_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("in the way\n")


@pytest.mark.parametrize(
    ("name", "spoil", "cure"),
    [
        ("catalog.sqlite", as_folder, "repair"),
        ("catalog.sqlite", as_folder, "search"),
        ("root.json", as_folder, "repair"),
        ("writer.lock", as_folder, "sync"),
        ("segments", as_plain_file, "search"),
    ],
)
def test_a_path_of_the_wrong_kind_is_found_and_made_again(
    repository: Repository, name: str, spoil: Callable[[Path], None], cure: str
) -> None:
    root = repository(GOOD)
    folder = indexed(root)
    spoil(folder / name)
    with Index.open(root) as index:
        found = index.admin.verify().problems
        assert any(name in one.text for one in found if one.subject == "places")
        if cure == "repair":
            assert not index.admin.repair().left
        elif cure == "sync":
            index.sync()
        assert index.search("quaint").hits
        assert not index.admin.verify().problems
        assert (folder / f"{name}.broken").exists()


def test_a_shortage_is_no_damage() -> None:
    for number, sentence in ((errno.ENOMEM, "not enough memory"), (errno.EMFILE, "ulimit -n")):
        with pytest.raises(StoreError, match=sentence) as told:
            refuse_shortage(OSError(number, os.strerror(number)))
        assert not isinstance(told.value, DamagedError)
    refuse_shortage(OSError(errno.ENOENT, os.strerror(errno.ENOENT)))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX systems")
def test_an_index_that_cannot_be_read_for_a_lack_of_handles_is_not_taken_for_an_empty_one(
    repository: Repository,
) -> None:
    import resource

    root = repository(GOOD)
    with Index.open(root) as index:
        index.sync()
        before = published_state(index.repository)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with Path(os.devnull).open() as last:
            resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno() + 1, hard))
            try:
                with pytest.raises(StoreError):
                    published_state(index.repository)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert published_state(index.repository) == before
        assert before.complete


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX systems")
@pytest.mark.parametrize("arguments", [["search", "x"], ["doctor"], ["models", "list"]])
def test_a_data_folder_that_may_not_be_read_is_a_sentence(
    home: Path, tmp_path: Path, arguments: list[str]
) -> None:
    (home / "repos").mkdir(parents=True)
    home.chmod(0)
    command = [sys.executable, "-P", "-m", "codeindex", *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("running as root and there is no setpriv: modes stop nobody")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    try:
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    finally:
        home.chmod(0o700)
    assert ended.returncode == 2
    assert "cannot be read (Permission denied)" in ended.stdout + ended.stderr
    assert "unexpected" not in ended.stderr

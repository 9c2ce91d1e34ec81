"""A sync makes the index what an index from scratch would be, whatever happened before."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.ingest.sync.context import SyncContext
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.skipped_files import skipped_paths
from tests.conftest import Repository
from tests.flow.sites import Pools, content, install_tiny, opened, synced

PATHS = (
    *(
        "cart.py",
        "src/__init__.py",
        "src/shop/cart.py",
        "src/shop/pay.js",
        "src/shop/go.js",
        "src/shop/__init__.py",
        "README.md",
    ),
    *("docs/guide.md", "tests/test_cart.py", "ünï code.py", "noext", ".gitignore"),
)
CONTENTS = (
    b"",
    b"\n\n",
    b"def retry(payment):\n    '''Retry a payment.'''\n    return payment.tree\n",
    b"class Cart:\n    def add(self, item):\n        self.items.append(item)\n\n\nTOTAL = 3\n",
    b"export function pay(order) {\n  return window.retry(order);\n}\n",
    b"# Guide\n\nask about colour\n\n## Retry\n\nSee `Cart.add` in shop/cart.py.\n",
    b"cart.py\n*.js\n",
    b"password = 'hunter2-Zq8'\naws = 'AKIAIOSFODNN7EXAMPLX'\n",
    b"caf\xe9 = 1\n",
    b"\xef\xbb\xbfx = 1\n",
    b"\x89PNG\0\0\0\0\1\2",
    b"from shop.cart import Cart, retry\nclass Big(Cart):\n    def go(self): retry(self.add(1))\n",
    b"from src.shop import cart\nimport tests.test_cart as t\nt.Big().add(cart.Cart().add(2))\n",
    b"import { pay } from './pay';\nexport const go = () => pay(1);\n",
    b"".join(b"def f%d(tree):\n    return retry(%d)\n\n\n" % (n, n) for n in range(120)),
)


def prepend(path: Path) -> None:
    path.write_bytes(b"def more(): retry()\n" + path.read_bytes())


def touch(path: Path) -> None:
    os.utime(path, (1_000_000_000, 1_000_000_000))


def close_to_others(path: Path) -> None:
    path.chmod(0o600)


def replace_by_folder(path: Path) -> None:
    data = path.read_bytes()
    path.unlink()
    path.mkdir()
    (path / "inner.py").write_bytes(data)


def flip_line_ends(path: Path) -> None:
    data = path.read_bytes()
    unix = data.replace(b"\r\n", b"\n")
    path.write_bytes(unix if b"\r\n" in data else unix.replace(b"\n", b"\r\n"))


def make_binary(path: Path) -> None:
    path.write_bytes(b"\0" + path.read_bytes())


def replace_with_equal_size_and_time(path: Path) -> None:
    status = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


EDITS = {
    one.__name__: one
    for one in (
        *(prepend, touch, close_to_others, replace_by_folder, flip_line_ends, make_binary),
        replace_with_equal_size_and_time,
    )
}


class Tree:
    """A folder that is edited at random; what is in the way of an edit goes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)

    def edit(self, step: Step) -> None:
        if step.how == "write":
            self._free(step.path).write_bytes(step.data)
        elif path := self._chosen(step.at):
            if step.how == "delete":
                path.unlink()
            elif step.how == "rename":
                data = path.read_bytes()
                path.unlink()
                self._free(step.path).write_bytes(data)
            else:
                EDITS[step.how](path)

    def _free(self, path: str) -> Path:
        full = self.root / path
        for parent in reversed(full.relative_to(self.root).parents):
            if (self.root / parent).is_file():
                (self.root / parent).unlink()
        if full.is_dir():
            shutil.rmtree(full)
        full.parent.mkdir(parents=True, exist_ok=True)
        return full

    def _chosen(self, at: int) -> Path | None:
        found = (one for one in self.root.rglob("*") if ".git" not in one.parts)
        files = sorted(one for one in found if one.is_file())
        return files[at % len(files)] if files else None


@dataclass(frozen=True)
class Step:
    """An edit of the file at `path`, or of some file that there is."""

    how: str
    path: str
    data: bytes
    at: int


STEPS = st.builds(
    Step,
    how=st.sampled_from(["write", "write", "write", "delete", "rename", *sorted(EDITS)]),
    path=st.sampled_from(PATHS),
    data=st.sampled_from(CONTENTS),
    at=st.integers(0, 9),
)


@pytest.fixture(scope="module")
def pools() -> Iterator[Pools]:
    pools = Pools()
    yield pools
    pools.close()


@settings(
    max_examples=4,
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ],  # to shrink would take longer than to read
    suppress_health_check=list(HealthCheck),
)
@given(
    first=st.sets(st.sampled_from(PATHS), min_size=4),
    steps=st.lists(STEPS, min_size=12, max_size=16),
)
def test_any_edits_and_a_sync_give_what_an_index_from_scratch_gives(
    tmp_path_factory: pytest.TempPathFactory, pools: Pools, first: set[str], steps: list[Step]
) -> None:
    place = tmp_path_factory.mktemp("edits")
    install_tiny(place / "home")
    tree = Tree(place / "root")
    for number, path in enumerate(sorted(first)):
        tree.edit(Step("write", path, CONTENTS[number % len(CONTENTS)], 0))
    with opened(tree.root, place / "kept", place / "home", pools) as site:
        version = synced(site).version
        for number, step in enumerate(steps):
            tree.edit(step)
            report = synced(site)
            changes = report.added + report.changed + report.removed
            # A file that turns out not to be worth indexing is looked at, but counted as skipped.
            assert version + bool(changes) <= report.version <= version + 1
            version = report.version
            if number % 4 == 3 or step == steps[-1]:
                check_against_scratch(site, place, pools)
        again = synced(site)
        assert (again.added, again.changed, again.removed, again.version) == (0, 0, 0, version)


def check_against_scratch(site: SyncContext, place: Path, pools: Pools) -> None:
    kept = content(site.repository)
    with opened(site.repository.root, place / "new", place / "home", pools) as fresh:
        synced(fresh)
        assert kept == content(fresh.repository)
    shutil.rmtree(place / "new")
    places = sorted((row[0], row[1]) for row in kept.chunks)
    assert kept.with_token_vector == places
    assert kept.dense.keys() == set(places)


def test_equal_results_have_the_order_that_they_have_in_an_index_from_scratch(
    home: Path, repository: Repository
) -> None:
    """110 files have the same text: a search compares the best hundred only."""
    assert not home.exists()
    same = "def retry(payment):\n    return payment.tree\n"
    names = [f"f{number:03}.py" for number in range(110)]
    root = repository(dict.fromkeys(names[10:], same))
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for name in names[:10]:  # in an index from scratch, these come first
            (root / name).write_text(same)
        (root / "f000.py").write_text(f"import f050\nimport f020\n{same}")
        index.sync(structure_only=True)

        def answers() -> list[object]:
            found = (index.search("retry payment", limit=20), index.similar("f100.py:1"))
            report = index.overview.report()
            places = [[(hit.path, hit.score) for hit in one.hits] for one in found]
            return [*places, report.landscape.links, found[0].total_count]

        kept = answers()
        index.sync(structure_only=True, rebuild=True)
        assert kept == answers()


def test_a_sync_that_moves_edges_of_unchanged_files_ranks_them_by_their_users(
    home: Path, repository: Repository
) -> None:
    assert not home.exists()
    users = {f"u{number}.py": "import tool\n\ntool.run()\n" for number in range(12)}
    tool = "def run():\n    return 1\n"
    root = repository({**users, "old/other.py": tool, "README.md": "# Run a tool\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "tool.py").write_text(tool)  # the imports of unchanged files lead there now
        index.sync(structure_only=True)
        kept = [(hit.path, hit.score) for hit in index.search("run").hits]
        index.sync(structure_only=True, rebuild=True)
        found = [(hit.path, hit.score) for hit in index.search("run").hits]
    assert kept == found


def test_a_language_that_is_new_in_a_left_out_folder_is_noticed(
    home: Path, repository: Repository
) -> None:
    assert not home.exists()
    root = repository({".codeindexignore": "/kept/\n", "kept/a.go": "package a\n", "a.py": ""})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for path in ("kept/b.py", "a.py"):
            (root / path).write_text("x = 1\n")
        index.sync(structure_only=True)
        with Catalog.open(index.repository.catalog) as catalog:
            (kept,) = skipped_paths(catalog.connection)
    assert kept.languages == ("go", "python")


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
KILLED = """
import os, signal, sys
from codeindex import Index

def progress(phase, done, total):
    if phase == sys.argv[2] and done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

with Index.open(sys.argv[1]) as index:
    index.sync(progress=progress)
"""
WATCHED = """
import json, sys, time
from codeindex import Index

events = []

def hook(name, arguments):
    if name == "open" and str(arguments[0]).startswith(sys.argv[1]):
        events.append(arguments[0])
    if name == "subprocess.Popen" and "worker" in str(arguments[1]):
        events.append("a worker")

with Index.open(sys.argv[1]) as index:
    index.sync()
    time.sleep(2.1)  # until then a file may change within the clock's grain
    index.sync()
    sys.addaudithook(hook)
    before = index.status()
    report = index.sync()
    assert not (report.added or report.changed or report.removed)
    assert index.status() == before
print(json.dumps(events))
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-P", "-c", program, *arguments], capture_output=True, check=False
    )


def functions(count: int) -> dict[str, str | bytes]:
    """Return files that differ in the few words that the tiny model knows."""
    return {
        f"m/f{n}.py": f"def retry{n}():\n    return 'tree window colour'\n" for n in range(count)
    }


def cached(home: Path) -> dict[str, float]:
    """Return when each embedding was made, by its key."""
    connection = sqlite3.connect(home / "cache" / "embeddings" / "cache.db")
    try:
        return dict(connection.execute("SELECT key, store_time FROM Cache"))
    finally:
        connection.close()


@pytest.fixture
def tiny(words_only: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder whose indexes use the tiny model."""
    install_tiny(words_only)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    return words_only


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    return home


def test_a_sync_of_an_unchanged_tree_opens_none_of_its_files_and_publishes_nothing(
    repository: Repository,
) -> None:
    root = repository({"a.py": "x = 1\n", "b/c.md": "# B\n", "d.bin": b"\0"})
    done = run(WATCHED, str(root))
    assert done.returncode == 0, done.stderr.decode()
    names = {"/" + Path(path).name for path in json.loads(done.stdout)}
    assert names - {f"/{root.name}"} <= {"/.codeindexignore", "/.gitignore", "/.ai-devtools.yaml"}


@POSIX
def test_a_sync_for_new_settings_that_is_killed_is_done_again(
    repository: Repository,
) -> None:
    root = repository({f"f{n}.py": f"retry_word = {n}\n" for n in range(450)})
    with Index.open(root) as index:
        index.sync()
        files = len(index.files())
    (root / ".codeindexignore").write_text("f1.py\n")
    (root / ".ai-devtools.yaml").write_text(
        "code-index:\n  secret_patterns:\n    - {name: word, pattern: 'retry_word = (\\d+)'}\n"
    )
    assert run(KILLED, str(root), "structure", "420").returncode == -signal.SIGKILL
    with Index.open(root) as index:
        report = index.sync()
        assert report.changed >= files - 1
        texts = [hit.text for hit in index.search("retry_word", limit=50).hits]
    assert texts
    assert not [text for text in texts if text.rstrip()[-1].isdigit()]


RELATED_AND_KILLED = """
import os, signal, sys
from codeindex import Index
from codeindex.graph import update

put, count = update.store_resolution, 0

def killed(*arguments):
    global count
    count += 1
    if count == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return put(*arguments)

update.store_resolution = killed
with Index.open(sys.argv[1]) as index:
    index.sync(structure_only=True)
"""


@POSIX
def test_killed_in_the_middle_of_the_graph_what_depends_on_an_edit_is_not_forgotten(
    repository: Repository,
) -> None:
    users = {f"z{n}.py": "from a import target\ntarget()\n" for n in range(250)}
    defining = {"b.py": "def target(): ...\n", "c.py": "def target(): ...\n"}
    root = repository({**users, **defining, "a.py": "from b import target\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.graph.callers("b.py::target").total_certain == 250
    (root / "a.py").write_text("from c import target\n")
    assert run(RELATED_AND_KILLED, str(root), "230").returncode == -signal.SIGKILL
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.graph.callers("b.py::target").total_certain == 0
        assert index.graph.callers("c.py::target").total_certain == 250


def test_a_branch_that_changes_no_file_is_recorded_without_a_new_version(
    repository: Repository,
) -> None:
    root = repository({"a.py": "x = 1\n"})
    with Index.open(root) as index:
        index.sync()
        before = index.status()
        subprocess.run(["git", "checkout", "-qb", "other"], cwd=root, check=True)
        index.sync()
        after = index.status()
    assert (after.branch, after.head, after.version) == ("other", before.head, before.version)


@POSIX
def test_killed_in_the_middle_of_structure_nothing_done_is_done_again(
    repository: Repository,
) -> None:
    root = repository(functions(450))
    assert run(KILLED, str(root), "structure", "420").returncode == -signal.SIGKILL
    with Index.open(root) as index:
        published = len(index.files())
        assert 0 < published < 450
        answer = index.search("retry")
        assert answer.hits
        assert answer.readiness.words == pytest.approx(published / 450, abs=0.01)
        assert not index.status().complete
        report = index.sync()
        assert (report.added, report.changed, report.removed) == (450 - published, 0, 0)
        assert len(index.files()) == 450
        assert index.status().complete


@POSIX
def test_killed_in_the_middle_of_a_change_the_old_state_answers(
    repository: Repository,
) -> None:
    root = repository({"old.py": "def quaint():\n    return 1\n"})
    with Index.open(root) as index:
        index.sync()
        for path, text in functions(60).items():  # more than a question waits for
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(str(text))
        assert run(KILLED, str(root), "structure", "20").returncode == -signal.SIGKILL
        assert [hit.path for hit in index.search("quaint").hits] == ["old.py"]
        index.sync()
        assert index.status().files == 61


@POSIX
def test_killed_in_the_middle_of_embedding_no_text_is_embedded_twice(
    tiny: Path, repository: Repository
) -> None:
    root = repository(functions(200))
    assert run(KILLED, str(root), "embedding", "100").returncode == -signal.SIGKILL
    before = cached(tiny)
    assert 0 < len(before) < 200
    with Index.open(root) as index:
        answer = index.search("retry tree")
        assert answer.hits
        assert answer.readiness.words == 1.0
        index.sync()
        after = cached(tiny)
        assert len(after) == 200
        assert {key: after[key] for key in before} == before
        assert index.search("retry tree").readiness.vectors == 1.0


@pytest.mark.usefixtures("tiny")
def test_structure_comes_first_and_vectors_when_they_are_asked_for(
    repository: Repository,
) -> None:
    with Index.open(repository(functions(20))) as index:
        first = index.sync(structure_only=True)
        assert (first.added, first.embedded) == (20, 0)
        answer = index.search("retry7")
        assert answer.hits[0].path == "m/f7.py"
        assert answer.readiness.vectors == 0.0
        second = index.sync()
        assert (second.added, second.embedded, second.version) == (0, 20, first.version)
        assert index.search("retry7").readiness.vectors == 1.0


def test_only_what_changed_is_embedded_and_equal_texts_never_twice(
    tiny: Path, repository: Repository
) -> None:
    files = functions(12)
    root, other = repository(files), repository(files, name="copy")
    with Index.open(root) as index:
        assert index.sync().embedded == 12
        before = cached(tiny)
        (root / "m" / "f3.py").rename(root / "m" / "renamed.py")
        report = index.sync()
        assert (report.added, report.removed, report.embedded) == (1, 1, 1)
        after = cached(tiny)
        assert len(after.keys() - before.keys()) == 1
    with Index.open(other) as index:
        index.sync()
        assert index.search("retry").readiness.vectors == 1.0
    assert cached(tiny) == after


def test_a_search_reads_a_changed_file_again_and_drops_a_deleted_one(
    repository: Repository,
) -> None:
    root = repository(
        {"a.py": "def quaint():\n    return 1\n", "b.py": "def quaint():\n    return 2\n"}
    )
    with Index.open(root) as index:
        index.sync()
        (root / "a.py").write_text("# moved down\n\n\ndef quaint():\n    return 3\n")
        (root / "b.py").unlink()
        answer = index.search("quaint")
        assert [hit.path for hit in answer.hits] == ["a.py"]
        assert "return 3" in answer.hits[0].text
        assert answer.coverage.refreshed == 2


def test_a_rebuild_is_seen_by_a_reader_that_was_open(
    repository: Repository,
) -> None:
    root = repository({"a.py": "def quaint(): ...\n"})
    with Index.open(root) as reader, Index.open(root) as writer:
        writer.sync()
        assert reader.search("quaint").hits
        writer.sync(rebuild=True)
        (root / "b.py").write_text("def newer(): ...\n")
        writer.sync()
        assert [hit.path for hit in reader.search("newer").hits] == ["b.py"]


def test_a_search_does_not_wait_for_a_sync_of_the_same_index(
    repository: Repository,
) -> None:
    root = repository({"a.py": "def quaint(): ...\n"})
    found: list[int] = []
    with Index.open(root) as index:
        index.sync()
        (root / "b.py").write_text("def newer(): ...\n")

        def search(*_: object) -> None:
            thread = threading.Thread(
                target=lambda: found.append(len(index.search("quaint").hits)), daemon=True
            )
            thread.start()
            thread.join(30)

        index.sync(progress=search)
    assert found
    assert set(found) == {1}


def test_a_package_file_renames_the_modules_around_it(
    repository: Repository,
) -> None:
    root = repository({"src/shop/cart.py": "def quaint(): ...\n"})
    with Index.open(root) as index:
        index.sync()
        assert index.search("quaint").hits[0].module == "shop.cart"
        (root / "src" / "__init__.py").touch()
        index.sync()
        assert index.search("quaint").hits[0].module == "src.shop.cart"

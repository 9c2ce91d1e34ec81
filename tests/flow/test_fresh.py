"""Questions are answered as the tree is now, whatever was done to it since it was indexed."""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from mmap import mmap
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import QueryError
from codeindex.freshness import change_log
from codeindex.freshness.inotify_watcher import open_inotify_watcher
from codeindex.freshness.timestamps import UNPROVEN_CTIME
from codeindex.freshness.tree_scan import TreeScan
from codeindex.ingest.sync import refresh
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.index_counts import count_files_and_chunks
from codeindex.store.catalog.relations import edges_are_stale
from codeindex.store.locks import yielding
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import (
    is_lock_requested,
    offer_lock,
    request_lock,
    wait_for_requests,
)
from tests.conftest import Repository
from tests.flow.sites import install_tiny
from tests.soak.edits import EDITS, Tree

FILES = {
    "shop/pay.py": "def charge(card):\n    return bool(card)\n",
    "shop/cart.py": "from shop.pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
    "shop/deep/stock.py": "def count(items):\n    return len(items)\n",
    "README.md": "# Shop\n\nIt sells things.\n",
}


@pytest.fixture
def root(home: Path, repository: Repository) -> Path:
    assert not home.exists()
    return repository(FILES)


@pytest.fixture
def plain(root: Path) -> Iterator[Index]:
    """Open an index of a folder without git, whose list of files would name new ones, too."""
    shutil.rmtree(root / ".git")
    with Index.open(root) as opened:
        opened.sync(structure_only=True)
        yield opened


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as opened:
        opened.sync(structure_only=True)
        yield opened


@pytest.fixture
def settled(index: Index) -> Index:
    """An index of files that are old enough for their times to prove that nothing has changed."""
    time.sleep(2.1)
    index.symbols.lookup("charge")
    return index


def test_a_folder_that_became_a_file_or_a_link_is_read_as_such(plain: Index, root: Path) -> None:
    def found() -> tuple[list[str], list[str]]:
        lines = plain.exact.grep(["count", "flat"]).as_dict()["results"]
        names = [*plain.symbols.lookup("count").symbols, *plain.symbols.lookup("flat").symbols]
        return [one["file_path"] for one in lines], [one.file for one in names]

    for folder in ("flat", "deep"):
        (root / "shop" / folder).mkdir(exist_ok=True)
    (root / "shop" / "flat" / "a.py").write_text("def flat(items):\n    return 1\n")
    plain.sync(structure_only=True)
    assert found()[1] == [
        "shop/deep/stock.py",
        "shop/flat/a.py",
    ]  # from here on, changes are logged
    (root / "shop" / "flat" / "a.py").rename(root / "shop" / "a.py")
    (root / "shop" / "flat").rmdir()
    (root / "shop" / "flat").write_text("#!/usr/bin/env python3\ndef flat(items): ...\n")
    both = ["shop/a.py", "shop/deep/stock.py", "shop/flat"]
    assert found() == (both, ["shop/deep/stock.py", "shop/a.py", "shop/flat"])
    (root / "shop" / "deep").rename(root / "shop" / "stock")
    (root / "shop" / "deep").symlink_to("stock")
    both = ["shop/a.py", "shop/flat", "shop/stock/stock.py"]
    assert found() == (both, ["shop/stock/stock.py", "shop/a.py", "shop/flat"])


@pytest.mark.parametrize("folder", ["", "shop/"])
@pytest.mark.skipif(sys.platform != "linux", reason="file names are UTF-8 there")
def test_nothing_is_absent_while_a_new_file_or_link_cannot_be_read(
    plain: Index, root: Path, folder: str
) -> None:
    assert plain.search("quokka").absence  # from here on, changes are logged
    (root / folder / "link.py").symlink_to("/etc/hostname")
    assert plain.exact.grep("quokka").not_searched == {
        "a symbolic link that leads out of the tree": 1
    }
    Path(os.fsdecode(os.fsencode(root / folder) + b"/bad\xff.py")).write_text("quokka()\n")
    found = plain.search("quokka")
    assert found.absence
    assert not found.absence.verified
    kept = plain.graph.callers("charge")
    plain.sync(structure_only=True)
    unread = (f"{folder}bad\\xff.py", f"{folder}link.py")
    assert kept.unread_paths == plain.graph.callers("charge").unread_paths == unread


def test_impact_reads_the_links_of_an_edited_file_again(index: Index, root: Path) -> None:
    def callers() -> list[str]:
        return [dependant.name for dependant in index.graph.impact("charge").dependants]

    assert callers() == ["checkout"]
    with index.reader().catalog():
        kept = index.reader().graph()
        assert kept.users.size
    assert callers() == ["checkout"]
    with index.reader().catalog():
        assert index.reader().graph() is kept  # nothing was written in between
    added = "\n\ndef again(card):\n    checkout(card)\n"
    (root / "shop/cart.py").write_text(FILES["shop/cart.py"] + added)
    assert callers() == ["checkout", "again"]
    (root / "shop/cart.py").unlink()
    assert callers() == []


def test_unused_symbols_are_searched_again_after_an_edit(index: Index, root: Path) -> None:
    def unused(path: str = "") -> set[str]:
        names = {symbol.name for symbol in index.graph.unused(path).symbols}
        return {name for name in names if name.startswith("_")}

    spare = "\n\ndef _spare(card):\n    return card\n"
    (root / "shop/cart.py").write_text(FILES["shop/cart.py"] + spare)
    assert unused() == {"_spare"}
    with index.reader().catalog():
        kept = dict(index.reader().graph().unused)
        assert kept
    assert unused("shop/cart.py") == {"_spare"}
    with index.reader().catalog():
        assert index.reader().graph().unused == kept  # found by the first question
    user = "from shop.cart import _spare\n\n_spare(1)\n"
    (root / "shop/user.py").write_text(user)
    assert unused("shop/cart.py") == set()
    (root / "shop/user.py").unlink()
    assert unused("shop/cart.py") == {"_spare"}


def test_edited_code_is_found_and_deleted_code_is_not(index: Index, root: Path) -> None:
    tree = Tree(root, random.Random(4))
    for kind, _ in EDITS:
        kind(tree)
        for mark, path in tree.marks.items():
            found = index.symbols.lookup(mark).as_dict()["symbols"]
            lines = path.read_text().split("\n")
            is_function = path.suffix == ".py" and mark not in tree.words
            where = [one for one in found if one["name"] == mark or not is_function]
            assert {one["file"] for one in where} <= {str(path.relative_to(root))}, kind
            assert all(mark in lines[one["line"] - 1] for one in where), kind
            assert where or not is_function, kind
        assert not [
            mark for mark in tree.gone[-3:] if index.symbols.lookup(mark).as_dict()["symbols"]
        ]


def test_what_goes_and_comes_back_is_found_each_time(index: Index, root: Path) -> None:
    def found(text: str) -> list[str]:
        return [line.path for line in index.exact.grep(text).lines]

    here, there, late = root / "shop/deep", root / "shop/else", root / "shop/late.py"
    for turn in range(3):
        here.rename(there)
        assert found("def count") == ["shop/else/stock.py"]
        there.rename(here)
        assert found("def count") == ["shop/deep/stock.py"]
        late.write_text(f"def late_{turn}():\n    return 1\n")
        assert found(f"def late_{turn}") == ["shop/late.py"]
        late.unlink()
        assert found("def late") == []


@pytest.mark.parametrize("ignored", ["", "setup.py\n"])
def test_a_manifest_decides_at_once_whether_the_folder_beside_it_is_output(
    repository: Repository, home: Path, ignored: str
) -> None:
    assert not home.exists()
    made = {"q/build/x.py": "def building():\n    return 1\n", "q/setup.py": "\n"}
    written = {"s/target/y.scala": "def targeted = 1\n", "build/z.py": "def top():\n    return 1\n"}
    root = repository({**FILES, **made, **written, ".gitignore": ignored})
    with Index.open(root) as index:
        index.sync(structure_only=True)

        def indexed() -> set[str]:
            names = ("building", "targeted", "top")
            found = [index.symbols.lookup(name).as_dict()["symbols"] for name in names]
            return {one["file"] for symbols in found for one in symbols if one["name"] in names}

        time.sleep(2.1)  # so that the times of rule files prove that these are unchanged
        assert indexed() == {*written}
        (root / "q/setup.py").unlink()
        (root / "s/src").mkdir()
        (root / "s/src/a.scala").write_text("def other = 1\n")
        (root / "setup.py").touch()
        assert indexed() == {"q/build/x.py"}
        (root / "q/setup.py").touch()
        (root / "s/src/a.scala").unlink()
        (root / "s/src").rmdir()
        (root / "setup.py").unlink()
        assert indexed() == {*written}


def test_an_edit_beside_build_output_needs_no_scan_of_the_tree(
    repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    made = {"q/build/x.py": "X = 1\n", "q/build/y.py": "Y = 1\n", "q/setup.py": "\n"}
    settings = "code-index: {include_override: ['*/build/x.py']}\n"
    root = repository({**FILES, **made, ".ai-devtools.yaml": settings})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert {one["file"] for one in index.symbols.lookup("X").as_dict()["symbols"]} == {
            "q/build/x.py"
        }
        time.sleep(2.1)  # so that the times of rule files prove that these are unchanged
        index.symbols.lookup("X")
        monkeypatch.delattr(refresh, "sync_structure")
        (root / "q/other.py").write_text("def other():\n    return 1\n")
        (root / "q/setup.py").write_text("def arrange():\n    return 1\n")
        (root / "q/build/x.py").write_text("def built():\n    return 1\n")
        for name in ("other", "arrange", "built"):
            assert index.symbols.lookup(name).symbols


def test_an_answer_names_what_was_read_again(index: Index, root: Path) -> None:
    (root / "shop" / "ship.py").write_text("def deliver(order):\n    return order\n")
    answer = index.search("deliver")
    assert answer.hits[0].path == "shop/ship.py"
    assert answer.as_dict()["meta"]["refreshed"] == ["shop/ship.py"]
    assert answer.coverage.refreshed == 1
    assert "refreshed" not in index.search("deliver").as_dict()["meta"]


def test_what_a_document_says_is_no_slip_of_a_name(index: Index, root: Path) -> None:
    for number in range(12):
        (root / f"quokka{number:02}.py").write_text(f"def quokka{number:02}smile(): ...\n")
    (root / "notes.md").write_text("# Notes\n\nOf quokka77smile nothing is known.\n")
    assert index.search("quokka77smile").hits[0].path == "notes.md"
    assert index.search("quokka07smiel").hits[0].path == "quokka07.py"


def test_the_command_line_finds_what_was_just_written(root: Path, index: Index) -> None:
    (root / "shop" / "ship.py").write_text("def deliver(order):\n    return order\n")
    command = [sys.executable, "-P", "-m", "codeindex", "lookup", "deliver"]
    done = subprocess.run(command, cwd=index.root, capture_output=True, text=True, check=True)
    assert "1: function deliver" in done.stdout
    assert done.stderr == "1 changed file read again: shop/ship.py\n"


def test_while_another_writes_what_changed_is_left_out_and_said(
    index: Index, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "_READING_WAIT_SECONDS", 0.0)
    (root / "shop" / "pay.py").write_text("\n\ndef charge(card):\n    return bool(card)\n")
    (root / "shop" / "ship.py").write_text("def deliver(order):\n    return order\n")
    with writer_lock(index.repository.folder):
        answer = index.search("charge")
        assert {hit.path for hit in answer.hits} == {"shop/cart.py"}
        assert answer.as_dict()["meta"]["unread"]["names"] == ["shop/pay.py", "shop/ship.py"]
        assert not index.symbols.lookup("charge").as_dict()["symbols"]
        assert index.refreshed().unread == ("shop/pay.py", "shop/ship.py")
        with pytest.raises(QueryError, match=r"2 changed files not read yet.*shop/pay\.py"):
            index.source.read("shop/pay.py")
    assert index.source.read("shop/pay.py", ("charge",)).sections[0].start_line == 3


def test_a_search_leaves_edges_to_who_asks_for_them(settled: Index, root: Path) -> None:
    (root / "shop" / "ship.py").write_text("from shop.pay import charge\n\n\ncharge(1)\n")
    (root / "shop" / "cart.py").unlink()
    assert settled.search("charge for the delivery").hits
    assert is_behind(settled)
    assert callers_of_charge(settled) == [("shop/ship.py", 4)]
    assert not is_behind(settled)
    assert settled.search("what calls charge").hits[0].path == "shop/ship.py"


def test_edges_that_a_search_left_are_made_by_the_next_sync(settled: Index, root: Path) -> None:
    (root / "shop" / "ship.py").write_text("from shop.pay import charge\n\n\ncharge(1)\n")
    settled.search("charge for the delivery")
    settled.sync(structure_only=True)
    assert not is_behind(settled)
    assert settled.graph.networkx().has_edge("shop/ship.py", "shop/pay.py::charge")


def test_files_without_their_edges_yet_are_left_out_and_said(
    settled: Index, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "_READING_WAIT_SECONDS", 0.0)
    (root / "shop" / "cart.py").write_text("from shop.pay import charge\n\n\n\ncharge(2)\n")
    settled.search("charge for the delivery")
    with writer_lock(settled.repository.folder):
        assert not callers_of_charge(settled)
        assert settled.refreshed().unread == ("shop/cart.py",)
    assert callers_of_charge(settled) == [("shop/cart.py", 5)]


def callers_of_charge(index: Index) -> list[tuple[str | int, ...]]:
    return [(one.file, *one.lines) for one in index.graph.callers("charge").callers]


def is_behind(index: Index) -> bool:
    with index.reader().catalog() as (catalog, _):
        return edges_are_stale(catalog.connection)


def test_more_than_a_question_can_wait_for_is_left_to_a_sync(index: Index, root: Path) -> None:
    for number in range(210):
        (root / f"new{number}.py").write_text(f"def added{number}(): ...\n")
    (root / "shop" / "pay.py").write_text("\n\ndef charge(card):\n    return bool(card)\n")
    answer = index.search("charge")
    assert answer.as_dict()["meta"]["unread"]["files"] == 210
    first = answer.hits[0]
    assert (first.path, first.lines[3 - first.start_line]) == ("shop/pay.py", "def charge(card):")
    index.sync(structure_only=True)
    assert index.search("added209").hits[0].path == "new209.py"
    assert not index.refreshed().unread


def test_rows_of_deleted_chunks_are_left_to_a_sync(index: Index, root: Path) -> None:
    def segments() -> dict[str, int]:
        with Catalog.open(index.repository.catalog) as catalog:
            return {each.name: each.rows for each in catalog.generation().of_kind("words")}

    for name in ("large", "gone"):
        functions = (f"def {name}{number}():\n    return {number}\n" for number in range(40))
        (root / f"{name}.py").write_text("\n\n".join(functions))
    index.sync(structure_only=True)
    large = max(segments(), key=segments().__getitem__)
    for number in range(25):  # as many small segments as a question merges
        (root / "shop/pay.py").write_text(f"def charge{number}(card):\n    return card\n")
        index.symbols.lookup("charge")
    assert len(segments()) < 25
    assert large in segments()
    (root / ".gitignore").write_text("gone.py\n")  # another rule, so the whole tree is compared
    index.graph.callers("charge24")  # with edges, so that the next sync has nothing to store
    assert large in segments()
    index.sync(structure_only=True)
    with Catalog.open(index.repository.catalog) as catalog:
        _, chunks = count_files_and_chunks(catalog.connection)
    assert [*segments().values()] == [chunks]


def test_a_change_behind_the_back_of_size_and_time_is_found(index: Index, root: Path) -> None:
    before = (root / "shop" / "pay.py").stat()
    (root / "shop" / "pay.py").write_text("def refund(card):\n    return bool(card)\n")
    os.utime(root / "shop" / "pay.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index.symbols.lookup("refund").as_dict()["symbols"]


def write_at_once(files: dict[Path, str]) -> None:
    """Write files until all have the same times, as those of a checkout often have."""
    for _ in range(1_000):
        for path in files:
            path.unlink(missing_ok=True)
        for path, text in files.items():
            # `open` would look at the file, and Linux then gives its next change a finer time
            handle = os.open(path, os.O_CREAT | os.O_WRONLY)
            os.write(handle, text.encode())
            os.close(handle)
        stats = [path.stat() for path in files]
        if len({(one.st_mtime_ns, one.st_ctime_ns) for one in stats}) == 1:
            return
    pytest.skip("this filesystem gives each file times of its own")


@pytest.mark.parametrize("how", ["a new process", "the same process", "a sync"])
def test_folders_that_change_places_are_noticed(index: Index, root: Path, how: str) -> None:
    """The files have equal sizes and times, which moving their folders does not change."""
    for name in ("old", "new"):
        (root / name / "deep").mkdir(parents=True)
    write_at_once(
        {
            root / "old" / "deep" / "ship.py": "def deliver():\n    return 1\n",
            root / "new" / "deep" / "ship.py": "def convey_():\n    return 2\n",
        }
    )
    time.sleep(2.1)
    index.sync(structure_only=True)
    for _ in range(3):
        assert index.search("deliver").hits[0].path == "old/deep/ship.py"
    (root / "old").rename(root / "other")
    (root / "new").rename(root / "old")
    (root / "other").rename(root / "new")
    if how == "a sync":
        assert index.sync(structure_only=True).changed == 2
    with Index.open(root) as other:
        asked = index if how == "the same process" else other
        hit = asked.search("deliver").hits[0]
        assert (hit.path, hit.start_line) == ("new/deep/ship.py", 1)
        assert asked.exact.grep("return 1").lines[0].path == "new/deep/ship.py"
        assert asked.symbols.lookup("deliver").as_dict()["symbols"][0]["file"] == "new/deep/ship.py"


@pytest.mark.parametrize(("content", "changed"), [("one", ()), ("two", ("a.py",))])
def test_what_times_do_not_prove_is_compared_by_content(
    tmp_path: Path, content: str, changed: tuple[str, ...]
) -> None:
    (tmp_path / "a.py").write_text(content)
    status = (tmp_path / "a.py").stat()
    row = ("a.py", status.st_size, status.st_mtime_ns, UNPROVEN_CTIME, sha256(b"one").hexdigest())
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        catalog.connection.execute(
            "INSERT INTO files (path, size, mtime_ns, ctime_ns, digest, language, lines, status,"
            " reason, is_test, is_generated, is_navigation, module, identifiers, findings)"
            " VALUES (?, ?, ?, ?, ?, 'python', 1, 'indexed', '', 0, 0, 0, '', x'', '[]')",
            row,
        )
        assert TreeScan(tmp_path).scan(catalog.connection, 1).changed == changed


def test_a_file_added_to_the_git_index_is_found(index: Index, root: Path) -> None:
    (root / ".gitignore").write_text("out/\n")
    (root / "out").mkdir()
    (root / "out" / "made.py").write_text("def generated(): ...\n")
    assert not index.search("generated").hits
    subprocess.run(["git", "add", "-f", "out/made.py"], cwd=root, check=True)
    assert index.search("generated").hits[0].path == "out/made.py"


def test_who_does_not_want_the_look_still_gets_no_stale_lines(index: Index, root: Path) -> None:
    config = index.settings.config
    search = replace(config.search, fresh=False)
    index.settings = replace(index.settings, config=replace(config, search=search))
    (root / "shop" / "ship.py").write_text("def deliver(order):\n    return order\n")
    (root / "shop" / "pay.py").write_text("\n\ndef charge(card):\n    return bool(card)\n")
    assert not index.symbols.lookup("deliver").as_dict()["symbols"]
    assert index.symbols.lookup("charge").as_dict()["symbols"][0]["line"] == 3


def test_an_embedding_process_yields_the_lock_to_a_question(index: Index) -> None:
    folder = index.repository.folder
    with writer_lock(folder), offer_lock(folder):
        assert not is_lock_requested(folder)
        with request_lock(folder):
            assert is_lock_requested(folder)
    wait_for_requests(folder)
    mark = folder / "writer.wish-killed"
    mark.touch()
    os.utime(mark, (time.time() - 60,) * 2)
    assert not is_lock_requested(folder)


def test_a_process_that_waits_long_still_asks_for_the_lock(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yielding, "_EXPIRY_SECONDS", 1.0)
    monkeypatch.setattr(yielding, "_RENEW_SECONDS", 0.2)
    folder = index.repository.folder
    with writer_lock(folder), offer_lock(folder), request_lock(folder):
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            assert is_lock_requested(folder)
            time.sleep(0.1)
    assert not is_lock_requested(folder)


def test_a_question_does_not_wait_for_all_to_be_embedded(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    (root / "many.py").write_text("\n".join(f"def f{n}(): ...\n" for n in range(200)))
    found: list[str] = []
    askers: list[threading.Thread] = []

    def ask() -> None:
        with Index.open(root) as other:
            while not found:  # a busy machine may not get to it in its turn
                found.extend(hit.path for hit in other.search("deliver").hits)

    def progress(phase: str, _done: int, _total: int) -> None:
        if phase == "embedding" and not askers:
            (root / "shop" / "ship.py").write_text("def deliver(order):\n    return order\n")
            askers.append(threading.Thread(target=ask))
            askers[0].start()
            while not is_lock_requested(opened.repository.folder):
                time.sleep(0.01)

    with Index.open(root) as opened:
        opened.sync(progress=progress)
        askers[0].join()
        assert found[0] == "shop/ship.py"
        assert opened.search("deliver").readiness.vectors == 1.0


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_what_inotify_does_not_report_is_seen_a_minute_later(
    index: Index, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = root / "shop" / "pay.py"
    os.utime(path, (time.time() - 60,) * 2)
    watcher = open_inotify_watcher(root, 10)
    if watcher is None:
        pytest.skip("inotify cannot be relied on in the folder of the test")
    watcher.close()
    time.sleep(2.1)  # until then, times of what the test has made prove nothing
    clock = Clock()
    monkeypatch.setattr(change_log, "time", clock)
    for _ in range(3):
        index.symbols.lookup("charge")
    with path.open("r+b") as stream, mmap(stream.fileno(), 0) as memory:
        memory[4:10] = b"refund"
        assert not index.symbols.lookup("refund").as_dict()["symbols"]
        clock.now += 60.0
        assert index.symbols.lookup("refund").as_dict()["symbols"]
        memory[4:10] = b"charge"
    assert index.symbols.lookup("charge").as_dict()["symbols"]  # the file was closed


def test_what_was_done_after_the_first_question_is_seen_by_the_second(
    settled: Index, root: Path
) -> None:
    with Index.open(settled.root) as other:
        other.symbols.lookup("charge")
        (root / "shop" / "pay.py").write_text("def refund(card):\n    return bool(card)\n")
        assert other.symbols.lookup("refund").as_dict()["symbols"]


def test_files_of_several_names_are_looked_at_each_time(
    index: Index, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere.py").hardlink_to(root / "shop" / "pay.py")
    for _ in range(3):
        index.symbols.lookup("charge")
    text = (tmp_path / "elsewhere.py").read_text()
    (tmp_path / "elsewhere.py").write_text(text.replace("charge", "refund"))
    assert index.symbols.lookup("refund").as_dict()["symbols"]

"""Beside whoever edits: suggestions before a read, and files brought up to date after a write."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import NotIndexedError, QueryError
from codeindex.store.locks.owner import is_locked
from codeindex.store.locks.writer_lock import writer_lock
from tests.conftest import Repository

HANDLER = """\
from shop.base import Handler


class {name}(Handler):
    def check(self, order):
        return bool(order)

    def handle(self, order):
        return self.check(order)

    def undo(self, order):
        return not self.handle(order)
"""
SHOP = {
    "shop/__init__.py": "",
    "shop/base.py": "class Handler:\n    def handle(self, order):\n        raise ValueError\n",
    "shop/price.py": "def price(item):\n    return 1\n",
    "shop/cart.py": "from shop.price import price\n\n\ndef total():\n    return price(2)\n",
    "tests/test_price.py": "from shop.price import price\n\n\ndef test_it():\n    price(1)\n",
    "ignored.log": "",
    ".gitignore": "*.log\n",
} | {f"shop/handlers/{one}.py": HANDLER.format(name=one.title()) for one in "abcdef"}


@pytest.fixture
def root(home: Path, repository: Repository) -> Path:
    assert not home.exists()
    return repository(SHOP)


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as opened:
        opened.sync(structure_only=True)
        yield opened


def test_suggestions_say_why_in_few_words_and_leave_out_what_was_seen(index: Index) -> None:
    found = index.changes.suggest_context("shop/price.py")
    why = {one.file: one.why for one in found.items}
    assert why["tests/test_price.py"][0] == "tests this (price)"
    assert why["shop/cart.py"][0] == "imports this (price)"
    assert all(1 <= len(one) <= 2 for one in why.values())
    rest = index.changes.suggest_context("shop/price.py", seen=("shop/cart.py",))
    assert "shop/cart.py" not in {one.file for one in rest.items}
    assert rest.total == found.total - 1


def test_a_file_of_a_group_is_given_the_most_typical_of_it(index: Index) -> None:
    group = next(one for one in index.overview.patterns().patterns if "shop/handlers" in one.place)
    canonical, other = (
        group.canonical,
        next(
            one
            for one in index.files()
            if one.startswith("shop/handlers/") and one != group.canonical
        ),
    )
    found = index.changes.suggest_context(other, limit=2)
    (typical,) = [one for one in found.items if one.file == canonical]
    assert typical.why[0].startswith("the most typical of 6 files of the same structure")
    assert len(found.items) == 2
    assert all(
        "typical" not in " ".join(one.why) for one in index.changes.suggest_context(canonical).items
    )


def test_a_path_may_be_absolute_or_a_link(index: Index, root: Path) -> None:
    (root / "link.py").symlink_to("shop/price.py")
    paths = ("shop/price.py", str(root / "shop/price.py"), str(root / "link.py"), "shop\\price.py")
    assert {index.changes.suggest_context(path).file for path in paths} == {"shop/price.py"}


@pytest.mark.parametrize("path", ["", " ", "/etc/passwd", "../x.py", "a\0b", "\ud800", "shop"])
def test_a_path_outside_the_repository_is_refused(index: Index, path: str) -> None:
    with pytest.raises(QueryError):
        index.changes.suggest_context(path)


def test_a_written_file_is_brought_up_to_date(index: Index, root: Path) -> None:
    assert index.admin.invalidate_file("shop/price.py").outcome == "unchanged"
    (root / "shop/price.py").write_text("def price(item):\n    return 2\n", encoding="utf-8")
    assert index.admin.invalidate_file(str(root / "shop/price.py")).outcome == "changed"
    (root / "shop/new.py").write_text("def new():\n    return 2\n", encoding="utf-8")
    assert index.admin.invalidate_file("shop/new.py").outcome == "added"
    (root / "shop/new.py").unlink()
    assert index.admin.invalidate_file("shop/new.py").outcome == "removed"
    assert index.admin.invalidate_file("ignored.log").outcome == "left out"
    (root / "id_rsa").write_text("x", encoding="utf-8")
    left_out = index.admin.invalidate_file("id_rsa")
    assert (left_out.outcome, bool(left_out.reason)) == ("left out", True)


def test_while_another_sync_runs_a_written_file_waits(index: Index, root: Path) -> None:
    (root / "shop/price.py").write_text("def price(item):\n    return 2\n", encoding="utf-8")
    with writer_lock(index.repository.folder):
        assert is_locked(index.repository.folder)
        assert index.admin.invalidate_file("shop/price.py").outcome == "later"
    assert not is_locked(index.repository.folder)
    assert index.admin.invalidate_file("shop/price.py").outcome == "changed"


def test_what_was_never_indexed_is_not_indexed_by_this(root: Path, home: Path) -> None:
    with Index.open(root) as index:
        for ask in (index.admin.invalidate, lambda: index.admin.invalidate_file("shop/price.py")):
            with pytest.raises(NotIndexedError):
                ask()
    assert not list(home.glob("repos/*/catalog.sqlite"))


def test_the_sync_after_an_invalidation_reads_every_file_again(index: Index) -> None:
    assert index.sync(structure_only=True).changed == 0
    assert list(index.admin.invalidate().text()) == [
        "shop: the next sync reads all 12 files again (`codeindex index`)"
    ]
    assert index.search("price").hits
    assert index.sync(structure_only=True).changed == 12
    assert index.sync(structure_only=True).changed == 0


def test_the_commands_say_the_same(index: Index, root: Path) -> None:
    def said(*words: str) -> str:
        line = [sys.executable, "-m", "codeindex", *words]
        return subprocess.run(line, cwd=root, capture_output=True, check=True, text=True).stdout

    found = index.changes.suggest_context("shop/price.py")
    assert said("suggest-context", "shop/price.py").splitlines() == list(found.text())
    assert said("invalidate-file", "shop/price.py") == "shop/price.py: unchanged\n"
    assert '"files": 12' in said("invalidate", "--json")

"""A SCIP index corrects the graph, where its files are as the compiler read them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.config.load import REPOSITORY_FILE
from codeindex.errors import QueryError
from codeindex.graph.scip import documents
from codeindex.types import SyncReport
from tests.conftest import Repository
from tests.scip_writer import DEFINITION, Shown, bytes_field, index_of

CART = """\
class Cart:
    def fill(self, item):
        return item


def pay(cart):
    return cart
"""
APP = """\
from cart import pay


def checkout(cart):
    cart.fill(1)
    return pay(cart)
"""
OTHER = "def unrelated():\n    return 1\n"
FILES = {"cart.py": CART, "app.py": APP, "other.py": OTHER, ".gitignore": "*.scip\n"}
ADD = "scip-test pip shop 1 cart/Cart#fill()."
BIG_ADD = "scip-test pip shop 1 cart/Big#fill()."
PAY = "scip-test pip shop 1 cart/pay()."
NAMES = {
    "cart.py": [Shown(2, "fill", ADD, DEFINITION), Shown(6, "pay", PAY, DEFINITION)],
    "app.py": [Shown(1, "pay", PAY), Shown(5, "fill", ADD), Shown(6, "pay", PAY)],
}
INDEX = index_of(FILES, NAMES)
HOUR = 3600
pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def shop(repository: Repository) -> Path:
    """Return a repository that was written an hour ago."""
    root = repository(FILES)
    for path in FILES:
        _age(root / path, HOUR)
    return root


def _age(path: Path, seconds: float) -> None:
    at = path.stat().st_mtime - seconds
    os.utime(path, (at, at))


def synced(root: Path) -> SyncReport:
    with Index.open(root) as index:
        return index.sync(structure_only=True)


def callers(root: Path, symbol: str = "Cart.fill") -> list[tuple[str, str, bool]]:
    """Return the calling symbols of `Cart.fill`, how certain they are, and if a compiler knows.

    The index is refreshed before, as for every question.
    """
    with Index.open(root) as index:
        found = index.graph.callers(symbol).callers
    return [(caller.name, caller.certainty, caller.by_compiler) for caller in found]


OURS = [("checkout", "ambiguous", False)]
COMPILERS = [("checkout", "resolved", True)]


def status(root: Path) -> str:
    with Index.open(root) as index:
        return index.status().compiler


def test_the_compiler_knows_what_an_untyped_parameter_is(shop: Path) -> None:
    synced(shop)
    assert callers(shop) == OURS
    assert status(shop) == ""
    (shop / "index.scip").write_bytes(INDEX)
    assert synced(shop).notes == ()
    assert callers(shop) == COMPILERS
    assert callers(shop, "pay") == COMPILERS
    assert status(shop).startswith("1 file uses index.scip (2 of 2 documents matched")
    with Index.open(shop) as index:
        assert not index.admin.verify(deep=True).problems
        assert "of those shown, 1 by a compiler's index" in next(index.graph.callers("pay").text())


def test_a_deleted_index_is_noticed(shop: Path) -> None:
    (shop / "index.scip").write_bytes(INDEX)
    synced(shop)
    (shop / "index.scip").unlink()
    synced(shop)
    assert callers(shop) == OURS
    assert status(shop) == ""


def test_an_edited_file_has_our_edges_until_it_is_as_before(shop: Path) -> None:
    (shop / "index.scip").write_bytes(INDEX)
    synced(shop)
    (shop / "app.py").write_text(f"{APP}# edited\n", "utf-8")
    assert callers(shop) == OURS
    synced(shop)
    assert callers(shop) == OURS
    (shop / "app.py").write_text(APP, "utf-8")
    assert callers(shop) == COMPILERS


def test_a_change_of_what_a_file_depends_on_leaves_our_edges(shop: Path) -> None:
    (shop / "index.scip").write_bytes(INDEX)
    synced(shop)
    (shop / "cart.py").write_text(CART.replace("return item", "return [item]"), "utf-8")
    assert callers(shop) == OURS
    (shop / "cart.py").write_text(CART, "utf-8")
    assert callers(shop) == COMPILERS
    (shop / "other.py").write_text("def unrelated():\n    return 2\n", "utf-8")
    assert callers(shop) == COMPILERS


@pytest.mark.parametrize(
    ("with_text", "expected"), [(False, OURS), (True, COMPILERS)], ids=["no text", "text"]
)
def test_an_index_older_than_the_file_needs_its_text(
    shop: Path, *, with_text: bool, expected: list[tuple[str, str, bool]]
) -> None:
    (shop / "index.scip").write_bytes(index_of(FILES, NAMES, with_text=with_text))
    _age(shop / "index.scip", 2 * HOUR)
    synced(shop)
    assert callers(shop) == expected


def test_the_time_of_a_tracked_index_proves_nothing(repository: Repository) -> None:
    root = repository({**FILES, ".gitignore": "", "index.scip": INDEX}, "tracked")
    for path in FILES:
        _age(root / path, HOUR)
    synced(root)
    assert callers(root) == OURS


def test_an_index_in_a_folder_describes_the_files_of_the_folder(repository: Repository) -> None:
    settings = "code-index:\n  graph:\n    scip: [part/index.scip]\n"
    inner = {f"part/{path}": text for path, text in FILES.items()}
    root = repository({**inner, REPOSITORY_FILE: settings}, "inner")
    for path in inner:
        _age(root / path, HOUR)
    (root / "part" / "index.scip").write_bytes(INDEX)
    synced(root)
    assert callers(root) == COMPILERS


def _link(root: Path, outside: Path) -> None:
    (root / "index.scip").symlink_to(outside)


def _setting_above(root: Path, outside: Path) -> None:
    (root / REPOSITORY_FILE).write_text(f"code-index: {{graph: {{scip: ['../{outside.name}']}}}}\n")


def _absolute_setting(root: Path, outside: Path) -> None:
    (root / REPOSITORY_FILE).write_text(f"code-index: {{graph: {{scip: ['{outside}']}}}}\n")


@pytest.mark.parametrize("attack", [_link, _setting_above, _absolute_setting])
def test_no_index_outside_of_the_tree_is_read(
    shop: Path, attack: Callable[[Path, Path], None]
) -> None:
    outside = shop.parent / "outside.scip"
    outside.write_bytes(INDEX)
    attack(shop, outside)
    synced(shop)
    assert callers(shop) == OURS


def test_documents_outside_of_the_tree_are_ignored(shop: Path) -> None:
    for path in ("../app.py", "/etc/passwd", str(shop / "app.py"), "", "a\0b", "nowhere.py"):
        (shop / "index.scip").write_bytes(index_of({path: APP}, {path: NAMES["app.py"]}))
        assert synced(shop).notes == ()
        assert callers(shop) == OURS


@pytest.mark.parametrize("content", [INDEX[:-1], INDEX + b"\x0b", b"\xff" * 20, b"not an index"])
def test_a_damaged_index_is_reported_and_not_used(shop: Path, content: bytes) -> None:
    (shop / "index.scip").write_bytes(content)
    (note,) = synced(shop).notes
    assert note.startswith("'index.scip' is not used: ")
    assert callers(shop) == OURS
    assert note in status(shop)
    (shop / "index.scip").write_bytes(INDEX)
    assert synced(shop).notes == ()
    assert callers(shop) == COMPILERS


def test_a_huge_index_is_reported(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_INDEX_BYTES", 100)
    (shop / "index.scip").write_bytes(INDEX)
    (note,) = synced(shop).notes
    assert "more than 100" in note
    assert callers(shop) == OURS


def test_names_that_a_forged_index_moves_are_not_used(shop: Path) -> None:
    forged = {**NAMES, "app.py": [Shown(5, "cart", ADD), Shown(6, "return", PAY)]}
    (shop / "index.scip").write_bytes(index_of(FILES, forged))
    synced(shop)
    assert callers(shop) == OURS


def test_uses_that_we_do_not_see_are_added(repository: Repository) -> None:
    code = "def pay(n):\n    return n\n\n\ndef run():\n    eval('pay(1)')\n"
    names = [Shown(1, "pay", PAY, DEFINITION), Shown(6, "pay", PAY)]
    root = repository({"app.py": code, ".gitignore": "*.scip\n"}, "hidden")
    _age(root / "app.py", HOUR)
    synced(root)
    assert callers(root, "pay") == []
    (root / "index.scip").write_bytes(index_of({"app.py": code}, {"app.py": names}))
    synced(root)
    assert callers(root, "pay") == [("run", "resolved", True)]


def test_our_edges_are_compared_with_an_index_anywhere(shop: Path) -> None:
    outside = shop.parent / "other.scip"
    outside.write_bytes(INDEX)
    with Index.open(shop) as index:
        index.sync(structure_only=True)
        report = index.graph.compare(str(outside), show=5)
        (python,) = report.languages
        assert (python.names, python.certain_recall, python.recall_with_possible) == (2, 0.5, 1.0)
        assert (python.certain, python.certain_precision) == (1, 1.0)
        assert report.disagreements == ()
        outside.write_bytes(index_of(FILES, {**NAMES, "app.py": [Shown(6, "pay", ADD)]}))
        assert index.graph.compare(str(outside)).languages == ()
        (shop / "cart.py").write_text(f"\n{CART}", "utf-8")
        (shop / "app.py").write_text(f"\n{APP}", "utf-8")
        with pytest.raises(QueryError, match="all of which have changed since"):
            index.graph.compare(str(outside))


def test_a_missing_or_damaged_index_is_not_compared(shop: Path) -> None:
    with Index.open(shop) as index:
        index.sync(structure_only=True)
        with pytest.raises(QueryError, match="describes no file of this"):
            index.graph.compare()
        (shop / "index.scip").write_bytes(bytes_field(2, b"\x0b"))
        with pytest.raises(QueryError, match="not used"):
            index.graph.compare()


def test_a_name_with_several_definitions_in_one_place_is_not_certain(shop: Path) -> None:
    both = {**NAMES, "app.py": [Shown(5, "fill", ADD), Shown(5, "fill", BIG_ADD)]}
    both["cart.py"] = [*NAMES["cart.py"], Shown(11, "fill", BIG_ADD, DEFINITION)]
    cart = f"{CART}\n\nclass Big:\n    def fill(self, item):\n        return self\n"
    (shop / "cart.py").write_text(cart, "utf-8")
    _age(shop / "cart.py", HOUR)
    (shop / "index.scip").write_bytes(index_of({**FILES, "cart.py": cart}, both))
    synced(shop)
    assert callers(shop) == OURS
    assert callers(shop, "Big.fill") == OURS

"""What else to read, what may break, what to run: on repositories with a history."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import GitError, QueryError
from tests.conftest import Repository

IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
SHOP = {
    "shop/__init__.py": "",
    "shop/price.py": "def price(item):\n    return 1\n\n\ndef vat(item):\n    return 2\n",
    "shop/cart.py": (
        "from shop.price import price\n\n\nclass Cart:\n    def total(self, items):\n"
        "        return sum(price(one) for one in items)\n\n    def show(self):\n"
        "        return self.total([])\n"
    ),
    "shop/page.py": "from shop.cart import Cart\n\n\ndef page():\n    return Cart().show()\n",
    "shop/idle.py": "from shop.price import price\n",
    "tests/test_price.py": "def test_nothing():\n    assert True\n",
    "tests/test_page.py": (
        "from shop.page import page\n\n\ndef test_page():\n    assert page() == 0\n"
    ),
    "shop/sums.css": "a { color: red }\n",
}


def run(root: Path, *words: str) -> None:
    subprocess.run(["git", *IDENTITY, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(home: Path, repository: Repository) -> Path:
    assert not home.exists()
    made = repository(SHOP)
    for number in range(3):  # the first commit, of all files, already joins each with each
        for path in ("shop/price.py", "shop/sums.css"):
            with (made / path).open("a") as file:
                file.write("\n" * (number + 1))
        run(made, "commit", "-qam", "together")
    return made


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as opened:
        opened.sync(structure_only=True)
        yield opened


def test_context_gives_each_related_file_once_with_all_its_reasons(index: Index) -> None:
    found = index.changes.context("shop/price.py")
    kinds = {one.file: {it.kind for it in one.reasons} for one in found.items}
    assert len(kinds) == len(found.items) == found.total
    assert kinds["shop/cart.py"] == {
        "imported_by",
        "used_by",
        "same_folder",
        "changes_with",
    }
    assert kinds["shop/sums.css"] == {"changes_with", "same_folder"}
    assert kinds["tests/test_price.py"] == {"tests", "changes_with"}
    assert "shop/price.py" not in kinds
    assert found.notes == ()


def test_reasons_name_symbols_and_lines_and_sum_up_to_the_score(index: Index) -> None:
    cart = next(it for it in index.changes.context("price").items if it.file == "shop/cart.py")
    used = next(it for it in cart.reasons if it.kind == "used_by")
    assert (used.symbols, used.lines) == (("price",), (6,))
    assert cart.score == pytest.approx(sum(it.weight for it in cart.reasons), abs=0.01)


def test_of_symbols_in_common_the_rarest_is_named_first(repository: Repository) -> None:
    names = ("mid", "ask", "zone")
    files = {
        "kit.py": "".join(f"def {name}():\n    return 1\n\n\n" for name in names),
        "one.py": "from kit import ask, mid, zone\n\nask(), mid(), zone()\n",
        "two.py": "from kit import ask, mid, zone\n\nask(), mid(), zone()\n",
        "three.py": "from kit import ask, mid\n\nask(), mid()\n",
    }
    with Index.open(repository(files)) as opened:
        opened.sync(structure_only=True)
        items = opened.changes.context("one.py").items
    two = next(item for item in items if item.file == "two.py")
    shared = next(reason for reason in two.reasons if reason.kind == "shares")
    assert shared.symbols == ("zone", "ask", "mid")


def test_impact_follows_users_of_users_and_says_by_which_steps(index: Index) -> None:
    found = index.graph.impact("shop/price.py::price")
    distances = {one.name or one.file: one.distance for one in found.dependants}
    assert distances == {
        "Cart.total": 1,
        "shop/idle.py": 1,
        "Cart.show": 2,
        "page": 3,
        "test_page": 4,
    }
    page = next(one for one in found.dependants if one.name == "page")
    assert [(it.file, it.line, it.name) for it in page.chain] == [
        ("shop/cart.py", 6, "Cart.total"),
        ("shop/cart.py", 9, "Cart.show"),
    ]
    assert (page.lines, page.how) == ((5,), "calls")
    assert [(one.file, one.distance, one.names, one.total) for one in found.tests] == [
        ("tests/test_page.py", 4, (), 1),
        ("tests/test_price.py", 0, (), 0),
    ]
    near = index.graph.impact("page").tests[0]
    assert (near.file, near.names) == ("tests/test_page.py", ("test_page",))


@pytest.mark.usefixtures("home")
def test_calls_on_something_unknown_are_possible_dependants(repository: Repository) -> None:
    root = repository(
        {
            "a.py": "class A:\n    def go(self): ...\n",
            "b.py": "import a\n\n\ndef b(a):\n    a.go()\n",
        }
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.graph.impact("A.go")
    assert (found.total_certain, found.total_possible) == (0, 1)
    assert [(one.name, one.certainty) for one in found.dependants] == [("b", "ambiguous")]


@pytest.mark.usefixtures("home")
def test_users_of_a_type_depend_on_what_its_constructor_calls(repository: Repository) -> None:
    source = (
        "def load(): ...\n\n\nclass A:\n    def __init__(self):\n        load()\n\n\n"
        "class B:\n    def __init__(self):\n        self.it = load()\n\n\n"
        "def make():\n    return A()\n"
    )
    root = repository({"a.py": source})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.graph.impact("load")
    assert [(one.name, one.distance) for one in found.dependants] == [
        ("A.__init__", 1),
        ("B.it", 1),
        ("A", 2),
        ("make", 3),
        ("B.__init__", 2),  # it assigns a field, and calls nothing that calls `load`
        ("B", 3),
    ]


@pytest.mark.usefixtures("home")
def test_rings_of_calls_and_ten_thousand_dependants_are_survived(repository: Repository) -> None:
    ring = {"ring.py": "def f0():\n    f1()\n\n\ndef f1():\n    f0()\n"}
    lines = "\n\n".join(f"def g{one}():\n    f0()\n" for one in range(200))
    root = repository(
        ring | {f"big{one}.py": f"from ring import f0\n\n\n{lines}" for one in range(50)}
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.graph.impact("f0", limit=10)
    assert (found.total_certain, len(found.dependants)) == (10_001, 10)


def test_a_diff_of_the_work_tree_names_symbols_users_and_tests(index: Index, root: Path) -> None:
    (root / "shop/price.py").write_text(SHOP["shop/price.py"].replace("return 1", "return 7"))
    (root / "shop/new.py").write_text("def fresh():\n    return 1\n")
    run(root, "rm", "-q", "shop/idle.py")
    found = index.changes.for_diff()
    assert [(one.file, one.status, one.indexed) for one in found.changed] == [
        ("shop/idle.py", "deleted", False),
        ("shop/new.py", "added", True),
        ("shop/price.py", "modified", True),
    ]
    assert "price" in found.changed[2].symbols
    assert [(it.file, it.line, it.name, it.uses) for it in found.users] == [
        ("shop/cart.py", 6, "Cart.total", "price")
    ]
    assert [it.file for it in found.tests] == ["tests/test_price.py"]
    assert "shop/sums.css" in {it.file for it in found.items}
    assert any("deleted" in one for one in found.notes)


def test_lines_that_have_the_name_of_a_removed_symbol_are_found(index: Index, root: Path) -> None:
    price = root / "shop/price.py"
    price.write_text(SHOP["shop/price.py"].replace("def price", "def cost"))
    found = index.changes.for_diff()
    assert [(one.file, one.removed) for one in found.changed] == [("shop/price.py", ("price",))]
    named = {(one.file, one.name) for one in found.removed_names}
    assert ("shop/cart.py", "price") in named
    assert found.total_removed_names >= len(named)
    assert "names of removed symbols are still in" in "\n".join(found.text())
    price.write_text(SHOP["shop/price.py"].replace("def price", "def cost"))
    (root / "shop/other.py").write_text("def price(item):\n    return item\n")
    assert not index.changes.for_diff().removed_names  # the name has another definition
    price.unlink()
    (root / "shop/other.py").unlink()
    found = index.changes.for_diff()
    assert ("shop/cart.py", "price") in {(one.file, one.name) for one in found.removed_names}


def test_a_range_of_commits_is_compared_and_named_as_a_range(index: Index) -> None:
    found = index.changes.for_diff("HEAD~2..HEAD~1")
    assert [one.file for one in found.changed] == ["shop/price.py", "shop/sums.css"]
    assert any("work tree" in one for one in found.notes)


def test_no_changes_get_a_sentence(index: Index) -> None:
    found = index.changes.for_diff()
    assert (found.changed, found.notes) == ((), ("Nothing differs.",))


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "HEAD..nowhere", "a\0b", "^HEAD"])
def test_an_unknown_ref_is_refused_by_name(index: Index, root: Path, ref: str) -> None:
    with pytest.raises(QueryError, match="is not a commit of"):
        index.changes.for_diff(ref)
    assert not (root / "x").exists()


def test_a_commit_that_a_shallow_clone_lacks_is_refused_with_how_to_get_it(
    root: Path, tmp_path: Path
) -> None:
    (root / "more.py").write_text("x = 1\n")
    run(root, "add", "-A")
    run(root, "commit", "-qm", "second")
    run(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "cut")
    with Index.open(tmp_path / "cut") as index:
        index.sync()
        with pytest.raises(QueryError, match="shallow clone: `git fetch --unshallow`"):
            index.changes.for_diff("HEAD~1")


@pytest.mark.parametrize("subject", ["shop/prize.py", "prise", "", "../shop/price.py"])
def test_an_unknown_name_is_refused_with_the_nearest(index: Index, subject: str) -> None:
    for ask in (index.changes.context, index.graph.impact):
        with pytest.raises(QueryError) as refused:
            ask(subject)
        assert "pric" in str(refused.value) or not subject


@pytest.mark.usefixtures("home")
def test_context_without_git_works_and_names_the_gap(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.py").write_text("def a():\n    return 1\n")
    (root / "b.py").write_text("from a import a\n\na()\n")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.changes.context("a.py")
        assert [one.file for one in found.items] == ["b.py"]
        assert any("No commits" in one for one in found.notes)
        with pytest.raises(QueryError, match="not a git work tree"):
            index.changes.for_diff()


def test_a_git_that_is_missing_is_named(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for ask in (index.changes.for_diff, lambda: index.changes.diff_summary("HEAD")):
        with pytest.raises(GitError, match="git is not on the PATH"):
            ask()


def test_a_commit_without_other_changes_is_part_of_the_history(index: Index, root: Path) -> None:
    for path in ("shop/idle.py", "shop/page.py"):
        with (root / path).open("a") as file:
            file.write("# more\n")
    index.sync(structure_only=True)
    run(root, "commit", "-qam", "after the sync")
    index.sync(structure_only=True)
    idle = next(
        one for one in index.changes.context("shop/page.py").items if one.file == "shop/idle.py"
    )
    assert "changes_with" in {one.kind for one in idle.reasons}


def test_the_rest_of_a_shallow_history_is_read_once_it_is_there(root: Path, tmp_path: Path) -> None:
    run(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "cut")
    with Index.open(tmp_path / "cut") as index:
        index.sync(structure_only=True)
        assert any("cut off" in note for note in index.changes.context("shop/price.py").notes)
        run(tmp_path / "cut", "fetch", "-q", "--unshallow")
        index.sync(structure_only=True)
        found = index.changes.context("shop/price.py")
        index.sync(structure_only=True, rebuild=True)
        assert index.changes.context("shop/price.py") == found
    assert found.notes == ()
    assert "4 common commits" in found.items[0].reasons[0].detail


def test_a_merge_of_older_commits_gives_the_history_that_a_rebuild_gives(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit_at(minute: int, *edits: str) -> None:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2040-01-01T00:{minute:02}:00Z")
        for path in edits:
            with (root / path).open("a") as file:
                file.write("# more\n")
        run(root, "add", "-A")
        run(root, "commit", "-qm", f"at {minute}")

    run(root, "branch", "side")
    run(root, "mv", "shop/idle.py", "shop/lazy.py")
    commit_at(2)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        run(root, "checkout", "-q", "side")
        commit_at(1, "shop/idle.py", "shop/page.py")
        run(root, "checkout", "-q", "-")
        run(root, "merge", "-q", "side", "-m", "merge")
        index.sync(structure_only=True)
        found = index.changes.context("shop/page.py")
        index.sync(structure_only=True, rebuild=True)
        assert index.changes.context("shop/page.py") == found
    lazy = next(one for one in found.items if one.file == "shop/lazy.py")
    assert "2 common commits" in str(lazy.reasons)


def test_the_use_that_is_shown_does_not_depend_on_former_edits(
    repository: Repository, home: Path
) -> None:
    assert not home.exists()
    early, late = "def early(): ...\n", "def late(): ...\n"
    use = "from a import early, late\n\n\ndef use():\n    late()\n    early()\n"
    root = repository({"a.py": late, "b.py": use})
    with indexed(Index.open(root)) as index:
        (root / "a.py").write_text(early + late)
        index.sync(structure_only=True)
        found = index.graph.impact("a.py").dependants
        index.sync(structure_only=True, rebuild=True)
        assert index.graph.impact("a.py").dependants == found


def test_every_report_has_rows_as_wide_as_its_header_and_plain_values(index: Index) -> None:
    for report in (
        index.changes.context("price"),
        index.graph.impact("price"),
        index.changes.for_diff("HEAD~1"),
    ):
        header, rows = report.columns()
        assert {len(row) for row in rows} == {len(header)}
        assert json.loads(json.dumps(report.as_dict()))
        assert list(report.text())


def indexed(index: Index) -> Index:
    index.sync(structure_only=True)
    return index


@pytest.mark.usefixtures("home")
def test_who_defines_what_uses_something_depends_on_it_too(repository: Repository) -> None:
    source = (
        "def total(): ...\n\n\ndef decorate(function):\n    def wrapper():\n        total()\n"
        "    register(wrapper)\n\n\ndef register(one): ...\n\n\n@decorate\ndef used(): ...\n"
        "\n\ndef hidden():\n    def inner():\n        total()\n"
    )
    with indexed(Index.open(repository({"a.py": source}))) as index:
        found = index.graph.impact("total")
    certain = {one.name for one in found.dependants if one.certainty == "resolved"}
    assert certain >= {"decorate.wrapper", "decorate", "hidden.inner", "hidden"}


@pytest.mark.usefixtures("home")
def test_a_test_that_patches_something_is_to_be_run(repository: Repository) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "def total(): ...\n",
        "tests/test_it.py": (
            "from unittest import mock\n\n\ndef test_it():\n"
            '    with mock.patch("shop.cart.total"):\n        pass\n'
        ),
    }
    with indexed(Index.open(repository(files))) as index:
        found = index.graph.impact("total")
    assert [(one.file, one.names) for one in found.tests] == [("tests/test_it.py", ("test_it",))]


@pytest.mark.usefixtures("home")
def test_calls_by_name_alone_count_only_for_the_subject_itself(
    repository: Repository,
) -> None:
    files = {
        "a.py": "def low(): ...\n\n\nclass A:\n    def settle(self):\n        low()\n",
        "b.py": "import a\n\n\ndef b(a):\n    a.settle()\n",
    }
    with indexed(Index.open(repository(files))) as index:
        near, far = index.graph.impact("A.settle"), index.graph.impact("low")
    assert [(one.name, one.certainty) for one in near.dependants] == [("b", "ambiguous")]
    assert [(one.name, one.certainty) for one in far.dependants] == [("A.settle", "resolved")]


@pytest.mark.usefixtures("home")
def test_a_type_and_its_constructor_are_one_symbol(repository: Repository) -> None:
    files = {"Cart.cs": "namespace Shop;\npublic class Cart\n{\n    public Cart() { }\n}\n"}
    with indexed(Index.open(repository(files))) as index:
        said = list(index.graph.callers("Cart").text())
    assert said[1] == "of Cart.cs:2 Shop.Cart"


@pytest.mark.usefixtures("home")
def test_impact_tells_how_many_dependants_and_tests_it_leaves_out(repository: Repository) -> None:
    files = {f"tests/test_{n}.py": f"import a\n\n\ndef test_{n}():\n    a.f()\n" for n in range(23)}
    with indexed(Index.open(repository(files | {"a.py": "def f(): ...\n"}))) as index:
        whole, part = index.graph.impact("f"), index.graph.impact("f", limit=5)
    assert next(iter(whole.text())) == (
        "f: 23 certain dependants (23 by calls), 0 possible, in 23 files;"
        " 23 test files, the first 20"
    )
    assert "in 23 files, the first 5; 23 test files" in next(iter(part.text()))


@pytest.mark.usefixtures("home")
def test_a_name_of_several_says_which_and_each_can_be_asked_for(repository: Repository) -> None:
    files = {
        "shop/a.py": "class A:\n    def go(self): ...\n\n\ndef run():\n    A().go()\n",
        "shop/b.py": "class B:\n    def go(self): ...\n\n\ndef run_b():\n    B().go()\n",
    }
    with indexed(Index.open(repository(files))) as index:
        both, one, other = map(index.graph.callers, ("go", "A.go", "b.py::B.go"))
        said = list(index.changes.context("go").text())
    assert [(it.key, it.line) for it in both.definitions] == [
        ("shop/a.py::A.go", 2),
        ("shop/b.py::B.go", 2),
    ]
    assert "2 symbols have this name: ask for one like 'shop/a.py::A.go'" in said
    assert "  of shop/b.py:2 B.go" in said
    assert [it.name for it in one.callers] == ["run"]
    assert [it.name for it in other.callers] == ["run_b"]


@pytest.mark.usefixtures("home")
def test_callers_are_a_line_each_so_that_a_limit_is_one_of_lines(repository: Repository) -> None:
    calls = "".join(f"def c{n}():\n    f()\n    f()\n\n\n" for n in range(3))
    with indexed(Index.open(repository({"a.py": f"def f(): ...\n\n\n{calls}"}))) as index:
        lines = list(index.graph.callers("f", limit=2).text())
    assert lines == [
        "f: 3 certain, 0 possible callers, the first 2",
        "of a.py:1 f",
        "a.py:5: c0  also in 6: f()",
        "a.py:10: c1  also in 11: f()",
    ]


@pytest.mark.usefixtures("home")
def test_each_call_of_a_caller_has_its_line_and_its_condition(repository: Repository) -> None:
    code = (
        "def f(x): ...\n\n\ndef g(x):\n    if x:\n        f(1)\n    elif x is None:\n        f(2)\n"
        "    else:\n        f(3)\n    if not x:\n        return\n    else:\n        f(4)\n"
    )
    with indexed(Index.open(repository({"a.py": code}))) as index:
        lines = list(index.graph.callers("f").text())
    assert lines[2:] == [
        "a.py:6: g: f(1)  [in: if x]",
        "  8: f(2)  [in: elif x is None]",
        "  10: f(3)  [in: else of elif x is None]",
        "  14: f(4)  [in: else of if not x]",
    ]


def test_an_absolute_path_is_as_good_as_a_relative_one(index: Index, root: Path) -> None:
    assert (
        index.changes.context(str(root / "shop/price.py")).items
        == index.changes.context("shop/price.py").items
    )
    assert index.graph.callers(f"{root}/shop/price.py::price").total_certain == 1
    with pytest.raises(QueryError, match="outside of"):
        index.source.summary(str(root.parent))


def test_changes_in_a_submodule_are_not_denied(repository: Repository) -> None:
    inner, root = repository({"b.py": "def b(): return 1\n"}, "inner"), repository(SHOP)
    command = ["git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add"]
    subprocess.run([*command, inner.as_uri(), "lib"], cwd=root, check=True, capture_output=True)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "lib" / "b.py").write_text("def b(): return 2\n")
        notes = index.changes.for_diff().notes
    assert "Files of submodules are not compared: lib." in notes

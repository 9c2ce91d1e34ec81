"""Which tests run a symbol: by calls, through fixtures and types, and by coverage data."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.analysis.subject import find_symbols
from codeindex.graph import covering_tests, test_paths
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.nodes import symbols_by_id, symbols_by_name
from tests.conftest import Repository, made_repository, own_data

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "class Store:\n    def save(self, key):\n        return key\n\n"
        "    def put(self, key):\n        return self.save(key)\n\n\n"
        "class Disk(Store):\n    def save(self, key):\n        return open(key)\n\n\n"
        "class Other(Store):\n    def save(self, key):\n        return None\n\n\n"
        "class Cart:\n    def __init__(self):\n        self.items = []\n\n"
        "    def __len__(self):\n        return len(self.items)\n\n"
        "    def add(self, item):\n        check(item)\n        self.items.append(item)\n\n\n"
        "def check(item):\n    return norm(item)\n\n\n"
        "def norm(item):\n    return item\n\n\n"
        "def unseen(item):\n    return item\n"
    ),
    "tests/conftest.py": (
        "import pytest\n\nfrom shop.cart import Cart\n\n\n"
        "@pytest.fixture\ndef full():\n    cart = Cart()\n    cart.add(1)\n    return cart\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import Cart, Disk, Other, check\n\n\n"
        "def helper():\n    return check(1)\n\n\n"
        "def test_direct():\n    check(2)\n\n\n"
        "def test_helped():\n    assert helper()\n\n\n"
        "def test_full(full):\n    assert full\n\n\n"
        "def test_len():\n    assert len(Cart()) == 0\n\n\n"
        "def test_disk():\n    Disk().put(1)\n\n\n"
        "def test_other():\n    Other().put(1)\n\n\n"
        "def test_nothing():\n    pass\n"
    ),
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("related")
    root = made_repository(folder / "shop", FILES)
    with own_data(folder), Index.open(root) as index:
        index.sync(structure_only=True)
        yield index


@pytest.fixture
def shop(indexed: Index) -> Iterator[Index]:
    yield indexed
    data = indexed.root / ".coverage"
    data.rmdir() if data.is_dir() else data.unlink(missing_ok=True)


def found_tests(index: Index, symbol: str) -> list[tuple[str, int]]:
    return [(test.name, test.distance) for test in index.graph.related_tests(symbol).tests]


def test_the_nearest_come_first_with_their_distance(shop: Index) -> None:
    assert found_tests(shop, "check")[0] == ("test_direct", 1)
    assert dict(found_tests(shop, "norm"))["test_direct"] == 2


def test_a_helper_is_no_test_but_leads_to_tests(shop: Index) -> None:
    found = dict(found_tests(shop, "check"))
    assert found["test_helped"] == 2
    assert "helper" not in found


def test_tests_in_folders_named_like_those_of_the_symbol_come_first(
    repository: Repository,
) -> None:
    twin = "def send(data):\n    return data\n\n\ndef run(data):\n    return send(data)\n"
    test = (
        "from shop import eager, lazy\n\n\n"
        "def test_run():\n    eager.net.run(1)\n    lazy.net.run(1)\n"
    )
    files = {"shop/__init__.py": ""}
    for side in ("eager", "lazy"):
        files |= {f"shop/{side}/__init__.py": "", f"shop/{side}/net.py": twin}
        files[f"tests/{side}/test_net.py"] = test.replace(
            "from shop", "import shop.lazy.net, shop.eager.net\nfrom shop"
        )
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        for side in ("eager", "lazy"):
            found = index.graph.related_tests(f"shop/{side}/net.py::send").tests
            assert found[0].file == f"tests/{side}/test_net.py"
            assert len(found) == 2


def test_a_second_search_reads_no_users_again(shop: Index) -> None:
    graph = test_paths.TestGraph()
    with shop.reader().catalog() as (catalog, _):
        nodes = find_symbols(catalog.connection, "norm")
        first = covering_tests.covering_tests(catalog.connection, nodes, graph)
        statements: list[str] = []
        catalog.connection.set_trace_callback(statements.append)
        again = covering_tests.covering_tests(catalog.connection, nodes, graph)
        catalog.connection.set_trace_callback(None)
    assert [test.node.name for test in first][:1] == ["test_direct"]
    assert again == first
    assert statements
    assert not [sql for sql in statements if "target_symbol IN" in sql and "'extends'" in sql]


def test_an_answer_does_not_depend_on_earlier_questions(shop: Index) -> None:
    symbols = ("norm", "check", "Cart.add", "Disk.save", "Cart.__len__")
    together = [shop.graph.related_tests(symbol) for symbol in reversed(symbols)]
    with shop.reader().catalog() as (catalog, _):
        for symbol, report in zip(reversed(symbols), together, strict=True):
            nodes = find_symbols(catalog.connection, symbol)
            alone = [
                test
                for test in covering_tests.covering_tests(catalog.connection, nodes)
                if test.shown
            ]
            assert [(test.file, test.name) for test in report.tests] == [
                (test.node.path, test.node.qualified) for test in alone
            ]


def test_a_new_test_is_found_by_the_next_question(repository: Repository) -> None:
    files = {"cart.py": "def add():\n    return 1\n", "test_cart.py": "import cart\n"}
    root = repository(files)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert not [test for test in index.graph.related_tests("add").tests if test.name]
        code = "import cart\n\n\ndef test_new():\n    cart.add()\n"
        (root / "test_cart.py").write_text(code)
        assert found_tests(index, "add") == [("test_new", 1)]


def test_a_test_named_after_another_type_is_not_named_after_the_symbol(
    repository: Repository,
) -> None:
    files = {
        "shop/streams.py": (
            "class Reader:\n    def peek_line(self):\n        return 1\n\n\n"
            "class Writer:\n    def peek_line(self):\n        return 2\n"
        ),
        "tests/test_streams.py": (
            "class TestWriter:\n    def test_peek_line(self):\n        pass\n\n\n"
            "class TestReader:\n    def test_peek_line(self):\n        pass\n\n\n"
            "def test_peek_line_of_all():\n    pass\n"
        ),
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        every = index.graph.related_tests("Reader.peek_line", include_possible=True).tests
    named = {test.name for test in every if "named after it" in test.reasons}
    assert named == {"TestReader.test_peek_line", "test_peek_line_of_all"}


def test_tests_that_reach_the_symbol_by_calls_are_not_said_to_share_only_a_name(
    repository: Repository,
) -> None:
    code = (
        "def target(value):\n    return value + 1\n\n\n"
        "def outer(value):\n    return target(value)\n"
    )
    calls = (f"def test_thing_{at}():\n    assert outer({at})\n\n\n" for at in range(12))
    files = {
        "core.py": code,
        "test_core.py": "from core import target\n\n\ndef test_target():\n    target(1)\n",
        "test_far.py": f"from core import outer\n\n\n{''.join(calls)}",
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        likely = index.graph.related_tests("target")
        every = index.graph.related_tests("target", include_possible=True)
    assert likely.possible > 0
    assert every.tests[-1].reasons == ("calls",)
    less = f"less likely to run it: {likely.possible} of these"
    more = "; `codeindex related-tests --include-possible` shows them too"
    assert [*likely.text()][-1] == less + more
    assert [*every.text()][-1] == less


def test_a_helper_of_tests_leads_one_step_farther(repository: Repository) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/solve.py": (
            "def derive():\n    return 1\n\n\ndef decide():\n    return derive()\n\n\n"
            "def propagate():\n    return decide()\n\n\ndef solve():\n    return propagate()\n"
        ),
        "tests/test_solve.py": (
            "from shop.solve import solve\n\n\ndef check():\n    assert solve()\n\n\n"
            + "".join(f"def test_{at}():\n    check()\n\n\n" for at in range(12))
        ),
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = dict(found_tests(index, "derive"))
    assert found == {f"test_{at}": 5 for at in range(12)}


@pytest.mark.parametrize("function", ["Fast.answer", "Slow.answer"])
def test_a_call_of_a_member_of_a_union_counts_for_each_of_its_types(
    repository: Repository, home: Path, function: str
) -> None:
    assert not home.exists()
    files = {
        "shop/desk.py": (
            "from shop.ways import Fast, Slow\n\n\nclass Desk:\n    way: Fast | Slow\n\n"
            "    def open(self, quick):\n        self.way = Fast() if quick else Slow()\n"
        ),
        "shop/ways.py": (
            "def weigh(card):\n    return card\n\n\n"
            "class Fast:\n    def answer(self, card):\n        return weigh(card)\n\n\n"
            "class Slow:\n    def answer(self, card):\n        return weigh(card)\n"
        ),
        "tests/test_desk.py": (
            "from shop.desk import Desk\n\n\ndef test_new():\n    desk = Desk()\n"
            "    desk.open(True)\n    assert desk.way.answer(1) == 1\n"
        ),
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        (test,) = index.graph.related_tests(function).tests
    assert (test.name, test.reasons) == ("test_new", ("may call it, uses its type",))


def test_a_test_runs_what_its_fixture_runs(shop: Index) -> None:
    assert "test_full" in dict(found_tests(shop, "Cart.add"))
    assert "full" not in dict(found_tests(shop, "Cart.add"))


def test_what_the_runtime_calls_is_found_by_its_type(shop: Index) -> None:
    assert "test_len" in dict(found_tests(shop, "Cart.__len__"))


def test_a_call_of_an_overridden_method_counts_with_a_use_of_the_type(shop: Index) -> None:
    assert [name for name, _ in found_tests(shop, "Disk.save")] == ["test_disk"]


def test_without_a_test_the_test_file_is_named(shop: Index) -> None:
    report = shop.graph.related_tests("unseen")
    assert [(test.file, test.name) for test in report.tests] == [("tests/test_cart.py", "")]


CONTEXTS = ["", "tests/test_cart.py::test_len|run", "tests/test_cart.py::test_direct|run"]
UNSEEN = FILES["shop/cart.py"].split("\n").index("def unseen(item):") + 1


def write_coverage(root: Path, *, view: bool = False) -> None:
    """Write that `test_len` ran the body of `unseen`, and the import its first line."""
    (root / ".coverage").unlink(missing_ok=True)
    with sqlite3.connect(root / ".coverage") as data:
        data.executescript(
            "CREATE TABLE file (id INTEGER, path TEXT); CREATE TABLE context (id INTEGER,"
            " context TEXT); CREATE TABLE arc (file_id INTEGER, context_id INTEGER, fromno INTEGER,"
            " tono INTEGER); INSERT INTO file VALUES (1, 'shop/cart.py');"
        )
        bits = "CREATE VIEW line_bits AS SELECT 1 AS file_id, 1 AS context_id, x'ff' AS numbits"
        data.execute(
            bits
            if view
            else "CREATE TABLE line_bits (file_id INTEGER, context_id INTEGER, numbits BLOB)"
        )
        data.executemany("INSERT INTO context VALUES (?, ?)", enumerate(CONTEXTS))
        for context, line in ((0, UNSEEN), (1, UNSEEN + 1)) if not view else ():
            numbits = bytearray(line // 8 + 1)
            numbits[line // 8] |= 1 << line % 8
            data.execute("INSERT INTO line_bits VALUES (1, ?, ?)", (context, bytes(numbits)))


def test_coverage_data_tell_which_tests_ran_it(shop: Index) -> None:
    write_coverage(shop.root)
    report = shop.graph.related_tests("unseen")
    assert [test.name for test in report.tests] == ["test_len"]
    assert ".coverage" in report.coverage
    # `test_direct` was recorded and did not run it; others may be newer than the data
    assert "test_direct" not in dict(found_tests(shop, "check"))
    assert "test_helped" in dict(found_tests(shop, "check"))


def test_data_of_branches_count_like_those_of_lines(shop: Index) -> None:
    write_coverage(shop.root)
    with closing(sqlite3.connect(shop.root / ".coverage")) as data, data:
        data.execute("DELETE FROM line_bits")
        data.execute("INSERT INTO arc VALUES (1, 1, ?, ?)", (-UNSEEN, UNSEEN + 1))
    assert [name for name, _ in found_tests(shop, "unseen")] == ["test_len"]


def test_data_without_tests_are_named(shop: Index) -> None:
    write_coverage(shop.root)
    with closing(sqlite3.connect(shop.root / ".coverage")) as data, data:
        data.execute("DELETE FROM context WHERE context != ''")
    report = shop.graph.related_tests("unseen")
    assert [test.name for test in report.tests] == [""]
    assert "--cov-context=test" in report.coverage


def test_examples_and_fuzz_tests_of_go_are_tests(repository: Repository) -> None:
    files = {
        "go.mod": "module shop\n",
        "cart.go": "package shop\n\nfunc Add(x int) int { return x }\n",
        "cart_test.go": (
            "package shop\n\nfunc Example() { Add(1) }\n\nfunc ExampleAdd_twice() { Add(2) }\n\n"
            "func FuzzAdd(f *testing.F) { Add(3) }\n\nfunc Exampled() { Add(4) }\n"
        ),
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = dict(found_tests(index, "Add"))
    assert found == {"Example": 1, "ExampleAdd_twice": 1, "FuzzAdd": 1}


def test_coverage_data_older_than_the_file_are_not_used(shop: Index) -> None:
    write_coverage(shop.root)
    os.utime(shop.root / ".coverage", (1, 1))
    report = shop.graph.related_tests("unseen")
    assert [test.name for test in report.tests] == [""]
    assert "older" in report.coverage


def test_data_that_coverage_did_not_write_are_ignored(shop: Index) -> None:
    for prepare in (
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000),
        lambda path: (path.unlink(), path.symlink_to("shop/cart.py")),
        lambda path: (path.unlink(), path.mkdir()),
    ):
        prepare(shop.root / ".coverage")
        assert shop.graph.related_tests("unseen").coverage == ""
    (shop.root / ".coverage").rmdir()
    write_coverage(shop.root, view=True)
    assert shop.graph.related_tests("unseen").coverage == ""


_COMMANDS = {
    "shop/__init__.py": "",
    "shop/cli.py": (
        "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n"
        '@cli.command("drop-index")\n@click.option("--all")\ndef remove():\n    prune()\n\n\n'
        "@cli.command()\ndef add_column():\n    widen()\n\n\n"
        "def prune():\n    return 1\n\n\ndef widen():\n    return 2\n"
    ),
    "shop/web.py": (
        "from shop.app import app\n\n\n"
        '@app.route("/users/<int:id>")\ndef show(id):\n    return load(id)\n\n\n'
        "def load(id):\n    return id\n"
    ),
    "shop/app.py": "from flask import Flask\n\napp = Flask('shop')\n",
    "tests/test_cli.py": (
        "from click.testing import CliRunner\nfrom shop.cli import cli\n\n\n"
        'def test_dropped():\n    CliRunner().invoke(cli, ["drop-index", "a"])\n\n\n'
        'def test_words():\n    CliRunner().invoke(cli, "add-column a")\n\n\n'
        'def test_option():\n    CliRunner().invoke(cli, ["--all"])\n\n\n'
        'def test_prose():\n    assert cli, "no drop-index and no add-column"\n'
    ),
    "tests/test_web.py": (
        'def test_one(client):\n    assert client.get("/users/3?full=1")\n\n\n'
        'def test_api(client):\n    assert client.get("http://localhost/users/3")\n\n\n'
        'def test_below(client):\n    assert client.get("/users/3/items")\n'
    ),
}


@pytest.mark.parametrize(
    ("symbol", "tests"),
    [
        ("prune", {"test_dropped"}),
        ("widen", {"test_words"}),
        ("add_column", {"test_words"}),
        ("load", {"test_one", "test_api"}),
    ],
)
def test_a_test_runs_the_command_or_route_that_it_names(
    repository: Repository, symbol: str, tests: set[str]
) -> None:
    with Index.open(repository(_COMMANDS)) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests(symbol).tests
    assert {test.name for test in found if test.name} == tests
    assert {test.reasons for test in found} == {("names a command or route that leads to it",)}


def test_a_handler_that_a_call_registers_is_run_by_its_route(repository: Repository) -> None:
    files = {
        "src/users.js": "export function show(id) {\n  return load(id)\n}\n\n"
        "function load(id) {\n  return id\n}\n",
        "src/app.js": "import { show } from './users.js'\n\nexport function routes(app) {\n"
        "  app.get('/users/:id', show)\n}\n",
        "test/app.test.js": "import request from 'supertest'\n\n"
        "describe('users', () => {\n"
        "  it('answers', () => request(server).get('/users/3'))\n"
        "  it('refuses', () => request(server).get('/orders/3'))\n})\n",
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests("load").tests
    assert [test.line for test in found] == [4]


def test_a_call_by_name_leads_on_to_what_the_member_calls(repository: Repository) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/table.py": (
            "class Table:\n    def transform(self):\n        return rewrite()\n\n\n"
            "def rewrite():\n    return 1\n"
        ),
        "tests/test_table.py": (
            'def test_changes(db):\n    assert db["t"].transform()\n\n\n'
            "def test_nothing(db):\n    assert db\n"
        ),
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests("rewrite").tests
    assert [(test.name, test.reasons) for test in found] == [
        ("test_changes", ("uses code that leads to it",))
    ]


def _calling_tests(word: str) -> str:
    """Return 300 tests that call `each`: more are related to it than are compared."""
    return "from shop.mix import each\n\n\n" + "".join(
        f"def test_{word}{count}():\n    assert each(mix={count % 7}, {word}={count % 5})\n\n\n"
        for count in range(300)
    )


def _commands(word: str) -> str:
    """Return 30 commands that call `mix`: more lead to it than are looked up by name."""
    return "from shop.mix import cli, mix\n\n\n" + "".join(
        f'@cli.command("{word}-{count}")\ndef {word}_{count}():\n    return mix({count})\n\n\n'
        for count in range(30)
    )


def _command_tests(word: str) -> str:
    return "from click.testing import CliRunner\n\nfrom shop.mix import cli\n\n\n" + "".join(
        f'def test_{word}_{count}():\n    assert CliRunner().invoke(cli, ["{word}-{count}"])\n\n\n'
        for count in range(30)
    )


def _features(home: Path) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return {(path, name of a test): features} of the tests that may run `mix`."""
    with Catalog.open(next(home.rglob("catalog.sqlite"))) as catalog:
        search = covering_tests.TestSearch(
            catalog.connection, symbols_by_name(catalog.connection, "mix")
        )
        found = search.features()
        nodes = symbols_by_id(catalog.connection, found)
    return {(node.path, node.name): found[node.id] for node in nodes}


@pytest.mark.parametrize(
    "files",
    [
        {f"tests/test_{word}.py": _calling_tests(word) for word in ("first", "second")},
        {f"shop/{word}.py": _commands(word) for word in ("first", "second")}
        | {f"tests/test_{word}.py": _command_tests(word) for word in ("first", "second")},
    ],
    ids=["calls", "commands"],
)
def test_the_compared_tests_do_not_depend_on_which_file_was_indexed_first(
    home: Path, repository: Repository, files: dict[str, str]
) -> None:
    mix = (
        "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n"
        "def each(**odd):\n    return mix(odd)\n\n\ndef mix(odd):\n    return odd\n"
    )
    root = repository({"shop/__init__.py": "", "shop/mix.py": mix, **files})
    late = [path for path in files if "first" in path]
    for path in late:
        (root / path).unlink()
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for path in late:
            (root / path).write_text(files[path])
        index.sync(structure_only=True)
        second_first = _features(home)
        index.admin.clear()
        index.sync(structure_only=True)
        assert second_first
        assert _features(home) == second_first


def test_an_earlier_question_in_another_language_changes_no_features(
    home: Path, repository: Repository
) -> None:
    files = {
        "shop/ledger.py": "class Ledger:\n    def settle_up(self):\n        return 1\n",
        "web/book.js": "class Book {\n  settleUp() { return 2 }\n  settle_up() { return 3 }\n}\n",
        "tests/test_ledger.py": "def test_ledger(any):\n    assert any.settle_up()\n",
        "web/book.test.js": "test('book', () => { make().settle_up() })\n",
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
    with Catalog.open(next(home.rglob("catalog.sqlite"))) as catalog:
        both = symbols_by_name(catalog.connection, "settle_up")
        python = [node for node in both if node.language == "python"]
        alone = covering_tests.TestSearch(catalog.connection, python).features()
        shared = test_paths.TestPaths(catalog.connection)
        shared.distances({node.id: 0.0 for node in both}, test_paths.ALL_STEPS, farthest=8)
        again = covering_tests.TestSearch(catalog.connection, python, shared.graph).features()
    assert again == alone


@pytest.mark.parametrize(
    ("path", "code", "annotation"),
    [
        (
            "tests/CartTests.cs",
            "class CartTests {{\n  {}\n  void Adds() {{ Shop.Add(1); }}\n}}\n",
            mark,
        )
        for mark in ("[CiSkippedTheory, InlineData(1)]", "[StaFact]", '[TestCaseSource("Ns")]')
    ]
    + [
        (
            "src/test/java/CartTest.java",
            "class CartTest {{\n  {}\n  Object adds() {{ return Shop.Add(1); }}\n}}\n",
            mark,
        )
        for mark in ("@TestFactory", "@TestTemplate", '@ParameterizedTest(name = "x")')
    ],
)
@pytest.mark.usefixtures("home")
def test_annotations_of_frameworks_make_functions_tests(
    repository: Repository, path: str, code: str, annotation: str
) -> None:
    shop = "public class Shop {\n  public static int Add(int n) { return n; }\n}\n"
    suffix = path.rpartition(".")[2]
    files = {f"src/main/java/Shop.{suffix}": shop, path: code.format(annotation)}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = [test.name for test in index.graph.related_tests("Shop.Add").tests]
    assert [name.lower().rpartition(".")[2] for name in found] == ["adds"]

"""Relationship questions get every use, certain ones apart from possible and textual ones."""

from pathlib import Path

import pytest

from codeindex import Filters, Index
from codeindex.cli.search_notes import answer_notes
from codeindex.search.pack.agent_text import answer_text
from codeindex.types import Answer, Hit
from tests.conftest import Repository

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "import redis\n\n\n"
        "class Cart:\n    def add(self, item):\n        return redis.Redis().set(item, 1)\n\n\n"
        "class BigCart(Cart):\n    def add(self, item):\n        return super().add(item)\n\n\n"
        "def retry(n):\n    return n\n"
    ),
    "shop/pay.py": (
        "from shop.cart import Cart, retry\n\n\n"
        "def pay(cart: Cart, other):\n    cart.add(1)\n    other.add(2)\n    return retry(3)\n"
    ),
    "shop/own.py": "def retry(n):\n    return n\n\n\ndef go():\n    return retry(1)\n",
    "docs/guide.md": "# Guide\n\nCall retry to try again, see Cart.\n",
    "tests/test_pay.py": (
        "from shop.pay import pay\n\n\ndef test_pay():\n    assert pay(None, None) == 3\n"
    ),
    "shop/broken.c": "int retry(int n) { return n; }\n",
}


@pytest.fixture
def root(repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    return repository(FILES)


def asked(root: Path, question: str, *, limit: int = 50, filters: Filters | None = None) -> Answer:
    with Index.open(root) as index:
        index.sync()
        return index.search(question, limit=limit, filters=filters)


def lines(answer: Answer, certainty: str) -> list[str]:
    return [
        f"{hit.path}:{hit.start_line}"
        for hit in answer.hits
        if f"({certainty})" in next(iter(hit.why))
    ]


def test_callers_are_those_of_the_function_that_was_meant(root: Path) -> None:
    answer = asked(root, "what calls shop.cart.retry")
    assert answer.query_type == "relationship"
    assert lines(answer, "resolved") == ["shop/pay.py:7"]
    assert "docs/guide.md:3" in lines(answer, "textual")
    assert "shop/own.py:6" not in [f"{hit.path}:{hit.start_line}" for hit in answer.hits]


def test_a_call_on_something_unknown_that_sets_have_too_only_mentions_the_name(root: Path) -> None:
    answer = asked(root, "callers of Cart.add")
    assert lines(answer, "resolved") == ["shop/cart.py:11", "shop/pay.py:5"]
    assert lines(answer, "ambiguous") == []
    assert "shop/pay.py:6" in lines(answer, "textual")
    assert answer.meta["relation"]["resolved"] == 2


def test_users_of_a_package_that_is_not_here_are_found(root: Path) -> None:
    answer = asked(root, "functions that use redis")
    assert [(hit.symbol, hit.start_line) for hit in answer.hits] == [("Cart.add", 6)]


def test_importers_and_subtypes_are_found(root: Path) -> None:
    assert lines(asked(root, "who imports shop.cart"), "resolved") == ["shop/pay.py:1"]
    assert lines(asked(root, "subclasses of Cart"), "resolved") == ["shop/cart.py:9"]
    assert lines(asked(root, "what overrides Cart.add"), "resolved") == ["shop/cart.py:10"]


def test_what_a_function_uses_is_listed(root: Path) -> None:
    answer = asked(root, "what does pay call")
    assert [hit.start_line for hit in answer.hits] == [5, 7, 6]


def test_filters_narrow_a_relationship(root: Path) -> None:
    answer = asked(root, "who imports shop.pay", filters=Filters(tests="exclude"))
    assert answer.hits == ()
    assert asked(root, "who imports shop.pay").total_count == 1


def test_a_question_about_nothing_that_is_here_is_searched_as_ever(root: Path) -> None:
    answer = asked(root, "what calls frobnicate_widget")
    assert "relation" not in answer.meta


def test_pages_of_a_list_make_up_the_whole(root: Path) -> None:
    whole = asked(root, "what calls shop.cart.retry")
    with Index.open(root) as index:
        found: list[Hit] = []
        cursor = ""
        for _ in range(whole.total_count):
            page = index.search("what calls shop.cart.retry", limit=1, cursor=cursor)
            found += page.hits
            cursor = page.cursor or ""
    assert tuple(found) == whole.hits
    assert cursor == ""


def test_a_caller_that_was_just_written_is_in_the_answer(root: Path) -> None:
    with Index.open(root) as index:
        index.sync()
        (root / "shop/pay.py").write_text(FILES["shop/pay.py"] + "\n\nretry(4)\n")
        answer = index.search("what calls shop.cart.retry", limit=50)
    assert "shop/pay.py:10" in lines(answer, "resolved")


def test_a_function_that_is_handed_on_is_not_lost(repository: Repository, root: Path) -> None:
    assert root.exists()
    files = {
        "a.py": "def total(x): ...\n\n\nTABLE = {'a': total}\n",
        "b.py": "from a import TABLE\n\n\ndef run(n):\n    total = TABLE[n]\n    total(1)\n",
    }
    answer = asked(repository(files, name="other"), "what calls total")
    assert lines(answer, "textual") == ["a.py:4", "b.py:5", "b.py:6"]


@pytest.mark.parametrize(
    "question",
    ["tests of pay", "tests for shop.pay.pay", "which tests cover pay", "how is `pay` tested"],
)
def test_tests_are_asked_for_in_many_words(root: Path, question: str) -> None:
    answer = asked(root, question)
    assert answer.query_type == "relationship"
    assert [(hit.path, hit.symbol) for hit in answer.hits][:1] == [
        ("tests/test_pay.py", "test_pay")
    ]
    assert answer.meta["relation"]["relation"] == "tests"


def test_mentions_in_code_come_before_those_in_tests_and_documents(repository: Repository) -> None:
    files = {
        "CHANGES.md": "# Changes\n\nWEB_CONCURRENCY is read.\n",
        "Dockerfile": "FROM scratch\nENV WEB_CONCURRENCY=2\n",
        "a/test_web.py": "def test_web(env):\n    env['WEB_CONCURRENCY'] = 3\n",
        "web.py": "import os\n\nworkers = os.environ.get('WEB_CONCURRENCY')\n",
    }
    answer = asked(repository(files, name="web"), "what uses WEB_CONCURRENCY")
    shown = ["web.py:3", "Dockerfile:2", "a/test_web.py:2", "CHANGES.md:3"]
    assert lines(answer, "textual") == shown


@pytest.mark.parametrize("question", ["who creates the pay.py file", "what writes shop/pay.py"])
def test_a_file_is_not_written_like_a_symbol(root: Path, question: str) -> None:
    answer = asked(root, question)
    assert "relation" not in answer.meta
    assert answer.hits


def test_without_a_known_test_tests_with_the_words_are_shown(repository: Repository) -> None:
    files = {
        "chunks.py": "class ChunkedReader:\n    def read(self):\n        return b''\n",
        "load.py": "def reader():\n    return __import__('chunks')\n",
        "test_read.py": "from load import reader\n\n\ndef test_chunked_reading(): reader()\n",
        "other.py": "def chunked(reader):\n    return reader\n",
    }
    answer = asked(repository(files, name="chunks"), "which tests cover the ChunkedReader")
    assert [hit.symbol for hit in answer.hits] == ["test_chunked_reading"]
    assert "relation" not in answer.meta
    assert answer.meta["untested"]["of"] == ("chunks.py::ChunkedReader",)
    known = "no test of chunks.py::ChunkedReader is known"
    note = f"{known}, so these are tests with the question's words"
    assert note in answer_text(answer).splitlines()[0]
    assert note in answer_notes(answer)


def test_without_a_known_test_only_tests_that_the_search_may_list_are_shown(
    repository: Repository,
) -> None:
    files = {
        "chunks.py": "class ChunkedReader:\n    def read(self):\n        return b''\n",
        "tests/test_read.py": "def test_chunked_reading():\n    pass\n",
    }
    question = "which tests cover the ChunkedReader"
    with Index.open(repository(files, name="chunks")) as index:
        index.sync()
        assert index.search(question).total_count == 1
        excluded = index.search(question, tests="exclude")
        elsewhere = index.search(question, filters=Filters(paths=("chunks.py",)))
    for answer in (excluded, elsewhere):
        assert answer.hits == ()
        assert "untested" not in answer.meta
        assert answer.meta["relation"]["of"] == ["chunks.py::ChunkedReader"]


def test_tests_of_a_file_are_those_of_its_definitions(root: Path) -> None:
    answer = asked(root, "tests of shop/pay.py")
    assert lines(answer, "resolved") == ["tests/test_pay.py:4"]


def test_files_that_were_not_parsed_wholly_are_named(repository: Repository, root: Path) -> None:
    assert root.exists()
    source = "def good(x): ...\n\n\ndef bad(x:\n    return (\n\ndef last():\n    good(1)\n"
    torn = repository({"a.py": source}, name="torn")
    answer = asked(torn, "what calls good")
    assert lines(answer, "resolved") == ["a.py:8"]
    assert answer.meta["relation"]["unparsed"] == ["a.py"]
    with Index.open(torn) as index:
        (one,) = index.status().unparsed
    assert (one.path, one.reason.partition(" near")[0]) == ("a.py", "syntax error")


def test_a_line_beside_a_secret_says_so(repository: Repository, root: Path) -> None:
    assert root.exists()
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    files = {
        "a.py": f"def go(x): ...\n\n\ndef run():\n    t = '{secret}'\n    go(t)\n",
        "b.py": "from a import go\n\n\ndef b():\n    go(1)\n",
    }
    answer = asked(repository(files, name="secret"), "what calls go")
    assert {hit.path: hit.has_secrets for hit in answer.hits} == {"a.py": True, "b.py": False}


def test_mentions_are_counted_only_where_they_were_looked_for(root: Path) -> None:
    assert asked(root, "users of retry").meta["relation"]["textual"] > 0
    for question in ("functions that use retry", "subclasses of Cart"):
        assert "textual" not in asked(root, question).meta["relation"]


@pytest.mark.parametrize(
    ("question", "near"), [("what calls retri", "retry"), ("subclasses of BigCard", "BigCart")]
)
def test_a_name_that_is_nowhere_gets_near_ones(root: Path, question: str, near: str) -> None:
    answer = asked(root, question)
    assert "relation" not in answer.meta
    assert answer.meta["nearest"][0] == near


def test_a_package_may_stand_before_a_type_of_it(repository: Repository, root: Path) -> None:
    assert root.exists()
    files = {
        "src/main/java/shop/Cart.java": "package shop;\n\nclass Cart {\n  void add() {}\n}\n",
        "src/main/java/shop/Page.java": (
            "package shop;\n\nclass Page {\n  void show(Cart c) {\n    c.add();\n  }\n}\n"
        ),
    }
    answer = asked(repository(files, name="jvm"), "callers of shop.Cart.add")
    assert lines(answer, "resolved") == ["src/main/java/shop/Page.java:5"]


def test_files_that_lose_nothing_in_an_error_are_not_named(
    repository: Repository, root: Path
) -> None:
    assert root.exists()
    body = "".join(f"int f{n}(int a) {{\n    return a;\n}}\n\n" for n in range(30))
    broken = "static int bad(int a) { if (a {\n" + "    a ( ;\n" * 8 + "}\n\n"
    made = repository(
        {
            "macro.c": f"BEGIN_API(x) EXTERN\n\n{body}",
            "torn.c": broken + body,
            "deep.c": "(" * 3000,
        },
        name="c",
    )
    assert asked(made, "what calls f1").meta["relation"]["unparsed"] == ["deep.c", "torn.c"]
    with Index.open(made) as index:
        deep, torn = (one.reason for one in index.status().unparsed)
    assert deep == "not parsed: brackets are nested deeper than 2,000"
    assert torn.startswith("syntax error near line 2, ")


def test_a_member_may_be_asked_for_by_a_type_that_inherits_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = repository(
        {
            "a.py": "class Top:\n    def go(self):\n        pass\n\n\nclass Mid(Top):\n    pass\n",
            "b.py": "from a import Mid\n\n\nclass Low(Mid):\n    pass\n\n\nLow().go()\n",
            "c.py": "class Ring(Ring):\n    pass\n",
        },
        name="heirs",
    )
    answer = asked(root, "what calls Low.go")
    assert answer.meta["relation"]["of"] == ["a.py::Top.go"]
    assert lines(answer, "resolved") == ["b.py:8"]
    with Index.open(root) as index:
        assert (
            index.graph.callers("b.py::Low.go").definitions
            == index.graph.callers("Top.go").definitions
        )
    assert "relation" not in asked(root, "what calls Ring.go").meta


def test_each_overload_has_callers_of_its_own(
    repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = repository(
        {
            "Box.java": (
                "package a;\nclass Box {\n  Box(int size) {}\n  Box() {}\n  void put(int a) {}\n"
                "  void put(int[] a) {}\n  void put() {}\n}\n"
            ),
            "Use.java": (
                "package a;\nclass Use {\n  void one(Box box) { box.put(1); }\n"
                "  void many(Box box) { box.put(new int[1]); }\n"
                "  void none() { new Box().put(); }\n  void made() { new Box(2); }\n}\n"
            ),
            "Any.java": (
                "package a;\nclass Any {\n  void run(int a) { end(); }\n"
                "  void run(Object a) { end(); }\n  void end() {}\n  void top() { run(x()); }\n"
                "  void sure() { run(1); }\n}\n"
            ),
        },
        name="overloads",
    )
    with Index.open(root) as index:
        index.sync()
        keys = [one.key for one in index.graph.callers("Box.put").definitions]
        callers = {
            key: [one.name for one in index.graph.callers(key).callers]
            for key in (*keys, "Box(int)", "Box.java::Box.Box/0")
        }
        assert len(index.graph.callers("Box").callers) == 2
        impact = {
            name: [(each.name, each.certainty) for each in index.graph.impact(name).dependants]
            for name in ("Any.run(int)", "Any.run(Object)", "Any.run", "Any.end")
        }
    assert callers == {
        "Box.java::Box.put(int)": ["Use.one"],
        "Box.java::Box.put(int[])": ["Use.many"],
        "Box.java::Box.put/0": ["Use.none"],
        "Box(int)": ["Use.made"],
        "Box.java::Box.Box/0": ["Use.none"],
    }
    assert impact == {
        "Any.run(int)": [("Any.sure", "resolved"), ("Any.top", "ambiguous")],
        "Any.run(Object)": [("Any.top", "ambiguous")],
        "Any.run": [("Any.sure", "resolved"), ("Any.top", "resolved")],
        "Any.end": [
            *(("Any.run", "resolved"), ("Any.run", "resolved")),
            *(("Any.sure", "resolved"), ("Any.top", "resolved")),
        ],
    }


def test_names_are_near_whatever_their_case_and_underscores(root: Path) -> None:
    assert asked(root, "what calls ReTry_s").meta["nearest"] == ["retry"]


def test_callers_name_who_hands_a_function_on(repository: Repository) -> None:
    root = repository(
        {
            "a.py": "def go():\n    pass\n\n\ndef calls():\n    go()\n",
            "b.py": "from a import go\n\n\ndef hands():\n    return map(go, [])\n",
        },
        name="handed",
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.graph.callers("go")
    assert [(one.name, one.certainty, one.handed_on) for one in found.callers] == [
        ("calls", "resolved", False),
        ("hands", "ambiguous", True),
    ]
    assert list(found.text())[-1] == "b.py:5: hands  (handed on): return map(go, [])"


def test_a_type_that_is_named_is_not_handed_on(repository: Repository) -> None:
    files = {
        "a.go": "package a\n\ntype Get struct{}\n\nfunc parse() *Get { return nil }\n",
        "b.go": "package a\n\ntype Box struct{}\n\nfunc (b Box) Get() int { return 1 }\n",
    }
    answer = asked(repository(files, name="go"), "what calls Get")
    assert lines(answer, "textual") == []


@pytest.mark.parametrize("said", ["shop", "shop/", "the shop package"])
def test_a_folder_is_imported_with_all_that_is_in_it(root: Path, said: str) -> None:
    answer = asked(root, f"who imports {said}")
    assert lines(answer, "resolved") == ["shop/pay.py:1", "tests/test_pay.py:1"]


def test_of_a_go_package_the_folders_below_are_others(repository: Repository, home: Path) -> None:
    assert not home.exists()
    root = repository(
        {
            "go.mod": "module example.org/shop\n",
            "internal/addrs/addr.go": "package addrs\n\ntype Addr struct{}\n",
            "internal/addrs/deep/deep.go": "package deep\n\nfunc Deep() {}\n",
            "state.go": (
                "package shop\n\n"
                'import "example.org/shop/internal/addrs"\n\n'
                "type State struct {\n\tAddrs []addrs.Addr\n}\n"
            ),
            "deep.go": (
                "package shop\n\n"
                'import "example.org/shop/internal/addrs/deep"\n\n'
                "var _ = deep.Deep\n"
            ),
        }
    )
    for said in ("internal/addrs", "addrs"):  # a field is called like it, and nobody imports fields
        assert lines(asked(root, f"who imports {said}"), "resolved") == ["state.go:3"]

"""Names as people type them, questions about what is not there, and why a hit is where it is."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from codeindex import Filters, Index, Workspace
from codeindex.cli import main
from codeindex.errors import QueryError
from codeindex.search.pack.agent_json import agent_answer
from codeindex.text.near_names import edit_distance
from tests.conftest import Repository, made_repository, own_data

STORE = '''\
class UserStore:
    """Keeps users in a table."""

    def getUserById(self, number):
        """Return the user of a number."""
        return self.table[number]

    def __add__(self, other):
        return UserStore(self.table + other.table)

    def save(self):
        self.table.commit()


def find_all_orders(store):
    """Collect the orders of everybody."""
    return [one for user in store.users() for one in user.orders]
'''
FILES = {
    "shop/store.py": STORE,
    "shop/cart.py": "class Cart:\n    def save(self):\n        return 1\n",
    "shop/vector.cc": "bool operator==(const V& a, const V& b) {\n    return a.x == b.x;\n}\n",
    "shop/money.rb": "class Money\n  def <=>(other)\n    cents <=> other.cents\n  end\nend\n",
    "shop/settings.py": "\n".join(f"OPTION_{n} = {n}" for n in range(400)),
    "tests/test_store.py": "def test_save():\n    assert UserStore().save() is None\n",
    "docs/guide.md": "# Guide\n\nHow users are saved in the store.\n",
    ".gitignore": "build/\n*.tmp\n",
    "build/out.py": "x = 1\n",
    "logo.png": "no text",
    "yarn.lock": "a\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("why")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync()
        yield index


@pytest.mark.parametrize(
    "query",
    [
        "getUserById",
        "getuserbyid",
        "GETUSERBYID",
        "get_user_by_id",
        "get user by id",
        "UserStore.getUserById",
        "UserStore::getUserById",
        "UserStore#getUserById",
        "shop/store.getUserById",
        "shop/store.py::UserStore.getUserById",
        "getUserById()",
        "getUserB",
        "UserById",
        "getUsrById",
        "getUesrById",
        "where is `getUserById` defined",
    ],
)
def test_a_name_finds_its_definition_however_it_is_typed(shop: Index, query: str) -> None:
    hit = shop.search(query).hits[0]
    assert hit.path == "shop/store.py"
    assert "def getUserById" in hit.text
    assert hit.why["place_named"] > 0


def test_what_has_the_body_comes_before_what_declares_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = "".join(
        f'#include "evict.h"\nint user_{n}(void) {{ return evict_keys({n}); }}\n' for n in range(9)
    )
    files = {
        "src/evict.h": "/* Evicts keys: evict_keys. */\nint evict_keys(int most);\n",
        "src/users.c": users,
        "src/zz.c": '#include "evict.h"\nint evict_keys(int most) {\n    return most > 3;\n}\n',
        "tests/mock.c": "int only_declared(void) {\n    return 1;\n}\n",
        "src/only.h": "int only_declared(void);\n",
    } | {f"src/u{n}.c": users.replace("user_", f"user{n}_") for n in range(5)}
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    with own_data(tmp_path), Index.open(made_repository(tmp_path / "evict", files)) as index:
        index.sync()
        asked = ("evict_keys", "evictKeys", "evict keys", "evict_kyes", "only_declared")
        first = {query: index.search(query).hits[0].path for query in asked}
    assert first == dict.fromkeys(asked, "src/zz.c") | {"only_declared": "src/only.h"}


def test_what_does_a_thing_is_shown_and_not_a_line_that_has_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drag = (
        "static void copy_drag_update(struct mouse *m);\n\n"
        + "".join(
            f"int filler_{n}(int a) {{\n    int b = a + {n};\n    if (b > 3)\n"
            "        return b;\n    b = b * 2;\n    return b - a;\n}\n\n"
            for n in range(80)
        )
        + "void copy_start(struct tty *tty)\n{\n    int x = tty->x;\n    int y = tty->y;\n"
        "    int row = tty->top + y;\n    int column = tty->left + x;\n"
        "    if (tty->mouse.drag == 0)\n        return;\n    tty->text = row;\n"
        "    redraw(tty, column, row);\n    tty->last = y;\n}\n"
    )
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = made_repository(tmp_path / "copy", {"copy.c": drag, "tty.c": "int tty_x;\n"})
    with own_data(tmp_path), Index.open(root) as index:
        index.sync()
        first = index.search("how does dragging the mouse change text").hits[0]
    assert first.symbol == "copy_start"


def test_words_of_a_topic_are_no_name_of_a_test_or_a_namespace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "src/Limits/Bucket.php": (
            "<?php\n\nnamespace Shop\\RateLimits;\n\nclass Bucket\n{\n"
            "    /** The rate limits of a shop: tokens that a caller spends. */\n"
            "    public function spend() { return $this->rate < $this->limits; }\n}\n"
        ),
        "src/Limits/Other.php": "<?php\n\nnamespace Shop\\RateLimits;\n\nclass Other\n{\n}\n",
        "tests/test_bucket.py": "def test_rate_limits_of_all():\n    assert True\n",
    }
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    with own_data(tmp_path), Index.open(made_repository(tmp_path / "limits", files)) as index:
        index.sync()
        first = index.search("rate limits").hits[0]
    assert (first.path, first.symbol) == ("src/Limits/Bucket.php", "Shop.RateLimits.Bucket")


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Cart.save", "shop/cart.py"),
        ("UserStore.save", "shop/store.py"),
        ("__add__", "shop/store.py"),
        ("operator==", "shop/vector.cc"),
        ("operator ==", "shop/vector.cc"),
        ("==", "shop/vector.cc"),
        ("<=>", "shop/money.rb"),
        ("settings.py", "shop/settings.py"),
        ("SETTINGS.PY", "shop/settings.py"),
        ("./shop/cart.py", "shop/cart.py"),
        ("setings.py", "shop/settings.py"),
        ("guide.md", "docs/guide.md"),
    ],
)
def test_owners_operators_and_files_are_found_by_name(shop: Index, query: str, path: str) -> None:
    assert shop.search(query).hits[0].path == path


@pytest.mark.parametrize("query", ["settings.py:350", "shop/settings.py#L350"])
def test_a_line_of_a_file_is_found(shop: Index, query: str) -> None:
    hit = shop.search(query).hits[0]
    assert hit.path == "shop/settings.py"
    assert hit.start_line <= 350 <= hit.end_line


def test_filters_apply_to_named_places(shop: Index) -> None:
    answer = shop.search("getUserById", filters=Filters(globs=("*.rb",)))
    assert {hit.path for hit in answer.hits} <= {"shop/money.rb"}


_WORDS = st.text(alphabet="abcd", max_size=6)


@given(_WORDS, _WORDS)
def test_slips_are_counted_alike_both_ways(a: str, b: str) -> None:
    assert edit_distance(a, b) == edit_distance(b, a)
    assert (edit_distance(a, b) == 0) == (a == b)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= max(len(a), len(b))


def test_a_question_with_only_unknown_words_names_them(shop: Index) -> None:
    answer = shop.search("kafka consumer throttling")
    assert (answer.hits, answer.navigation, answer.confidence) == ((), (), None)
    assert answer.absence is not None
    assert not answer.absence.verified
    missing = ("kafka", "consumer", "throttling")
    assert answer.absence.missing == answer.missing_words == missing
    assert answer.absence.files_scanned == shop.status().coverage.indexed
    left_out = {"a lock file": 1, "not text, by its suffix": 1}
    told = {"verified": False, "files_scanned": 8, "missing": missing, "not_searched": left_out}
    assert answer.as_dict()["absence"] == told
    assert agent_answer(answer)["absence"] == told


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("PaymentGateway", "PaymentGateway"),
        ("where is PaymentGateway defined", "PaymentGateway"),
        ("UserStore.reticulate", "reticulate"),
        ("zeppelin", "zeppelin"),
        ("zeppelin.py", "zeppelin"),
        ("'cannot reticulate the splines'", "cannot reticulate the splines"),
    ],
)
def test_a_name_or_quoted_text_that_is_in_no_file_is_verified_to_be_absent(
    shop: Index, query: str, missing: str
) -> None:
    answer = shop.search(query)
    assert answer.hits == ()
    assert answer.absence is not None
    assert answer.absence.verified
    assert answer.absence.missing == (missing,)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("getUserByld", "shop/store.py"),  # one slip of a name
        ("colect ordrs", "shop/store.py"),  # of all words
        ("findall", "shop/store.py"),  # two words as one
        ("'getUserById(self'", "shop/store.py"),
        ("<=>", "shop/money.rb"),
        ("rders quokka", "shop/store.py"),  # the letters of one are in `orders`
    ],
)
def test_other_spellings_are_searched_before_absence_is_claimed(
    shop: Index, query: str, path: str
) -> None:
    answer = shop.search(query)
    assert answer.absence is None
    assert answer.hits[0].path == path


def test_words_that_no_file_has_are_named_beside_the_hits(shop: Index) -> None:
    answer = shop.search("save the quokka")
    assert answer.hits
    assert answer.missing_words == ("quokka",)
    assert answer.as_dict()["missing_words"] == ["quokka"]
    assert agent_answer(answer)["missing_words"] == ["quokka"]
    assert answer.as_dict()["confidence"] == agent_answer(answer)["confidence"]
    done = CliRunner().invoke(main, ["search", "save the quokka", str(shop.root)])
    assert done.exit_code == 0
    assert "no indexed file has quokka" in done.stderr


def test_words_inside_of_other_words_are_there(shop: Index) -> None:
    """`rders` is no word of the index, and stands in `orders`."""
    assert shop.search("rders quokka").missing_words == ("quokka",)


def test_a_name_is_shown_at_the_line_of_its_definition(shop: Index) -> None:
    hit = shop.search("getUserById").hits[0]
    assert (hit.path, hit.line, hit.as_dict()["line"]) == ("shop/store.py", 4, 4)
    done = CliRunner().invoke(main, ["search", "getUserById", "-m", "1", str(shop.root)])
    assert done.stdout.splitlines()[0].partition("shop/store.py:")[2].startswith("4:")


def test_a_question_with_one_unknown_word_is_answered(shop: Index) -> None:
    answer = shop.search("collect the orders of everybody swiftly")
    assert answer.absence is None
    assert answer.hits[0].path == "shop/store.py"


def test_absence_counts_the_files_that_the_filters_leave(shop: Index) -> None:
    answer = shop.search("orders of everybody", filters=Filters(globs=("*.rb",)))
    assert answer.absence is not None
    assert answer.absence.files_scanned == 1


def test_several_repositories_are_only_absent_together(shop: Index) -> None:
    with Workspace(shop.root) as workspace:
        assert workspace.search("kafka consumer throttling").absence is not None


def test_the_command_says_so_and_ends_with_status_1(shop: Index) -> None:
    done = CliRunner().invoke(main, ["search", "kafka consumer throttling", str(shop.root)])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "Absent (8 files): none contains kafka, consumer, throttling; not" in done.stderr


def test_the_parts_of_a_score_make_the_score(shop: Index) -> None:
    report = shop.explain.search("how are users saved", limit=20)
    assert report.hits
    for hit in report.hits:
        odds = sum(part.added for part in hit.parts)
        assert hit.score == pytest.approx(1 / (1 + math.exp(-odds)), abs=0.005)
        assert all(
            part.added == pytest.approx(part.value * part.weight, abs=0.01) for part in hit.parts
        )
    found = shop.search("how are users saved", limit=20).hits
    assert [(hit.file_path, hit.start_line) for hit in report.hits] == [
        (hit.path, hit.start_line) for hit in found
    ]


def test_an_explanation_says_what_was_named(shop: Index) -> None:
    hit = shop.explain.search("getUsrById").hits[0]
    assert hit.named == "its name, spelt wrongly for getUserById"


def test_a_name_from_outside_is_found_where_a_folder_passes_it_on(tmp_path: Path) -> None:
    files = {
        "src/extract/mod.rs": "pub use core_parts::extract::{FromRequest, Request};\n",
        "src/form.rs": "use core_parts::extract::FromRequest;\n\npub struct Form;\n\n"
        "impl FromRequest for Form {\n    fn from_request() -> Form { Form }\n}\n",
        "pkg/__init__.py": "from outer.models import Person\n",
        "pkg/people.py": "from outer.models import Person\n\n\ndef people(one: Person) -> list:\n"
        "    return [Person(one)]\n",
        "pkg/tests/__init__.py": "from outer.models import Person\n",
    }
    with Index.open(made_repository(tmp_path / "shop", files)) as index:
        index.sync()
        for said in ("FromRequest", "extract::FromRequest", "core_parts::extract::FromRequest"):
            hit = index.explain.search(said).hits[0]
            assert (hit.file_path, hit.named) == (
                "src/extract/mod.rs",
                "its name, re-exported from another package",
            )
        assert index.search("Person").hits[0].path == "pkg/__init__.py"
        assert index.explain.search("other::FromRequest").hits[0].file_path == "src/form.rs"


def test_a_type_comes_before_what_else_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = "".join(f"    {kind}(FromRequest),\n" for kind in ("Plain", "Parts", "Body"))
    files = {
        "src/from_request/mod.rs": "/// Derives FromRequest, from FromRequest.\nenum Trait {\n"
        f"    FromRequest,\n{kinds}}}\n\nfn from_request(one: Trait) -> FromRequest {{ one }}\n",
        "src/core.rs": "pub struct A;\n\npub trait FromRequest {\n    fn from_request() -> A;\n}\n",
    }
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")  # of two files one is nearest
    with Index.open(made_repository(tmp_path / "shop", files)) as index:
        index.sync()
        hit = index.explain.search("FromRequest").hits[0]
    assert (hit.file_path, hit.named) == ("src/core.rs", "its name")


@pytest.mark.parametrize(
    ("subject", "query", "verdict", "said"),
    [
        ("shop/store.py", "getUserById", "shown", "result 1"),
        ("shop/money.rb", "kafka consumer", "denied", "none contains kafka, consumer"),
        ("build/out.py", "save", "ignored", ".gitignore line 1: build/"),
        ("logo.png", "save", "not indexed", "not text, by its suffix"),
        ("yarn.lock", "save", "not indexed", "a lock file"),
        ("shop/money.rb", "collect orders of everybody", "not a candidate", "best 100"),
        ("docs/guide.md", "save", "beside the results", "navigation"),
    ],
)
def test_the_rule_that_hides_a_thing_is_named(
    shop: Index, subject: str, query: str, verdict: str, said: str
) -> None:
    report = shop.explain.why_not(subject, query)
    assert report.verdict == verdict
    assert said in report.why


def test_a_thing_beyond_the_limit_is_compared_with_the_last_that_is_shown(shop: Index) -> None:
    ranked = shop.search("save").hits
    last = ranked[-1]
    report = shop.explain.why_not(f"{last.path}:{last.start_line}", "save", limit=1)
    assert report.verdict == "beyond the limit"
    assert report.rank == len(ranked)
    assert report.instead.startswith(f"{ranked[0].path}:{ranked[0].start_line} at rank 1")
    assert {part.name for part in report.parts} >= {"bias", "words_best"}


def test_filters_are_named_one_by_one(shop: Index) -> None:
    report = shop.explain.why_not(
        "tests/test_store.py", "save", path="shop", include_tests="exclude"
    )
    assert report.verdict == "filtered"
    assert "--tests, the path" in report.why


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        ("getUsrById", "No file and no symbol here is called 'getUsrById': did you mean 'getUser"),
        ("shop/stroe.py", "did you mean 'shop/store.py'"),
        ("shop", "'shop' is a folder of 5 files: name one of them, like 'shop/"),
        ("nowhere/at/all", "No file and no symbol here is called 'nowhere/at/all'."),
    ],
)
def test_an_unknown_place_is_refused_with_near_names(
    shop: Index, subject: str, sentence: str
) -> None:
    with pytest.raises(QueryError) as caught:
        shop.explain.why_not(subject, "save")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "subject", ["shop/store.py#L5", "shop/store.py:5:9", "../shop/shop/store.py:5"]
)
def test_why_not_reads_a_place_as_a_search_does(shop: Index, subject: str) -> None:
    report = shop.explain.why_not(subject, "getUserById")
    assert (report.verdict, report.file_path) == ("shown", "shop/store.py")


def test_of_a_question_with_a_route_the_list_is_looked_at(shop: Index) -> None:
    question = "who uses UserStore"
    listed = shop.search(question, limit=100)
    assert {hit.path for hit in listed.hits} == {"shop/store.py", "tests/test_store.py"}
    assert shop.explain.why_not("tests/test_store.py", question).verdict == "shown"
    report = shop.explain.why_not("Cart.save", question)
    assert report.verdict == "not of the list"
    assert f"not among the {listed.total_count}" in report.why


def test_tests_that_only_have_the_words_are_not_called_all_answers(repository: Repository) -> None:
    files = {
        "chunks.py": "class ChunkedReader:\n    def read(self):\n        return b''\n",
        "tests/test_read.py": "def test_chunked_reading():\n    pass\n",
    }
    with Index.open(repository(files, name="chunks")) as index:
        index.sync()
        report = index.explain.why_not("ChunkedReader", "which tests cover the ChunkedReader")
    assert report.why == (
        "chunks.py:1 is not among the 1 found by the question's words in tests: no test of the"
        " question's subject is known."
    )


def test_the_first_of_all_is_compared_with_nothing(shop: Index) -> None:
    lines = list(shop.explain.why_not("UserStore", "UserStore").text())
    assert lines[0].startswith("shown: shop/store.py:1 is result 1 of ")
    assert lines[1].split()[0] == "score"
    assert not any("instead" in line for line in lines)


def test_why_not_is_a_command(shop: Index) -> None:
    words = ["why-not", "UserStore.save", "save", "--repo", str(shop.root)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    assert done.stdout.startswith("shown: shop/store.py:11 is result ")
    told = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert told["file_path"] == "shop/store.py"


def test_why_not_without_a_query_tells_whether_a_file_is_indexed(tmp_path: Path) -> None:
    files = {
        "shop/store.py": "def save() -> None: ...\n",
        "generated.min.js": "x",
        ".gitignore": "local.py\n",
    }
    root = made_repository(tmp_path / "shop", files)
    (root / "local.py").write_text("x = 1\n", encoding="utf-8")
    with own_data(tmp_path), Index.open(root) as index:
        index.sync()
        found = index.explain.why_not("save")
        assert (found.verdict, found.file_path) == ("indexed", "shop/store.py")
        assert found.why.startswith("shop/store.py:1")
        minified = index.explain.why_not("generated.min.js")
        assert minified.why == "generated.min.js: minified or bundled."
        assert index.explain.why_not("local.py").verdict == "ignored"
        wanted = r"called 'shop/storr\.py': did you mean 'shop/store\.py'"
        with pytest.raises(QueryError, match=wanted):
            index.explain.why_not("shop/storr.py")
        with pytest.raises(QueryError, match=r"called 'savve': did you mean 'save'"):
            index.explain.why_not("savve")


def test_nothing_asked_is_refused(shop: Index) -> None:
    with pytest.raises(QueryError, match="empty"):
        shop.explain.why_not("shop/store.py", " ")
    with pytest.raises(QueryError, match="limit"):
        shop.explain.search("save", limit=0)


def test_a_path_out_of_the_root_is_refused(shop: Index, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(QueryError, match="outside"):
        shop.explain.why_not(str(tmp_path / "other.py"), "save")


@pytest.mark.parametrize(
    ("trace", "line"),
    [
        ('  File "/srv/app/shop/settings.py", line 300, in <module>', 300),
        ("the user store failed, at shop/settings.py:300:9", 300),
        ('  File "/srv/app/shop/settings.py", line 20, in OPTION_350', 351),
    ],
)
def test_a_line_of_a_trace_leads_to_its_place(shop: Index, trace: str, line: int) -> None:
    hit = shop.search(trace).hits[0]
    assert hit.path == "shop/settings.py"
    assert hit.start_line <= line <= hit.end_line
    assert hit.why["place_named"] > 0


def test_a_line_that_no_file_has_is_not_looked_for(shop: Index) -> None:
    answer = shop.search("it failed at shop/store.py:1700 and at lib/node/index.js:3")
    assert all("place_named" not in hit.why for hit in answer.hits)


def test_a_skipped_file_is_not_taken_for_a_symbol_of_the_same_letters(
    repository: Repository,
) -> None:
    files = {".env": "MODE=fast\n", "run.sh": "ENV=test\necho $ENV\n", "a.py": "x = 1\n"}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        asked = (
            index.source.read,
            lambda name: index.source.read("", (name,)),
            index.graph.callers,
            index.changes.context,
        )
        for ask in asked:
            with pytest.raises(QueryError, match=r"'\.env' is not indexed: holds secrets"):
                ask(".env")
        assert index.explain.why_not(".env").verdict == "not indexed"
        assert index.source.read("", ("ENV",)).file == "run.sh"
        assert index.explain.why_not("ENV").verdict == "indexed"

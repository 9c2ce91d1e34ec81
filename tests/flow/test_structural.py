"""Structural search: of the library, the command line and the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.errors import QueryError
from codeindex.search.exact.matchers import MatcherPool
from codeindex.structural import matcher as matching
from codeindex.types import Filters, SafeText
from tests.flow.asking import call
from tests.flow.sites import indexed_repository

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ0123"
FILES: dict[str, str | bytes] = {
    "shop/cart.py": """
class Cart:
    def save(self):
        try:
            self.write()
        except:
            pass

    def load(self):
        try:
            self.read()
        except OSError:
            pass
        return pay(pay(1), 2)
""",
    "shop/long.py": "def long():\n" + "".join(f"    step({n})\n" for n in range(30)),
    "shop/keys.py": f'token = "{SECRET}"\n',
    "shop/broken.py": "pay(1)\n\ndef (:\n    ((\n",
    "web/pay.js": "function f() {\n  pay(1, 2);\n}\n",
    "web/bundle.js": "var needle=1;" + "a=b;" * 4_000 + "pay(9);\n",
    "tests/test_pay.py": "pay(3)\n",
    "data.yaml": "pay: 1\n",
}
TRY = "try: $A except: pass"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("structural") / "shop"
    with indexed_repository(root, FILES):
        yield root


def run(root: Path, monkeypatch: pytest.MonkeyPatch, *words: str, status: int = 0) -> Result:
    monkeypatch.chdir(root)
    done = CliRunner().invoke(main, ["search", *words])
    assert done.exit_code == status, done.output
    return done


def test_the_whole_match_is_printed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run(root, monkeypatch, "--ast", TRY, "-t", "python").stdout
    assert printed == (
        "shop/cart.py:4:        try:\n"
        "shop/cart.py-5-            self.write()\n"
        "shop/cart.py-6-        except:\n"
        "shop/cart.py-7-            pass\n"
    )


def test_long_matches_are_cut(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--ast", "def long(): $$$A", "--json")
    (file,) = json.loads(run(root, monkeypatch, *words).stdout)["results"]
    assert len(file["lines"]) == 12
    assert file["lines"][0]["end_line"] == 31
    assert file["lines"][0]["spans"] == [[0, 11]]


def test_the_options_of_other_searches_apply(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(*words: str) -> list[str]:
        return run(root, monkeypatch, "--ast", "pay($$$A)", *words).stdout.splitlines()

    everywhere = ["shop/broken.py", "shop/cart.py", "tests/test_pay.py", "web/bundle.js"]
    assert printed("-l") == [*everywhere, "web/pay.js"]
    assert printed("-l", "-t", "js") == ["web/bundle.js", "web/pay.js"]
    assert printed("-l", "web", "-g", "!bundle.js") == ["web/pay.js"]
    assert printed("-l", "--tests", "only") == ["tests/test_pay.py"]
    assert printed("-c", "shop/cart.py") == ["shop/cart.py:1"]
    assert printed("-o", "shop/cart.py") == ["shop/cart.py:14:pay(pay(1), 2)"]
    two = ["web/pay.js-1-function f() {", "web/pay.js:2:  pay(1, 2);"]
    assert printed("-B1", "web/pay.js") == two
    assert printed("--budget", "500", "web/pay.js") == ["web/pay.js:2:  pay(1, 2);"]


def test_headers_are_searched_as_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "a.c": "int a(void) { return add(1); }\n",
        "a.h": "#define A() add(2)\nint b = add(3);\n",
    }
    with indexed_repository(tmp_path / "sums", files):
        done = run(tmp_path / "sums", monkeypatch, "--ast", "add($A)", "-t", "c")
    assert done.stdout.splitlines() == [
        "a.c:1:int a(void) { return add(1); }",
        "a.h:2:int b = add(3);",
    ]


def test_without_one_language_the_others_are_searched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(root, monkeypatch, "--ast", "pay($A, $B)", "-l", "-T", "python")
    assert done.stdout.splitlines() == ["web/pay.js"]


def test_what_was_not_read_as_a_whole_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(root, monkeypatch, "--ast", "pay(1, 1)", "-t", "python", status=1)
    assert "1 file has code that the grammar cannot read" in done.stderr
    assert "shop/broken.py" in done.stderr
    done = run(root, monkeypatch, "--ast", TRY, "-l")
    assert "not valid code in javascript" in done.stderr


def test_secrets_stay_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(root, monkeypatch, "--ast", f'token = "{SECRET}"', "-t", "python")
    assert done.stdout == 'shop/keys.py:1:token = "[REDACTED]"\n'
    assert SECRET not in done.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("pay(", "-t", "python"), "is not valid code in python"),
        (("", "-t", "python"), "The pattern is empty"),
        (("$A", "-t", "python"), "a metavariable alone"),
        (("pay(" * 200 + ")" * 200, "-t", "python"), "nests too deeply"),
        (("pay(1)" * 400, "-t", "python"), "has 2,400 characters"),
        (("pay(1)", "-t", "yaml"), "There is no grammar for yaml"),
        (("pay(1)", "-t", "nolang"), "No language is called 'nolang'"),
        (("pay(1)", "-i"), "--ignore-case cannot be combined with --ast"),
        (("pay(1)", "-F"), "--fixed-strings cannot be combined with --ast"),
        (("pay(1)", "-k", "class"), "--kind cannot be combined"),
        (("pay(1)", "nowhere"), "With --ast all arguments are paths"),
    ],
)
def test_bad_patterns_are_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in run(root, monkeypatch, "--ast", *words, status=2).stderr


def test_files_for_which_there_is_no_time_are_named(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index.open(root) as index:
        monkeypatch.setattr(matching, "_BATCH_SECONDS", 0.0)
        result = index.exact.grep("pay(1, 2)", mode="ast", filters=Filters(languages=("python",)))
    assert set(result.unread) == {"shop/broken.py", "shop/cart.py", "tests/test_pay.py"}
    assert not result.counts
    assert any("could not be read now" in remark for remark in result.remarks())


def test_the_library_refuses_case_in_mode_ast(root: Path) -> None:
    with Index.open(root) as index, pytest.raises(QueryError, match="has no `case`"):
        index.exact.grep("pay($A)", mode="ast", case="ignore")


def test_a_child_that_ended_is_replaced() -> None:
    pool = MatcherPool(matching.MATCH_CHILD)
    source = matching.SourceText("a.py", SafeText("pay(1)\n"))
    with matching.syntax_matcher(pool, ["pay($A)"]) as matcher:
        matcher.required_words(["python"])
        process = matcher._process
        assert process is not None
        process._process.kill()
        assert list(matcher.matches("python", [source, source]))
    pool.close()


def test_agents_get_matches_below_their_function(root: Path) -> None:
    asked = {"query": TRY, "mode": "ast", "language": "python"}
    found = call(root, "search_code", asked)
    assert found["lines"][0] == "shop/cart.py:4:        try:"
    assert found["total_count"] == 1
    found = call(root, "search_code", {**asked, "query": "pay(1, 1)"})
    assert found["total_count"] == 0
    assert "cannot read" in found["gaps"][0]
    assert "is not valid code in python" in call(root, "search_code", {**asked, "query": "pay("})


def test_patterns_can_be_pasted_with_their_indentation(root: Path) -> None:
    pasted = "\n        try:\n            $A\n        except:\n            pass\n"
    with Index.open(root) as index:
        found = index.exact.grep(pasted, mode="ast", filters=Filters(languages=("python",)))
    assert found.counts == {"shop/cart.py": 1}


def test_pages_follow_each_other(root: Path) -> None:
    with Index.open(root) as index:
        first = index.exact.grep("pay($$$A)", mode="ast", limit=2)
        assert first.cursor
        rest = index.exact.grep("pay($$$A)", mode="ast", cursor=first.cursor)
    assert [line.path for line in (*first.matches, *rest.matches)] == sorted(first.counts)

"""PDFs by page and notebooks by cell: found, read, redacted, and never a failure."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

from codeindex import Filters, Index
from codeindex.cli import main
from codeindex.types import Hit
from tests.conftest import Repository
from tests.flow.writing import encrypted, notebook, pdf

pytestmark = [
    pytest.mark.usefixtures("home"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:pypdf.*"),
]
KEY = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"
ANIMALS = ("otter", "badger", "heron", "lynx", "marten", "stoat", "weasel", "curlew", "plover")


def word(number: int) -> str:
    """Return a word that no other number has."""
    return f"{ANIMALS[number % 9]}{ANIMALS[number // 9 % 9]}{ANIMALS[number // 81 % 9]}"


@pytest.fixture(autouse=True)
def _words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")


def first(index: Index, query: str, *, glob: str = "*") -> Hit:
    answer = index.search(query, filters=Filters(globs=(glob,)))
    return (*answer.hits, *answer.navigation)[0]


def test_a_manual_of_300_pages_and_50_notebooks_are_found_by_what_they_say(
    repository: Repository,
) -> None:
    manual = pdf(
        [f"Chapter about {word(n)}\nNothing else is said here." for n in range(300)],
        titles=[("Wading birds", 1), ("Small mammals", 201)],
    )
    books = {
        f"nb/study{n}.ipynb": notebook(
            ("markdown", f"# Study {n}\n\nWhy {word(400 + n)} matters."),
            ("code", f"def measure_{n}():\n    return '{word(500 + n)}'\n"),
        )
        for n in range(50)
    }
    with Index.open(repository({"manual.pdf": manual, **books})) as index:
        report = index.sync()
        assert (report.added, report.failed, report.skipped) == (51, (), ())
        for n in (0, 7, 150, 299):
            hit = first(index, f"chapter about {word(n)}")
            assert (hit.path, hit.page, hit.kind) == ("manual.pdf", n + 1, "page")
            assert hit.heading_path == ("Wading birds" if n < 200 else "Small mammals")
        for n in range(50):
            said = first(index, f"why {word(400 + n)} matters")
            assert (said.path, said.page) == (f"nb/study{n}.ipynb", 1)
            code = first(index, word(500 + n))
            assert (code.path, code.page) == (f"nb/study{n}.ipynb", 2)
            assert code.as_dict()["cell"] == 2
            assert code.heading_path == f"Study {n}"


def test_lines_of_a_document_are_those_that_read_gives(repository: Repository) -> None:
    book = notebook(("markdown", "Intro"), ("code", "total = sum(prices)\n"), output="SHOUTED")
    files = {"a.pdf": pdf(["alpha\nbeta", "gamma"]), "b.ipynb": book}
    with Index.open(repository(files)) as index:
        index.sync()
        hit = first(index, "gamma")
        (section,) = index.source.read(
            "a.pdf", start_line=hit.start_line, end_line=hit.end_line
        ).sections
        assert [text for _, text in section.lines] == ["[page 2]", "gamma"]
        assert hit.lines == ["[page 2]", "gamma"]
        (whole,) = index.source.read("b.ipynb").sections
        assert [text for _, text in whole.lines] == [
            *("[cell 1] markdown", "Intro"),
            *("[cell 2] python", "total = sum(prices)"),
        ]
        assert not index.search("SHOUTED").hits


def test_a_table_keeps_its_rows(repository: Repository) -> None:
    sheet = pdf(["Port\tMeaning\n8080\tmetrics\n9090\tadmin"])
    with Index.open(repository({"ports.pdf": sheet})) as index:
        index.sync()
        lines = first(index, "metrics").lines
        assert "8080   metrics" in [" ".join(one.split(" ")) for one in lines]


def test_a_changed_document_is_read_again_before_it_answers(repository: Repository) -> None:
    root = repository({"a.pdf": pdf(["about otters"]), "b.ipynb": notebook(("code", "x = 1"))})
    with Index.open(root) as index:
        index.sync()
        (root / "a.pdf").write_bytes(pdf(["nothing", "about herons"]))
        (root / "b.ipynb").write_text(notebook(("code", "x = 1"), ("code", "weasel = 2")))
        hit = first(index, "herons")
        assert (hit.path, hit.page) == ("a.pdf", 2)
        assert first(index, "weasel").page == 2
        assert not [one for one in index.search("otters").hits if "otters" in one.text]


def test_what_cannot_be_read_says_why_and_fails_nothing(repository: Repository) -> None:
    good = pdf(["about otters"])
    files = {
        "good.pdf": good,
        "open.pdf": encrypted(pdf(["about herons"]), password=""),
        "locked.pdf": encrypted(good, password="x"),
        "scanned.pdf": pdf(["", ""]),
        "cut.pdf": good[: len(good) // 3],
        "junk.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 20,
        "empty.pdf": b"",
        "broken.ipynb": '{"cells": [',
        "deep.ipynb": "[" * 200_000,
        "list.ipynb": "[1, 2]",
        "none.ipynb": notebook(),
        "odd.ipynb": '{"cells": [3, {"source": {"a": 1}}, {"cell_type": null, "source": null}]}',
    }
    with Index.open(repository(files)) as index:
        report = index.sync()
        assert report.failed == ()
        reasons = {one.path: one.reason for one in index.skipped()}
        assert first(index, "otters").path == "good.pdf"
        assert first(index, "herons").path == "open.pdf"
        assert index.status().coverage.skipped == len(reasons)
    assert reasons["locked.pdf"] == "an encrypted PDF"
    assert "scanned" in reasons["scanned.pdf"]
    assert set(reasons) == files.keys() - {"good.pdf", "open.pdf", "odd.ipynb"}
    assert all("PDF" in reasons[path] for path in reasons if path.endswith(".pdf"))
    assert all("notebook" in reasons[path] for path in reasons if path.endswith(".ipynb"))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (["otter = '\ud800'\n", "heron = 2"], "otter = '\ufffd'"),
        (["otter = '\ud83d", "\ude00'"], "otter = '\U0001f600'"),
        ("otter = '\udc00\ud800\0\u2028x'", "otter = '\ufffd\ufffd\ufffd x'"),
    ],
)
def test_half_letters_in_the_json_of_a_notebook_cost_no_cell(
    repository: Repository, source: list[str] | str, shown: str
) -> None:
    cell = {"cell_type": "code\udfff", "source": source, "outputs": [{"text": ["\ud800"]}]}
    language = {"language_info": {"name": "py\ud800"}}
    book = json.dumps({"cells": [cell | {"cell_type": "code"}, cell], "metadata": language})
    with Index.open(repository({"a.ipynb": book})) as index:
        assert index.sync().failed == ()
        assert index.skipped() == ()
        hit = first(index, "otter")
        assert shown in hit.text
        assert index.exact.grep("otter").total_count == 2


def test_nul_in_the_kind_of_a_cell_hides_no_text(repository: Repository) -> None:
    """SQLite indexes no text that follows NUL in a chunk."""
    cells = [{"cell_type": "code\0x\ny", "source": ["otter = 1\n"]}]
    with Index.open(repository({"a.ipynb": json.dumps({"cells": cells})})) as index:
        index.sync()
        assert [line.line for line in index.exact.grep("otter").lines] == [2]


def test_a_document_over_the_limit_is_named(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_LIMITS_MAX_DOCUMENT_KB", "1")
    big = notebook(("markdown", "words " * 1000))
    with Index.open(repository({"big.ipynb": big, "a.py": "x = 1\n"})) as index:
        index.sync()
        assert [(one.path, one.reason) for one in index.skipped()] == [
            ("big.ipynb", "larger than `limits.max_document_kb`")
        ]


def test_without_the_extra_a_pdf_says_how_to_have_it_read(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    root = repository({"a.pdf": pdf(["about otters"]), "a.py": "x = 1\n"})
    with Index.open(root) as index:
        index.sync()
        (left,) = index.skipped()
        assert "pip install '.[pdf]'" in left.reason
    monkeypatch.delitem(sys.modules, "pypdf")
    with Index.open(root) as index:
        index.sync()
        assert first(index, "otters").page == 1


def test_secrets_of_documents_are_taken_out_and_listed(repository: Repository) -> None:
    files = {
        "a.pdf": pdf(["Set-up", f"Use {KEY} here"], titles=[(f"Token {KEY}", 2)]),
        "b.ipynb": notebook(("code", f'token = "{KEY}"\n')),
    }
    root = repository(files)
    with Index.open(root) as index:
        index.sync()
        hit = first(index, "set-up use here", glob="a.pdf")
        assert "[REDACTED" in index.source.read("a.pdf").sections[0].lines[-1][1]
        assert KEY not in repr((hit, index.search("token"), index.source.read("b.ipynb")))
        found = {(one.file, one.line) for one in index.overview.secrets().secrets}
    assert found == {("a.pdf", 3), ("a.pdf", 4), ("b.ipynb", 2)}
    checked = CliRunner().invoke(main, ["secrets", "check", str(root / "a.pdf")])
    assert checked.exit_code == 1
    assert KEY not in checked.output
    assert "[page 2] Token [REDACTED" in checked.output


def test_verify_finds_documents_as_they_were_read(repository: Repository) -> None:
    files = {"a.pdf": pdf(["alpha"]), "b.ipynb": notebook(("code", "x = 1"))}
    with Index.open(repository(files)) as index:
        index.sync()
        assert index.admin.verify(deep=True).problems == ()


def test_html_is_cut_at_its_headings(repository: Repository) -> None:
    page = (
        "<h1 class='a'>Set <em>up</em></h1>\n<p>one</p>\n<h2>Retry &amp; wait</h2>\n<p>otter</p>\n"
    )
    with Index.open(repository({"a.html": page})) as index:
        index.sync()
        hit = first(index, "otter")
        assert (hit.heading_path, hit.start_line) == ("Set up > Retry & wait", 3)
        assert hit.text == "<h2>Retry &amp; wait</h2>\n<p>otter</p>"


def test_a_page_is_named_on_the_command_line(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository({"a.pdf": pdf(["alpha", "about otters"])})
    monkeypatch.chdir(root)
    result = CliRunner().invoke(main, ["search", "otters"])
    assert "a.pdf:3:[page 2]\na.pdf:4:about otters\n" in result.stdout

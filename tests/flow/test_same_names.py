"""Overloads, and functions of one name in several files, are told apart in answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from codeindex import Index
from codeindex.search.explore import Exploration
from tests.conftest import Repository, own_data
from tests.flow.asking import told
from tests.flow.sites import indexed_repository

_STEPS = "".join(f'    s = combine(s, {at}, "filler words {at}");\n' for at in range(210))
BILLER = f"""package a;
public class Biller {{
  /** Short one. */
  int bill(int a) {{
    return trim(a);
  }}

  /** Long one. */
  String bill(String s) {{
{_STEPS}    s = pangolin(s, "sextant harmonica");
    return s;
  }}
}}
"""
FILES = {
    "Biller.java": BILLER,
    "Use.java": (
        "package a;\nclass Use {\n  int few(Biller b) { return b.bill(1); }\n"
        '  String many(Biller b) { return b.bill("x"); }\n}\n'
    ),
    "batch/importer.py": "def main(rows):\n    for row in rows:\n        store_parcel(row)\n",
    "batch/exporter.py": "def main(rows):\n    for row in rows:\n        print_label(row)\n",
    "jobs/one.py": "from batch.importer import main\n\n\ndef nightly(rows):\n    main(rows)\n",
    "jobs/kinds.go": (
        "package jobs\n\nconst Retries = 3\n\ntype Runner struct {\n\tQueue string\n}\n\n"
        "type Stopper interface {\n\tStop() error\n}\n\nfunc (r Runner) Halt() {}\n"
    ),
    "Rate.java": "package a;\ninterface Rate {\n  int of(int a);\n}\n",
    "Fixed.java": (
        "package a;\nclass Fixed implements Rate {\n  public int of(int a) {\n"
        "    return 7;\n  }\n}\n"
    ),
    "test/StubTest.java": (
        "package a;\nclass StubTest implements Rate {\n  public int of(int a) { return 0; }\n}\n"
    ),
    "jobs/two.py": "from batch.exporter import main\n\n\ndef weekly(rows):\n    main(rows)\n",
}
_BATCHES = "what stores parcels and prints labels: store_parcel, print_label"
LAST_LINES = "where is the pangolin sextant harmonica?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with (
        indexed_repository(tmp_path_factory.mktemp("names") / "shop", FILES) as root,
        Index.open(root) as opened,
    ):
        yield opened


def test_an_answer_from_the_end_of_a_long_overload_names_that_overload(index: Index) -> None:
    text = list(index.answers.ask(LAST_LINES).text())
    cited = [line for line in text if "Biller.java:" in line]
    assert cited
    assert any("Biller.java:9" in line for line in cited)
    assert not any("Biller.java:4" in line for line in cited)


@pytest.mark.parametrize(
    ("question", "caller", "line", "first"),
    [(LAST_LINES, "Use.many", 9, 8), ("Short one", "Use.few", 4, 4)],
)
def test_the_callers_of_an_overload_are_those_of_that_overload(
    index: Index, question: str, caller: str, line: int, first: int
) -> None:
    found = index.combined.explore(question, budget=0)
    callers = {(link.of_line, link.symbol) for link in found.links if link.role == "caller"}
    assert callers == {(line, caller)}
    assert _callers_below(found) == {("Biller.java", first): [caller]}


def test_links_come_below_the_function_of_that_file(index: Index) -> None:
    found = index.combined.explore(_BATCHES, budget=0)
    assert _callers_below(found) == {
        ("batch/exporter.py", 1): ["weekly"],
        ("batch/importer.py", 1): ["nightly"],
    }
    links = {(link["of_file"], link["symbol"]) for link in found.as_dict()["links"]}
    assert links == {("batch/exporter.py", "weekly"), ("batch/importer.py", "nightly")}


@pytest.mark.parametrize(
    ("name", "first_line"),
    [
        ("Biller", "public class Biller {"),
        ("Biller.bill", "  /** Long one. */"),
        ("Runner", "type Runner struct {"),
        ("Runner.Queue", "\tQueue string"),
        ("Runner.Halt", "func (r Runner) Halt() {}"),
        ("Stopper", "type Stopper interface {"),
        ("Retries", "const Retries = 3"),
        ("nightly", "def nightly(rows):"),
    ],
)
def test_a_symbol_of_every_kind_is_read_by_its_name(
    index: Index, name: str, first_line: str
) -> None:
    section, *_ = index.source.read("", symbols=(name,)).sections
    assert section.lines[0][1] == first_line


def test_a_method_without_a_body_is_read_with_those_that_implement_it(index: Index) -> None:
    found = index.source.read("", symbols=("Rate.of",))
    assert [(it.file or found.file, it.line) for it in found.sections] == [
        ("Rate.java", 3),
        ("Fixed.java", 3),
        ("test/StubTest.java", 3),
    ]


def test_an_interface_is_read_with_the_names_of_types_that_implement_it(index: Index) -> None:
    assert index.source.read("", symbols=("Rate",)).implementers == ("Fixed", "StubTest")
    assert index.source.read("", symbols=("Fixed",)).implementers == ()
    assert "implemented by: Fixed, StubTest" in told(index.root, "read_code", places=["Rate"])


def test_of_many_types_that_implement_an_interface_ten_are_named(repository: Repository) -> None:
    types = "".join(f"class Rate{number:02} implements Rate {{}}\n" for number in range(12))
    root = repository({"Rate.java": f"interface Rate {{}}\n{types}"})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        source = index.source.read("", symbols=("Rate",))
        text = told(root, "read_code", places=["Rate"])
    names = [f"Rate{number:02}" for number in range(10)]
    assert source.as_dict()["implementers"] == names
    assert source.as_dict()["total_implementers"] == 12
    line = f"implemented by: {', '.join(names)}, 2 more"
    assert line in [*source.text()]
    assert line in text.splitlines()


def _callers_below(found: Exploration) -> dict[tuple[str, int], list[str]]:
    """Return {(path, first line): names of the callers in the text below that code}."""
    path, first, callers = "", 0, dict[tuple[str, int], list[str]]()
    for line in found.text():
        if line.startswith("== "):
            path = line.removeprefix("== ")
        elif title := re.match(r"-- (\d+)-", line):
            first = int(title[1])
        elif link := re.match(r"called at \S+ (\S+):", line):
            callers.setdefault((path, first), []).append(link[1])
    return callers

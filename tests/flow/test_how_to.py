"""How-to questions: the section of the documents that answers, beside code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from codeindex.types import Hit
from tests.conftest import Repository

FILES = {
    "README.md": """\
        # Shipyard

        Shipyard sends parcels.

        ## Installation

        Run `pip install shipyard` in a virtual environment, then `shipyard init`.

        ## Add a custom command

        Write a function that takes the parser, decorate it, and name its module in
        `shipyard.toml` under `commands`. It is found when the program starts.

        ## Why labels are cached

        Drawing a label takes a second, and the same parcel is printed again and again.
        """,
    "docs/logging.md": """\
        # Logging

        ## Log to a file

        Set `log.path` in `shipyard.toml`. Each day has a file of its own, kept for a week.
        """,
    "CHANGELOG.md": """\
        # Changelog

        ## Add a custom command

        You can add a custom command now: add a command, a custom one, and more commands.
        """,
    "change_logs/release_v2.md": """\
        # Add a custom command

        Since this release you can add a custom command: add it, a custom command.
        """,
    "shipyard/commands.py": """\
        def add_command(name, function):
            \"\"\"Register a command under its name.\"\"\"
            _COMMANDS[name] = function


        def run_command(name, *words):
            \"\"\"Run the command of this name.\"\"\"
            return _COMMANDS[name](*words)


        def load_custom_commands(settings):
            \"\"\"Import the modules of custom commands.\"\"\"
            for module in settings.commands:
                add_command(module, __import__(module))


        def command_names():
            return sorted(_COMMANDS)
        """,
    "shipyard/log.py": """\
        def configure_logging(path):
            \"\"\"Log to a file at this path.\"\"\"
            return open(path, "a")


        def log_line(file, text):
            \"\"\"Write a line to the log file.\"\"\"
            file.write(text)
        """,
    "shipyard/labels.py": """\
        def draw_label(parcel):
            \"\"\"Draw the label of a parcel, or take it from the cache of labels.\"\"\"
            return parcel
        """,
}


@pytest.fixture
def root(home: Path, repository: Repository) -> Path:
    made = repository({path: dedent(text) for path, text in FILES.items()})
    with Index.open(made) as index:
        index.sync(structure_only=True)
    return made if home.exists() else home


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How do I add a custom command?", "Shipyard > Add a custom command"),
        ("add a custom command", "Shipyard > Add a custom command"),
        ("log to a file", "Logging > Log to a file"),
        ("why are labels cached", "Shipyard > Why labels are cached"),
        ("Installation of shipyard", "Shipyard > Installation"),
    ],
)
def test_the_section_is_among_three_hits_beside_code(
    index: Index, question: str, heading: str
) -> None:
    hits = index.search(question, limit=3).hits
    assert heading in [one.heading_path for one in hits]
    assert any(one.language == "python" for one in hits)
    assert not [
        one.path for one in hits if one.path in {"CHANGELOG.md", "change_logs/release_v2.md"}
    ]


def test_a_question_that_names_code_has_code_first(index: Index) -> None:
    hits = index.search("how do I use add_command to add a custom command", limit=3).hits
    assert hits[0].symbol == "add_command"
    assert "Shipyard > Add a custom command" in [one.heading_path for one in hits]


@pytest.mark.parametrize("query", ["add_command", "command registration by name"])
def test_other_questions_have_no_section_among_the_hits(index: Index, query: str) -> None:
    assert {one.language for one in index.search(query, limit=3).hits} == {"python"}


def test_pages_of_one_hit_are_the_whole_list(index: Index) -> None:
    query = "How do I add a custom command?"
    whole = index.search(query, limit=50).hits
    paged, cursor = list[Hit](), ""
    while True:
        page = index.search(query, limit=1, cursor=cursor)
        paged += page.hits
        if page.cursor is None:
            break
        cursor = page.cursor
    assert [(one.path, one.start_line) for one in paged] == [
        (one.path, one.start_line) for one in whole
    ]


def test_explain_sums_what_a_section_has(index: Index) -> None:
    hits = index.explain.search("How do I add a custom command?").hits
    section = next(one for one in hits if one.file_path == "README.md")
    assert {"bias", "heading_coverage", "section_bm25"} <= {one.name for one in section.parts}


def test_the_command_prints_it_with_three_results(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    answer = json.loads(
        CliRunner().invoke(main, ["search", "add a custom command", "--json", "-m", "3"]).stdout
    )
    assert len(answer["results"]) == 3
    assert "Shipyard > Add a custom command" in [one["heading_path"] for one in answer["results"]]
    shown = (
        CliRunner().invoke(main, ["search", "add a custom command", "-m", "3", "-l"]).stdout.split()
    )
    assert "README.md" in shown


def test_code_below_a_folder_with_the_name_of_a_document_is_code(repository: Repository) -> None:
    root = repository(
        {
            "README.md/inner.py": "VALUE = 1  # animals: quokka, counter\n",
            **{f"part{n}.py": f"def counter{n}():\n    return {n}\n" for n in range(9)},
        }
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.search("counter for each quokka").hits[0].path == "README.md/inner.py"

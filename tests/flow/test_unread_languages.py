"""Files whose symbols are not read, like Vue, GraphQL and notebooks, are named, not denied."""

import json

import pytest

from codeindex import Index
from codeindex.errors import QueryError
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
CELL = {"cell_type": "code", "source": "from track import log\nlog(1)\n", "outputs": []}
NOTEBOOK = json.dumps(
    {"cells": [CELL | {"metadata": {}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
)
FILES = {
    "Page.astro": "<script setup>\nfunction fireClick() { track(1); }\n</script>\n",
    "schema.graphql": "type User { fullName: String }\n",
    "notes.md": "Call track(1).\n",
    "a.ipynb": NOTEBOOK,
    "track.py": "def log(x):\n    return x\n",
    "data.json": '{"track": 1, "log": 1, "rate": 1}\n',
    "site.css": ".track { width: 1px }\n",
    "index.ts": "export { compute as vatOf } from './tax';\n",
    "tax.ts": "export function compute(x: number) { return x; }\n",
}


@pytest.mark.parametrize(
    ("name", "place"), [("fireClick", "Page.astro:2"), ("vatOf", "index.ts:1")]
)
def test_a_name_that_stands_as_text_is_not_only_denied(
    repository: Repository, name: str, place: str
) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        with pytest.raises(QueryError, match=f"1 line has it as text: {place}"):
            index.graph.callers(name)
        matches = index.symbols.lookup(name)
        assert (matches.total, matches.text_places) == (0, (place,))
        assert f"1 line has it as text: {place}" in list(matches.text())
        with pytest.raises(QueryError, match=r"called 'nowhere'\.$"):
            index.graph.callers("nowhere")


@pytest.mark.parametrize(
    ("pattern", "files"),
    [("track($X)", ("Page.astro", "a.ipynb")), ("log($X)", ("a.ipynb",)), ("lost()", ())],
)
def test_a_syntax_search_names_files_without_a_grammar(
    repository: Repository, pattern: str, files: tuple[str, ...]
) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        assert index.exact.grep(pattern, mode="ast").no_grammar == files


@pytest.mark.parametrize("file", ["Page.astro", "schema.graphql", "a.ipynb"])
def test_a_change_in_them_has_users_that_are_not_known(repository: Repository, file: str) -> None:
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / file).write_text(FILES[file].replace("1", "2").replace("String", "Int"))
        notes = index.changes.for_diff().notes
    assert f"Symbols are not read in 1 changed file, so that users are not known: {file}." in notes


def test_a_change_with_marks_of_a_conflict_has_symbols_that_are_not_known(
    repository: Repository,
) -> None:
    """The body of the function is lost, so that its changed lines belong to no symbol."""
    root = repository({"a.py": "def f():\n    return 1\n\n\ndef g():\n    return f()\n"})
    sides = "<<<<<<< HEAD\n    return 1\n=======\n    return 2\n>>>>>>> topic\n"
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "a.py").write_text(f"def f():\n{sides}\n\ndef g():\n    return f()\n")
        (note,) = index.changes.for_diff().notes
    assert note == (
        "1 changed file is not read completely, so that changed symbols and their users may be"
        " missing: a.py."
    )


@pytest.mark.parametrize("file", ["notes.md", "data.json", "site.css"])
def test_changed_documents_and_data_have_no_such_note(repository: Repository, file: str) -> None:
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / file).write_text("Nothing.\n")
        assert not any("Symbols are not read" in note for note in index.changes.for_diff().notes)


def test_lines_with_a_name_are_those_of_the_asked_files(repository: Repository) -> None:
    files = {f"calls/c{number:02}.ts": "lostName();\n" for number in range(50)}
    with Index.open(repository(FILES | files)) as index:
        index.sync(structure_only=True)
        matches = index.symbols.lookup("lostName")
        assert (matches.total_text_places, matches.more_text_places) == (40, True)
        assert "at least 40 lines have it as text, such as calls/c00.ts:1" in list(matches.text())
        below = index.symbols.lookup("lostName", path=("calls/c07.ts",))
        assert below.text_places == ("calls/c07.ts:1",)
        elsewhere = index.symbols.lookup("compute", path=("calls",))
        assert (elsewhere.total, elsewhere.text_places) == (0, ())

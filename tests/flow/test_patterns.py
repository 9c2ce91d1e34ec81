"""Groups of files that have the same structure, from the files to the answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import QueryError

_IMPORTER = """\
from imports.base import BaseImporter

pytestmark = pytest.mark.usefixtures("home")


class {name}Importer(BaseImporter):
    def __init__(self):
        self.rows = []

    def fetch_data(self):
        return []

    def transform(self, rows):
        return rows

    def upsert(self, rows):
        return len(rows)
{more}"""
_SMALL = {
    ".ai-devtools.yaml": "code-index:\n  pattern_detection:\n    min_cluster_size: 3\n",
    "imports/base.py": "class BaseImporter:\n    pass\n",
}
IMPORTERS = _SMALL | {
    "imports/aws_import.py": _IMPORTER.format(
        name="AWS", more="\n    def sign(self):\n        return ''\n"
    ),
    "imports/azure_import.py": _IMPORTER.format(name="Azure", more=""),
    "imports/gcp_import.py": _IMPORTER.format(name="GCP", more=""),
}


def indexed(root: Path) -> Index:
    index = Index.open(root)
    index.sync(structure_only=True)
    return index


def test_classes_with_the_same_methods_are_one_pattern(repository: Callable[..., Path]) -> None:
    with indexed(repository(IMPORTERS)) as index:
        (found,) = index.overview.patterns().patterns
    assert (found.name, found.place) == ("Importer", "imports/*")
    assert found.methods == ("__init__", "fetch_data", "transform", "upsert")
    assert found.bases == ("BaseImporter",)
    assert found.canonical == "imports/azure_import.py"
    assert {one.file: one.extra for one in found.members} == {
        "imports/azure_import.py": (),
        "imports/gcp_import.py": (),
        "imports/aws_import.py": ("sign",),
    }


@pytest.mark.parametrize(
    ("suffix", "text", "names"),
    [
        ("js", "export function list() {}\nexport function create() {}\n", ("create", "list")),
        ("go", "package api\n\nfunc List() {}\n\nfunc Create() {}\n", ("Create", "List")),
    ],
)
def test_files_of_functions_alone_make_a_pattern(
    repository: Callable[..., Path], suffix: str, text: str, names: tuple[str, ...]
) -> None:
    files = {f"api/{one}Controller.{suffix}": text for one in ("user", "cart", "order")}
    with indexed(repository(_SMALL | files)) as index:
        (found,) = index.overview.patterns().patterns
    assert (found.name, found.methods) == ("Controller", names)


def test_fewer_files_than_configured_make_none(repository: Callable[..., Path]) -> None:
    files = {path: text for path, text in IMPORTERS.items() if "gcp" not in path}
    with indexed(repository(files)) as index:
        assert index.overview.patterns().patterns == ()


def test_a_pattern_that_is_switched_off_is_not_found(repository: Callable[..., Path]) -> None:
    off = "code-index:\n  pattern_detection:\n    enabled: false\n"
    with indexed(repository(IMPORTERS | {".ai-devtools.yaml": off})) as index:
        assert index.overview.patterns().total == 0


def test_edits_keep_patterns_as_a_rebuild_would_make_them(repository: Callable[..., Path]) -> None:
    root = repository(IMPORTERS)
    with indexed(root) as index:
        (root / "imports/oci_import.py").write_text(_IMPORTER.format(name="OCI", more=""))
        index.sync(structure_only=True)
        grown = index.overview.patterns().as_dict()
        (root / "imports/aws_import.py").unlink()
        (root / "imports/azure_import.py").unlink()
        index.sync(structure_only=True)
        gone = index.overview.patterns().as_dict()
        index.sync(structure_only=True, rebuild=True)
        assert index.overview.patterns().as_dict() == gone
    assert (len(grown["patterns"][0]["members"]), gone["total"]) == (4, 0)


def test_a_question_about_a_pattern_gets_its_best_example_first(
    repository: Callable[..., Path],
) -> None:
    with indexed(repository(IMPORTERS)) as index:
        answer = index.search("how do importers work")
    assert [hit.path for hit in answer.hits] == [
        "imports/azure_import.py",
        "imports/gcp_import.py",
        "imports/aws_import.py",
    ]
    assert {hit.follows_pattern for hit in answer.hits} == {"Importer"}
    assert answer.meta["pattern"]["methods"] == ["__init__", "fetch_data", "transform", "upsert"]


def test_a_question_about_no_pattern_is_answered_by_an_ordinary_search(
    repository: Callable[..., Path],
) -> None:
    with indexed(repository(IMPORTERS)) as index:
        answer = index.search("pattern for signing")
    assert answer.query_type == "pattern"
    assert "pattern" not in answer.meta
    assert "imports/aws_import.py" in {hit.path for hit in answer.hits}


def test_hits_of_an_ordinary_search_say_which_pattern_they_follow(
    repository: Callable[..., Path],
) -> None:
    with indexed(repository(IMPORTERS)) as index:
        found = {hit.path: hit.follows_pattern for hit in index.search("fetch transform rows").hits}
    assert found["imports/gcp_import.py"] == "Importer"


def test_an_unknown_pattern_names_those_there_are(repository: Callable[..., Path]) -> None:
    with (
        indexed(repository(IMPORTERS)) as index,
        pytest.raises(QueryError, match=r"'Exporter': there are Importer\."),
    ):
        index.overview.patterns("Exporter")

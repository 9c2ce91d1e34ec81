"""What is called a number of files is the same number wherever it is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from codeindex.mcp.status import describe_index
from tests.flow.sites import indexed_repository

FILES: dict[str, str | bytes] = {
    "a.py": "def go():\n    return 1\n",
    "notes.md": "# Notes\n\nHow to go.\n",
    "blob.c": b"\0\1\2",  # only its content tells that it is none
    "d/blob.txt": b"\0\1\3",
    "logo.png": b"\x89PNG",
}
INDEXED, SKIPPED = 2, 3


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("counts") / "mixed"
    with indexed_repository(root, FILES):
        yield root


def printed(root: Path, *args: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        return CliRunner().invoke(main, args, catch_exceptions=False).output


def test_files_are_those_that_can_be_found(mixed: Path) -> None:
    with Index.open(mixed) as index:
        answer, stats = index.search("go"), index.overview.stats()
        status, facts = index.status(), describe_index(index, None)
        counts = {
            "files": len(index.files()),
            "status": status.files,
            "coverage": status.coverage.indexed,
            "languages": sum(status.languages.values()),
            "stats": stats.files,
            "server": facts["files"],
            "answer": answer.coverage.indexed,
            "lines": index.exact.grep("go").searched_files,
        }
        absence = index.search("zeppelin").absence
    assert absence
    assert {**counts, "absence": absence.files_scanned} == dict.fromkeys(
        (*counts, "absence"), INDEXED
    )


def test_the_others_are_counted_apart_and_always(mixed: Path) -> None:
    with Index.open(mixed) as index:
        again = index.sync(structure_only=True)
        assert len(again.skipped) == len(index.skipped()) == SKIPPED
        assert (again.added, again.changed, again.failed) == (0, 0, ())
        coverage = index.status().coverage
    assert (coverage.skipped, coverage.files) == (SKIPPED, SKIPPED + INDEXED)


def test_commands_print_these_numbers(mixed: Path) -> None:
    assert f"{INDEXED} indexed, {SKIPPED} skipped" in printed(mixed, "status")
    assert f"{INDEXED} as they were read, and 2 skipped" in printed(mixed, "verify")
    assert f"the {INDEXED} indexed files, besides {SKIPPED} that" in printed(
        mixed, "ask", "zeppelin"
    )
    assert json.loads(printed(mixed, "status", "--json"))["files"] == INDEXED
    assert f"nothing changed, {SKIPPED} skipped" in printed(mixed, "index", "--structure-only")

"""The scripts in `codeindex/docs/examples` run, and print what they are there to show."""

import runpy
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import made_repository, own_data

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "codeindex/docs/examples"
COURIER = ROOT / "tests/fixtures/courier"
RUNS = {
    "search": (["{root}", "plan the order of stops"], ["courier/rounds.py:41-51"]),
    "sync_and_status": (["{root}"], ["files", "markdown 2, python 9, typescript 3"]),
    "callers": (["{root}", "great_circle"], ["courier/rounds.py:45: nearest_neighbour", "two_opt"]),
    "filters": (
        ["{root}", "sign in with a token"],
        ["Python functions: courier/auth.py:", "below web/: web/", "documents: "],
    ),
    "every_line": (
        ["{root}", r"def \w+\("],
        ["courier/auth.py:16: def hash_password(", " lines in 8"],
    ),
    "pack_for_a_model": (["{root}", "how is a route planned"], ["page 1", "full,", "pointer, 0"]),
    "several_repositories": (
        ["charge for a parcel", "{root}", "{other}"],
        ["courier  courier/pricing.py:", "shop  pay.py:1  charge"],
    ),
    "evaluate": (["{root}"], ["courier: 20 questions", "docstring -> its function"]),
}
"""Arguments of each example, and parts of its output."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Two repositories; the first is indexed."""
    folder = tmp_path_factory.mktemp("examples")
    with own_data(folder):
        root, other = folder / "courier", folder / "shop"
        files = {
            path.relative_to(COURIER).as_posix(): path.read_bytes()
            for path in COURIER.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }
        made_repository(root, files)
        made_repository(other, {"pay.py": "def charge(parcel): ...\n"})
        run("sync_and_status", [str(root)])
        yield {"root": str(root), "other": str(other)}
        shutil.rmtree(folder, ignore_errors=True)


def run(name: str, arguments: list[str]) -> None:
    path = EXAMPLES / f"{name}.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path), *arguments])
        runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("name", RUNS)
def test_an_example_prints_its_documented_output(
    name: str, places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, expected = RUNS[name]
    run(name, [argument.format(**places) for argument in arguments])
    printed = capsys.readouterr().out
    assert [part for part in expected if part not in printed] == []


def test_every_example_is_run_and_is_on_the_page() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    page = (ROOT / "codeindex/docs/examples.md").read_text(encoding="utf-8")
    assert names == set(RUNS)
    assert {name for name in names if f"examples/{name}.py" not in page} == set()

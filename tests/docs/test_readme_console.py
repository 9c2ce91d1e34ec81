"""Every console block of the README prints what the README shows, in an index of this repository.

Numbers may differ, `...` stands for any text of a line, and a line of `...` for any lines.
`pytest tests/docs/test_readme_console.py --update` writes what is printed now into the README.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (codeindex .*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_SAMPLES = ("tests/languages/", "tests/fixtures/")
_VARIABLE = re.compile(r"\\\.\\\.\\\.|\d+")


@dataclass(frozen=True, slots=True)
class Sample:
    """A command of the README and the output that the README shows below it."""

    command: str
    output: str


def samples_of(text: str) -> list[Sample]:
    """Return the commands of all console blocks in their order."""
    return [Sample(*found) for block in _BLOCK.findall(text) for found in _COMMAND.findall(block)]


def pattern_of(output: str) -> re.Pattern[str]:
    """Return the expression that an output must match to be the one that is shown."""
    lines = [
        r"(?:.*\n)*"
        if line == "..."
        else _VARIABLE.sub(_in_place_of, re.escape(line)).replace(r"\ ", " ") + r"\n"
        for line in output.splitlines()
    ]
    return re.compile("".join(lines))


def _in_place_of(found: re.Match[str]) -> str:
    return r"\d+" if found[0].isdigit() else ".*"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Mapping[str, str]]]:
    """Index a copy of the tracked files with the shipped model; yield it and the environment.

    The samples of other languages are left out: their grammars take a fifth of the time, and no
    command of the README shows them.
    """
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree, so the files of the project are not known")
    folder = tmp_path_factory.mktemp("readme")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for path in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / path).is_file() and not path.startswith(_SAMPLES):
            (folder / "codeindex" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, folder / "codeindex" / path)
    settings = {
        "HOME": str(folder),
        "CODEINDEX_HOME": str(folder / "home"),
        "CODEINDEX_CONFIG": str(folder / "config"),
        "CODEINDEX_EMBEDDING_MODEL": "codeindex-static",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(ROOT),
    }
    environment = {**os.environ, **settings}  # noqa: TID251 - the program runs as a user runs it
    subprocess.run(["git", "init", "-q"], cwd=folder / "codeindex", check=True)
    _run("codeindex index .", folder / "codeindex", environment)
    yield folder / "codeindex", environment
    shutil.rmtree(folder, ignore_errors=True)


def _run(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a command; return what it printed, results before notes."""
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(
        words, check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def test_what_the_readme_shows_is_what_the_commands_print(
    indexed: tuple[Path, Mapping[str, str]], update: bool
) -> None:
    text = README.read_text(encoding="utf-8")
    differences = []
    for sample in samples_of(text):
        printed = _run(sample.command, *indexed)
        if not pattern_of(sample.output).fullmatch(printed):
            differences.append(f"$ {sample.command}\n{printed}")
            old, new = (f"$ {sample.command}\n{output}" for output in (sample.output, printed))
            text = text.replace(old, new)
    if update:
        README.write_text(text, encoding="utf-8")
    else:
        assert not differences, "\n".join(differences)


def test_every_console_block_has_commands_that_are_run() -> None:
    blocks = _BLOCK.findall(README.read_text(encoding="utf-8"))
    assert blocks
    assert [block for block in blocks if not _COMMAND.match(block)] == []


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a.py:3: x\n", "a.py:14: x\n", True),
        ("a.py:3: x\n", "b.py:3: x\n", False),
        ("found ...\n", "found 3 of 4\n", True),
        ("one\n...\n", "one\ntwo\nthree\n", True),
        ("one\n", "one\ntwo\n", False),
    ],
)
def test_only_the_marked_parts_may_differ(shown: str, printed: str, same: bool) -> None:
    assert (pattern_of(shown).fullmatch(printed) is not None) == same


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 250

"""Hunks are read from what git prints, whatever files are called and contain."""

import subprocess
from pathlib import Path

import pytest

from codeindex.git.hunks import Hunk, parse_hunks
from tests.conftest import Repository


def patch_of(root: Path) -> bytes:
    words = ["git", "-c", "core.quotePath=false", "diff", "--unified=0", "--dst-prefix=b/"]
    return subprocess.run(words, cwd=root, check=True, capture_output=True).stdout


NAMES = ('q"x.py', "back\\slash.py", "ta\tb.py", "two words.py", "é\x01.py")


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_read_as_it_is_on_disk(name: str, repository: Repository) -> None:
    root = repository({name: "a = 1\n"})
    (root / name).write_text("a = 1\nb = 2\n")
    assert list(parse_hunks(patch_of(root))) == [(name.encode(), Hunk(1, 0, 2, 1))]


def test_a_changed_line_that_looks_like_a_header_is_no_header(repository: Repository) -> None:
    root = repository({"a.md": "one\ntwo\n"})
    (root / "a.md").write_text("++ b/other.py\none\n@@ -1 +1 @@\n")
    assert list(parse_hunks(patch_of(root))) == [
        (b"a.md", Hunk(0, 0, 1, 1)),
        (b"a.md", Hunk(2, 1, 3, 1)),
    ]

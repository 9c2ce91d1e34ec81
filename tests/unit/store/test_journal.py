"""Lines that several processes add to a file, which is turned when it is large."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from codeindex.store.datadir.journal import Journal

ADDING = """
import sys
from pathlib import Path
from codeindex.store.datadir.journal import Journal

journal = Journal(Path(sys.argv[1]), 2_000, 100)
for n in range(300):
    journal.add(f"{sys.argv[2]} {n} end")
"""


def test_processes_that_turn_a_file_at_once_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "one.log"
    running = [subprocess.Popen([sys.executable, "-c", ADDING, str(path), name]) for name in "abc"]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    journal = Journal(path, 2_000, 100)
    assert len(journal.turned()) > 3
    assert sorted(journal.lines()) == sorted(
        f"{name} {n} end" for name in "abc" for n in range(300)
    )


def test_the_oldest_of_too_many_files_goes(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.log", 10, 3)
    for n in range(20):
        journal.add(f"line {n:02} of it")
    assert list(journal.lines()) == ["line 18 of it", "line 19 of it"]
    assert len(journal.turned()) == 2


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX systems")
def test_it_is_private_and_no_link_is_followed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "logs" / "one.log", 100, 2)
    journal.add("line")
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.path.parent.stat().st_mode) == 0o700
    other = tmp_path / "other"
    other.write_text("theirs")
    journal.path.unlink()
    journal.path.symlink_to(other)
    with pytest.raises(OSError, match=r"symbolic|links"):
        journal.add("line")
    assert other.read_text() == "theirs"

"""Log files: what is kept, in which form, and what never."""

import subprocess
import sys
from pathlib import Path

import pytest

from codeindex.config import environment
from codeindex.logs import INDEXER, SERVER, read_log_lines

KEY = "AKIA" + "IOSFODNN7ABCDEFG"
PROGRAM = f"""
import logging, sys
from codeindex.logs import enable_log_file
enable_log_file(sys.argv[1], on_stderr=True)
enable_log_file(sys.argv[1], on_stderr=True)
logger = logging.getLogger("codeindex.ingest")
logger.debug("a detail")
logger.info("done \\x1b[31mred\\n2026-01-01T00:00:00.000Z error [1] forged: line")
logger.warning("cannot read %s", "{KEY}")
try:
    int("{KEY}")
except ValueError:
    logger.exception("it failed")
"""


def logged(home: Path, name: str = INDEXER, **settings: str) -> subprocess.CompletedProcess[str]:
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-c", PROGRAM, name]
    env = environment(**settings)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True)


def test_a_log_has_levels_traces_and_no_secrets(home: Path) -> None:
    done = logged(home)
    lines = list(read_log_lines(home))
    records = [line for line in lines if not line.startswith(" ")]
    assert [line.split(" ", 3)[1] for line in records] == ["info", "warn", "error"]
    assert all(line.split(" ", 3)[2].startswith("[") for line in records)
    assert "\\x1b[31mred" in lines[0]
    assert lines[1].startswith("    2026-01-01")
    assert any("Traceback" in line for line in lines)
    text = (home / "logs" / "indexer.log").read_text()
    assert KEY not in text + done.stdout + done.stderr
    assert "[REDACTED]" in text
    assert done.stdout == ""


def test_only_errors_are_told_on_stderr_too(home: Path) -> None:
    done = logged(home, SERVER)
    assert "it failed" in done.stderr
    assert "cannot read" not in done.stderr
    assert next(read_log_lines(home, level="error")).endswith("it failed")


@pytest.mark.parametrize(("level", "count"), [("trace", 4), ("warn", 2), ("error", 1)])
def test_the_level_is_that_of_the_settings(level: str, count: int, home: Path) -> None:
    logged(home, CODEINDEX_LOGGING_LEVEL=level)
    records = [line for line in read_log_lines(home) if not line.startswith(" ")]
    assert len(records) == count


def test_wrong_settings_leave_stderr(home: Path) -> None:
    done = logged(home, CODEINDEX_LOGGING_LEVEL="loud")
    assert "it failed" in done.stderr
    assert list(read_log_lines(home)) == []


def test_the_library_by_itself_keeps_no_log() -> None:
    code = "import logging, codeindex.api.index; print(logging.getLogger('codeindex').handlers)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

"""The command as a process: signals, closed pipes, locales and terminals."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner

from codeindex.cli import LazyGroup
from codeindex.errors import StoreError
from tests.flow.terminals import on_terminal

COMMAND = [sys.executable, "-m", "codeindex"]
pytestmark = pytest.mark.usefixtures("home")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of POSIX systems")


def many(count: int) -> dict[str, str]:
    """So many files of code, none like another."""
    return {
        f"lib/part_{n}.py": "".join(
            f"def step_{n}_{m}(order):\n    return order.total * {n} + {m}\n\n\n" for m in range(20)
        )
        for n in range(count)
    }


def start(*args: str, cwd: Path, **more: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *args],
        cwd=cwd,
        stdout=pipe,
        stderr=pipe,
        env=os.environ | more,  # noqa: TID251
    )


def finished(*args: str, cwd: Path, **more: str) -> tuple[int, bytes, bytes]:
    process = start(*args, cwd=cwd, **more)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")  # noqa: PTH110
@pytest.mark.parametrize("words", [("search", "--json", "order"), ("--help",), ("--version",)])
def test_output_that_does_not_fit_on_the_disk_is_a_sentence(
    repository: Callable[..., Path], words: tuple[str, ...]
) -> None:
    root = repository(many(1))
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [*COMMAND, *words],
            cwd=root,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert b"Nothing more can be written (No space left on device)" in done.stderr
    assert b"Traceback" not in done.stderr


@POSIX
def test_an_interrupted_index_is_usable_and_goes_on(
    home: Path, repository: Callable[..., Path]
) -> None:
    root = repository(many(200))
    process = start("index", cwd=root)
    stores = home / "repos"
    while process.poll() is None and not any(stores.glob("*/catalog.sqlite")):
        time.sleep(0.01)  # until it is in the middle of the work, which takes some seconds
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    # Python itself ends by the signal if code compiled from a string was interrupted.
    assert process.returncode in {130, -signal.SIGINT}
    assert err == (
        b"codeindex: interrupted: finished work is kept; run the same command to continue\n"
    )
    status, out, _ = finished("search", "step_7_3", "-l", "-m1", cwd=root)
    assert (status, out) == (0, b"lib/part_7.py\n")


@POSIX
def test_a_pipe_that_is_closed_early_is_no_error(repository: Callable[..., Path]) -> None:
    root = repository(many(40))
    assert finished("index", "--structure-only", cwd=root)[0] == 0
    process = start("search", "order total", "-m", "100", "--content", cwd=root)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b"" or process.wait(timeout=60) == 141
    assert process.wait(timeout=60) == 141


def test_queries_and_output_are_utf8_in_any_locale(repository: Callable[..., Path]) -> None:
    root = repository({"日本/größe.py": "def grüße():\n    return '日本'\n"})
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for more in (ascii_only, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}):
        status, out, _ = finished("search", "grüße", "--content", cwd=root, **more)
        assert status == 0
        shown = "日本/größe.py:1:def grüße():\n日本/größe.py-2-    return '日本'\n"
        assert out.decode() == shown


@POSIX
def test_a_query_that_is_no_text_is_searched_as_far_as_it_is(
    repository: Callable[..., Path],
) -> None:
    root = repository({"a.py": "def ring_bell(): ...\n"})
    status, out, _ = finished("search", os.fsdecode(b"bell \xff\xfe"), "-l", cwd=root)
    assert (status, out) == (0, b"a.py\n")


@POSIX
def test_a_terminal_gets_headings_colours_bars_and_no_foreign_escapes(
    repository: Callable[..., Path],
) -> None:
    files = {"a.py": "def ring_bell():\n    return '\x1b]0;owned\x07'\n", "b\x1b[2J.py": "x = 1\n"}
    root = repository(files | {"README.md": "# Bells\n\nRinging a bell makes a sound.\n"})
    indexed = on_terminal("index", "--structure-only", cwd=root)
    assert "\rstructure [" in indexed
    assert indexed.count("\x1b[K") >= 2
    shown = on_terminal("search", "how to ring a bell", "--content", cwd=root)
    assert shown.index("Bells") < shown.index("\x1b[35ma.py\x1b[0m:1-2  \x1b[1mring_bell")
    name = "\x1b[1;31mring\x1b[0m\x1b[1m_\x1b[0m\x1b[1;31mbell\x1b[0m"
    assert f"\x1b[34mdef\x1b[0m {name}():" in shown
    assert "'\\x1b]0;owned\\x07'" in shown
    assert "b\\x1b[2J.py" in on_terminal("files", cwd=root)
    plain = on_terminal("search", "ring a bell", cwd=root, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "a.py:1-2  ring_bell" in plain


def failing_with(error: Exception) -> LazyGroup:
    @click.command()
    def break_() -> NoReturn:
        raise error

    class Broken(LazyGroup):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
            return break_

    return Broken("codeindex")


def test_a_failure_is_one_line_and_the_status_of_its_class() -> None:
    done = CliRunner().invoke(failing_with(StoreError("The disk is full:\nmake room.")), ["x"])
    assert done.exit_code == StoreError.exit_code == 2
    assert done.stderr == "codeindex: The disk is full:\\nmake room.\n"


def test_a_bug_is_a_sentence_and_a_traceback_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bug = failing_with(ZeroDivisionError("division by zero"))
    done = CliRunner().invoke(bug, ["x"])
    assert done.exit_code == 2
    assert done.stderr.startswith("codeindex: unexpected ZeroDivisionError: division by zero.")
    monkeypatch.setenv("CODEINDEX_DEBUG", "1")
    assert isinstance(CliRunner().invoke(bug, ["x"]).exception, ZeroDivisionError)


CLOSED = "import os, sys; os.close(int(sys.argv.pop(1))); os.execv(sys.executable, sys.argv[1:])"
"""A program that starts another one without one of its streams."""


def without(stream: int, *words: str, cwd: Path) -> tuple[int, bytes, bytes]:
    line = [sys.executable, "-c", CLOSED, str(stream), *COMMAND, *words]
    done = subprocess.run(line, cwd=cwd, capture_output=True, input=b"", check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="streams as POSIX numbers them")
def test_a_closed_stream_is_no_bug_of_ours(repository: Callable[..., Path]) -> None:
    root = repository(many(1))
    status, _, said = without(1, "search", "order", cwd=root)
    assert (status, said.count(b"\n")) == (2, 1)
    assert b"standard output is closed" in said
    assert without(1, "hook", "pre-read", cwd=root)[0] == 0
    for stream in (0, 2):
        assert without(stream, "search", "order", cwd=root)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux keeps them")
@pytest.mark.parametrize("spare", [3_900_000, 8_000_000])
def test_too_little_memory_is_named_as_the_cause(
    repository: Callable[..., Path], spare: int
) -> None:
    root = repository(many(1))
    program = (
        "import resource, sys; from codeindex.__main__ import main; import codeindex.api.index;"
        "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize();"
        "resource.setrlimit(resource.RLIMIT_AS, (size + int(sys.argv.pop(1)),) * 2);"
        "main()"
    )
    line = [sys.executable, "-P", "-c", program, str(spare), "search", "order"]
    done = subprocess.run(line, cwd=root, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"not enough memory" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_relative_data_folder_is_refused(repository: Callable[..., Path]) -> None:
    root = repository(many(1))
    status, _, said = finished("index", ".", cwd=root, CODEINDEX_HOME="data")
    assert status == 2
    assert said.startswith(b"codeindex: CODEINDEX_HOME is 'data'")
    assert not (root / "data").exists()


@POSIX
@pytest.mark.parametrize("home", ["/tmp/" + "y" * 300, "/tmp/" + "y/" * 3000])
def test_a_data_folder_whose_path_is_too_long_is_refused(tmp_path: Path, home: str) -> None:
    for words in (("search", "x"), ("index", "."), ("doctor",)):
        status, _, said = finished(*words, cwd=tmp_path, CODEINDEX_HOME=home)
        assert status == 2
        assert said.startswith(b"codeindex: CODEINDEX_HOME is a path that is too long")


@POSIX
def test_a_current_folder_that_was_deleted_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    script = f"rmdir '{folder}'; exec '{sys.executable}' -m codeindex \"$@\""
    for words in (("doctor",), ("search", "x"), ("status",), ("for-diff",)):
        done = subprocess.run(
            ["sh", "-c", script, "sh", *words], cwd=folder, capture_output=True, check=False
        )
        folder.mkdir()
        assert done.returncode == 2
        assert done.stderr.startswith(b"codeindex: There is no file or folder '.'")

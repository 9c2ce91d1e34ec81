"""What a session is remembered by: several writers, odd ids, bounds."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.store import sessions
from codeindex.store.sessions import SessionNote, open_session


def test_notes_come_newest_first_once_each_and_by_repository(tmp_path: Path) -> None:
    session = open_session(tmp_path, "s")
    session.note("query", "retry")
    session.note("read", "a.py", "b.py", repository="1")
    session.note("read", "a.py", repository="2")
    session.note("read", "a.py", repository="1")
    assert session.seen() == (
        SessionNote("read", "a.py", "1"),
        SessionNote("read", "a.py", "2"),
        SessionNote("read", "b.py", "1"),
        SessionNote("query", "retry", ""),
    )
    assert [one.text for one in session.seen(repository="1")] == ["a.py", "b.py"]


def test_what_was_forgotten_is_not_seen(tmp_path: Path) -> None:
    session = open_session(tmp_path, "s")
    session.note("read", "a.py")
    session.note("forgotten", "")
    session.note("read", "b.py")
    assert session.seen() == (SessionNote("read", "b.py", ""),)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX systems")
def test_the_memory_is_private(tmp_path: Path) -> None:
    session = open_session(tmp_path, "s")
    session.note("query", "retry")
    assert session.path is not None
    assert stat.S_IMODE(session.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(session.folder.stat().st_mode) == 0o700


@given(st.text())
def test_any_id_is_one_file_in_the_folder(text: str) -> None:
    path = open_session(Path("/data"), text).path
    assert (path is None) == (text == "")
    if path is not None:
        assert path.parent == Path("/data/sessions")
        assert path.name.isascii()
        assert len(path.name) < 100


def test_ids_that_are_no_names_stay_apart(tmp_path: Path) -> None:
    ids = ["../../x", "..", "x/y", "x\0y", "é", "a" * 65, "a.b", "\ud800"]
    for one in ids:
        open_session(tmp_path, one).note("query", one.encode(errors="replace").decode())
    assert len(list((tmp_path / "sessions").iterdir())) == len(ids)
    assert [len(open_session(tmp_path, one).seen()) for one in ids] == [1] * len(ids)
    assert [one.name for one in tmp_path.iterdir()] == ["sessions"]


@given(st.lists(st.text(), max_size=5))
def test_any_text_comes_back_but_for_its_length(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    session = open_session(tmp_path_factory.mktemp("home"), "s")
    session.note("query", *texts)
    assert {one.text for one in session.seen()} == {text[:1000] for text in texts}


def test_lines_of_others_and_halves_are_passed_over(tmp_path: Path) -> None:
    session = open_session(tmp_path, "s")
    session.note("query", "one")
    assert session.path is not None
    with session.path.open("ab") as file:
        file.write(b'\xff\xfe\n["read", "a"\n{}\n7\n["a"]\n\n')
    session.note("query", "two")
    assert [one.text for one in session.seen()] == ["two", "one"]


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    session = open_session(tmp_path, "s")
    session.folder.mkdir()
    assert session.path is not None
    session.path.symlink_to(tmp_path / "target")
    session.note("query", "x")
    assert not (tmp_path / "target").exists()


def test_what_cannot_be_written_or_read_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way", encoding="utf-8")
    session = open_session(tmp_path, "s")
    session.note("query", "x")
    assert session.seen() == ()


def test_a_file_that_grows_too_large_keeps_its_newer_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_MOST_BYTES", 1000)
    session = open_session(tmp_path, "s")
    for number in range(200):
        session.note("query", f"question {number}")
    assert session.path is not None
    assert session.path.stat().st_size <= 1000
    texts = [one.text for one in session.seen()]
    assert texts == [f"question {199 - n}" for n in range(len(texts))]
    assert len(texts) > 10


def test_old_sessions_and_too_many_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_MOST_FILES", 5)
    for number in range(8):
        open_session(tmp_path, f"s{number}").note("query", "x")
        path = tmp_path / "sessions" / f"s{number}.jsonl"
        at = path.stat().st_mtime - 100 + number
        os.utime(path, (at, at))
    names = {path.stem for path in (tmp_path / "sessions").iterdir()}
    assert names == {"s3", "s4", "s5", "s6", "s7"}
    for path in (tmp_path / "sessions").iterdir():
        os.utime(path, (0, 0))
    open_session(tmp_path, "new").note("query", "x")
    assert {path.stem for path in (tmp_path / "sessions").iterdir()} == {"new"}


def test_several_processes_append_whole_lines(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from codeindex.store.sessions import open_session\n"
        "session = open_session(Path(sys.argv[1]), 's')\n"
        "for n in range(100): session.note('query', f'{sys.argv[2]} {n}')"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in ("a", "b")
    ]
    assert [one.wait(60) for one in running] == [0, 0]
    texts = {one.text for one in open_session(tmp_path, "s").seen()}
    assert texts == {f"{name} {n}" for name in ("a", "b") for n in range(100)}

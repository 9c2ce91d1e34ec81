"""Every line that says something: of the library, the command line and the server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.errors import QueryError
from codeindex.ingest.sync import refresh
from codeindex.search.exact import matchers as matching
from codeindex.search.exact.lines import GrepLine
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.types import Filters
from tests.conftest import Repository
from tests.flow.asking import call
from tests.flow.sites import indexed_repository

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ0123"
BUNDLE = "var needle=1;" + "a=b;" * 4_000
FILES: dict[str, str | bytes] = {
    "a/unix.py": "needle = 1\n\n\ndef use():\n    return needle + Needle\n",
    "a/windows.py": b"first = 1\r\nneedle = 2\r\nlast = 3\r\n",
    "a/no_end.py": "x = 1\nneedle",
    "a/mac.txt": b"one\rneedle two\rthree\r",
    "a/wide.txt": "\ufeffneedle wide\nother\n".encode("utf-16-le"),
    "a/latin.py": "# caf\u00e9 needle\n".encode("latin-1"),
    "a/upper.txt": "CAF\u00c9 needles \u212aelvin\n",
    "a/long.txt": "start\n" + "x" * 30_000 + "needle" + "y" * 30_000 + "\nend\n",
    "b/near.txt": "".join(f"{n} {'hit' if n in {4, 6, 12} else 'miss'}\n" for n in range(1, 15)),
    "b/keys.py": f'needle_token = "{SECRET}"\n',
    "b/bundle.js": BUNDLE + f'\nvar token = "{SECRET}";\n',
    "b/empty.py": "",
    "b/large.txt": "needle\n" * 300_000,
    "b/data.bin.txt": b"needle\0\1\2",
    "tests/test_use.py": "needle\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("exact") / "shop"
    with indexed_repository(root, FILES):
        yield root


@pytest.fixture(scope="module")
def index(root: Path) -> Iterator[Index]:
    with Index.open(root) as opened:
        yield opened


def places(index: Index, query: str, **asked: Any) -> list[str]:
    return [f"{one.path}:{one.line}" for one in index.exact.grep(query, **asked).lines]


NOT_SEARCHED = {
    "larger than `limits.max_file_kb`": 1,
    "binary": 1,
    "in part: secrets are replaced": 1,
}


def test_indexed_files_with_text_outside_the_index_are_counted(repository: Repository) -> None:
    shown = {"output_type": "stream", "name": "stdout", "text": ["zqzq\n"]}
    cell = {"cell_type": "code", "metadata": {}, "source": ["x = 1\n"], "outputs": [shown]}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    files = {"n.ipynb": json.dumps(notebook), "k.py": 'password = "Vy7kq-Qw92xz"\n'}
    reasons = {
        "in part: secrets are replaced": 1,
        "in part: outputs of notebooks are not read": 1,
    }
    with Index.open(repository(files)) as index:
        index.sync()
        for text in ("zqzq", "Vy7kq-Qw92xz"):
            found = index.exact.grep(text)
            assert (found.total_count, found.not_searched) == (0, reasons)
        absence = index.search("zqzq").absence
        assert absence is not None
        assert absence.not_searched == reasons
        python = index.exact.grep("zqzq", filters=Filters(languages=("python",)))
        assert python.not_searched == {"in part: secrets are replaced": 1}


def test_every_line_is_found_however_its_file_is_written(index: Index) -> None:
    found = index.exact.grep("needle")
    assert [f"{one.path}:{one.line}" for one in found.lines] == [
        *("a/latin.py:1", "a/long.txt:2", "a/mac.txt:2", "a/no_end.py:2", "a/unix.py:1"),
        *("a/unix.py:5", "a/upper.txt:1", "a/wide.txt:1", "a/windows.py:2"),
        *("b/bundle.js:1", "b/keys.py:1", "tests/test_use.py:1"),
    ]
    assert {one.path: one.text for one in found.lines}["a/windows.py"] == "needle = 2"
    assert found.total_count == 12
    assert found.counts["a/unix.py"] == 2
    assert found.not_searched == NOT_SEARCHED


def test_the_same_lines_as_grep_has(index: Index, root: Path) -> None:
    """Of files that both take for text, and whose lines both end alike."""
    alike = ("a/unix.py", "a/no_end.py", "b/near.txt", "tests/test_use.py")
    for pattern, mode in (("needle", "exact"), ("hit|x", "regex"), ("^$", "regex"), (" ", "exact")):
        flag = "-F" if mode == "exact" else "-E"
        said = ["grep", "-nH", flag, "-e", pattern, *alike]
        done = subprocess.run(said, cwd=root, capture_output=True, text=True, check=True)
        asked: Any = {"mode": mode, "filters": Filters(paths=alike)}
        found = index.exact.grep(pattern, **asked).lines
        lines = {f"{one.path}:{one.line}:{one.text}" for one in found}
        assert lines == set(done.stdout.splitlines())


def test_case_and_words_are_as_asked(index: Index) -> None:
    assert places(index, "NEEDLE") == []
    assert len(places(index, "NEEDLE", case="ignore")) == 12
    assert len(places(index, "needle", case="smart")) == 12
    assert places(index, "Needle", case="smart") == ["a/unix.py:5"]
    assert places(index, "caf\u00e9", case="ignore") == ["a/latin.py:1", "a/upper.txt:1"]
    assert places(index, "kelvin", case="ignore") == ["a/upper.txt:1"]
    assert "a/upper.txt:1" not in places(index, "needle", whole_words=True)
    assert "b/keys.py:1" not in places(index, r"need\w\w", mode="regex", whole_words=True)


def test_regular_expressions_see_one_line_at_a_time(index: Index) -> None:
    assert places(index, r"^needle = \d$", mode="regex") == ["a/unix.py:1", "a/windows.py:2"]
    assert places(index, r"1\s+def", mode="regex") == []
    assert places(index, r"(?s)first.*needle", mode="regex") == []
    assert places(index, r"\Aneedle\Z", mode="regex") == ["a/no_end.py:2", "tests/test_use.py:1"]


def test_a_secret_is_neither_shown_nor_found(index: Index) -> None:
    assert places(index, SECRET[4:20]) == []
    assert places(index, "ghp_", case="ignore") == []
    assert places(index, f'needle_token = "{SECRET}"') == ["b/keys.py:1"]
    found = index.exact.grep("[REDACTED]")
    assert [one.path for one in found.lines] == ["b/bundle.js", "b/keys.py"]
    assert SECRET not in str(found.as_dict())
    assert SECRET not in index.exact.grep(f'needle_token = "{SECRET}"').query


def test_context_is_shown_once(index: Index) -> None:
    found = index.exact.grep("hit", before=2, after=1)
    assert [one.line for one in found.lines] == [2, 3, 4, 5, 6, 7, 10, 11, 12, 13]
    assert [one.line for one in found.matches] == [4, 6, 12]
    assert index.exact.grep("12 hit", after=9).lines[-1].line == 14


def test_a_limit_cuts_the_list_and_not_the_counts(index: Index) -> None:
    whole, cursor = index.exact.grep("needle"), ""
    shown: list[GrepLine] = []
    while len(shown) < whole.total_count:
        page = index.exact.grep("needle", limit=5, cursor=cursor)
        assert (page.total_count, page.counts) == (whole.total_count, whole.counts)
        shown += page.lines
        cursor = page.cursor or ""
    assert tuple(shown) == whole.lines
    assert not cursor


def test_filters_leave_files_out_of_the_counts(index: Index) -> None:
    assert index.exact.grep("needle", filters=Filters(paths=("tests",))).total_count == 1
    assert index.exact.grep("needle", tests="exclude").total_count == 11
    assert index.exact.grep("needle", filters=Filters(globs=("*.js",))).paths == ("b/bundle.js",)
    of_language = index.exact.grep("needle", filters=Filters(languages=("python",)))
    assert of_language.not_searched == {"in part: secrets are replaced": 1}
    others = index.exact.grep("needle", filters=Filters(languages=("!python",)))
    assert others.not_searched == {"larger than `limits.max_file_kb`": 1, "binary": 1}
    kept = index.exact.grep("needle", filters=Filters(globs=("*.py",)))
    assert kept.not_searched == {"in part: secrets are replaced": 1}
    with pytest.raises(QueryError, match="cannot be filtered by kind"):
        index.exact.grep("needle", filters=Filters(kinds=("function",)))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"limit": -1}, "limit is -1"),
        ({"before": "2"}, "before is '2'"),
        ({"cursor": 5}, "cursor is 5"),
        ({"cursor": "zzz"}, "cursor is invalid"),
        ({"query": ()}, "No pattern"),
        ({"query": 7}, "query is 7"),
        ({"query": ("a", 7)}, "query is "),
        ({"query": "(", "mode": "regex"}, "cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    index: Index, asked: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(QueryError, match=sentence):
        index.exact.grep(**{"query": "needle"} | asked)


def test_a_pattern_that_takes_years_ends_in_a_sentence(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "MOST_SECONDS", 1.0)
    with pytest.raises(QueryError, match="takes over 1 s: avoid"):
        index.exact.grep("(x+x+)+!", mode="regex")
    monkeypatch.undo()
    assert len(places(index, "needl[e]", mode="regex")) == 12


def test_what_changed_is_read_first(home: Path, repository: Any) -> None:
    assert not home.exists()
    root = repository({"a.py": "needle = 1\n", "b.py": "needle = 2\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "a.py").write_text("\n\nneedle = 3\n")
        (root / "b.py").unlink()
        (root / "c.py").write_text("needle = 4\n")
        found = index.exact.grep("needle")
        assert [(one.path, one.line, one.text) for one in found.lines] == [
            ("a.py", 3, "needle = 3"),
            ("c.py", 1, "needle = 4"),
        ]
        assert set(found.refreshed.read) == {"a.py", "b.py", "c.py"}


def test_while_another_writes_what_changed_is_read_all_the_same(
    home: Path, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setattr(refresh, "_READING_WAIT_SECONDS", 0.0)
    root = repository({"a.py": "needle = 1\n", "b.py": "needle = 2\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "a.py").write_text(f'\nneedle_token = "{SECRET}"\n')
        (root / "new.py").write_text("needle = 4\n")
        (root / "binary.py").write_bytes(b"needle\0")
        with writer_lock(index.repository.folder):
            found = index.exact.grep("needle", before=1)
            assert [(one.path, one.line) for one in found.matches] == [
                *(("a.py", 2), ("b.py", 1), ("new.py", 1)),
            ]
            assert SECRET not in str(found.as_dict())
            assert found.unread == ("binary.py",)
            assert index.refreshed().unread == ("binary.py",)


def run(root: Path, monkeypatch: pytest.MonkeyPatch, *words: str, status: int = 0) -> Result:
    monkeypatch.chdir(root)
    done = CliRunner().invoke(main, ["search", *words])
    assert done.exit_code == status, done.output
    return done


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (("-F", "needle", "a/unix.py"),
         ["a/unix.py:1:needle = 1", "a/unix.py:5:    return needle + Needle"]),
        (("--all", "NEEDLE =", "a"), ["a/unix.py:1:needle = 1", "a/windows.py:2:needle = 2"]),
        (("-e", r"^needle = \d", "-e", "^last", "a"),
         ["a/unix.py:1:needle = 1", "a/windows.py:2:needle = 2", "a/windows.py:3:last = 3"]),
        (("-F", "-e", "= 2", "a"), ["a/windows.py:2:needle = 2"]),
        (("-F", "-i", "-o", "NEEDLE", "a/unix.py"),
         ["a/unix.py:1:needle", "a/unix.py:5:needle", "a/unix.py:5:Needle"]),
        (("-F", "-w", "hit", "-C", "1", "b"),
         ["b/near.txt-3-3 miss", "b/near.txt:4:4 hit", "b/near.txt-5-5 miss", "b/near.txt:6:6 hit",
          "b/near.txt-7-7 miss", "--", "b/near.txt-11-11 miss", "b/near.txt:12:12 hit",
          "b/near.txt-13-13 miss"]),
        (("-F", "-c", "needle", "a/unix.py", "tests"), ["a/unix.py:2", "tests/test_use.py:1"]),
        (("-F", "-l", "needle", "-t", "py", "-g", "!a/*"), ["b/keys.py", "tests/test_use.py"]),
        (("-F", "-l", "--limit", "1", "needle", "a"), ["a/latin.py"]),
        (("-F", "-l", "-m", "1", "needle", "a/unix.py", "tests"),
         ["a/unix.py", "tests/test_use.py"]),
        (("-F", "-c", "-m", "1", "needle", "a/unix.py"), ["a/unix.py:1"]),
        (("-F", "-m", "1", "needle", "a/unix.py", "tests"),
         ["a/unix.py:1:needle = 1", "tests/test_use.py:1:needle"]),
        (("-F", "-0", "needle", "tests"), ["tests/test_use.py\x001:needle"]),
        (("-F", "--columns", "needle", "tests"), ["tests/test_use.py\t1\tneedle"]),
        (("-F", "--heading", "needle", "tests", "a/unix.py"),
         ["a/unix.py", "1:needle = 1", "5:    return needle + Needle", "",
          "tests/test_use.py", "1:needle"]),
        (("-F", "--color", "always", "= 1", "a/unix.py"),
         ["\x1b[35ma/unix.py\x1b[0m:\x1b[32m1\x1b[0m:needle \x1b[1;31m= 1\x1b[0m"]),
        (("-F", "--budget", "200", "needle", "tests"), ["tests/test_use.py:1:needle"]),
    ],
)  # fmt: skip
def test_lines_are_printed_as_grep_prints_them(
    root: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], lines: list[str]
) -> None:
    assert run(root, monkeypatch, *words).stdout.rstrip("\n").split("\n") == lines


def test_the_command_line_counts_lines_that_are_not_shown(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(root, monkeypatch, "-F", "needle", "--limit", "2")
    assert len(done.stdout.splitlines()) == 2
    assert "2 of 12 lines in 11 files are shown: go on with --cursor " in done.stderr
    assert "not searched: larger than `limits.max_file_kb` (1), binary (1)" in done.stderr
    of_python = run(root, monkeypatch, "-F", "needle", "-t", "python").stderr
    assert "not searched: in part: secrets are replaced (1) (" in of_python
    cursor = done.stderr.split("--cursor ")[1].split()[0]
    assert len(run(root, monkeypatch, "-F", "needle", "--cursor", cursor).stdout.splitlines()) == 10
    none = run(root, monkeypatch, "-F", "nowhere", status=1)
    assert (none.stdout, none.stderr.splitlines()[0]) == ("", "0 lines in 0 of 13 files")
    none = run(root, monkeypatch, "-F", "needle", "-g", "a{b,c}/*", status=1)
    assert none.stderr.startswith(
        "No file was searched: none is indexed, or none passes the filters."
    )
    broken = run(root, monkeypatch, "-F", "needle", "-g", "a{b,{c", status=2)
    assert broken.stderr.startswith("codeindex: The glob 'a{b,{c' is invalid: a '{' has no '}'")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-m", "1"), "-m 1 leaves out 1 more line in 1 file"),
        (("-c", "-m", "1"), "-m 1: not counted are 1 more line in 1 file"),
        (("-l", "--limit", "2"), "2 of 11 files are shown: --limit"),
        (("-c", "--limit", "2"), "2 of 11 files are shown: --limit"),
    ],
)
def test_whatever_cuts_a_list_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in run(root, monkeypatch, "-F", "needle", *words).stderr


def test_lines_of_each_file_and_of_all_can_be_limited_at_once(root: Path) -> None:
    with Index.open(root) as index:
        found = index.exact.grep("needle", per_file=1, limit=2)
        assert len({one.path for one in found.lines}) == len(found.lines) == 2
        rest = index.exact.grep("needle", per_file=1, cursor=found.cursor or "")
        assert not rest.has_more
        assert [one.path for one in (*found.lines, *rest.lines)] == sorted(found.counts)
        assert (found.total_count, found.held_back) == (12, {"a/unix.py": 1})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-e", "("), "cannot be read"),
        (("-F", "x", "-m", "0"), "-m is 0"),
        (("-F", "x", "--limit", "0"), "--limit is 0"),
        (("-F", "x", "-k", "class"), "--kind cannot be combined"),
        (("-F", "x", "-q", "y"), "--also cannot be combined"),
        (("-F", ""), "The pattern is empty"),
    ],
)
def test_unsupported_options_are_refused_with_a_sentence(
    root: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in run(root, monkeypatch, *words, status=2).stderr


def test_json_has_the_counts_and_every_line(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(run(root, monkeypatch, "-F", "Needle", "--json").stdout)
    assert (found["total_count"], found["total_files"], found["has_more"]) == (1, 1, False)
    (file,) = found["results"]
    assert (file["file_path"], file["count"]) == ("a/unix.py", 1)
    line = {
        "line": 5,
        "content": "    return needle + Needle",
        "is_match": True,
        "spans": [[20, 26]],
    }
    assert file["lines"] == [line]
    (said,) = run(root, monkeypatch, "-F", "Needle", "--jsonl").stdout.splitlines()
    assert json.loads(said) == {"repo": "shop", "file_path": "a/unix.py", **line}


def test_repositories_are_asked_by_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(root, monkeypatch, "-F", "needle", "tests", "--repo", "shop")
    assert done.stdout == "tests/test_use.py:1:needle\n"


def test_agents_get_lines_and_the_counts_of_all(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"query": "needle", "mode": "exact", "path": "a"}
    found = call(root, "search_code", asked)
    assert "a/no_end.py:2:needle" in found["lines"]
    assert (found["total_count"], found["total_files"]) == (9, 8)
    assert max(map(len, found["lines"])) < 300
    printed = run(root, monkeypatch, "-F", "needle", "a", "--budget", "1000", "--json")
    assert json.loads(printed.stdout) == found
    some = call(root, "search_code", {**asked, "budget": 120})
    assert some["truncated"]
    assert some["total_count"] == 9 == len(some["lines"]) + sum(some["more"].values())
    rest = call(root, "search_code", {**asked, "cursor": some["cursor"]})
    assert some["lines"] + rest["lines"] == found["lines"]
    regex = call(root, "search_code", {**asked, "mode": "regex", "query": r"^needle = \d$"})
    assert regex["lines"] == ["a/unix.py:1:needle = 1", "a/windows.py:2:needle = 2"]
    assert "cannot be read" in call(root, "search_code", {**asked, "mode": "regex", "query": "("})
    assert "mode regex" in call(root, "search_code", {**asked, "query": r"needle = \d"})["hint"]


def test_who_may_not_see_all_is_shown_code_before_documents_and_tests(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = call(root, "search_code", {"query": "needle", "mode": "exact"})["lines"]
    kinds = ["tests/" in one or one.split(":")[0].endswith(".md") for one in lines]
    assert True in kinds
    assert kinds == sorted(kinds)
    by_path = run(root, monkeypatch, "-F", "needle").stdout.splitlines()
    assert [one.split(":")[0] for one in by_path] == sorted(one.split(":")[0] for one in by_path)


def test_the_command_line_names_places_where_a_text_stands_in_parts(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert not home.exists()
    code = 'def warn():\n    log("parcels are too "\n        "many to carry")\n'
    root = repository({"van.py": code, "a.yml": "shop:\n  van:\n    size: 3\n"})
    message = run(root, monkeypatch, "-F", "parcels are too many", status=1)
    key = run(root, monkeypatch, "--all", "van.size", status=1)
    place = 'split over lines: van.py:2 warn: log("parcels are too "\n'
    assert place in message.stderr
    assert place in run(root, monkeypatch, "--all", "Parcels are too Many", status=1).stderr
    as_written = run(root, monkeypatch, "-F", "Parcels are too many", status=1)
    assert "split over lines" not in as_written.stderr
    assert "nested keys: a.yml:3: size: 3\n" in key.stderr

"""The files that are likeliest to answer a question, by their bytes and paths alone."""

import sys
from pathlib import Path

import pytest

from codeindex.search.likely_files import choose_likely_files
from codeindex.types import Filters, SourceFile

OTHERS = {f"src/other_{n}.py": "def other(value):\n    return value\n" for n in range(20)}


def chosen(root: Path, files: dict[str, str], question: str, filters: Filters) -> list[str]:
    """Write files, and return the paths that are chosen for a question."""
    found = []
    for path, text in sorted((files | OTHERS).items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        is_test = path.startswith("tests/")
        found.append(SourceFile(path, "python", len(text), 0, 0, is_test=is_test))
    return [file.path for file in choose_likely_files(root, found, question, filters)]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("thread pool", "class ThreadPool: ...\n"),
        ("threadpool", "thread_pool = 1\n"),
        ("retried requests", "def RETRY_REQUEST(): ...\n"),
        ("which queries are slow", "slowest_query = 1\n"),
        ("log", "logFile = open('x')\n"),
        ("größe", "größe = 1\n"),
    ],
)
def test_words_are_found_in_any_spelling(tmp_path: Path, question: str, text: str) -> None:
    assert chosen(tmp_path, {"src/a.py": text}, question, Filters()) == ["src/a.py"]


def test_a_short_word_is_not_found_inside_others(tmp_path: Path) -> None:
    assert chosen(tmp_path, {"src/a.py": "catalog = dialogs = 1\n"}, "log", Filters()) == []


def test_paths_count_more_than_texts_and_tests_less(tmp_path: Path) -> None:
    text = "def cache(): ...\n"
    files = {"src/a.py": text, "src/cache.py": text, "tests/test_a.py": text}
    order = ["src/cache.py", "src/a.py", "tests/test_a.py"]
    assert chosen(tmp_path, files, "cache", Filters()) == order


def test_only_files_that_pass_the_filters_are_chosen(tmp_path: Path) -> None:
    files = {"src/a.py": "cache = 1\n", "web/a.py": "cache = 1\n", "tests/a.py": "cache = 1\n"}
    assert chosen(tmp_path, files, "cache", Filters(paths=("web",))) == ["web/a.py"]
    assert chosen(tmp_path, files, "cache", Filters(tests="only")) == ["tests/a.py"]
    assert chosen(tmp_path, files, "cache", Filters(globs=("*.js",))) == []


def test_number_and_size_are_limited(tmp_path: Path) -> None:
    many = {f"src/cache_{n}.py": "cache = 1\n" for n in range(100)}
    assert len(chosen(tmp_path, many, "cache", Filters())) == 60
    large = {f"big/{n}.py": "cache = 1\n" * 30_000 for n in range(8)}
    paths = chosen(tmp_path, large | many, "cache", Filters(paths=("big",)))
    assert 5 <= len(paths) < 8


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_links_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("cache = 1\n", encoding="utf-8")
    root = tmp_path / "root"
    root.mkdir()
    (root / "linked.py").symlink_to(outside)
    file = SourceFile("linked.py", "python", 10, 0, 0)
    assert choose_likely_files(root, [file], "cache", Filters()) == ()

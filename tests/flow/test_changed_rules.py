"""Settings that change together with files: what changed is read before anything is claimed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from codeindex import Index
from codeindex.api import freshness
from codeindex.errors import ConfigError, QueryError
from tests.conftest import made_repository, own_data

CODE = "def charge(card):\n    return bool(card)\n"
SECRET = "password = 'hR8kd92nfKq2'\n"
MODULES = "code-index:\n  modules:\n    shop: {description: sells}\n"


def indexed(root: Path) -> Path:
    made_repository(root, {"pay.py": CODE, "conf.py": SECRET, "b.py": "B = 1\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """An indexed repository with data and settings of its own."""
    with own_data(tmp_path):
        yield indexed(tmp_path / "two")


def run(cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "codeindex", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def write_settings(tmp_path: Path, **settings: Any) -> None:
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "config.yaml").write_text(yaml.safe_dump(settings))


def test_a_pardon_in_one_repository_hides_no_change_of_another(root: Path) -> None:
    one, two = indexed(root.parent / "one"), root
    found = json.loads(run(one, "secrets", "list", "--json").stdout)
    fingerprint = found["secrets"][0]["fingerprint"]
    assert run(one, "secrets", "ignore", fingerprint).returncode == 0
    with (two / "pay.py").open("a") as file:
        file.write("zqzq = charge(1)\n")
    searched = run(two, "search", "zqzq")
    assert (searched.returncode, searched.stdout.split(":")[:2]) == (0, ["pay.py", "3"])
    assert "pay.py:3" in run(two, "for-diff").stdout + run(two, "callers", "charge").stdout


@pytest.mark.parametrize("rules", ["repository", "user"])
def test_an_open_index_reads_new_settings_and_changed_files(
    root: Path, tmp_path: Path, rules: str
) -> None:
    with Index.open(root) as index:
        assert index.search("zqzq").absence
        if rules == "repository":
            (index.root / ".ai-devtools.yaml").write_text(MODULES)
        else:
            write_settings(tmp_path, exclude=["b.py"])
        (index.root / "pay.py").write_text(f"{CODE}zqzq = charge(1)\n")
        assert index.search("zqzq").hits[0].path == "pay.py"
        assert [one.file for one in index.graph.callers("charge").callers] == ["pay.py"]
        assert index.search("nonesuch").absence
        assert ("b.py" in index.files()) is (rules == "repository")


def test_settings_alone_are_applied_before_an_answer(root: Path, tmp_path: Path) -> None:
    with Index.open(root) as index:
        assert index.symbols.lookup("B").total
        write_settings(tmp_path, exclude=["b.py"])
        assert not index.symbols.lookup("B").total


def test_settings_that_select_files_do_not_read_the_others_again(
    root: Path, tmp_path: Path
) -> None:
    def synced() -> tuple[int, int, int]:
        with Index.open(root) as index:
            report = index.sync(structure_only=True)
        return report.added, report.changed, report.removed

    write_settings(tmp_path, exclude=["b.py"], limits={"max_file_kb": 100})
    assert synced() == (0, 0, 1)
    write_settings(tmp_path, secrets={"ignore": ["conf.py"]})
    assert synced() == (1, 1, 0)  # b.py is back, and the file with secrets is read again
    write_settings(tmp_path, modules={"none": {"description": "no module"}})
    assert synced() == (0, 3, 0)


def test_settings_that_cannot_be_read_are_an_error_and_no_answer(
    root: Path, tmp_path: Path
) -> None:
    with Index.open(root) as index:
        write_settings(tmp_path, exclude=7)
        with pytest.raises(ConfigError, match="exclude"):
            index.search("charge")


def test_a_file_that_was_read_under_rules_of_a_moment_is_read_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = {"moved": (), "most": 1, "related": True}
    monkeypatch.setattr(freshness.Freshness.index_paths, "__kwdefaults__", defaults)
    with Index.open(root) as index:
        modules = {"none": {"description": "no module"}}
        write_settings(tmp_path, secrets={"ignore": ["conf.py"]}, modules=modules)
        (index.root / "conf.py").write_text(f"{SECRET}zqzq = 1\n")
        answer = index.search("zqzq")
        assert "hR8kd92nfKq2" in answer.hits[0].text
        assert answer.as_dict()["meta"]["outdated"]
        assert not index.search("nonesuch").absence
        asked = "".join(index.answers.ask("What is nonesuch?").text())
        assert asked.startswith("Not found in the files as they were read. The settings")
        assert [note.partition(":")[0] for note in index.status().notes] == [
            "The settings or codeindex have changed since the files were indexed"
        ]
        write_settings(tmp_path)
        index.sync(structure_only=True)
        assert "hR8kd92nfKq2" not in index.search("zqzq").hits[0].text


def test_text_that_was_redacted_by_former_rules_is_redacted_again_where_it_is_shown(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = {"moved": (), "most": 1, "related": True}
    monkeypatch.setattr(freshness.Freshness.index_paths, "__kwdefaults__", defaults)
    (root / "doc.py").write_text('def quaint(key="K-4711-zq"):\n    """Say K-4711-zq."""\n')
    (root / "doc.md").write_text("# About K-4711-zq\n\nThe quaint text.\n")
    with Index.open(root) as index:
        index.sync(structure_only=True)

        def shown() -> str:
            found = index.combined.search_relevant("quaint")
            hits = index.search("quaint").hits
            outlines = [index.searcher.outline(hit) for hit in hits]
            lines = index.exact.grep("quaint|4711", mode="regex").lines
            return f"{found}{hits}{outlines}{lines}{index.symbols.lookup('quaint')}"

        assert shown().count("K-4711-zq") > 5
        write_settings(tmp_path, secret_patterns=[{"name": "id", "pattern": r"K-\d+-zq"}])
        assert "K-4711" not in shown()
        assert "quaint text" in shown()
        for name in ("doc.md", "b.py"):  # too many to be read, and so hidden
            (root / name).write_text("other\n")
        assert "K-4711" not in shown()
        assert "quaint text" not in shown()
        assert index.search("quaint").as_dict()["meta"]["outdated"]
        index.sync(structure_only=True)
        assert "K-4711" not in shown()


def test_a_secret_that_only_another_chunk_of_its_file_reveals_is_redacted_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = {"moved": (), "most": 1, "related": True}
    monkeypatch.setattr(freshness.Freshness.index_paths, "__kwdefaults__", defaults)
    (root / "key.py").write_text(
        'def begin():\n    return "BEGIN-zq"\n\n\ndef quaint():\n    return "hush4812"\n\n\n'
        'def end():\n    return "END-zq"\n\n\ndef after():\n    return "hush4812"\n'
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert len(index.exact.grep("hush4812").lines) == 2
        pattern = r"(?s)BEGIN-zq.*?END-zq"
        write_settings(tmp_path, secret_patterns=[{"name": "key", "pattern": pattern}])
        assert [line.line for line in index.exact.grep("hush4812").lines] == [14]
        shown = {hit.symbol: str(hit) for hit in index.search("quaint").hits}
        assert "hush4812" not in shown["quaint"]


def test_of_too_many_changed_files_nothing_is_called_absent_or_unused(
    root: Path,
) -> None:
    for number in range(freshness.MAX_FRESHENED_FILES + 1):
        (root / f"new{number}.py").write_text(f"def added{number}(): ...\n")
    with Index.open(root) as index:
        answer = index.search("added9")
        assert answer.absence is None
        assert not answer.missing_words
        assert answer.message.startswith("201 changed files not read yet")
        with pytest.raises(QueryError, match=r"^201 changed files not read yet.*No symbol"):
            index.graph.callers("added9")
        with pytest.raises(QueryError, match="cannot be found"):
            index.graph.unused()
        asked = index.answers.ask("where is added9 defined").as_dict()
        assert "none of the" not in json.dumps(asked)
        assert "201 changed files" in run(root, "for-diff").stdout
        done = run(root, "ask", "where is added9 defined")
        shown = " ".join(f"{done.stdout} {done.stderr}".split())
        assert shown.count("201 changed files not read yet") == 1
        told = json.loads(run(root, "lookup", "added9", "--json").stdout)["incomplete"]
        assert told[0].startswith("201 changed files")
        index.sync(structure_only=True)
        assert index.search("added9").hits[0].path == "new9.py"

"""`codeindex secrets`: what was taken out, what is none, and what would be taken out."""

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from codeindex.config.edit_yaml import add_list_item
from codeindex.errors import ConfigError
from tests.conftest import Repository

PASSWORD = "hunter2" + "swordf"
TOKEN = "gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345"
FILES = {
    "a.py": f'password = "{PASSWORD}"\n',
    "b/c.yml": f"db:\n  password: {PASSWORD}\n  token: {TOKEN}\n",
    "b/.env": f"TOKEN={TOKEN}\n",
    "plain.py": "x = 1\n",
}


def printed(*words: str, status: int = 0, given: str | None = None) -> str:
    done = CliRunner().invoke(main, words, input=given)
    assert done.exit_code == status, done.output
    assert PASSWORD not in done.output
    assert TOKEN not in done.output
    return done.output


@pytest.fixture
def root(repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync(structure_only=True)
    monkeypatch.chdir(root)
    assert not (home / "fingerprint.key").exists()
    return root


def test_a_secret_has_one_fingerprint_wherever_it_stands(root: Path, home: Path) -> None:
    found = json.loads(printed("secrets", "list", "--json"))
    places = [(one["file"], one["line"], one["kind"]) for one in found["secrets"]]
    assert places == [
        ("a.py", 1, "password"),
        ("b/c.yml", 2, "password"),
        ("b/c.yml", 3, "github_token"),
    ]
    first, second, third = (one["fingerprint"] for one in found["secrets"])
    assert first == second != third
    assert found["files_left_out"] == ["b/.env"]
    assert stat.S_IMODE((home / "fingerprint.key").stat().st_mode) == 0o600
    assert "3 secrets redacted in 2 files" in printed("secrets", "--list")
    assert "2 secrets redacted in 1 file" in printed("secrets", "list", str(root / "b"))


def test_what_the_user_calls_harmless_is_kept_from_the_next_sync_on(root: Path, home: Path) -> None:
    found = json.loads(printed("secrets", "list", "--json"))["secrets"]
    printed("secrets", "ignore", found[0]["fingerprint"], "--reason", "of a test\nserver")
    file = home.parent / "config" / "config.yaml"
    assert file.read_text().endswith("  # of a test server\n")
    with Index.open(root) as index:
        assert index.sync(structure_only=True).changed == 2  # those with secrets, and no other
        assert index.sync(structure_only=True).changed == 0
        assert index.source.read("a.py").sections[0].lines[0][1] == FILES["a.py"].strip()
        left = index.overview.secrets()
        assert [one.kind for one in left.secrets] == ["github_token"]
        assert left.ignored == (f"fingerprint:{found[0]['fingerprint']}",)


def test_where_less_is_called_harmless_every_file_is_read_again(root: Path, home: Path) -> None:
    (found, *_) = json.loads(printed("secrets", "list", "--json"))["secrets"]
    printed("secrets", "ignore", found["fingerprint"])
    with Index.open(root) as index:
        index.sync(structure_only=True)
    (home.parent / "config" / "config.yaml").unlink()
    with Index.open(root) as index:
        assert index.sync(structure_only=True).changed == 3
        assert "[REDACTED]" in index.source.read("a.py").sections[0].lines[0][1]


def test_where_nothing_was_taken_out_nothing_is_read_again(
    repository: Repository, home: Path
) -> None:
    root = repository({"plain.py": "x = 1\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
    printed("secrets", "ignore", "--path", "tests/**")
    with Index.open(root) as index:
        report = index.sync(structure_only=True)
        assert (report.changed, report.version) == (0, 1)
        assert "changed" not in " ".join(one.text for one in index.admin.verify(deep=True).verdicts)
    assert home.exists()


def test_a_fingerprint_that_nothing_has_is_refused(root: Path, home: Path) -> None:
    told = printed("secrets", "ignore", "0123456789abcdef", status=2)
    assert "No indexed secret has the fingerprint 0123456789abcdef: see `codeindex" in told
    assert not (home.parent / "config" / "config.yaml").exists()
    printed("secrets", "ignore", "0123456789abcdef", "--force")
    printed("secrets", "ignore", "0123456789abcdef")  # it is known now
    with Index.open(root) as index:
        assert len(index.overview.secrets().ignored) == 1


@pytest.mark.parametrize("entry", ["**", "a.py:1", "a.py", "fingerprint"])
def test_a_repository_can_call_no_secret_harmless(root: Path, entry: str) -> None:
    found = json.loads(printed("secrets", "list", "--json"))["secrets"]
    if entry == "fingerprint":
        entry = f"fingerprint:{found[0]['fingerprint']}"
    (root / ".ai-devtools.yaml").write_text(f"code-index:\n  secrets:\n    ignore: ['{entry}']\n")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert "[REDACTED]" in index.source.read("a.py").sections[0].lines[0][1]
        assert len(index.overview.secrets().secrets) == 3


def test_a_pattern_of_a_repository_that_takes_too_long_leaves_out_its_files_only(
    root: Path,
) -> None:
    (root / "slow.txt").write_text("x" * 5_000 + "\ny\n")
    (root / ".ai-devtools.yaml").write_text(
        "code-index:\n  secret_patterns: [{name: slow, pattern: '(x+x+)+y'}]\n"
    )
    with Index.open(root) as index:
        report = index.sync(structure_only=True)
        left_out = {one.path: one.reason for one in report.skipped}
        assert "slow.txt" in left_out
        assert left_out["slow.txt"].startswith("The pattern `slow` of `secret_patterns` takes over")


def test_a_file_is_checked_without_an_index(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "x.ini"
    file.write_text(f"[db]\npassword = {PASSWORD}\n")
    assert "password = [REDACTED]" in printed("secrets", "check", str(file), status=1)
    assert printed("secrets", "check", "-", given="x = 1\n") == "x = 1\n"
    assert not (home / "repos").exists()


def test_a_key_that_cannot_be_created_is_a_sentence(root: Path, home: Path) -> None:
    (home / "fingerprint.key").mkdir()
    assert "cannot be created or read" in printed("secrets", "list", status=2)
    assert str(root) not in printed("secrets", "check", str(root / "a.py"), status=2)


@pytest.mark.parametrize("words", [["nonsense"], [], ["0" * 16, "--path", "*.md"]])
def test_words_that_are_no_fingerprint_are_refused(words: list[str], home: Path) -> None:
    assert "fingerprint" in printed("secrets", "ignore", *words, status=2)
    assert not (home.parent / "config" / "config.yaml").exists()


@pytest.mark.parametrize(
    "before",
    [
        "",
        "# mine\nname: x",
        "secrets:\n  ignore:\n    - a  # why\n    - b\nname: x  # last\n",
        "secrets:\n    ignore:\n    - a\n",
        "name: x\nsecrets:\n  ignore:\n\n  - 'a'\n\n# end\n",
    ],
)
def test_an_entry_is_added_and_all_else_stays(before: str) -> None:
    after = add_list_item(before, ("secrets", "ignore"), "p:1", comment="c", name="f")
    assert '- "p:1"  # c\n' in after
    assert [one for one in before.splitlines() if one not in after.splitlines()] == []
    assert add_list_item(after, ("secrets", "ignore"), "p:1", comment="", name="f") == after


@pytest.mark.parametrize("before", ["secrets: {ignore: [a]}\n", "secrets: 1\n", "a: [\n", "- a\n"])
def test_a_file_that_cannot_be_added_to_is_left_as_it_is(before: str) -> None:
    with pytest.raises(ConfigError, match="f"):
        add_list_item(before, ("secrets", "ignore"), "p:1", comment="", name="f")


def test_a_secret_in_a_name_is_neither_stored_nor_repeated(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / TOKEN
    (root / f"{TOKEN}-2").mkdir(parents=True)
    (root / f"{TOKEN}-2" / "a.py").write_text("def inner(): pass\n")
    (root / f"password={PASSWORD}.py").write_text("def named(): pass\n")
    (root / "b.py").write_text("def outer(): pass\n")
    monkeypatch.chdir(root)
    printed("index", "--structure-only")
    assert "b.py" in printed("search", "outer")
    printed("files")
    printed(TOKEN, status=2)
    stored = b"".join(one.read_bytes() for one in home.rglob("*") if one.is_file())
    stored = stored.replace(str(root).encode(), b"")  # where the index is of has to be known
    assert TOKEN.encode() not in stored
    assert PASSWORD.encode() not in stored
    assert not any(TOKEN in one.name for one in home.rglob("*"))

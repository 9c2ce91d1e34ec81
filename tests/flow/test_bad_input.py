"""Everything that people and disks do to an index: a sentence or a reason, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import psutil
import pytest

from codeindex import Index
from codeindex.errors import (
    CodeIndexError,
    NotIndexedError,
    QueryError,
    RootError,
    ScopeError,
)
from tests.conftest import Repository, made_repository
from tests.flow.sites import install_tiny

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX links, modes or signals")
GOOD = {"good.py": "def quaint():\n    return 'tree'\n"}


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    return home


def reasons(index: Index) -> dict[str, str]:
    return {one.path: one.reason for one in index.skipped()}


def paths(index: Index, query: str = "quaint") -> list[str]:
    return [hit.path for hit in index.search(query).hits]


def run(program: str, *arguments: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [*_without_root(), sys.executable, "-P", "-c", program, *arguments],
        capture_output=True,
        check=False,
        cwd=cwd,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def _without_root() -> list[str]:
    """Take from root what lets it read and write everything."""
    if sys.platform == "win32" or os.getuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("running as root and there is no setpriv: modes stop nobody")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]


# What is asked to be indexed


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("/no/such/folder", RootError, "There is no file or folder"),
        ("nosuchname", ScopeError, "There is no file or folder 'nosuchname' here. No repo"),
        ("~nosuchuser/src", RootError, "There is no file or folder '~nosuchuser/src"),
        ("x" * 5000, CodeIndexError, "."),
        ("./" + "x" * 5000, RootError, "There is no file or folder"),
        ("a\0b", CodeIndexError, "."),
        ("./a\0b", RootError, "There is no file or folder"),
        ("https://example.org/a/b.git", RootError, "is an address, not a folder: clone it"),
        ("git@example.org:a/b.git", RootError, "is an address, not a folder: clone it"),
    ],
)
def test_a_path_that_is_no_folder_is_refused_with_a_sentence(
    path: str, error: type[CodeIndexError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Index.open(path)


@pytest.mark.parametrize("folder", [".git", ".git/hooks", "mirror.git"])
def test_a_folder_of_git_itself_is_refused(repository: Repository, folder: str) -> None:
    root = repository({"a.py": "x = 1\n"})
    bare = root.parent / "mirror.git"
    subprocess.run(["git", "clone", "-q", "--bare", root, bare], check=True)
    path = bare if folder == bare.name else root / folder
    with pytest.raises(RootError, match="is a folder of git itself: name a work tree"):
        Index.open(path)
    with Index.open(path, root=True) as index:
        assert index.root == path


@pytest.mark.skipif(sys.platform != "linux", reason="names that differ in case are two names")
def test_a_path_in_another_case_or_unicode_form_is_offered(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository({"Lib/a.py": "", "Lib/Café/READ.PY": "x = 1\n"})
    monkeypatch.chdir(root)
    for wrong in ("lib/café/read.py", "lib", unicodedata.normalize("NFD", "Lib/Café/READ.PY")):
        right = "Lib/Café/READ.PY"[: len(unicodedata.normalize("NFC", wrong))]
        with pytest.raises(CodeIndexError, match=f"did you mean '{right}'"):
            Index.open(wrong)
        with Index.open(root) as index:
            index.sync(structure_only=True)
            with pytest.raises(QueryError, match=f"did you mean '{right}'"):
                index.source.tree(wrong)


def test_a_file_is_refused_with_the_name_of_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with pytest.raises(RootError, match="is a file: name its folder"):
        Index.open(tmp_path / "a.py")


@POSIX
def test_a_root_that_is_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(RootError, match="There is no file or folder"):
        Index.open(tmp_path / "loop")


def test_nothing_is_found_before_anything_was_indexed(repository: Repository) -> None:
    with Index.open(repository(GOOD)) as index:
        for ask in (lambda: index.search("x"), index.status, index.files, index.graph.networkx):
            with pytest.raises(NotIndexedError, match="is not indexed yet: run `codeindex index"):
                ask()


def test_an_empty_repository_is_an_empty_index_that_can_grow(repository: Repository) -> None:
    root = repository({})
    with Index.open(root) as index:
        assert index.sync().version == 1
        answer = index.search("quaint")
        assert (answer.hits, answer.message) == ((), "No direct matches for 'quaint'.")
        (root / "good.py").write_text(GOOD["good.py"])
        index.sync()
        assert paths(index) == ["good.py"]


def test_an_empty_index_grows_with_a_model_too(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    root = repository({})
    with Index.open(root) as index:
        index.sync()
        (root / "good.py").write_text(GOOD["good.py"])
        assert index.sync(structure_only=True).added == 1
        assert paths(index) == ["good.py"]


def test_a_repository_without_commits_is_indexed(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "new", check=True)
    (tmp_path / "new" / "good.py").write_text(GOOD["good.py"])
    with Index.open(tmp_path / "new") as index:
        assert index.sync().added == 1
        assert index.status().head == ""


def test_a_folder_is_indexed_where_there_is_no_git(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = repository({**GOOD, ".gitignore": "out/\n", "out/x.py": "quaint\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with Index.open(root) as index:
        index.sync()
        assert paths(index) == ["good.py"]
        assert reasons(index)["out/"] == "matches .gitignore"


def test_a_repository_that_git_refuses_is_walked_with_a_note(repository: Repository) -> None:
    root = repository(GOOD)
    (root / ".git" / "config").write_text("[broken")
    with Index.open(root) as index:
        report = index.sync()
        assert any("walked without git" in note for note in report.notes)
        assert paths(index) == ["good.py"]


def test_a_submodule_s_files_are_indexed_with_its_superproject(repository: Repository) -> None:
    inner, root = repository(GOOD, name="inner"), repository({"a.py": "x = 1\n"})
    command = ["git", "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner)]
    subprocess.run([*command, "lib/inner"], cwd=root, check=True)
    with Index.open(root) as index:
        index.sync()
        assert paths(index) == ["lib/inner/good.py"]


def test_a_path_inside_a_work_tree_narrows_the_search_and_not_the_index(
    repository: Repository,
) -> None:
    root = repository({**GOOD, "sub/other.py": "def quaint(): ...\n"})
    with Index.open(root / "sub") as index:
        index.sync()
        assert paths(index) == ["sub/other.py"]
    with Index.open(root) as index:
        assert sorted(paths(index)) == ["good.py", "sub/other.py"]


# What lies in the tree


@POSIX
@pytest.mark.parametrize("with_git", [True, False])
def test_links_are_not_followed(repository: Repository, tmp_path: Path, with_git: bool) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("def quaint(): ...\n")
    root = repository(GOOD)
    if not with_git:
        shutil.rmtree(root / ".git")
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "leak.py").symlink_to(tmp_path / "outside" / "secret.py")
    (root / "dangling.py").symlink_to(root / "nowhere.py")
    with Index.open(root) as index:
        index.sync()
        assert paths(index) == ["good.py"]
        names = {path.rstrip("/") for path, why in reasons(index).items() if "link" in why}
        assert names == {"loop", "out", "leak.py", "dangling.py"}


def test_odd_bytes_are_indexed_or_have_a_reason(repository: Repository) -> None:
    text = "def quaint_{}():\n    return 1\n"
    encodings = ("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "utf-32")
    files: dict[str, str | bytes] = {
        f"{name.replace('-', '')}.py": text.format(name.replace("-", "_")).encode(name)
        for name in encodings
    }
    files |= {
        "crlf.py": "def quaint_crlf():\r\n    return 1\r\n",
        "cr.py": "def quaint_cr():\r    return 1\r",
        "invalid.py": b"def quaint_invalid():\n    return '\xff\xfe\x80'\n",
        "nul.py": b"def quaint_nul():\n    return '\0'\n",
        "late_nul.py": b"def quaint_late():\n    return 1\n" + b"# x\n" * 4000 + b"\0\n",
        "binary.py": bytes(range(256)) * 40,
        "cut.py": b"\xff\xfed\0e",
        "empty.py": b"",
    }
    with Index.open(repository({**files, **GOOD})) as index:
        index.sync()
        found = {hit.path: hit for hit in index.search("quaint", limit=50).hits}
        assert found.keys() >= {
            *("utf16.py", "utf8sig.py", "latin1.py", "utf32.py", "crlf.py", "cr.py"),
            *("invalid.py", "late_nul.py", "good.py"),
        }
        assert found["crlf.py"].text == "def quaint_crlf():\n    return 1"
        assert found["cr.py"].end_line == 2
        left = reasons(index)
        assert {"utf16le.py", "nul.py", "binary.py", "cut.py"} == left.keys()
        assert set(left.values()) == {"binary", "not valid utf-16"}


def test_a_huge_file_is_left_out_without_being_read(repository: Repository) -> None:
    root = repository(GOOD)
    with (root / "huge.py").open("wb") as handle:
        handle.truncate(200 * 1024 * 1024)
    with Index.open(root) as index:
        index.sync()
        assert "larger than" in reasons(index)["huge.py"]
        assert paths(index) == ["good.py"]


def test_a_file_that_disappears_during_a_sync_is_reported_and_forgotten(
    repository: Repository,
) -> None:
    root = repository({**GOOD, "gone.py": "def quaint(): ...\n"})
    with Index.open(root) as index:
        report = index.sync(progress=lambda *_: (root / "gone.py").unlink(missing_ok=True))
        assert [(one.path, "cannot be read" in one.reason) for one in report.failed] == [
            ("gone.py", True)
        ]
        assert "cannot be read" in reasons(index)["gone.py"]
        assert paths(index) == ["good.py"]
        index.sync()
        assert reasons(index).keys() <= {"gone.py"}
        assert reasons(index).get("gone.py") in {None, "not on the disk"}


@POSIX
def test_a_file_that_turns_into_a_pipe_is_left_out_of_the_answer(repository: Repository) -> None:
    root = repository({**GOOD, "pipe.py": "def quaint(): ...\n"})
    with Index.open(root) as index:
        index.sync()
        (root / "pipe.py").unlink()
        os.mkfifo(root / "pipe.py")
        assert paths(index) == ["good.py"]


@POSIX
def test_what_may_not_be_read_is_left_out_with_its_reason(repository: Repository) -> None:
    root = repository({**GOOD, "shut.py": "def quaint(): ...\n", "cell/x.py": "quaint = 1\n"})
    (root / "shut.py").chmod(0)
    (root / "cell").chmod(0)
    try:
        printed = run(
            "import sys; from codeindex import Index\n"
            "with Index.open(sys.argv[1]) as index:\n"
            "    index.sync()\n"
            "    print([hit.path for hit in index.search('quaint').hits])\n"
            "    print(*(f'{one.path}: {one.reason}' for one in index.skipped()), sep='\\n')\n",
            str(root),
        )
    finally:
        (root / "cell").chmod(0o700)
    assert printed.splitlines() == [
        "['good.py']",
        "cell/x.py: may not be read",
        "shut.py: may not be read",
    ]


@POSIX
def test_a_file_that_may_not_be_read_is_not_called_deleted(tmp_path: Path, home: Path) -> None:
    assert not home.exists()
    root = made_repository(tmp_path / "shop", {**GOOD, "cell/x.py": "quaint = 1\n"})
    (root / "cell").chmod(0)
    try:
        printed = run(
            "import sys; from codeindex import Index\n"
            "with Index.open(sys.argv[1]) as index:\n"
            "    index.sync()\n"
            "    found = index.changes.for_diff()\n"
            "    changed = [(one.file, one.status, one.removed) for one in found.changed]\n"
            "    print(changed, found.notes)\n",
            str(root),
        )
    finally:
        (root / "cell").chmod(0o700)
    assert printed.startswith(
        "[('cell/x.py', 'unreadable', ())] ('Changes and uses in files that may not be read"
    )


@POSIX
def test_a_changed_file_that_may_not_be_read_hides_no_other_change(
    tmp_path: Path, home: Path
) -> None:
    assert not home.exists()
    root = made_repository(tmp_path / "shop", {**GOOD, "*shut.py": "def quaint(): ...\n"})
    (root / "good.py").write_text("def other():\n    return 1\n")
    (root / "*shut.py").write_text("def other():\n    return 1\n")
    (root / "*shut.py").chmod(0)
    printed = run(
        "import sys; from codeindex import Index\n"
        "with Index.open(sys.argv[1]) as index:\n"
        "    index.sync()\n"
        "    found = index.changes.for_diff()\n"
        "    print([(one.file, one.status, one.symbols) for one in found.changed])\n"
        "    print([one.file for one in index.changes.diff_summary('HEAD').files_modified])\n"
        "    print(found.notes)\n",
        str(root),
    )
    changed, compared, notes = printed.splitlines()
    assert changed == "[('*shut.py', 'unreadable', ()), ('good.py', 'modified', ('other',))]"
    assert "good.py" in compared
    assert "Changes and uses in files that may not be read are not known." in notes


@POSIX
@pytest.mark.parametrize("git", [True, False])
def test_a_folder_that_may_not_be_read_may_have_uses(repository: Repository, git: bool) -> None:
    root = repository(GOOD)
    if git:
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "cell").mkdir(mode=0)
    printed = run(
        "import sys; from codeindex import Index\n"
        "with Index.open(sys.argv[1]) as index:\n"
        "    index.sync()\n"
        "    print(index.graph.callers(symbol='quaint').unread_paths)\n"
        "    print(index.graph.unused().unread_paths)\n"
        "    print(index.search('zqzq').absence)\n",
        str(root),
    )
    assert printed.splitlines() == [
        "('cell/',)",
        "('cell/',)",
        "absent (1 file): none contains zqzq; not searched: may not be read (1)",
    ]


@POSIX
def test_source_that_parsers_choke_on_is_kept_as_plain_text_and_the_rest_indexed(
    repository: Repository,
) -> None:
    hostile = ("a<b<c<" * 30 + "\n") * 667  # 20,000 times
    names = ("A.cs", "A.java", "A.kt")
    with Index.open(repository({**GOOD, **dict.fromkeys(names, hostile)})) as index:
        report = index.sync()
        assert not report.failed
        assert set(index.files()) == {*names, "good.py"}
        (note,) = report.notes
        assert note.startswith("Not parsed completely, but searchable as text: A.")
        # Kotlin's grammar is only slow: on a fast machine it finds out in time that it is none.
        assert all(f"{name} (not parsed: " in note for name in ("A.cs", "A.java"))
        assert "good.py" in paths(index)
        with index.reader().catalog() as (catalog, _):
            rows = catalog.connection.execute("SELECT path, status FROM files")
            assert dict(rows) == {**dict.fromkeys(names, "plain"), "good.py": "indexed"}


@POSIX
def test_a_worker_that_is_killed_from_outside_costs_no_file(repository: Repository) -> None:
    files = {f"f{n}.py": f"def quaint{n}(): ...\n" for n in range(60)}

    def kill(_phase: str, done: int, _total: int) -> None:
        if done == 10:
            for child in psutil.Process().children():
                if "codeindex.ingest.workers.worker" in child.cmdline():
                    child.kill()

    with Index.open(repository(files)) as index:
        report = index.sync(progress=kill)
        assert not report.failed
        assert set(index.files()) == files.keys()
        assert report.notes == ()  # nor is one of them left unparsed


def test_parser_processes_that_cannot_start_end_the_sync_and_lose_nothing(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(GOOD)
    with Index.open(root) as index:
        index.sync()
    (root / "good.py").write_text("def quaint(): ...\n")
    (tmp_path / "broken" / "tokenizers.py").parent.mkdir()
    (tmp_path / "broken" / "tokenizers.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "broken"))  # children start with this
    with Index.open(root) as index:
        with pytest.raises(CodeIndexError, match="The parser process does not start"):
            index.sync()
        assert index.files() == ("good.py",)
        monkeypatch.delenv("PYTHONPATH")
        assert index.sync().changed == 1


def test_nothing_that_a_repository_holds_is_run(
    home: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    marker = tmp_path / "ran"
    trap = f"open({str(marker)!r}, 'w').write('ran')\n"
    traps = ("json.py", "tree_sitter.py", "sitecustomize.py", "usercustomize.py", "chromadb.py")
    more = (
        "codeindex/__init__.py",
        "codeindex/store/exports/chroma_child.py",
        "numpy/__init__.py",
        "conftest.py",
    )
    root = repository(
        {
            **GOOD,
            **dict.fromkeys((*traps, *more), trap),
            ".env": "CHROMA_SYSDB_IMPL=nothing.of.the.kind\nPERSIST_DIRECTORY=./chroma-here\n"
            "CHROMA_SERVER_NOFILE=nonsense\nALLOW_RESET=maybe\n",
        }
    )
    printed = run(
        "from codeindex import Index\n"
        "with Index.open('.') as index:\n"
        "    report = index.sync()\n"
        "    print(report.notes, index.search('quaint').hits[0].path)\n"
        "    print(bool(index.status().chroma), type(index.graph.networkx()).__name__)\n",
        cwd=root,
    )
    assert printed.splitlines() == ["() good.py", "True MultiDiGraph"]
    assert not marker.exists()
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, check=True
    )
    assert status.stdout == b""

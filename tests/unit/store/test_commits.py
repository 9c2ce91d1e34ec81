"""Co-change: what the history stage keeps of a repository's commits."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import git
from codeindex.ingest.derive.history import update_history
from codeindex.store.catalog.commits import MOST_FILES, co_changed_files, history_caveat
from codeindex.store.catalog.connection import Catalog
from tests.conftest import Repository

IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")


def run(root: Path, *words: str) -> None:
    subprocess.run(["git", *IDENTITY, *words], cwd=root, check=True, capture_output=True)


def commit(root: Path, *paths: str) -> None:
    """Change files, and commit them together."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        with (root / path).open("a") as file:
            file.write("x\n")
    run(root, "add", "-A")
    run(root, "commit", "-qm", "more")


def read(catalog: Catalog, root: Path) -> None:
    update_history(catalog, root, git.read_head(root).commit or "")


def rows(catalog: Catalog) -> list[tuple[str, str]]:
    """Paths with the digests of their commits."""
    return catalog.connection.execute(
        "SELECT path, digest FROM commit_files JOIN commits ON id = commit_id ORDER BY 1, 2"
    ).fetchall()


def know(catalog: Catalog, *paths: str) -> None:
    """Say that files are indexed: only these are ever named."""
    columns = "language, digest, size, mtime_ns, ctime_ns, lines, status, reason, is_test"
    with catalog.writing():
        catalog.connection.executemany(
            f"INSERT INTO files (path, {columns}, is_generated, is_navigation, module,"
            " identifiers, findings) VALUES (?, '', '', 0, 0, 0, 0, '', '', 0, 0, 0, '', '', '')",
            [(path,) for path in paths],
        )


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.create(tmp_path / "catalog.sqlite") as made:
        yield made


def test_files_of_small_commits_change_together_more_than_those_of_large_ones(
    catalog: Catalog, repository: Repository
) -> None:
    root = repository({})
    commit(root, "cart.py", "test_cart.py")
    commit(root, "cart.py", *(f"doc{one}.md" for one in range(10)))
    read(catalog, root)
    know(catalog, "cart.py", "test_cart.py", "doc1.md")
    found = co_changed_files(catalog.connection, ["cart.py"])
    assert [(one.path, one.commits) for one in found] == [("test_cart.py", 1), ("doc1.md", 1)]
    assert found[0].share > 2 * found[1].share > 0


def test_merges_and_mass_commits_say_nothing(catalog: Catalog, repository: Repository) -> None:
    root = repository({})
    commit(root, *(f"part{one}.py" for one in range(MOST_FILES + 1)))
    run(root, "checkout", "-qb", "side")
    commit(root, "side.py")
    run(root, "checkout", "-q", "-")
    commit(root, "main.py")
    run(root, "merge", "-q", "--no-edit", "side")
    read(catalog, root)
    assert {path for path, _ in rows(catalog)} == {"side.py", "main.py"}
    assert len(rows(catalog)) == 2


def test_a_renamed_file_keeps_its_history(catalog: Catalog, repository: Repository) -> None:
    root = repository({})
    commit(root, "cart.py", "price.py")
    read(catalog, root)
    run(root, "mv", "cart.py", "basket.py")
    run(root, "commit", "-qm", "rename")
    read(catalog, root)
    know(catalog, "basket.py", "price.py")
    assert [one.path for one in co_changed_files(catalog.connection, ["basket.py"])] == ["price.py"]


def test_reading_on_gives_what_reading_at_once_gives(
    catalog: Catalog, repository: Repository, tmp_path: Path
) -> None:
    root = repository({"a.py": "1\n", "b.py": "2\n"})
    for files in (["a.py", "b.py"], ["b.py", "c.py"], ["a.py"]):
        commit(root, *files)
        read(catalog, root)
    with Catalog.create(tmp_path / "other.sqlite") as other:
        read(other, root)
        assert rows(catalog) == rows(other) != []


def test_a_rewritten_history_is_read_again(catalog: Catalog, repository: Repository) -> None:
    root = repository({})
    commit(root, "a.py", "b.py")
    read(catalog, root)
    run(root, "reset", "-q", "--hard", "HEAD^")
    commit(root, "a.py", "c.py")
    read(catalog, root)
    assert {path for path, _ in rows(catalog)} == {"a.py", "c.py"}
    kept = catalog.connection.execute("SELECT path FROM commit_paths")
    assert {path for (path,) in kept} == {"a.py", "c.py"}


def test_a_root_within_a_work_tree_has_its_own_paths(
    catalog: Catalog, repository: Repository
) -> None:
    root = repository({})
    commit(root, "part/a.py", "part/b.py", "other.py")
    read(catalog, root / "part")
    assert {path for path, _ in rows(catalog)} == {"a.py", "b.py"}


def test_a_shallow_clone_is_read_with_a_caveat(
    catalog: Catalog, repository: Repository, tmp_path: Path
) -> None:
    root = repository({})
    commit(root, "a.py", "b.py")
    commit(root, "a.py", "b.py")
    clone = tmp_path / "clone"
    run(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), str(clone))
    read(catalog, clone)
    assert "cut off" in history_caveat(catalog.connection)
    assert {path for path, _ in rows(catalog)} == {"a.py", "b.py"}


def test_without_commits_there_is_a_caveat(catalog: Catalog, tmp_path: Path) -> None:
    update_history(catalog, tmp_path, "")
    assert co_changed_files(catalog.connection, ["a.py"]) == []
    assert "No commits are known" in history_caveat(catalog.connection)


def test_a_head_that_git_does_not_know_leaves_a_sentence(
    catalog: Catalog, repository: Repository
) -> None:
    root = repository({"a.py": "1\n"})
    read(catalog, root)
    update_history(catalog, root, "0" * 40)
    assert rows(catalog) == []
    assert history_caveat(catalog.connection).startswith(
        "Files that change together are not known: git"
    )
    read(catalog, root)
    assert [path for path, _ in rows(catalog)] == ["a.py"]

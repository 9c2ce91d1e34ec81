"""The data folder and the names in it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from codeindex.errors import ScopeError, StoreError
from codeindex.files.write import write_atomically
from codeindex.store.datadir.home import (
    Repository,
    prepare_home,
    register,
    repositories,
    repository_at_root,
    repository_by_name,
    repository_for_root,
    repository_named,
)

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs owners and modes")
ROOT = pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="needs root, to give a folder away"
)


def registered(home: Path, root: Path, *, name: str) -> Repository:
    repository = repository_for_root(home, root, name=name)
    register(repository)
    return repository


@POSIX
def test_a_new_data_folder_is_private(tmp_path: Path) -> None:
    prepare_home(tmp_path / "a" / "home")
    assert (tmp_path / "a" / "home").stat().st_mode & 0o777 == 0o700


@POSIX
def test_a_data_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o755)
    prepare_home(tmp_path / "home")
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


@ROOT
def test_a_data_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 65534, 65534)
    with pytest.raises(StoreError, match="belongs to another user: set CODEINDEX_HOME"):
        prepare_home(home)
    assert home.stat().st_mode & 0o777 == 0o755


def test_a_data_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be created .*: set CODEINDEX_HOME"):
        prepare_home(tmp_path / "file" / "home")


def test_a_root_keeps_its_name_and_folder(tmp_path: Path) -> None:
    first = registered(tmp_path, Path("/src/shop"), name="shop")
    again = registered(tmp_path, Path("/src/shop"), name="other")
    assert (
        first
        == again
        == repository_at_root(tmp_path, Path("/src/shop"))
        == repository_by_name(tmp_path, "shop")
    )
    assert first.folder.name == f"shop-{first.key}"
    assert len(first.key) == 8


def test_a_chosen_name_is_taken_as_it_is_or_refused(tmp_path: Path) -> None:
    registered(tmp_path, Path("/src/shop"), name="shop")
    chosen = repository_named(tmp_path, Path("/src/other"), "mine")
    assert chosen.folder.name == f"mine-{chosen.key}"
    with pytest.raises(ScopeError, match=r"'/src/shop' is called 'shop' already: choose another"):
        repository_named(tmp_path, Path("/src/other"), "shop")
    with pytest.raises(ScopeError, match=r"called 'a/b': choose 'a-b'"):
        repository_named(tmp_path, Path("/src/other"), "a/b")


def test_a_root_is_renamed_on_request_alone_and_keeps_its_folder(tmp_path: Path) -> None:
    shop = registered(tmp_path, Path("/src/shop"), name="shop")
    renamed = repository_named(tmp_path, Path("/src/shop"), "store")
    assert (renamed.name, renamed.folder) == ("store", shop.folder)
    assert register(renamed) == shop  # somebody opened it before it was named
    assert register(renamed, rename=True) == renamed == repository_by_name(tmp_path, "store")
    assert register(shop) == renamed


def test_names_that_are_taken_get_a_suffix(tmp_path: Path) -> None:
    names = [registered(tmp_path, Path(f"/{n}/shop"), name="shop").name for n in range(3)]
    assert names == ["shop", "shop-2", "shop-3"]
    assert [one.name for one in repositories(tmp_path)] == names


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("my shop!", "my-shop"),
        ("..", "root"),
        ("", "root"),
        ("../../etc", "etc"),
        ("店", "店"),
        (".hidden", "hidden"),
        ("a\nb\0c", "a-b-c"),
        ("x" * 255, "x" * 60),
        ("界" * 85, "界" * 60),
    ],
)
def test_any_folder_s_name_makes_a_name(tmp_path: Path, given: str, expected: str) -> None:
    found = registered(tmp_path, Path("/src"), name=given)
    assert found.name == expected
    assert found.folder.parent == tmp_path / "repos"
    assert found.folder.is_dir()


def test_a_root_whose_name_is_not_utf8_is_found_again(tmp_path: Path) -> None:
    root = Path(os.fsdecode(b"/src/\xff"))
    assert registered(tmp_path, root, name="odd") == repository_at_root(tmp_path, root)


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ScopeError, match="none yet"):
        repository_by_name(tmp_path, "shop")
    registered(tmp_path, Path("/src/shop"), name="shop")
    with pytest.raises(ScopeError, match=r"'shp' \(indexed: shop\)"):
        repository_by_name(tmp_path, "shp")


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"name": 1}', '{"name": "a", "root": 7}'])
def test_a_broken_entry_hides_no_other(tmp_path: Path, text: str) -> None:
    registered(tmp_path, Path("/src/shop"), name="shop")
    (tmp_path / "repos" / "bad-12345678").mkdir()
    (tmp_path / "repos" / "bad-12345678" / "root.json").write_text(text)
    assert [one.name for one in repositories(tmp_path)] == ["shop"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file whose reading fails")
def test_an_entry_that_cannot_be_read_now_is_not_a_missing_one(tmp_path: Path) -> None:
    shop = registered(tmp_path, tmp_path / "shop", name="shop")
    (shop.folder / "root.json").unlink()
    (shop.folder / "root.json").symlink_to("/proc/self/mem")
    with pytest.raises(StoreError, match="cannot be read now: Input/output error"):
        repositories(tmp_path)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "entry.json"
    write_atomically(path, b"old")
    with pytest.raises(TypeError):
        write_atomically(path, json.dumps({}))  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [one.name for one in tmp_path.iterdir()] == ["entry.json"]

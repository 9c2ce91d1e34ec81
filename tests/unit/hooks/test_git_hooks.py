"""Our lines in hooks of git's: put in beside others', and taken out byte for byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import GitError
from codeindex.hooks.git.hooks_folder import find_hooks_folder
from codeindex.hooks.git.install import HOOK_NAMES, install_hook, read_hooks, uninstall_hook
from codeindex.hooks.git.script_block import (
    hook_commands,
    insert_block,
    remove_block,
    script_has_block,
    script_shell,
)
from tests.conftest import Repository

LINES = hook_commands("post-merge", {})
HUSKY = b'#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n'
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes and links")


def states(root: Path) -> set[str]:
    return {one.state for one in read_hooks(find_hooks_folder(root))}


def put_all(root: Path) -> None:
    for one in read_hooks(find_hooks_folder(root)):
        install_hook(one)


def take_all(root: Path) -> None:
    for one in read_hooks(find_hooks_folder(root)):
        uninstall_hook(one)


def configured(root: Path, *words: str) -> None:
    subprocess.run(["git", "config", *words], cwd=root, check=True)


@given(
    st.sampled_from([b"#!/bin/sh", b"#!/usr/bin/env bash", b"#!/bin/sh -e\r"]),
    st.binary(max_size=80),
    st.booleans(),
)
def test_a_hook_is_as_it_was_once_our_lines_are_gone(
    shebang: bytes, rest: bytes, ends: bool
) -> None:
    text = shebang + (b"\n" + rest if ends else b"")
    once = insert_block(text, LINES)
    assert script_has_block(once)
    assert insert_block(once, LINES) == once
    assert (
        remove_block(
            insert_block(once, hook_commands("post-merge", {"CODEINDEX_HOME": "/else where"}))
        )
        == text
    )


def test_a_hook_that_was_made_for_our_lines_goes_with_them() -> None:
    made = insert_block(None, LINES)
    assert remove_block(made) is None
    assert insert_block(made, LINES) == made
    assert remove_block(made + b"echo mine\n") == b"#!/bin/sh\necho mine\n"


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        (b"#!/bin/sh\n", "sh"),
        (b"#! /usr/bin/env -S bash -e\n", "bash"),
        (b"#!C:/Git/bin/sh.exe\n", "sh"),
        (b"#!/usr/bin/env python3\n", ""),
        (b"#!/usr/bin/node\n", ""),
        (b"\x7fELF\x02\x01", ""),
        (b"echo no shebang\n", ""),
        (b"", ""),
    ],
)
def test_the_shell_of_a_hook_is_read_off_its_first_line(text: bytes, shell: str) -> None:
    assert script_shell(text) == shell


@POSIX
@pytest.mark.parametrize("name", HOOK_NAMES)
def test_a_hook_neither_fails_nor_reads_what_git_says(name: str, tmp_path: Path) -> None:
    lines = hook_commands(name, {"CODEINDEX_HOME": "/it's here"}).replace(
        b"-m codeindex", b"-m no_such"
    )
    hook = tmp_path / name
    hook.write_bytes(insert_block(b"#!/bin/sh -eu\ncat\nexit 3\n", lines))
    hook.chmod(0o755)
    done = subprocess.run([hook, "a b"], input=b"said", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"said", b"")


def test_installing_twice_is_installing_once_and_nothing_is_left_after(
    repository: Repository,
) -> None:
    root = repository({"a.py": ""})
    before = {path.name: path.read_bytes() for path in (root / ".git/hooks").iterdir()}
    put_all(root)
    once = {path.name: path.read_bytes() for path in (root / ".git/hooks").iterdir()}
    put_all(root)
    assert {path.name: path.read_bytes() for path in (root / ".git/hooks").iterdir()} == once
    assert states(root) == {"installed"}
    assert once.keys() - before.keys() == set(HOOK_NAMES)
    take_all(root)
    assert {path.name: path.read_bytes() for path in (root / ".git/hooks").iterdir()} == before


@POSIX
def test_hooks_of_others_keep_their_mode_and_their_bytes(repository: Repository) -> None:
    root = repository({"a.py": ""})
    hook = root / ".git/hooks/post-checkout"
    hook.write_bytes(HUSKY)
    hook.chmod(0o700)
    put_all(root)
    assert states(root) == {"installed"}
    take_all(root)
    assert (hook.read_bytes(), hook.stat().st_mode & 0o777) == (HUSKY, 0o700)
    assert not (root / ".git/hooks/post-merge").exists()


@POSIX
@pytest.mark.parametrize("kind", ["python", "binary", "off", "link"])
def test_a_hook_that_cannot_take_our_lines_is_refused_and_not_touched(
    kind: str, repository: Repository
) -> None:
    root = repository({"a.py": "", "mine.sh": "#!/bin/sh\n"})
    hook = root / ".git/hooks/post-merge"
    if kind == "link":
        hook.symlink_to(root / "mine.sh")
    else:
        texts = {"python": b"#!/usr/bin/env python3\n", "binary": b"\x7fELF", "off": b"#!/bin/sh\n"}
        hook.write_bytes(texts[kind])
        hook.chmod(0o644 if kind == "off" else 0o755)
    before = hook.read_bytes()
    put_all(root)
    found = {one.name: one for one in read_hooks(find_hooks_folder(root))}
    assert found.pop("post-merge").state == "refused"
    assert {one.state for one in found.values()} == {"installed"}
    assert hook.read_bytes() == before


def test_a_folder_that_git_ignores_can_have_hooks_and_one_of_the_repository_cannot(
    repository: Repository,
) -> None:
    root = repository({"a.py": "", ".husky/_/.gitignore": "*\n", ".husky/_/post-merge": HUSKY})
    configured(root, "core.hooksPath", ".husky/_")
    if os.name == "posix":
        (root / ".husky/_/post-merge").chmod(0o755)
    put_all(root)
    assert states(root) == {"installed"}
    assert (root / ".husky/_/post-merge").read_bytes().endswith(b'. "$(dirname "$0")/h"\n')
    configured(root, "core.hooksPath", ".githooks")
    assert states(root) == {"refused"}
    assert "files of the repository" in find_hooks_folder(root).refusal


def test_the_users_own_folder_can_have_hooks_and_one_that_a_repository_names_cannot(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, folder = repository({"a.py": ""}), tmp_path / "my hooks"
    configured(root, "core.hooksPath", str(folder))
    assert "leads out of the repository" in find_hooks_folder(root).refusal
    configured(root, "--unset", "core.hooksPath")
    monkeypatch.setenv("HOME", str(tmp_path))
    configured(root, "--global", "core.hooksPath", "~/my hooks")
    assert "all of your repositories" in find_hooks_folder(root).note
    put_all(root)
    assert sorted(path.name for path in folder.iterdir()) == sorted(HOOK_NAMES)


def test_a_worktree_has_the_hooks_of_its_repository(repository: Repository, tmp_path: Path) -> None:
    root = repository({"a.py": ""})
    other = tmp_path / "other"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=root, check=True)
    put_all(other)
    assert states(root) == {"installed"}
    assert find_hooks_folder(other).path == root.resolve() / ".git/hooks"


def test_where_there_is_no_git_there_are_no_hooks(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="in no git repository"):
        find_hooks_folder(tmp_path)

"""git, on real repositories, some of them hostile."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import git
from codeindex.errors import GitError

Commands = Callable[..., str]


def shell(folder: Path, *words: str) -> str:
    """Run git as a user would."""
    identity = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    shell(folder, "init", "-q", "-b", "main")
    for name, text in files.items():
        (folder / name).write_text(text)
    shell(folder, "add", "-A")
    shell(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_the_top_is_found_from_any_folder_below_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    (root / "a" / "b").mkdir(parents=True)
    assert git.find_work_tree(root / "a" / "b") == root.resolve()
    assert git.find_work_tree(root) == root.resolve()


def test_there_is_no_top_without_a_repository_or_inside_its_database(tmp_path: Path) -> None:
    assert git.find_work_tree(tmp_path) is None
    assert git.find_work_tree(repository(tmp_path / "repo") / ".git" / "hooks") is None


def test_an_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "x" / ".git").mkdir(parents=True)
    assert git.find_work_tree(tmp_path / "x") is None


def test_a_configured_work_tree_elsewhere_does_not_move_the_top(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", a="1")
    shell(root, "config", "core.worktree", "/")
    assert git.find_work_tree(root) == root.resolve()


def test_without_git_there_is_no_top_and_commands_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "repo")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git.find_work_tree(root) is None
    with pytest.raises(GitError, match="install it"):
        git.read_head(root)


def test_a_git_in_a_relative_folder_of_the_path_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "repo")
    fake = root / "git"
    fake.write_text("#!/bin/sh\ntouch marker\n")
    fake.chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", ".")
    with pytest.raises(GitError, match="not on the PATH"):
        git.run_git("rev-parse", "HEAD", cwd=root)
    assert not (root / "marker").exists()


def test_head_names_branch_and_commit(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    assert git.read_head(root) == git.GitHead("main", shell(root, "rev-parse", "HEAD"))


def test_head_before_the_first_commit_has_no_commit(tmp_path: Path) -> None:
    shell(tmp_path, "init", "-q", "-b", "trunk")
    assert git.read_head(tmp_path) == git.GitHead("trunk", None)


def test_a_detached_head_has_no_branch(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    commit = shell(root, "rev-parse", "HEAD")
    shell(root, "checkout", "-q", "--detach")
    assert git.read_head(root) == git.GitHead(None, commit)


def test_asking_outside_of_a_repository_is_an_error_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        git.read_head(tmp_path)


def test_a_shallow_clone_is_recognized(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", a="1")
    shell(root, "commit", "-q", "--allow-empty", "-m", "second")
    shell(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "clone")
    assert git.is_shallow(tmp_path / "clone")
    assert not git.is_shallow(root)


def test_ignored_paths_are_known_whatever_they_are_called(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", **{".gitignore": "*.tmp\n"})
    ignored = ['quo"te.tmp', "back\\slash.tmp", "ta\tb.tmp", "line\nfeed.tmp", "sep\u2028.tmp"]
    assert git.filter_ignored(root, ["kept.py", *ignored]) == set(ignored)


def test_files_are_tracked_and_untracked_ones_but_not_ignored(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", tracked="1", **{".gitignore": "ignored\n"})
    for name in ("ignored", "new", "ünï\tcode\n"):
        (root / name).write_text("x")
    found = set(git.list_files(root))
    assert found == {b".gitignore", b"tracked", b"new", "ünï\tcode\n".encode()}
    assert list(git.list_ignored_files(root)) == [b"ignored"]


def test_a_name_that_differs_in_case_is_listed_whatever_a_copied_setting_says(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path / "repo", **{"a.py": "1"})
    if (root / "A.py").exists():
        pytest.skip("the file system ignores case")
    shell(root, "config", "core.ignoreCase", "true")
    (root / "a.py").rename(root / "A.py")
    assert b"A.py" in set(git.list_files(root))


def test_files_of_a_folder_are_relative_to_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", top="1")
    (root / "sub").mkdir()
    (root / "sub" / "x").write_text("1")
    assert list(git.list_files(root / "sub")) == [b"x"]


def test_unmerged_files_are_listed_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", a="1")
    shell(root, "checkout", "-q", "-b", "other")
    (root / "a").write_text("2")
    shell(root, "commit", "-qam", "2")
    shell(root, "checkout", "-q", "main")
    (root / "a").write_text("3")
    shell(root, "commit", "-qam", "3")
    merge = subprocess.run(
        ["git", "merge", "-q", "other"], cwd=root, check=False, capture_output=True
    )
    assert merge.returncode
    assert list(git.list_files(root)) == [b"a"]


def test_submodules_at_any_depth_are_listed_with_their_new_files(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", deep="1")
    outer = repository(tmp_path / "outer", mid="1")
    shell(outer, "submodule", "--quiet", "add", inner.as_uri(), "in")
    shell(outer, "commit", "-qm", "sub")
    root = repository(tmp_path / "repo", top="1")
    shell(root, "submodule", "--quiet", "add", outer.as_uri(), "out")
    shell(root, "submodule", "--quiet", "update", "--init", "--recursive")
    (root / "out" / "in" / "new").write_text("x")
    found = {path.decode() for path in git.list_files(root)}
    assert found == {
        *(".gitmodules", "top", "out/.gitmodules", "out/mid", "out/in/deep", "out/in/new")
    }


def test_a_submodule_that_is_not_checked_out_is_its_folder(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", deep="1")
    root = repository(tmp_path / "repo", top="1")
    shell(root, "submodule", "--quiet", "add", inner.as_uri(), "in")
    shell(root, "commit", "-qm", "sub")
    shell(tmp_path, "clone", "-q", root.as_uri(), "clone")
    assert set(git.list_files(tmp_path / "clone")) == {b".gitmodules", b"in/", b"top"}


def test_a_submodule_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", deep="1")
    root = repository(tmp_path / "repo", top="1")
    shell(root, "submodule", "--quiet", "add", inner.as_uri(), "in")
    shutil.rmtree(root / "in")
    (root / "in").symlink_to(inner)
    assert not [path for path in git.list_files(root) if path.startswith(b"in/")]


def test_a_nested_repository_that_is_no_submodule_is_only_its_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", top="1")
    repository(root / "vendored", x="1")
    assert set(git.list_files(root)) == {b"top", b"vendored/"}


def test_the_environment_cannot_point_git_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other = repository(tmp_path / "repo", mine="1"), repository(tmp_path / "o", other="1")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert list(git.list_files(root)) == [b"mine"]


def test_the_users_own_excludes_keep_working(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "ignore").write_text("*.bak\n")
    (tmp_path / "home" / ".gitconfig").write_text("[core]\n excludesFile = ~/ignore\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = repository(tmp_path / "repo", a="1")
    (root / "x.bak").write_text("1")
    assert list(git.list_files(root)) == [b"a"]


@pytest.mark.skipif(os.name == "nt", reason="named pipes in the tree are a thing of POSIX")
def test_a_pipe_in_place_of_an_ignore_file_ends_at_the_time_limit(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", a="1")
    os.mkfifo(root / "pipe")
    shell(root, "config", "core.excludesFile", str(root / "pipe"))
    with pytest.raises(GitError, match="does not end"):
        git.run_git("ls-files", "--others", "--exclude-standard", cwd=root, timeout=0.5)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs chown")
def test_a_repository_of_another_user_is_refused_with_a_way_out(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", a="1")
    for path in (root, root / ".git"):
        os.chown(path, 65534, 65534)
    with pytest.raises(GitError, match=r"belongs to another user; .* safe\.directory"):
        list(git.list_files(root))


def hostile(folder: Path, marker: Path) -> None:
    """Name a program wherever git's configuration can name one; each leaves a marker."""

    def program(name: str) -> str:
        path = folder / ".git" / f"{name}.sh"
        path.write_text(f"#!/bin/sh\ntouch {marker}.{name}\ncat\n")
        path.chmod(0o755)
        return str(path)

    hooks = folder / ".git" / "evil-hooks"
    hooks.mkdir(exist_ok=True)
    for hook in (
        "post-index-change",
        "fsmonitor-watchman",
        "post-checkout",
        "reference-transaction",
    ):
        for target in (hooks / hook, folder / ".git" / "hooks" / hook):
            target.parent.mkdir(exist_ok=True)
            shutil.copy(program(f"hook-{hook}"), target)
    keys = {
        "core.fsmonitor": program("fsmonitor"),
        "core.hooksPath": str(hooks),
        "core.pager": program("pager"),
        "pager.log": program("pager-log"),
        "pager.diff": program("pager-diff"),
        "core.editor": program("editor"),
        "core.sshCommand": program("ssh"),
        "core.askPass": program("askpass"),
        "core.gitProxy": program("proxy"),
        "core.alternateRefsCommand": program("alternates"),
        "credential.helper": program("credential"),
        "diff.external": program("external"),
        "diff.evil.textconv": program("textconv"),
        "diff.evil.command": program("driver"),
        "diff.submodule": "log",
        "diff.ignoreSubmodules": "none",
        "interactive.diffFilter": program("difffilter"),
        "filter.evil.clean": program("clean"),
        "filter.evil.smudge": program("smudge"),
        "filter.evil.process": program("process"),
        "filter.evil.required": "true",
        "filter.a=b.clean": program("clean-named"),
        "merge.evil.driver": program("merge"),
        "gpg.program": program("gpg"),
        "gpg.ssh.program": program("gpg-ssh"),
        "log.showSignature": "true",
        "alias.ls-files": f"!{program('alias')}",
        "alias.log": f"!{program('alias-log')}",
        "sequence.editor": program("sequence"),
        "uploadpack.packObjectsHook": program("pack"),
        "remote.origin.url": f"ext::{program('transport')}",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": program("uploadpack"),
        "protocol.allow": "always",
        "submodule.sub.ignore": "none",
        "submodule.sub.update": f"!{program('update')}",
    }
    included = folder / ".git" / "included"
    for number, (key, value) in enumerate(keys.items()):
        target = included if number % 2 else folder / ".git" / "config"
        shell(folder, "config", "--file", str(target), key, value)
    shell(
        folder, "config", "--file", str(folder / ".git" / "config"), "include.path", str(included)
    )
    (folder / ".git" / "info" / "attributes").write_text("info.txt filter=a=b\n")


def test_a_hostile_repository_runs_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    attributes = "* diff=evil filter=evil merge=evil\n"
    inner = repository(tmp_path / "inner", deep="1", **{".gitattributes": attributes})
    root = repository(
        tmp_path / "repo", **{"code.txt": "a", "info.txt": "b", ".gitattributes": attributes}
    )
    shell(root, "submodule", "--quiet", "add", "--name", "sub", inner.as_uri(), "sub")
    shell(root, "commit", "-qam", "second")
    signed = shell(root, "cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    (tmp_path / "commit").write_text(signed + "\n")
    commit = shell(root, "hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
    shell(root, "reset", "-q", "--hard", commit)
    sub_git = root / ".git" / "modules" / "sub"
    hostile(root, marker)
    shutil.copy(root / ".git" / "config", tmp_path / "evil")
    with (sub_git / "config").open("a") as config:
        config.write(f"[include]\n path = {tmp_path / 'evil'}\n")
    for changed in ("code.txt", "info.txt", "sub/deep"):
        (root / changed).write_text("changed, with another length")
    (root / "new.txt").write_text("untracked")

    git.find_work_tree(root)
    git.read_head(root)
    git.is_shallow(root)
    assert b"sub/deep" in set(git.list_files(root))
    list(git.list_ignored_files(root))
    assert b"changed, with another" in git.run_git("diff", "HEAD", cwd=root)
    for words in (
        ("log", "-p", "--stat", "--format=%H %s"),
        ("show", "HEAD"),
        ("diff", "--stat"),
        ("diff-tree", "-p", "-r", "HEAD"),
        ("blame", "--", "code.txt"),
        ("cat-file", "-p", "HEAD:code.txt"),
        ("rev-list", "--all"),
        ("for-each-ref",),
        ("ls-tree", "-r", "HEAD"),
        ("config", "--list"),
        ("worktree", "list"),
        ("merge-base", "HEAD", "HEAD~1"),
    ):
        git.run_git(words[0], *words[1:], cwd=root)
    with pytest.raises(GitError):
        git.run_git("cat-file", "-p", "1" * 40, cwd=root)  # a missing object is not fetched
    assert not [path.name for path in tmp_path.glob("marker*")]


def test_the_same_hostile_repository_does_run_its_programs_for_plain_git(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    root = repository(tmp_path / "repo", **{"code.txt": "a", ".gitattributes": "* filter=evil\n"})
    hostile(root, marker)
    (root / "code.txt").write_text("changed")
    subprocess.run(["git", "status"], cwd=root, capture_output=True, check=False)
    assert list(tmp_path.glob("marker*"))


def test_only_reading_commands_can_be_run(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        git.run_git("push", cwd=tmp_path)

"""Which files are indexed, on real trees with and without git."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from codeindex.config import Config, LimitsConfig
from codeindex.errors import RootError
from codeindex.ingest.discover.exclusions import PatternTable
from codeindex.ingest.discover.files import discover
from codeindex.store.catalog.unparsed_code import SKIPPED_BY_CONTENT
from codeindex.types import Discovery, SkipReason

CONFIG = Config()


def tree(root: Path, *names: str, text: str = "x\n") -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def commit(root: Path) -> Path:
    identity = ("-c", "user.name=T", "-c", "user.email=t@t")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first", "--allow-empty")):
        subprocess.run(["git", *identity, *words], cwd=root, check=True)
    return root


def names(found: Discovery) -> list[str]:
    return [file.path for file in found.files]


def reasons(found: Discovery) -> dict[str, str]:
    return {one.path: one.reason for one in found.skipped}


@pytest.mark.parametrize("with_git", [True, False])
def test_files_are_skipped_by_name_with_a_reason(tmp_path: Path, with_git: bool) -> None:
    expected = {
        "node_modules/": ("node_modules/a/i.js", SkipReason.BUILT),
        "pkg/__pycache__/": ("pkg/__pycache__/m.txt", SkipReason.BUILT),
        ".idea/": (".idea/x.xml", SkipReason.ALWAYS),
        "x.swp": ("x.swp", SkipReason.ALWAYS),
        "logo.PNG": ("logo.PNG", SkipReason.BINARY),
        "a.tar.gz": ("a.tar.gz", SkipReason.BINARY),
        "yarn.lock": ("yarn.lock", SkipReason.LOCK),
        "sub/package-lock.json": ("sub/package-lock.json", SkipReason.LOCK),
        "app.min.js": ("app.min.js", SkipReason.MINIFIED),
        ".env": (".env", SkipReason.SECRETS),
        "certs/server.pem": ("certs/server.pem", SkipReason.SECRETS),
    }
    kept = ("a.py", "b.unknown", "Makefile", "env/.env.example", "build.rs", "min.js")
    tree(tmp_path, *kept, *(name for name, _ in expected.values()))
    found = discover(commit(tmp_path) if with_git else tmp_path, config=CONFIG)
    assert names(found) == sorted(kept)
    assert reasons(found) == {path: str(reason) for path, (_, reason) in expected.items()}


@pytest.mark.parametrize("with_git", [True, False])
def test_a_folder_is_build_output_beside_a_manifest_only(tmp_path: Path, with_git: bool) -> None:
    code = (
        *("lib/build/version.go", "io/target/Box.java", "tools/coverage/run.py", "a/build.gradle"),
        *("w/build/rollup.js", "d/build/lib/build.dart", "d/pubspec.yaml"),
    )
    output = ("a/build/x/Gen.java", "c/target/gen.rs", "w/coverage/lcov.js", "p/build/lib/x.py")
    tree(tmp_path, *code, *output, "c/Cargo.toml", "w/package.json", "p/setup.py")
    found = discover(commit(tmp_path) if with_git else tmp_path, config=CONFIG)
    manifests = ["c/Cargo.toml", "p/setup.py", "w/package.json"]
    assert names(found) == sorted([*code, *manifests])
    folders = ("a/build/", "c/target/", "p/build/", "w/coverage/")
    assert reasons(found) == dict.fromkeys(folders, str(SkipReason.BUILT))
    assert not names(discover(tmp_path, config=CONFIG, subpaths=("a/build/x/Gen.java",)))
    wanted = replace(CONFIG, include_override=("a/build/**",))
    assert "a/build/x/Gen.java" in names(discover(tmp_path, config=wanted))


def test_a_skipped_folder_without_code_is_known_to_have_none(tmp_path: Path) -> None:
    tree(tmp_path, "a.php", "bootstrap/cache/.keep", "vendor/b.php")
    found = discover(commit(tmp_path), config=CONFIG)
    assert {one.path: one.languages for one in found.skipped} == {
        "bootstrap/cache/": (),
        "vendor/": ("php",),
    }


@pytest.mark.parametrize("with_git", [True, False])
def test_a_token_in_a_path_keeps_it_out_and_is_not_repeated(tmp_path: Path, with_git: bool) -> None:
    aws, github = "AK" + "IA" + "IOSFODNN7EXAMPLE", "gh" + "p_" + "a1B2c3D4e5F6" * 3
    tree(tmp_path, "a.py", f"{aws}/x.py", f"keys/{github}.json", f"node_modules/{github}/x.js")
    tree(tmp_path, f"{github}.png", f"{aws}.pem")
    config = replace(CONFIG, include_override=("*.json",))
    found = discover(commit(tmp_path) if with_git else tmp_path, config=config)
    assert names(found) == ["a.py"]
    assert reasons(found) == {
        "[REDACTED]/": SkipReason.IN_PATH,
        "keys/[REDACTED].json": SkipReason.IN_PATH,
        "node_modules/[REDACTED]/": SkipReason.IN_PATH,
        "[REDACTED].png": SkipReason.IN_PATH,
        "[REDACTED].pem": SkipReason.SECRETS,
    }


def test_files_carry_their_language_and_stat(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "noext", text="12345")
    first, second = discover(tmp_path, config=CONFIG).files
    status = (tmp_path / "a.py").lstat()
    assert (first.path, first.language, first.size) == ("a.py", "python", 5)
    assert (first.mtime_ns, first.ctime_ns) == (status.st_mtime_ns, status.st_ctime_ns)
    assert (second.path, second.language) == ("noext", "text")


def test_git_and_the_walk_agree_on_a_tree_with_nested_ignore_files(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "out/x.py", "src/b.py", "src/gen/c.py", "src/gen/keep.py", "d.log")
    (tmp_path / ".gitignore").write_text("/out/\n*.log\n")
    (tmp_path / "src" / ".gitignore").write_text("gen/*\n!gen/keep.py\n")
    walked = discover(tmp_path, config=CONFIG)
    listed = discover(commit(tmp_path), config=CONFIG)
    assert names(walked) == names(listed)
    assert "src/gen/keep.py" in names(listed)
    assert reasons(walked)["out/"] == SkipReason.GIT_IGNORED


def test_tests_are_known_by_folder_by_their_languages_globs_and_by_configuration(
    tmp_path: Path,
) -> None:
    tree(tmp_path, "a.py", "test_a.py", "tests/data.txt", "x/__tests__/b.js", "check_c.py")
    tree(tmp_path, "verify_c.py", "regress/kill.sh", "lib/regress/a.c", "regress.c")
    tree(tmp_path, "testsuite/fns.py", "lib/testcases/t.pl", "unittests/b.c", "testsuite.c")
    config = replace(CONFIG, test_patterns={"python": ("**/{check,verify}_*.py",)})
    found = discover(tmp_path, config=config)
    assert {file.path: file.is_test for file in found.files} == {
        "a.py": False,
        "check_c.py": True,
        "verify_c.py": True,
        "test_a.py": True,
        "tests/data.txt": True,
        "x/__tests__/b.js": True,
        "regress/kill.sh": True,
        "lib/regress/a.c": True,
        "regress.c": False,
        "testsuite/fns.py": True,
        "lib/testcases/t.pl": True,
        "unittests/b.c": True,
        "testsuite.c": False,
    }


@pytest.mark.parametrize("with_git", [True, False])
def test_the_ignore_file_counts_at_any_level(tmp_path: Path, with_git: bool) -> None:
    tree(tmp_path, "a.py", "drop/x.py", "sub/b.py", "sub/c.py", "c.py")
    (tmp_path / ".codeindexignore").write_text("drop/\n.codeindexignore\n")
    (tmp_path / "sub" / ".codeindexignore").write_text("c.py\n")
    found = discover(commit(tmp_path) if with_git else tmp_path, config=CONFIG)
    assert names(found) == ["a.py", "c.py", "sub/b.py"]
    assert reasons(found)["drop/"] == SkipReason.IGNORED
    assert reasons(found)["sub/c.py"] == SkipReason.IGNORED


def test_files_are_judged_again_after_the_rules_or_the_tree_change(
    tmp_path: Path,
) -> None:
    root = tree(tmp_path / "shop", "cart.py", "docs/cart.md")
    assert names(discover(root, config=Config())) == ["cart.py", "docs/cart.md"]
    (root / ".codeindexignore").write_text("cart.py\n")
    assert "cart.py" not in names(discover(root, config=Config()))
    (root / ".codeindexignore").unlink()
    assert names(discover(root, config=Config(exclude=("docs/",)))) == ["cart.py"]
    (root / "docs").rename(tmp_path / "elsewhere")
    (root / "docs").symlink_to(tmp_path / "elsewhere")
    found = discover(root, config=Config())
    assert (names(found), reasons(found)) == (["cart.py"], {"docs": SkipReason.LINK_OUT})


def test_include_narrows_and_exclude_leaves_out(tmp_path: Path) -> None:
    tree(tmp_path, "src/a.py", "src/migrations/b.py", "docs/c.md")
    config = replace(CONFIG, include=("src/**",), exclude=("**/migrations/**",))
    found = discover(tmp_path, config=config)
    assert names(found) == ["src/a.py"]
    assert reasons(found) == {
        "docs/c.md": SkipReason.NOT_INCLUDED,
        "src/migrations/b.py": SkipReason.EXCLUDED,
    }


@pytest.mark.parametrize("with_git", [True, False])
def test_an_override_brings_in_all_but_secrets_links_and_large_files(
    tmp_path: Path, with_git: bool
) -> None:
    tree(tmp_path, "node_modules/a/i.js", "node_modules/b/i.js", "out/gen.py", "yarn.lock", ".env")
    tree(tmp_path, "big.py", text="x" * 3000)
    (tmp_path / ".gitignore").write_text("out/\n")
    config = replace(
        CONFIG,
        include_override=("node_modules/a/", "out/*.py", "yarn.lock", ".env", "big.py"),
        exclude=("yarn.lock",),
        limits=LimitsConfig(max_file_kb=2),
    )
    found = discover(commit(tmp_path) if with_git else tmp_path, config=config)
    assert names(found) == [".gitignore", "node_modules/a/i.js", "out/gen.py", "yarn.lock"]
    assert reasons(found)[".env"] == SkipReason.SECRETS
    assert reasons(found)["big.py"] == SkipReason.TOO_LARGE
    assert reasons(found)["node_modules/"] == SkipReason.BUILT


def test_an_override_never_reaches_into_the_repository_database(tmp_path: Path) -> None:
    commit(tree(tmp_path, "a.py"))
    (tmp_path / ".git" / "index").write_bytes(b"broken")
    found = discover(tmp_path, config=replace(CONFIG, include_override=("**/config", ".git/")))
    assert names(found) == ["a.py"]
    assert "walked without git" in found.notes[0]


def test_the_count_limit_keeps_files_nearest_to_the_root_with_a_note(tmp_path: Path) -> None:
    tree(tmp_path, "a/deep/x.py", "a/y.py", "z.py")
    found = discover(tmp_path, config=replace(CONFIG, limits=LimitsConfig(max_files=2)))
    assert names(found) == ["a/y.py", "z.py"]
    assert reasons(found) == {"a/deep/x.py": SkipReason.TOO_MANY}
    assert found.notes == ("2 of 3 files are indexed; raise `limits.max_files` for more.",)


@pytest.mark.parametrize("with_git", [True, False])
@pytest.mark.parametrize(
    ("depth", "kept", "left_out"), [(1, ["z.py"], "a/"), (2, ["a/y.py", "z.py"], "a/deep/")]
)
def test_the_depth_limit_leaves_out_deeper_folders(
    tmp_path: Path, with_git: bool, depth: int, kept: list[str], left_out: str
) -> None:
    tree(tmp_path, "a/deep/x.py", "a/y.py", "z.py")
    root = commit(tmp_path) if with_git else tmp_path
    found = discover(root, config=replace(CONFIG, limits=LimitsConfig(max_depth=depth)))
    assert names(found) == kept
    assert reasons(found) == {left_out: SkipReason.TOO_DEEP}


@pytest.mark.parametrize("with_git", [True, False])
def test_files_that_git_ignores_are_read_on_request_but_never_secrets(
    tmp_path: Path, with_git: bool
) -> None:
    tree(tmp_path, "a.py", "out/gen.py", "out/.env", "node_modules/i.js")
    (tmp_path / ".gitignore").write_text("out/\nnode_modules/\n")
    root = commit(tmp_path) if with_git else tmp_path
    found = discover(root, config=replace(CONFIG, gitignore=False))
    assert names(found) == [".gitignore", "a.py", "out/gen.py"]
    assert reasons(found)["out/.env"] == SkipReason.SECRETS


@pytest.mark.parametrize("with_git", [True, False])
def test_a_data_folder_inside_the_tree_is_not_of_it(
    tmp_path: Path, with_git: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path, "a.py", "data/repos/x/root.json", "pkg/data/b.py")
    monkeypatch.setenv("CODEINDEX_HOME", str(root / "data"))
    found = discover(commit(root) if with_git else root, config=CONFIG)
    assert names(found) == ["a.py", "pkg/data/b.py"]
    assert reasons(found) == {"data/": SkipReason.OWN}


@pytest.mark.parametrize("with_git", [True, False])
def test_links_are_never_followed(tmp_path: Path, with_git: bool) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    tree(outside, "secret.py")
    tree(root, "a.py", "sub/b.py")
    for name, target in (
        ("file", outside / "secret.py"),
        ("inside", Path("a.py")),
        ("folder", outside),
        ("loop", root),
        ("dangling", Path("nowhere")),
    ):
        (root / name).symlink_to(target)
    found = discover(commit(root) if with_git else root, config=CONFIG)
    assert names(found) == ["a.py", "sub/b.py"]
    inside = dict.fromkeys(("inside", "loop", "dangling"), SkipReason.SYMLINK)
    assert reasons(found) == {**inside, "file": SkipReason.LINK_OUT, "folder": SkipReason.LINK_OUT}


def test_a_tracked_folder_replaced_by_a_link_leads_nowhere(tmp_path: Path) -> None:
    root = tree(tmp_path / "root", "a.py", "lib/secret.py")
    commit(root)
    (root / "lib" / "secret.py").unlink()
    (root / "lib").rmdir()
    (root / "lib").symlink_to(tree(tmp_path / "outside", "secret.py"))
    found = discover(root, config=CONFIG)
    assert names(found) == ["a.py"]
    assert reasons(found)["lib/"] == SkipReason.LINK_OUT


def test_paths_in_the_index_that_lead_out_of_the_root_are_refused(tmp_path: Path) -> None:
    tree(tmp_path, "outside.py")
    root = commit(tree(tmp_path / "root", "aaaaaaaaaaaaa"))
    index = (root / ".git" / "index").read_bytes()
    forged = index[:-20].replace(b"aaaaaaaaaaaaa", b"../outside.py")
    (root / ".git" / "index").write_bytes(forged + hashlib.sha1(forged).digest())
    found = discover(root, config=CONFIG)
    assert "outside" not in " ".join(names(found))


def test_deleted_files_are_reported_as_gone(tmp_path: Path) -> None:
    commit(tree(tmp_path, "a.py", "b.py"))
    (tmp_path / "b.py").unlink()
    found = discover(tmp_path, config=CONFIG)
    assert names(found) == ["a.py"]
    assert reasons(found) == {"b.py": SkipReason.GONE}


@pytest.mark.parametrize("with_git", [True, False])
def test_folders_may_be_deeper_than_the_stack_of_python(tmp_path: Path, with_git: bool) -> None:
    path = "a/" * 1_500 + "x.py"
    subprocess.run(["mkdir", "-p", path.rpartition("/")[0]], cwd=tmp_path, check=True)
    try:
        tree(tmp_path, path, "z.py")
        if with_git:
            commit(tmp_path)
        assert names(discover(tmp_path, config=CONFIG)) == [path, "z.py"]
    finally:
        subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)  # `rmtree` is recursive


def test_submodules_belong_to_their_superproject(tmp_path: Path) -> None:
    inner, root = commit(tree(tmp_path / "inner", "b.py")), commit(tree(tmp_path / "root", "a.py"))
    command = ["git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add"]
    subprocess.run([*command, inner.as_uri(), "lib"], cwd=root, check=True, capture_output=True)
    assert names(discover(root, config=CONFIG)) == [".gitmodules", "a.py", "lib/b.py"]
    left_out = replace(CONFIG, exclude=("lib/",))
    assert names(discover(root, config=left_out)) == [".gitmodules", "a.py"]


def test_a_nested_repository_is_not_part_of_the_tree(tmp_path: Path) -> None:
    root = commit(tree(tmp_path, "a.py"))
    commit(tree(root / "other", "b.py"))
    found = discover(root, config=CONFIG)
    assert names(found) == ["a.py"]
    assert reasons(found) == {"other/": SkipReason.OTHER_REPOSITORY}


def test_an_ignored_folder_can_be_a_root_of_its_own(tmp_path: Path) -> None:
    commit(tree(tmp_path, "a.py", "out/b.py"))
    (tmp_path / ".gitignore").write_text("out/\n")
    assert names(discover(tmp_path / "out", config=CONFIG)) == ["b.py"]


def test_only_some_of_the_tree_can_be_asked_for(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "src/b.py", "src/.env", "src2/c.py", "d.py", "e/.env")
    found = discover(tmp_path, config=CONFIG, subpaths=("src/", "d.py"))
    assert names(found) == ["d.py", "src/b.py"]
    assert reasons(found) == {"src/.env": SkipReason.SECRETS}
    assert names(discover(tmp_path, config=CONFIG, subpaths=(".",)))[0] == "a.py"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("with_git", [True, False])
def test_names_that_are_not_utf8_are_shown_with_escapes(tmp_path: Path, with_git: bool) -> None:
    tree(tmp_path, "ünï.py", "new\nline.py")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.py")).touch()
    found = discover(commit(tmp_path) if with_git else tmp_path, config=CONFIG)
    assert names(found) == ["new\nline.py", "ünï.py"]
    assert reasons(found) == {"caf\\xe9.py": SkipReason.NOT_UTF8}


@pytest.mark.skipif(os.name == "nt", reason="pipes and sockets in the tree are a thing of POSIX")
def test_a_path_that_is_no_regular_file_is_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / ".gitignore")
    found = discover(tmp_path, config=CONFIG)
    assert set(reasons(found).values()) == {str(SkipReason.NOT_A_FILE)}


_AS_NOBODY = """
import os, sys
from pathlib import Path
from codeindex.config import Config
from codeindex.ingest.discover.files import discover
discover(Path(sys.argv[1]), config=Config())  # imports what nobody may not read
os.setgid(65534)
os.setuid(65534)
found = discover(Path(sys.argv[1]), config=Config())
print([f.path for f in found.files], {s.path: s.reason for s in found.skipped}, found.notes)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="must give up root")
@pytest.mark.parametrize("with_git", [True, False])
def test_what_may_not_be_read_is_reported(with_git: bool) -> None:
    with TemporaryDirectory() as folder:  # pytest's own are closed to others
        root = tree(Path(folder), "a.py", "closed.py", "dark/b.py")
        if with_git:
            commit(root)
        tree(root, "new/c.py")  # git does not list it: only a warning of git names the folder
        for path in (root, *root.rglob("*")):
            os.chown(path, 65534, 65534)
        for path in (root / "closed.py", root / "dark", root / "new"):
            path.chmod(0)
        done = subprocess.run(
            [sys.executable, "-c", _AS_NOBODY, folder],
            env={"HOME": folder, "PATH": os.defpath},
            capture_output=True,
            text=True,
            check=True,
        )
    dark = "dark/b.py" if with_git else "dark/"
    skipped = dict.fromkeys(("closed.py", dark, "new/"), "may not be read")
    assert done.stdout.strip() == f"{['a.py']} {skipped} ()"


def test_a_root_that_is_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RootError, match="is not a folder"):
        discover(tree(tmp_path, "a.py") / "a.py", config=CONFIG)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("node_modules/", "a/node_modules", True),
        ("*.pyc", "a/b.PYC", True),
        ("*.min.js", "x.min.js", True),
        ("*.egg-info/", "x.egg-info", True),
        ("**/src/*Test/**", "m/src/ourTest/x", True),
        ("test/**", "test/x", True),
        ("test/**", "a/test/x", False),
        ("/bazel-bin/", "bazel-bin", True),
        ("/bazel-bin/", "a/bazel-bin", False),
        ("*[a-z]IT.java", "a/FooIT.java", True),
        ("**/vendor/**/*.go", "vendor/a/b.go", True),
        ("Makefile", "a/Makefile", True),
    ],
)
def test_the_table_reads_patterns_as_ignore_files_do(pattern: str, path: str, fits: bool) -> None:
    table = PatternTable([("yes", [pattern])])
    found = table.of_folder(path) if pattern.endswith("/") else table.of_file(path)
    assert bool(found) is fits


def test_a_folder_is_covered_by_its_outermost_matching_ancestor() -> None:
    table = PatternTable([("built", ["dist/"])])
    assert table.of_folder("a/dist/b/dist") == ("a/dist", "built")
    assert table.of_folder("a/b") is None


def test_reasons_that_are_no_rule_are_those_of_discovery() -> None:
    said = [re.compile(one.replace("%", ".*")) for one in SKIPPED_BY_CONTENT]
    found = {one for one in SkipReason if any(each.match(one) for each in said)}
    assert found == {
        SkipReason.LINK_OUT,
        SkipReason.TOO_LARGE,
        SkipReason.DOCUMENT_TOO_LARGE,
        SkipReason.MINIFIED,
        SkipReason.UNREADABLE,
        SkipReason.TOO_LONG,
        SkipReason.NOT_CHECKED_OUT,
        SkipReason.TOO_MANY,
        SkipReason.TOO_DEEP,
        SkipReason.OTHER_REPOSITORY,
        SkipReason.NOT_UTF8,
    }

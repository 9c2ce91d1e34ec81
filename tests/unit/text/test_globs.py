"""Ignore rules without git, compared with git's own."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeindex.text.globs import IgnoreRules, expand_braces, split_ignore_lines

NAMES = ("a", "b", "ab", "a.c", "b.c", "foo", ".x", "A", "a b", "[a]", "a-b")
# no letters beyond ASCII: to git, `?` is a byte of one; to us, the letter
SEGMENTS = (
    *NAMES,
    "*",
    "**",
    "?",
    "*.c",
    "a*",
    "*b",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]*",
    "f*o",
    "a**b",
)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    segments = draw(st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=3))
    negation = draw(st.sampled_from(("", "", "!")))
    start, end = draw(st.sampled_from(("", "", "/"))), draw(st.sampled_from(("", "", "/", " ")))
    return negation + start + "/".join(segments) + end


paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
ignore_files = st.dictionaries(
    st.lists(st.sampled_from(NAMES), max_size=2).map("/".join),
    st.lists(patterns(), min_size=1, max_size=4),
    max_size=3,
)


def write(root: Path, files: set[str], rules: dict[str, list[str]]) -> set[str]:
    """Create what can exist side by side and return the paths that do."""
    made = set()
    for path in sorted(files):
        target = root / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch(exist_ok=False)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
        made.add(path)
    for folder, lines in rules.items():
        if (root / folder).is_dir():
            (root / folder / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


def seen_by_git(root: Path) -> set[str]:
    command = ["git", "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false"]
    command += ["ls-files", "-z", "--others", "--exclude-standard"]
    out = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout
    return {path for path in out.decode().split("\0") if path and not path.endswith(".gitignore")}


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(files=st.sets(paths, min_size=1, max_size=12), rules=ignore_files)
def test_nested_ignore_files_select_what_git_ignores(
    files: set[str], rules: dict[str, list[str]]
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("objects", "refs"):  # all that `git init` makes that git insists on
            (root / ".git" / part).mkdir(parents=True)
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        made = write(root, files, rules)
        ignore = IgnoreRules()
        for place, lines in rules.items():
            if (root / place / ".gitignore").is_file():
                ignore.add(place, lines)
        assert {path for path in made if not ignore.selects(path)} == seen_by_git(root)


@pytest.mark.parametrize(
    ("lines", "path", "selected"),
    [
        (["*.log"], "a/b/x.log", True),
        (["/x"], "a/x", False),
        (["build/"], "build", False),
        (["build/"], "a/build/x", True),
        (["a/**/z"], "a/z", True),
        (["a/**/z"], "a/b/c/z", True),
        (["**/archive/**"], "x/archive/y", True),
        (["*", "!*/", "!*.py"], "a/b.py", False),
        (["*", "!*/", "!*.py"], "a/b.txt", True),
        (["dir", "!dir/keep"], "dir/keep", True),
        (["a[!b]c"], "a/c", False),
        (["# comment", "", r"\#x"], "#x", True),
        ([r"\!x"], "!x", True),
        (["x "], "x", True),
        (["x\\ "], "x ", True),
        (["X"], "x", False),
        (["x"], "x\n", False),
    ],
)
def test_a_pattern_matches_as_in_git(lines: list[str], path: str, selected: bool) -> None:
    assert IgnoreRules(lines).selects(path) is selected


@pytest.mark.parametrize(
    "line", ["", "#", "!", "/", "\\", "foo\\", "[z-a]", "[", "a[", "***/[", "!/"]
)
def test_a_line_that_makes_no_sense_selects_nothing(line: str) -> None:
    assert not IgnoreRules([line]).selects("foo")


def test_a_deeper_ignore_file_overrules_the_one_above() -> None:
    ignore = IgnoreRules(["*.txt"])
    ignore.add("docs", ["!*.txt", "draft.*"])
    assert ignore.selects("a.txt")
    assert not ignore.selects("docs/a.txt")
    assert ignore.selects("docs/old/draft.md")


def test_lines_end_at_line_feeds_only_and_the_byte_order_mark_is_dropped() -> None:
    assert split_ignore_lines("\ufeffa\x0cb\r\nc\u2028d\n".encode()) == ["a\x0cb", "c\u2028d", ""]


@pytest.mark.parametrize(
    ("pattern", "selected"),
    [
        ("*a" * 30 + "b", False),
        ("**/" + "*a*" * 20, True),
        ("**/a" * 3, False),
        ("**/a/" * 20, False),
        ("?*" * 40 + "x", False),
        ("*" * 300, True),
        ("*" * 300 + "x", False),
        ("a" + "*" * 40 + "a" + "*" * 40 + "b", False),
        ("*(" * 20 + "b", False),
        ("*+" * 20 + "b", False),
        ("*[(]" * 20 + "b", False),
        ("**/[(]/**/a*/**/b", False),
    ],
)
def test_a_hostile_pattern_is_judged_before_the_suite_times_out(
    pattern: str, selected: bool
) -> None:
    path = "/".join([*["a" * 250] * 6, *["(+" * 120] * 6])
    assert IgnoreRules([pattern]).selects(path) is selected


@pytest.mark.parametrize(
    ("pattern", "path", "selected"),
    [
        ("**/a/**/b", "x/ab/a/y/b", True),
        ("**/a/**/b", "a/b", True),
        ("**/a/**/b", "x/ab/b", False),
        ("a/**/b/**/c", "a/bx/b/c", True),
        ("a/**/b*/**/c", "a/b/x/c", True),
        ("a/**/b/**/c/d", "a/b/c/b/c/d", True),
        ("**/a/**/b/**/c", "a/b/b/b/c/c", True),
        ("a/**/b/**/c", "a/c/b", False),
        ("a*(b)*c", "a(b)(b)c", True),
        ("a***b", "axb", True),
        ("a***/b", "ax/b", True),
        ("a***/b", "a/x/b", False),
    ],
)
def test_double_stars_find_the_folders_that_fit(pattern: str, path: str, selected: bool) -> None:
    assert IgnoreRules([pattern]).selects(path) is selected


@pytest.mark.parametrize(
    ("glob", "expanded"),
    [
        ("*.c", ("*.c",)),
        ("*.{c,h}", ("*.c", "*.h")),
        ("{a,b}/{c,d}", ("a/c", "a/d", "b/c", "b/d")),
        ("!{a,b}/", ("!a/", "!b/")),
        ("x{,.test}.ts", ("x.ts", "x.test.ts")),
        ("{a,{b,c}d}", ("a", "bd", "cd")),
        ("{{name}}/*.{c,h}", ("{{name}}/*.c", "{{name}}/*.h")),
        ("a}b", ("a}b",)),
        (r"\{a,b}", (r"\{a,b}",)),
        ("[{]a,b", ("[{]a,b",)),
        ("{a,}", ("a",)),
        ("!{,a}/", ("!a/",)),
        ("{,}", ("",)),
        ("a{b,{c", ()),
        ("{a,b", ()),
        ("{a,b}" * 10, ()),
    ],
)
def test_braces_stand_for_several_globs(glob: str, expanded: tuple[str, ...]) -> None:
    assert expand_braces(glob) == expanded


@given(st.text("ab{},\\[]*", max_size=40))
def test_any_braces_are_expanded_or_refused(glob: str) -> None:
    assert len(expand_braces(glob)) <= 1000

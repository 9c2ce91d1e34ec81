"""Tests in the file that they test are found: `mod tests` of Rust, `test` of Zig."""

import pytest

from codeindex import Index
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
RUST = {
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub fn used() -> bool {\n    true\n}\n\n"
    "pub fn alone() -> bool {\n    latest()\n}\n\n"
    "fn latest() -> bool {\n    true\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    fn helper() -> bool {\n        used()\n    }\n\n    #[test]\n    fn it_is_true() {\n"
    "        assert!(helper());\n    }\n}\n",
}
ZIG = {
    "a.zig": "pub fn used() bool {\n    return true;\n}\n\n"
    "pub fn alone() bool {\n    return true;\n}\n\n"
    'test "it is true" {\n    _ = used();\n}\n\ntest used {\n    _ = used();\n}\n'
}


@pytest.mark.parametrize(
    ("files", "tests"),
    [(RUST, ["tests.it_is_true"]), (ZIG, ["used", "it is true"])],
    ids=["rust", "zig"],
)
def test_they_are_related_tests(
    repository: Repository, files: dict[str, str], tests: list[str]
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        assert [test.name for test in index.graph.related_tests("used").tests] == tests
        assert index.graph.related_tests("alone").total == 0


def test_their_file_is_to_run_after_a_change(repository: Repository) -> None:
    root = repository(
        {**RUST, "src/other.rs": "use crate::used;\npub fn go() -> bool { used() }\n"}
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        impact = index.graph.impact("used")
        assert ([test.file for test in impact.tests], impact.total_tests) == (["src/lib.rs"], 1)
        (root / "src/lib.rs").write_text(RUST["src/lib.rs"].replace("    true", "    !false"))
        assert [test.file for test in index.changes.for_diff().tests] == ["src/lib.rs"]
        assert index.graph.impact("go").total_tests == 0


def test_a_module_of_any_name_may_hold_them(repository: Repository) -> None:
    unit = {**RUST, "src/lib.rs": RUST["src/lib.rs"].replace("mod tests", "mod unit")}
    with Index.open(repository(unit)) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests("used").tests
    assert [test.name for test in found] == ["unit.it_is_true"]


def test_a_comment_behind_an_attribute_does_not_hide_the_lines_above(
    repository: Repository,
) -> None:
    above = "    /// True, always.\n    #[test]\n    #[cfg(debug_assertions)] // slow otherwise\n"
    files = {**RUST, "src/lib.rs": RUST["src/lib.rs"].replace("    #[test]\n", above)}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests("used").tests
        (symbol,) = index.symbols.lookup("it_is_true").symbols
    assert ([test.name for test in found], symbol.doc) == (["tests.it_is_true"], "True, always.")

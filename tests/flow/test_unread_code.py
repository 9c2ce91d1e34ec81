"""Code that is not in the index is named by answers that would deny callers and tests without."""

import os
import re
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import QueryError
from codeindex.search.exact.agent_lines_text import agent_lines_text
from codeindex.types import Filters
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
CORE = "def alpha():\n    return 1\n\n\ndef beta():\n    return 2\n"
POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    f"oid sha256:{'4665a5ea423c2713d436b5ee50593a9640e0018c1550b5a0002f74190d6caea8'}\nsize 12\n"
)


def test_tests_and_users_in_files_that_are_too_large_are_not_denied(
    repository: Repository,
) -> None:
    head = "from core import beta\n\ndef test_beta():\n    assert beta()\n"
    large = head + "# padding\n" * 120_000
    use = "from core import alpha\n\ndef test_alpha():\n    assert alpha() == 1\n"
    root = repository({"core.py": CORE, "test_large.py": large, "test_alpha.py": use})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.graph.related_tests("beta")
        assert (found.total, found.unread_paths) == (0, ("test_large.py",))
        assert "0 related tests; 1 code file is not read completely" in "\n".join(found.text())
        assert index.graph.related_tests("alpha").unread_paths == ("test_large.py",)
        (root / "core.py").write_text(CORE.replace("2", "3"))
        impact = index.changes.for_diff()
        assert (impact.total_tests, impact.unread_paths) == (0, ("test_large.py",))
        assert any("0 users of the changed symbols" in line for line in impact.text())
        assert any("1 code file is not read completely" in line for line in impact.text())
        for name, is_said in (("", True), ("*.md", False)):
            lines = index.exact.grep("beta", filters=Filters(globs=(name,) if name else ()))
            text = agent_lines_text(lines, budget=1000)
            assert ("note: not searched: 1 file of code" in text) is is_said


def test_a_test_in_lines_that_were_not_parsed_is_not_denied(repository: Repository) -> None:
    broken = "def test_beta(:\n  (((beta(\n class\n" * 30
    root = repository({"core.py": CORE, "test_broken.py": broken, "through.py": "import core\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.graph.related_tests("beta").unread_paths == ("test_broken.py",)
        assert index.graph.related_tests("alpha").unread_paths == ("test_broken.py",)  # indirectly
        rest = "It may be in code that is not read completely: test_broken.py."
        with pytest.raises(QueryError, match=f"No symbol is called 'gamma'.* {re.escape(rest)}"):
            index.graph.callers("gamma")


def test_a_file_whose_uses_of_the_name_are_all_listed_is_not_named(repository: Repository) -> None:
    used = "from core import beta\n\n\ndef run():\n    return beta()\n\n\n"
    broken = f"{used}def bad(x:\n    return (\n"
    files = {"core.py": CORE, "a.py": broken, "b.py": f"{broken}\n# beta\n"}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        assert {file.path for file in index.status().unparsed} == {"a.py", "b.py"}
        callers = index.graph.callers("beta")
        assert [caller.file for caller in callers.callers] == ["a.py", "b.py"]
        assert callers.unread_paths == ("b.py",)
        (index.repository.root / "a.py").write_text(broken.replace("beta\n", "beta as b\n"))
        index.sync(structure_only=True)
        assert index.graph.callers("beta").unread_paths == ("a.py", "b.py")
        asked = [index.search(q).meta["relation"] for q in ("who calls beta", "who calls alpha")]
        assert [meta["unparsed"] for meta in asked] == [["a.py", "b.py"], []]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("fast.pyx", "from core import alpha\n\ncdef run():\n    alpha()\n"),
        ("page.html.j2", "<p>{{ alpha() }}</p>\n"),
        ("page.html", "<p>{{ alpha }}</p>\n"),
        ("job.unknown", "call alpha now\n"),
        ("model.py", POINTER),
    ],
)
def test_files_whose_uses_are_not_known_are_named(
    repository: Repository, path: str, text: str
) -> None:
    notes = {"NEWS": "alpha is new.\n", ".tool": "alpha\n", "notes.txt": "alpha\n"}
    root = repository({"core.py": CORE, path: text, **notes})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        callers = index.graph.callers("alpha")
        assert (callers.total_certain, callers.unread_paths) == (0, (path,))
        names = [symbol.name for symbol in index.graph.unused().symbols]
        assert "alpha" not in names or path == "model.py"


def test_code_whose_name_is_no_utf_8_is_named(repository: Repository) -> None:
    root = repository({"core.py": CORE})
    try:
        Path(os.fsdecode(bytes(root / "caf") + b"\xe9.py")).write_text(
            "from core import beta\n\nbeta()\n"
        )
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.graph.callers("beta").unread_paths == ("caf\\xe9.py",)


def test_code_behind_a_link_that_leads_out_is_named(repository: Repository) -> None:
    root = repository({"core.py": CORE})
    (root.parent / "use.py").write_text("from core import beta\n\nbeta()\n")
    (root / "use.py").symlink_to(root.parent / "use.py")
    (root / "alias.py").symlink_to("core.py")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.graph.callers("beta").unread_paths == ("use.py",)
        absence = index.search("quokka").absence
        assert absence
        assert not absence.verified


def test_code_that_is_not_indexed_is_named_only_if_it_has_the_name(repository: Repository) -> None:
    files = {f"made/{name}.py": f"import core\n\ncore.{name}()\n" for name in ("alpha", "other")}
    encoded = "import core\n\ncore.alpha()\n".encode("utf-16")
    root = repository({"core.py": CORE, **files})
    (root / "made/wide.py").write_bytes(encoded)
    (root / "made/link.py").symlink_to(root / "core.py")
    with Index.open(root, flags={"exclude": ["*/alpha.py", "*/other.py", "*/wide.py"]}) as index:
        index.sync(structure_only=True)
        assert index.graph.callers("alpha").unread_paths == ("made/alpha.py", "made/wide.py")
        assert index.graph.callers("beta").unread_paths == ("made/wide.py",)
        (root / "made/other.py").write_text("core.beta()\n")
        (root / "made/wide.py").unlink()
        assert index.graph.callers("beta").unread_paths == ("made/other.py",)


def test_a_folder_that_is_left_out_is_called_a_folder(repository: Repository) -> None:
    root = repository({"core.py": CORE, "extra/use.py": "import core\n\ncore.beta()\n"})
    with Index.open(root, flags={"exclude": ["extra/"]}) as index:
        index.sync(structure_only=True)
        callers = "\n".join(index.graph.callers("beta").text())
        assert "1 folder is not read completely, and may have more: extra/" in callers


def test_users_of_a_change_in_its_own_file_are_not_said_to_be_in_others(
    repository: Repository,
) -> None:
    root = repository({"core.py": f"{CORE}\n\ndef gamma():\n    return beta()\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "core.py").write_text(
            (root / "core.py").read_text().replace("return 2", "return 3")
        )
        lines = [*index.changes.for_diff().text()]
        assert lines[0] == "1 file changed since the last commit"
        assert "1 user of the changed symbols" in lines
        assert any(line.startswith("  core.py:10: gamma uses beta") for line in lines)


def test_a_call_that_may_mean_several_members_is_listed_once(repository: Repository) -> None:
    classes = "".join(
        f"export class Node{at} {{\n  destroy(binding) {{\n    return {at};\n  }}\n}}\n\n"
        for at in range(3)
    )
    call = "export function clear(list, binding) {\n  list[0].destroy(binding);\n}\n"
    field = "export interface Options {\n  destroy: () => void;\n}\n"
    files = {"nodes.ts": classes + field, "clear.ts": call}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.graph.callers("destroy")
        every = [(each.file, each.lines) for each in (*found.callers, *found.named)]
        assert every == [("clear.ts", (2,))]

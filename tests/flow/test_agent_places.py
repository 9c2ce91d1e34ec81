"""What agents get for unusual places, large batches and related names, over standard input."""

from __future__ import annotations

import re

from codeindex import Index
from codeindex.mcp.output_limits import MAX_CHARACTERS
from tests.conftest import Repository, own_data
from tests.flow.test_long_functions import answers

STEPS = "\n".join(
    f"    total += price({number}, 'of a parcel that is sent')" for number in range(1000)
)
FILES = {
    "src/shop/parcel.py": f"def send(parcel):\n{STEPS}\n\n\ndef lose(parcel):\n{STEPS}\n",
    "src/shop/box.py": """def pack(box):
    while box.open:
        if box.full:
            seal(box)


def seal(box):
    return box
""",
    "tests/test_box.py": """from shop.box import pack, seal


def test_pack():
    pack(seal(1))


def test_seal():
    seal(2)
""",
}

BOX = """namespace Shop
{
    public class Box
    {
        public void Pack(int size) { }
    }
}
"""


def test_each_request_of_a_large_batch_gets_a_share(repository: Repository) -> None:
    root = repository(FILES)
    requests = [
        {"tool": "read_code", "places": ["send"]},
        {"tool": "search_code", "query": ["total += price"], "mode": "exact", "limit": 400},
        {"tool": "find_symbol", "names": ["seal"], "mode": "callers"},
        {"tool": "read_code", "places": ["lose", "pack"]},
    ]
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        text, again = answers(
            root,
            ("batch_code", {"requests": requests}),
            ("read_code", {"places": ["src/shop/parcel.py:1-30"]}),
        )
    assert len(text) <= MAX_CHARACTERS
    assert [line for line in text.split("\n") if re.match(r"== \d ", line)] == [
        "== 1 read_code",
        "== 2 search_code total += price, exact, 400",
        "== 3 find_symbol seal, callers",
        "== 4 read_code",
    ]
    assert re.search(r"… left out: read_code src/shop/parcel.py:\d+-1001\n", text)
    assert "more: cursor " in text
    assert (
        "of src/shop/box.py:7 seal\n:4: pack: seal(box)  [in: while box.open > if box.full]" in text
    )
    assert re.search(r"… left out: read_code src/shop/parcel.py:\d+-2004\n", text)
    assert text.endswith("\n1:def pack(box):\n  while box.open:\n   if box.full:\n    seal(box)")
    assert "shown before" not in again


def test_tests_of_related_names_are_listed_once(repository: Repository) -> None:
    root = repository(FILES)
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("find_symbol", {"names": ["pack", "seal"], "mode": "tests"}))
    assert text.count("test_pack") == 1
    assert text.count("test_seal") == 1
    assert "\n1 of the tests listed above" in text


def test_a_path_with_a_wrong_folder_and_a_name_with_a_line_are_read(repository: Repository) -> None:
    root = repository(FILES)
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        folder, name = answers(
            root,
            ("read_code", {"places": ["lib/shop/box.py:7-8"]}),
            ("read_code", {"places": ["pack:3"]}),
        )
    assert folder.startswith("note: there is no exact match: this is src/shop/box.py\n== src/shop")
    assert name.startswith("== src/shop/box.py:1-4 pack (function)\n1:def pack(box):\n")


def test_a_file_is_taken_for_a_wrong_folder_only_if_no_other_has_its_name(
    repository: Repository,
) -> None:
    root = repository({"top.py": "a = 1\n", "two.py": "b = 1\n", "src/two.py": "c = 1\n"})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        found, unclear = answers(
            root,
            ("read_code", {"places": ["lib/top.py:1-1"]}),
            ("read_code", {"places": ["lib/two.py:1-1"]}),
        )
    assert found.startswith("note: there is no exact match: this is top.py\n")
    assert "= 1" not in unclear


def test_the_summary_of_a_fixture_names_its_tests(repository: Repository) -> None:
    tests = "\n".join(
        f"        [Test]\n        public void should_pack_{number}() {{ Pack({number}); }}\n"
        for number in range(12)
    )
    fixture = (
        "using NUnit.Framework;\n\nnamespace Shop.Test\n{\n"
        "    [TestFixture]\n    public class BoxFixture : CoreTest<Box>\n    {\n"
        f"        [SetUp]\n        public void Setup() {{ }}\n\n{tests}    }}\n}}\n"
    )
    root = repository({"src/Shop.Test/BoxFixture.cs": fixture, "src/Shop/Box.cs": BOX})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        paths = {"paths": ["src/Shop.Test/BoxFixture.cs"]}
        text, code = answers(
            root, ("summarize_code", paths), ("summarize_code", {"paths": ["src/Shop/Box.cs"]})
        )
    assert "\n  6: class Shop.Test.BoxFixture  public class BoxFixture : CoreTest<Box>\n" in text
    assert ", ".join(["Setup", *(f"should_pack_{number}" for number in range(12))]) in text
    assert "tests: none" not in text
    assert "\n  3: class Shop.Box  public class Box\n    Pack\n  tests: " in code


def test_a_search_below_a_wrong_path_names_the_files_of_that_name(repository: Repository) -> None:
    root = repository(FILES)
    search = {"query": ["seal"], "mode": "exact", "path": ["lib/core/box.py"]}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", search))
    assert text.endswith("so nothing was searched. Files of that name: src/shop/box.py.")

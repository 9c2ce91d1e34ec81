"""Which lines of a long exact list agents get first, from a server over standard input."""

from __future__ import annotations

import re

import pytest

from codeindex import Index
from codeindex.search.exact.telling import LineKind, line_kind
from tests.conftest import Repository, own_data
from tests.flow.test_long_functions import answers

CALLS = "\n".join(f"    show({number}, parcel_limit)" for number in range(60))
FILES = {
    "src/aaa.py": f"# parcel_limit is shown here.\ndef show_all(parcel_limit):\n{CALLS}\n",
    "src/limits.py": "parcel_limit = 30\n",
    "src/zzz.py": """def check(parcel):
    if parcel.weight > parcel_limit:
        return False
    parcel_limit = heavier(parcel_limit)
    send(parcel_limit)
""",
    "tests/test_limits.py": "def test_limit():\n    parcel_limit = 1\n    assert parcel_limit\n",
}


def test_a_cut_list_has_the_telling_lines_and_counts_the_others(repository: Repository) -> None:
    root = repository(FILES)
    search = {"query": ["parcel_limit"], "mode": "exact"}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        text, by_count = answers(
            root,
            ("search_code", {**search, "budget": 200}),
            ("search_code", {**search, "limit": 4}),
        )
    for answer in (text, by_count):
        assert "def show_all(parcel_limit):" in answer
        assert "parcel_limit = 30" in answer
        assert "if parcel.weight > parcel_limit:" in answer
        assert "parcel_limit = heavier(parcel_limit)" in answer
        assert "# parcel_limit is shown here." not in answer
    assert by_count.startswith("4 of 68 lines in 4 files\n")
    kinds = "1 assignment, 62 other uses, 1 comment"
    assert f"\nleft: 64 lines ({kinds}): src/" in by_count
    assert "more: cursor " in by_count


def test_pages_of_telling_lines_have_every_line_once(repository: Repository) -> None:
    root = repository(FILES)
    found: list[str] = []
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        cursor = ""
        for _ in range(40):
            search = {"query": "parcel_limit", "mode": "exact", "budget": 300, "cursor": cursor}
            (text,) = answers(root, ("search_code", search))
            path = ""
            for line in text.split("\n"):
                path = line if line in FILES else path
                if number := re.match(r"(\d+)(?: [\w.]+)?: ", line):
                    found.append(f"{path}:{number[1]}")
            more = re.search(r"more: cursor (\S+)", text)
            if more is None:
                break
            cursor = more[1]
    every = [
        f"{path}:{number}"
        for path, content in FILES.items()
        for number, line in enumerate(content.split("\n"), 1)
        if "parcel_limit" in line
    ]
    assert sorted(found) == sorted(every)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("    server->no_reconnect = TRUE;", LineKind.ASSIGNMENT),
        ("    total += price", LineKind.ASSIGNMENT),
        ("    if (total == 0)", LineKind.CONDITION),
        ("    return total != 0", LineKind.CONDITION),
        ("    names.map(name => name.total)", LineKind.OTHER),
        ("    {:ok, total} <- read()", LineKind.ASSIGNMENT),
        ("    public List<string> Titles { get; set; }", LineKind.OTHER),
        ("from shop import total", LineKind.IMPORT),
        ("using (total.Begin())", LineKind.OTHER),
        ("  // total of all", LineKind.COMMENT),
    ],
)
def test_lines_are_told_apart_by_how_they_look(line: str, kind: LineKind) -> None:
    assert line_kind(line, defines=False) is kind
    assert line_kind(line, defines=True) in {kind, LineKind.DEFINITION}


def test_only_the_beginning_of_a_long_line_is_read() -> None:
    assert line_kind("? " * 500_000 + "is", defines=False) is LineKind.OTHER


BACKGROUND = {
    "src/cart.py": """from shop.limits import cart_limit


# cart_limit was lower once.
def add(cart, item):
    if len(cart) >= cart_limit:
        raise ValueError("the cart is full of goods")
    cart.append(item)
""",
    "src/limits.py": "# The next line sets cart_limit.\ncart_limit = 30\n",
    "src/names.py": "from shop.limits import cart_limit\n",
    "src/limits.shoprc": "cart_limit = 40\n",
    "docs/limits.md": "# Limits\n\n`cart_limit` is 30.\n\nRaise cart_limit if need be.\n",
}


def test_comments_documents_and_imports_beside_uses_are_counted(repository: Repository) -> None:
    root = repository(BACKGROUND)
    search = {"query": ["cart_limit"], "mode": "exact"}
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", search))
        cursor = re.search(r"more: cursor (\S+)", text)
        assert cursor is not None
        (rest,) = answers(root, ("search_code", {**search, "cursor": cursor[1]}))
        (comments,) = answers(root, ("search_code", {**search, "path": ["docs"]}))
    assert "if len(cart) >= cart_limit:" in text
    assert "cart_limit = 30" in text
    assert "cart_limit = 40" in text
    assert "1: from shop.limits import cart_limit" in text.partition("src/names.py")[2]
    assert "lower once" not in text
    assert "`cart_limit` is 30." not in text
    kinds = "1 import, 2 comments, 2 lines of documents"
    assert f"\nleft: 5 lines ({kinds}): docs/limits.md 2\nmore: " in text
    assert "lower once" in rest
    assert "`cart_limit` is 30." in rest
    assert "more: cursor" not in rest
    assert "`cart_limit` is 30." in comments


def test_the_only_lines_are_shown_though_they_are_comments(repository: Repository) -> None:
    notes = "".join(f"# parcel {number} waits\n" for number in range(6))
    root = repository({"src/notes.py": notes})
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        (text,) = answers(root, ("search_code", {"query": ["waits"], "mode": "exact"}))
    assert "# parcel 5 waits" in text
    assert "more: cursor" not in text


def test_a_message_is_shown_with_the_conditions_above_it(repository: Repository) -> None:
    root = repository(BACKGROUND)
    with own_data(root.parent), Index.open(root) as index:
        index.sync(structure_only=True)
        message, word = answers(
            root,
            ("search_code", {"query": ["the cart is full of goods"], "mode": "exact"}),
            ("search_code", {"query": ["ValueError"], "mode": "exact"}),
        )
    assert "if len(cart) >= cart_limit:" in message
    assert "if len(cart) >= cart_limit:" not in word

"""Sections are split into paragraphs, items and code, and long blocks are cut."""

from dataclasses import replace

import pytest

from codeindex.ask.blocks import Block, section_blocks
from codeindex.types import Hit
from tests.unit.ask.asked import asked, section

PAGE = """\
Building
========

Build the program with meson, which
needs a compiler.

Run these commands:

    meson setup out
    ninja -C out

- Run the checks as well:

    this belongs to the item

```
ninja test
```

| this | is | a | table |
"""


def _texts(page: str) -> list[tuple[str, int, str]]:
    """Return (kind, first line, text) of each block."""
    kinds = {(True, False): "code", (False, True): "item", (False, False): "prose"}
    return [
        (kinds[block.is_code, block.is_item], block.lines[0][0], block.text)
        for block in section_blocks(section(page))
    ]


def test_paragraphs_items_and_code_are_blocks_in_the_order_of_the_lines() -> None:
    assert _texts(PAGE) == [
        ("prose", 4, "Build the program with meson, which needs a compiler."),
        ("prose", 7, "Run these commands:"),
        ("code", 9, "    meson setup out\n    ninja -C out"),
        ("item", 12, "Run the checks as well:"),
        ("prose", 14, "this belongs to the item"),
        ("code", 17, "ninja test"),
    ]


def test_text_indented_below_two_colons_is_code_in_restructuredtext() -> None:
    page = (
        "Set a timeout on the client like this::\n\n    timeout = 5\n\nIt is in seconds, always.\n"
    )
    blocks = section_blocks(replace(section(page), language="rst"))
    assert [(block.is_code, block.lines[0][0]) for block in blocks] == [
        (False, 1),
        (True, 3),
        (False, 5),
    ]


def test_a_line_that_begins_with_a_role_is_prose_and_a_field_is_none() -> None:
    page = "The options are explained in\n:ref:`the manual` and :doc:`start`.\n\n:param a: one.\n"
    (block,) = section_blocks(replace(section(page), language="rst"))
    assert block.text == "The options are explained in :ref:`the manual` and :doc:`start`."


@pytest.mark.parametrize(
    ("above", "indent"),
    [
        ('!!! warning "Quota"', "    "),
        ("??? note", "\t"),
        ('=== "Linux"', "    "),
        ("[^1]: About quotas.", "    "),
        ("Quota\n:   A limit of bytes.", "    "),
        ("1. Start with four\nprocesses.", "    "),
        ("- Start\nwith four.\n\n      code\n", "    "),
    ],
)
def test_indented_prose_of_markdown_is_no_code(above: str, indent: str) -> None:
    prose = "The upload quota of a project is five gigabytes per month."
    found = _texts(f"{above}\n\n{indent}{prose}\n\nOther things are said here as well.\n")
    assert ("prose", prose) in [(kind, text) for kind, _, text in found]


def test_a_title_that_is_underlined_is_no_paragraph() -> None:
    assert _texts("How to build the program\n=====\n\nUse the compiler of the system.\n") == [
        ("prose", 4, "Use the compiler of the system.")
    ]


def test_a_long_paragraph_is_cut_to_its_best_sentences() -> None:
    lines = (
        (3, "The pool opens eight connections at once. They are kept for"),
        (4, "an hour. A broken connection is replaced when it is found."),
    )
    cut = Block(lines).cut(60, asked("when is a broken connection replaced"))
    assert cut.lines == ((4, "A broken connection is replaced when it is found."),)


def test_long_code_is_cut_to_its_best_lines() -> None:
    code = Block(tuple((at, f"set option_{at}") for at in range(1, 60)), is_code=True)
    cut = code.cut(3, asked("what is option_40"))
    assert len(cut.lines) == 3
    assert 40 in dict(cut.lines)


def test_a_document_in_another_notation_has_blocks_too() -> None:
    hit: Hit = replace(section("Jobs are kept for one day.\n"), language="text")
    assert [block.text for block in section_blocks(hit)] == ["Jobs are kept for one day."]

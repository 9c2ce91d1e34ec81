"""What documents name."""

from __future__ import annotations

from codeindex.ingest.derive.mentions import mentions_in


def named(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.name) for one in mentions_in(text, language="markdown")]


def test_names_in_backticks_are_mentioned_and_other_words_are_not() -> None:
    assert named("Use `Cart.add` and RetryManager, see `shop/cart.py`.") == [
        ("mentions", "Cart.add"),
        ("mentions", "shop/cart.py"),
    ]


def test_files_of_a_section_about_entry_points_are_entry_points() -> None:
    assert named("## Entry Points\n\n- `shop/main.py` runs `Cart`\n") == [
        ("entry_point", "shop/main.py"),
        ("mentions", "Cart"),
    ]


def test_a_heading_describes_the_symbol_it_names() -> None:
    assert named("# The `Cart`\n\n## RetryManager\n") == [
        ("describes", "Cart"),
        ("describes", "RetryManager"),
    ]


def test_links_to_files_are_mentions_and_links_elsewhere_are_not() -> None:
    assert named("[how](docs/how.md#top) and [that](https://example.org/a.py)") == [
        ("mentions", "docs/how.md")
    ]


def test_code_that_is_no_name_is_not_taken_for_one() -> None:
    assert named("Run `pip install shop` or `a + b`.") == []

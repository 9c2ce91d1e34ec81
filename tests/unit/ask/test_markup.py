"""Quotes show the text that markup stands for."""

import pytest

from codeindex.ask.markup import is_prose, strip_markup


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "Runs {@code a b} on the {@link Pool#common()} or {@link Pool#of(int) a pool}.",
            "Runs a b on the Pool.common() or a pool.",
        ),
        (
            "See :py:meth:`~shop.Cart.add` and [the guide](guide.md).",
            "See `shop.Cart.add` and the guide.",
        ),
        ("It is **never** kept<br> by ``default``.", "It is never kept by `default`."),
    ],
)
def test_markup_is_shown_as_what_it_stands_for(markup: str, text: str) -> None:
    assert strip_markup(markup) == text


@pytest.mark.parametrize(
    ("text", "is_text"),
    [
        ("Jobs are kept for one day.", True),
        ("import the module", False),
        ("a | b | c | d e f g", False),
        ("x = y[0] + f(1)", False),
        ("Too short", False),
    ],
)
def test_prose_is_told_from_code_and_tables(text: str, *, is_text: bool) -> None:
    assert is_prose(text) == is_text

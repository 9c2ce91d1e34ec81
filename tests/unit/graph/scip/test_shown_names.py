"""A file that changed since the compiler read it is recognized."""

from codeindex.graph.scip.documents import UTF8, UTF16, UTF32, ScipDocument, parse_document
from codeindex.graph.scip.shown_names import shown_occurrences
from tests.scip_writer import DEFINITION, Shown, document

PAY = "scip-test pip shop 1 cart/pay()."
CART = "scip-test pip shop 1 cart/Cart#"
INIT = "scip-test pip shop 1 cart/Cart#__init__()."
TEXT = """\
from cart import pay as charge, Cart

def pay(n): return n
total = pay(charge(1))
"""


def read(text: str, *names: Shown) -> ScipDocument:
    return parse_document(document("app.py", text, names))


def texts(seen: ScipDocument, text: str) -> list[tuple[int, str]] | None:
    shown = shown_occurrences(seen, text)
    return None if shown is None else [(each.line, each.text) for each in shown]


def test_references_show_the_name_or_an_alias() -> None:
    seen = read(TEXT, Shown(4, "pay", PAY), Shown(4, "charge", PAY), Shown(4, "total", PAY))
    assert texts(seen, TEXT) == [(4, "pay"), (4, "charge")]
    first, second = shown_occurrences(seen, TEXT) or []
    assert first.called
    assert second.called


def test_constructors_show_their_type() -> None:
    text = "class Cart: pass\nCart()\nOther()\n"
    seen = read(text, Shown(2, "Cart", INIT), Shown(3, "Other", INIT))
    assert texts(seen, text) == [(2, "Cart")]


def test_moved_names_mean_another_file() -> None:
    seen = read(TEXT, Shown(3, "pay", PAY, DEFINITION), Shown(4, "pay", PAY))
    for changed in (
        TEXT.replace("total =", "the_total ="),  # a range in the middle of a word
        TEXT.replace("def pay", "def refund"),
        TEXT.replace("def pay", "async def pay"),
        TEXT[: TEXT.index("total")],  # a range after the end
        "",
    ):
        assert texts(seen, changed) is None


def test_a_local_name_shows_one_text() -> None:
    seen = read(TEXT, Shown(4, "total", "local 1", DEFINITION), Shown(4, "pay", "local 1"))
    assert texts(seen, TEXT) is None


def test_a_word_with_two_meanings_in_a_line_is_left_out() -> None:
    text = "self.size = size\nself.size\n"
    size = "scip-test pip shop 1 cart/Cart#size."
    seen = read(
        text, Shown(1, "size", size), Shown(1, "size", "local 1", at=1), Shown(2, "size", size)
    )
    assert texts(seen, text) == [(2, "size")]


def test_columns_count_the_units_of_the_encoding() -> None:
    text = "'é😀'; pay()\n"
    columns = {UTF8: 10, UTF16: 7, UTF32: 6}
    (first,) = read(text, Shown(1, "pay", PAY)).occurrences
    for encoding, start in columns.items():
        moved = first._replace(start=start, end=start + 3)
        assert texts(ScipDocument("app.py", "", encoding, "", (moved,)), text) == [(1, "pay")]
    inside = first._replace(start=3, end=4)  # in the middle of the emoji
    assert texts(ScipDocument("app.py", "", UTF16, "", (inside,)), text) is None


def test_closing_tags_are_left_out() -> None:
    text = "a = <Cart>\n</Cart>\n"
    seen = read(text, Shown(1, "Cart", CART), Shown(2, "Cart", CART))
    assert texts(seen, text) == [(1, "Cart")]

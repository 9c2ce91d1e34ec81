"""Parts of long functions and types among the results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

LONG = "\n".join(f'    print("invoice total {n}", cart)' for n in range(400))
NESTED = "\n".join(f'        print("invoice line {n}", cart)' for n in range(100))
FILES = {
    "shop.py": (
        f"def print_invoice(\n    cart,\n):\n{LONG}\n    def nested(cart):\n{NESTED}\n{LONG}\n"
        "    give_refund_voucher(cart)\n\n\n"
        "def total_of_invoice(cart):\n    return sum(cart)\n"
    ),
    "Cart.java": (
        "class Cart {\n"
        + "".join(
            f"    void addCoupon({kind} coupon) {{\n        coupons.add(of(coupon));\n    }}\n\n"
            for kind in ("String", "int", "Coupon", "long")
        )
        + "    void dropCoupons() {\n        coupons.clear();\n    }\n}\n"
    ),
    "options.h": "struct options {\n"
    + "".join(f"  int courier_option_{n}; /* option {n} of the courier */\n" for n in range(300))
    + "};\n",
    "lib.rs": (
        "pub fn store_document(doc: u32) -> u32 {\n    doc\n}\n\n#[cfg(test)]\nmod tests {\n"
        "    use super::*;\n\n    fn store_document_for_tests(doc: u32) -> u32 {\n"
        "        store_document(doc)\n    }\n\n    #[test]\n    fn stores_documents() {\n"
        "        store_document_for_tests(1);\n    }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("parts")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync(structure_only=True)
        yield index


def test_a_long_function_is_one_result(shop: Index) -> None:
    hits = [
        hit for hit in shop.search("invoice total cart", limit=50).hits if hit.path == "shop.py"
    ]
    starts = [(hit.symbol, hit.line) for hit in hits if hit.line]
    assert ("print_invoice", 1) in starts
    assert len(starts) == len(set(starts))
    assert (
        "total_of_invoice",
        next(hit.line for hit in hits if "total_of" in hit.symbol),
    ) in starts


def test_a_long_type_is_one_result_at_its_definition(shop: Index) -> None:
    hits = [
        hit for hit in shop.search("options of the courier", limit=50).hits if hit.kind == "struct"
    ]
    assert [(hit.path, hit.symbol, hit.line) for hit in hits] == [("options.h", "options", 1)]


def test_overloads_are_one_result_unless_they_are_named(shop: Index) -> None:
    asked = shop.search("which coupons does the cart hold", limit=50).hits
    names = [hit.symbol for hit in asked if hit.path == "Cart.java"]
    assert names.count("Cart.addCoupon") == 1
    assert "Cart.dropCoupons" in names
    named = shop.search("addCoupon", limit=50).hits
    assert [hit.symbol for hit in named].count("Cart.addCoupon") == 4


def test_a_cited_line_is_shown_beside_the_best_part(shop: Index) -> None:
    answer = shop.search("shop.py:450", limit=10)
    assert (answer.hits[0].path, answer.hits[0].line) == ("shop.py", 450)


def test_the_line_above_a_later_part_is_the_text_of_the_file(shop: Index) -> None:
    lines = (Path(shop.root) / "shop.py").read_text().split("\n")
    hit = shop.search("refund voucher", limit=1).hits[0]
    assert hit.start_line > hit.line == 1
    assert hit.signature == lines[0] == "def print_invoice("


def test_helpers_in_a_module_of_tests_come_after_the_code(shop: Index) -> None:
    hits = shop.search("store a document", limit=10).hits
    names = [hit.symbol for hit in hits if hit.path == "lib.rs"]
    assert names[0] == "store_document"
    helper = next(hit for hit in hits if "store_document_for_tests" in hit.symbol)
    assert helper.why["place_inline_test"] < 0

"""Stack frames lead to the function that they name, also after its file was edited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

JAVA = (
    "package io.shop;\n\n/** A cart. */\nclass Cart {\n"
    + "".join(f"  int size{n}() {{\n    return {n};\n  }}\n\n" for n in range(20))
    + "  static class Inner {\n    int method(int a) {\n      return a + 1;\n    }\n  }\n\n"
    "  int method(int a) {\n    return a + 2;\n  }\n}\n"
)
GO = "package shop\n\ntype Shop struct{}\n\nfunc (s *Shop) Pay(n int) int {\n\treturn n + 1\n}\n"
FILES = {
    "src/io/shop/Cart.java": JAVA,
    "src/io/other/Cart.java": JAVA.replace("io.shop", "io.other"),
    "shop/pay.go": GO,
}
INNER = JAVA[: JAVA.index("int method")].count("\n") + 1
OUTER = JAVA[: JAVA.rindex("int method")].count("\n") + 1


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("frames")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync()
        yield index


@pytest.mark.parametrize(
    ("frame", "path", "line"),
    [
        ("at io.shop.Cart$Inner.method(Cart.java:6)", "src/io/shop/Cart.java", INNER),
        ("at io.other.Cart.method(Cart.java:932)", "src/io/other/Cart.java", OUTER),
        (f"io.shop.Cart$Inner.method(Cart.java:{INNER + 1})", "src/io/shop/Cart.java", INNER + 1),
        ("at io.shop.Cart.lambda$method$0(Cart.java:3)", "src/io/shop/Cart.java", OUTER),
        ("shop.(*Shop).Pay.func1(0xc0)\n\t/go/shop/pay.go:80 +0x1d", "shop/pay.go", 5),
    ],
)
def test_a_frame_leads_to_its_function(shop: Index, frame: str, path: str, line: int) -> None:
    first = shop.search(frame).hits[0]
    assert first.path == path
    assert first.start_line <= line <= first.end_line
    assert first.line == line

"""Which places a text cites, in the ways of compilers, logs and stack traces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.search.cited import Cited, cited, nearest


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("src/shop.ts:32", Cited("src/shop.ts", 32)),
        ("error in ./src/shop.ts line 32: no stock", Cited("src/shop.ts", 32)),
        ("panicked at src/h1/conn.rs:461:13", Cited("src/h1/conn.rs", 461)),
        ("at Shop.pay (/app/shop.js:45:12)", Cited("/app/shop.js", 45, "pay")),
        ("at io.shop.Cart.add(Cart.java:123)", Cited("Cart.java", 123, "add")),
        ('  File "/lib/shop/pay.py", line 690, in retry', Cited("/lib/shop/pay.py", 690, "retry")),
        ("app/user.rb:12:in `Shop::User#pay!'", Cited("app/user.rb", 12, "pay!")),
        (r"at Shop.Pay() in C:\src\Pay.cs:line 42", Cited("/src/Pay.cs", 42)),
        ("Uncaught Error in /www/Client.php on line 7", Cited("/www/Client.php", 7)),
        ("#0 /www/Client.php(12): send()", Cited("/www/Client.php", 12)),
        ("see src/x.go#L12-L14", Cited("src/x.go", 12)),
    ],
)
def test_a_place_is_read_as_it_is_written(text: str, place: Cited) -> None:
    assert cited(text) == [place]


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1:8080", "1234:M 22 Nov 10:00:00.123 * done", "see line 12", "a:b:3", "x.y:1.5"],
)
def test_other_numbers_are_no_lines(text: str) -> None:
    assert cited(text) == []


def test_of_files_those_are_meant_that_have_most_of_the_path() -> None:
    files = ["src/black/__init__.py", "src/blib/__init__.py", "setup.py", "docs/setup.py"]
    assert nearest("/usr/lib/black/__init__.py", files) == ["src/black/__init__.py"]
    assert nearest("__init__.py", files) == files[:2]
    assert nearest("/usr/lib/other/__init__.py", files) == []
    assert nearest("node_modules/express/index.js", ["src/index.js"]) == []


@given(st.text(alphabet="a./\\:( L#1\"'", max_size=2000))
def test_any_text_is_read(text: str) -> None:
    assert all(one.path and one.line >= 0 for one in cited(text))

"""Frames as compilers, logs and the runtimes of each language write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.query.stack_trace import StackFrame, match_cited_path, parse_frames

CASES = [
    ('  File "/lib/shop/pay.py", line 690, in retry', "/lib/shop/pay.py", 690, "retry"),
    ("    at async Shop.pay [as run] (file:///app/a.js:45:12)", "///app/a.js", 45, "Shop pay"),
    ("    at new Cart (/app/cart.ts:3:1)", "/app/cart.ts", 3, "Cart"),
    ("    at Object.<anonymous> (/a/b.js:1:2)", "/a/b.js", 1, ""),
    ("    at /app/x.js:3:4", "/app/x.js", 3, ""),
    ("\tat io.shop.Outer$Inner.lambda$run$0(A.java:226)", "A.java", 226, "io shop Outer Inner run"),
    ("Outer$Inner.method(File.java:226)", "File.java", 226, "Outer Inner method"),
    ("\tat io.shop.Cart$total$1.invokeSuspend(Cart.kt:12)", "Cart.kt", 12, "io shop Cart total"),
    ("\tat s.Main$.$anonfun$run$1(Main.scala:3)", "Main.scala", 3, "s Main run"),
    ("\tat s.Main$_go_closure1.doCall(Main.groovy:3)", "Main.groovy", 3, "s Main go"),
    (
        "main.(*Shop).Pay.func1(0xc0)\n\t/go/shop/pay.go:12 +0x1d",
        "/go/shop/pay.go",
        12,
        "main Shop Pay",
    ),
    ("   3: a::Cart::add::{{closure}}\n      at ./src/a.rs:10:5", "src/a.rs", 10, "a Cart add"),
    ("   3: <a::Cart as core::Display>::fmt\n   at ./src/a.rs:10:5", "src/a.rs", 10, "a Cart fmt"),
    ("thread 'main' panicked at src/h1/conn.rs:461:13:", "src/h1/conn.rs", 461, ""),
    ("a/user.rb:12:in `block in Shop::User#pay!'", "a/user.rb", 12, "Shop User pay!"),
    ("a/user.rb:12:in 'Shop.pay'", "a/user.rb", 12, "Shop pay"),
    ("#0 /www/Client.php(12): App\\Client->send()", "/www/Client.php", 12, "App Client send"),
    ("Uncaught Error in /www/Client.php on line 7", "/www/Client.php", 7, ""),
    (r"at N.Cls.<Pay>d__3.MoveNext() in C:\a\b.cs:line 12", "/a/b.cs", 12, "N Cls Pay"),
    (
        r"at N.Cls.<>c__DisplayClass3_0.<Pay>b__0(Int32 x) in /b.cs:line 12",
        "/b.cs",
        12,
        "N Cls Pay",
    ),
    ("#1  0x00005555 in pay (self=0x0, n=3) at src/pay.c:12", "src/pay.c", 12, "pay"),
    ("#1 0x4f in a::Cart::pay(int, char*) /a/pay.cc:12:7", "/a/pay.cc", 12, "a Cart pay"),
    ("pay.c:12:5: error: expected ';'", "pay.c", 12, ""),
    ("    (app 1.2.0) lib/x.ex:12: Shop.Cart.add/2", "lib/x.ex", 12, "Shop Cart add"),
    ("  (a 1.0) lib/x.ex:12: anonymous fn/1 in Shop.Cart.add/2", "lib/x.ex", 12, "Shop Cart add"),
    ('{shop,add,2,[{file,"src/shop.erl"},{line,12}]}', "src/shop.erl", 12, "shop add"),
    ("\tmod/x.lua:12: in function 'shop.pay'", "mod/x.lua", 12, "shop pay"),
    ("#0      Cart.add (package:shop/src/cart.dart:12:3)", "lib/src/cart.dart", 12, "Cart add"),
    ("#1      Cart.add.<anonymous closure> (package:a/b.dart:1:3)", "lib/b.dart", 1, "Cart add"),
    ("Shop::pay(1, 2) called at lib/Shop.pm line 12", "lib/Shop.pm", 12, "Shop pay"),
    ("  pay, called at src/Shop.hs:12:5 in shop-1.0:Shop", "src/Shop.hs", 12, "pay"),
    ("0 0x00ff pay(amount:) + 12 in app at /p/Cart.swift:12:3", "/p/Cart.swift", 12, "pay"),
    ("/p/x.zig:12:5: 0x1234 in pay (app)", "/p/x.zig", 12, "pay"),
    ("run.sh: line 12: foo: command not found", "run.sh", 12, ""),
    ("error in ./src/shop.ts line 32: no stock", "src/shop.ts", 32, ""),
    ("see src/x.go#L12-L14", "src/x.go", 12, ""),
]


@pytest.mark.parametrize(("text", "path", "line", "names"), CASES)
def test_a_frame_is_read_as_its_runtime_writes_it(
    text: str, path: str, line: int, names: str
) -> None:
    assert parse_frames(text) == [StackFrame(path, line, tuple(names.split()))]


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1:8080", "1234:M 22 Nov 10:00:00.123 * done", "see line 12", "a:b:3", "x.y:1.5"],
)
def test_other_numbers_are_no_lines(text: str) -> None:
    assert parse_frames(text) == []


def test_packages_of_a_frame_are_folders_of_its_file() -> None:
    assert parse_frames("at io.shop.Cart.add(Cart.java:1)")[0].package_path == "io/shop/Cart.java"
    assert parse_frames("at Shop.pay (/app/a.js:4:1)")[0].package_path == ""


def test_of_files_those_are_meant_that_have_most_of_the_path() -> None:
    files = ["src/black/__init__.py", "src/blib/__init__.py", "setup.py", "docs/setup.py"]
    assert match_cited_path("/usr/lib/black/__init__.py", files) == ["src/black/__init__.py"]
    assert match_cited_path("__init__.py", files) == files[:2]
    assert match_cited_path("/usr/lib/other/__init__.py", files) == []
    assert match_cited_path("node_modules/express/index.js", ["src/index.js"]) == []


@given(st.text(alphabet="a./\\:( L#1\"'<>${}in\n", max_size=2000))
def test_any_text_is_read(text: str) -> None:
    assert all(one.path and one.line >= 0 and all(one.names) for one in parse_frames(text))


@pytest.mark.parametrize(
    "piece", ["a.b:1 ", "(", "a", "at ", "in x(", "<a", "a/b.py:12 in ", "x.py:1 in", "{[", "0x1 "]
)
def test_a_long_text_is_read_to_its_end(piece: str) -> None:
    assert len(parse_frames(piece * (200_000 // len(piece)))) <= 20

"""What names in Python refer to, over files."""

import pytest

from tests.unit.graph.related import edges, lines_called

CART = """
class Item:
    def price(self): return 1


class Cart:
    tax: "Item"

    def __init__(self):
        self.first = Item()

    def add(self, item: Item) -> "Cart":
        self.items = [Item()]
        return self

    @property
    def last(self) -> Item:
        return self.first

    @classmethod
    def empty(cls):
        return cls()


class Big(Cart):
    def add(self, item):
        return super().add(item)


def retry(n): return n
"""
FILES = {"shop/__init__.py": "from shop.cart import Cart as Basket\n", "shop/cart.py": CART}
CALLS = [
    ("from shop.cart import retry\nretry(1)", 2, "shop/cart.py::retry"),
    ("from shop import cart\ncart.retry(1)", 2, "shop/cart.py::retry"),
    ("import shop.cart\nshop.cart.retry(1)", 2, "shop/cart.py::retry"),
    ("import shop.cart as c\nc.retry(1)", 2, "shop/cart.py::retry"),
    ("from shop.cart import *\nretry(1)", 2, "shop/cart.py::retry"),
    ("from shop import Basket\nBasket().add(1)", 2, "shop/cart.py::Cart.add"),
    ("def f():\n    from shop.cart import retry\n    retry(1)", 3, "shop/cart.py::retry"),
    ("from shop.cart import Cart\nc = Cart()\nc.add(1)", 3, "shop/cart.py::Cart.add"),
    ("from shop.cart import Cart\ndef f(c: Cart):\n    c.add(1)", 3, "shop/cart.py::Cart.add"),
    ("from shop.cart import Cart\nCart().add(1).add(2)", 2, "shop/cart.py::Cart.add"),
    ("from shop.cart import Cart\nCart().first.price()", 2, "shop/cart.py::Item.price"),
    ("from shop.cart import Cart\nCart().last.price()", 2, "shop/cart.py::Item.price"),
    ("from shop.cart import Cart\nCart.empty().add(1)", 2, "shop/cart.py::Cart.add"),
    ("from shop.cart import Big\nBig().empty()", 2, "shop/cart.py::Cart.empty"),
    ("from shop.cart import Cart\nfor i in Cart().items:\n    i.price()", 3,
     "shop/cart.py::Item.price"),
    ("from shop.cart import Cart\ndef f(xs: list[Cart]):\n    xs[0].add(1)", 3,
     "shop/cart.py::Cart.add"),
    ("from shop.cart import Cart\ndef f(c: Optional[Cart]):\n    c.add(1)", 3,
     "shop/cart.py::Cart.add"),
]  # fmt: skip


def calls(source: str, line: int, path: str = "app.py") -> set[str]:
    all_edges = edges({**FILES, path: source + "\n"})
    return {to for at, kind, to in all_edges if kind == "calls" and at == f"{path}:{line}"}


@pytest.mark.parametrize(("source", "line", "target"), CALLS)
def test_a_call_is_resolved(source: str, line: int, target: str) -> None:
    assert target in calls(source, line)


def test_a_base_type_with_type_arguments_is_a_base_type() -> None:
    generic = {
        "base.py": "from typing import Generic, T\nclass Box(Generic[T]):\n    def open(self): ...",
        "sub.py": "from base import Box\nclass Tin(Box[str]):\n    def use(self): self.open()",
    }
    found = edges(generic)
    assert ("sub.py:2", "extends", "base.py::Box") in found
    assert ("sub.py:3", "calls", "base.py::Box.open") in found


def test_super_is_the_next_class_and_not_the_own_one() -> None:
    all_edges = edges(FILES)
    assert ("shop/cart.py:27", "calls", "shop/cart.py::Cart.add") in all_edges


@pytest.mark.parametrize(
    "source",
    [
        "from shop.cart import retry\ndef f(retry):\n    return retry(1)",
        "from shop.cart import retry\ndef f():\n    retry = print\n    retry(1)",
        "def f(retry): return retry(1)",
        "print([retry(1) for retry in ()])",
    ],
)
def test_a_local_name_is_not_the_function_of_that_name(source: str) -> None:
    all_edges = edges({**FILES, "app.py": source + "\n"})
    assert "shop/cart.py::retry" not in {
        to for at, kind, to in all_edges if kind == "calls" and "app" in at
    }


def test_a_call_on_something_unknown_is_only_possible() -> None:
    assert calls("def f(c):\n    c.add(1)", 2) == {"?add"}


def test_a_method_in_its_class_body_and_a_global_are_found() -> None:
    source = "NAMES = {}\n\n\nclass A:\n    def get(self): ...\n    value = property(get)\n\n\n"
    source += "def fill():\n    global NAMES\n    NAMES = {}\n    NAMES.get(1)"
    all_edges = edges({"app.py": source + "\n"})
    assert ("app.py:6", "references", "app.py::A.get") in all_edges
    assert ("app.py:12", "references", "app.py::NAMES") in all_edges


def test_a_submodule_is_imported_from_its_package() -> None:
    all_edges = edges({**FILES, "app.py": "from shop import cart\n"})
    assert ("app.py:1", "imports", "shop/cart.py") in all_edges


def test_a_default_named_like_its_parameter_is_the_outer_name() -> None:
    sources = {"a.py": "def key(one): ...\n\n\ndef sort(items, key=key):\n    return key(items)\n"}
    assert edges(sources) == {("a.py:4", "references", "a.py::key")}


def test_the_body_of_a_lambda_in_a_default_sees_its_own_parameter() -> None:
    sources = {"a.py": "def x(): ...\n\n\ndef sort(key=lambda x: x):\n    return key\n"}
    assert edges(sources) == set()


def test_a_symbol_patched_by_its_path_is_used() -> None:
    sources = {
        "shop/__init__.py": "",
        "shop/cart.py": "def total(): ...\n\n\nclass Cart:\n    def add(self): ...\n",
        "test_cart.py": (
            "from unittest import mock\n\nfrom shop import cart\n\n\n"
            "def test_it(monkeypatch):\n"
            '    with mock.patch("shop.cart.total"):\n        pass\n'
            '    monkeypatch.setattr(cart, "total", None)\n'
            '    monkeypatch.setattr("shop.cart.Cart.add", None)\n'
            '    mock.patch.object(cart.Cart, "add")\n'
        ),
    }
    some_edges = {edge for edge in edges(sources) if "::" in edge[2]}
    assert {edge for edge in some_edges if edge[0].startswith("test_cart")} >= {
        ("test_cart.py:7", "references", "shop/cart.py::total"),
        ("test_cart.py:9", "references", "shop/cart.py::total"),
        ("test_cart.py:10", "references", "shop/cart.py::Cart.add"),
        ("test_cart.py:11", "references", "shop/cart.py::Cart.add"),
    }


def test_a_member_of_its_own_that_only_subtypes_have_may_be_any_of_theirs() -> None:
    source = (
        "class Base:\n    def run(self):\n        retry(self._store)\n        self.run\n\n\n"
        "class Sub(Base):\n    def _store(self): ...\n"
    )
    all_edges = edges({"a.py": source})
    assert ("a.py:3", "references", "?_store") in all_edges
    assert ("a.py:4", "references", "a.py::Base.run") in all_edges
    assert not [edge for edge in all_edges if edge[2] == "?run"]


_OVERLOADED = """\
import typing
from typing import overload


class Box:
    @typing.overload
    def get(self, key: str) -> str: ...
    @typing.overload
    def get(self, key: int) -> int: ...
    def get(self, key): return key

    def __call__(self): ...


@overload
def convert(x: int) -> int: ...
@overload
def convert(x: str) -> str: ...
def convert(x): return x


def use(box: Box):
    convert(1)
    box.get(1)
    box()
    return box()
"""


def test_a_call_of_overloads_leads_to_the_function_that_runs() -> None:
    called = lines_called({"a.py": _OVERLOADED}, "a.py")
    assert {(line, target) for line, target in called if line < 25} == {
        (23, ("resolved", 19)),
        (24, ("resolved", 10)),
    }


def test_a_call_of_an_instance_runs_its_method_for_calls() -> None:
    called = lines_called({"a.py": _OVERLOADED}, "a.py")
    assert {target for line, target in called if line == 25} == {("resolved", 12)}


def test_a_stub_leads_to_the_module_that_it_describes() -> None:
    sources = {
        "shop/__init__.pyi": "def total() -> int: ...\ndef only_here() -> int: ...\n",
        "shop/__init__.py": "def total(): return 1\n",
        "fast.pyi": "class Fast:\n    def run(self) -> int: ...\n",
        "app.py": "import fast\nfast.Fast().run()\n",
    }
    assert ("app.py:2", "calls", "fast.pyi::Fast.run") in edges(sources)
    beside = {**sources, "fast.py": "class Fast:\n    def run(self): return 1\n"}
    assert ("app.py:2", "calls", "fast.py::Fast.run") in edges(beside)


_TYPED = """
class Wire:
    def read(self): pass

    def rest(self: W): return self.read()

    def head(  # the first
        self, n: int
    ):
        self.read()


def pair() -> tuple[int, Wire]: return 1, Wire()


def made(): return 1, Wire()


def run(wires: dict[str, Wire], both: Union[int, Wire], what, other: object):
    _, wire = pair()
    wire.read()
    _, wire = made()
    wire.read()
    for name, wire in wires.items():
        wire.read()
    for number, wire in enumerate(wires.values()):
        wire.read()
    wires["a"].read()
    both.read()
    cast("Wire", what).read()
    with closing(Wire()) as wire:
        wire.read()
    if isinstance(what, Wire):
        what.read()
    what.read()
    assert isinstance(other, Wire)
    other.read()
    first, *some = pair()
    some.read()
"""


def test_types_of_tuples_mappings_and_checked_values() -> None:
    lines = _TYPED.split("\n")
    called = {int(at.partition(":")[2]) for at, _, name in _calls_of_wire()}
    reading = {number for number, text in enumerate(lines, 1) if ".read()" in text}
    unknown = {number for number in reading if lines[number - 1] in _UNKNOWN}
    assert called == reading - unknown


_UNKNOWN = ("    what.read()", "    some.read()")


def _calls_of_wire() -> set[tuple[str, str, str]]:
    return {edge for edge in edges({"a.py": _TYPED}) if edge[1:] == ("calls", "a.py::Wire.read")}


def test_a_namespace_package_may_have_a_module_of_its_own_name() -> None:
    sources = {
        "src/shop/shop.py": "class Shop: pass\n",
        "src/shop/web/__init__.py": "",
        "src/shop/web/page.py": "from shop.items.item import Item\nItem()\n",
        "src/shop/items/__init__.py": "",
        "src/shop/items/item.py": "class Item: pass\n",
    }
    found = ("src/shop/web/page.py:2", "calls", "src/shop/items/item.py::Item")
    assert found in edges(sources)

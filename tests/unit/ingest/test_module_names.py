"""The module that a file belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.discover.module_names import module_of


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("shop/cart.py", "shop.cart"),
        ("shop/__init__.py", "shop"),
        ("src/shop/cart.py", "shop.cart"),
        ("lib/rack/builder.rb", "rack.builder"),
        ("src/lib/index.ts", "index"),
        ("src/main.rs", "main"),
        ("router/mod.rs", "router"),
        ("web/index.tsx", "web"),
        ("shop/shop/cart.py", "shop.cart"),
        ("setup.py", "setup"),
        ("Makefile", "Makefile"),
        ("a/b.test.ts", "a.b.test"),
        (".github/x.yml", ".github.x"),
    ],
)
def test_a_module_is_named_after_its_path(path: str, module: str) -> None:
    assert module_of(path, {path}) == module


def test_a_source_folder_that_is_a_package_is_part_of_the_name() -> None:
    assert module_of("lib/cart.py", {"lib/__init__.py", "lib/cart.py"}) == "lib.cart"


def test_a_package_inside_a_package_of_its_name_counts_twice() -> None:
    paths = {"shop/__init__.py", "shop/shop/cart.py"}
    assert module_of("shop/shop/cart.py", paths) == "shop.shop.cart"


@given(st.lists(st.sampled_from(["src", "lib", "a", "index", "main"]), min_size=1))
def test_a_module_is_a_stretch_of_its_path(parts: list[str]) -> None:
    path = "/".join(parts) + ".py"
    module = module_of(path, {path}).split(".")
    starts = range(len(parts) - len(module) + 1)
    assert any(parts[at : at + len(module)] == module for at in starts)

"""Files without a package clause see each other as the language does."""

from __future__ import annotations

import pytest

from tests.unit.graph.related import calls

_JAVA = ("class Cart { void add() {} }", "class Main { void run(Cart cart) { cart.add(); } }")
_KOTLIN = ("class Cart { fun add() {} }", "fun run(cart: Cart) { cart.add() }")
_SCALA = ("class Cart { def add() = {} }", "class Main { def run(cart: Cart) = { cart.add() } }")
_CSHARP = (
    "class Cart { public void add() {} }",
    "class Main { void Run(Cart cart) { cart.add(); } }",
)


@pytest.mark.parametrize(
    ("suffix", "texts"), [("java", _JAVA), ("kt", _KOTLIN), ("scala", _SCALA), ("cs", _CSHARP)]
)
def test_files_of_one_folder_see_each_other(suffix: str, texts: tuple[str, str]) -> None:
    cart, main = f"app/Cart.{suffix}", f"app/Main.{suffix}"
    found = calls({cart: texts[0], main: texts[1]}, main)
    assert (1, f"{cart}::Cart.add") in found


def test_a_test_sees_the_folder_that_it_tests_and_no_other() -> None:
    sources = {
        "src/main/java/Cart.java": _JAVA[0],
        "other/Cart.java": _JAVA[0],
        "src/test/java/Main.java": _JAVA[1],
        "third/Main.java": _JAVA[1],
    }
    assert (1, "src/main/java/Cart.java::Cart.add") in calls(sources, "src/test/java/Main.java")
    assert calls(sources, "third/Main.java") == {(1, "?add")}


def test_a_file_with_a_package_does_not_see_the_default_package() -> None:
    sources = {"app/Cart.java": _JAVA[0], "app/Main.java": f"package app;\n{_JAVA[1]}"}
    assert calls(sources, "app/Main.java") == {(2, "?add")}

"""Names that code builds from parts at run time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from codeindex.analysis.relations.built_names import built_names, has_first_part
from codeindex.analysis.relations.name_mentions import NameMentions
from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.words import name_checksum
from codeindex.types import Chunk, PreparedChunk, PreparedFile, Symbol, SymbolKind
from tests.prepared_files import prepared_file, store_file


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("""getattr(self, f"visit_{kind}")""", "visit_cart"),
        ("getattr(self, 'visit_%s' % kind)", "visit_cart"),
        ("""send("visit_#{kind}")""", "visit_cart"),
        ("this[`visit${kind}`]", "visitCart"),
        (r"call('Shop\Rules\visit_' . $kind)", "visit_cart"),
        ("visit_ ## kind", "visit_cart"),
        ("visit_$kind", "visit_cart"),
        ("""send("#{kind}_cart")""", "visit_cart"),
        ("""send("#{kind}_empty?")""", "cart_empty?"),
        ("""send("#{kind}_total=", 1)""", "cart_total="),
        ("'%sCart' % kind", "visitCart"),
        ("this[kind + 'Cart']", "visitCart"),
        ("kind ## _cart", "visit_cart"),
        ('"_$command" "open"', "_open"),
        ("//go:linkname local shop/cart.visitCart", "visitCart"),
    ],
)
def test_a_part_that_is_joined_with_a_value_may_be_of_the_name(text: str, name: str) -> None:
    assert built_names([text]).may_have(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("visit_(kind)", "visit_cart"),
        ("'revisit_' + kind", "visit_cart"),
        ("'visit_all'", "visit_cart"),
        ("'v_' + kind", "v_cart"),
        ("kind + 'cards'", "visit_cart"),
        ("'open'", "open"),
        ("//go:linkname local shop/cart.visitCarts", "visitCart"),
    ],
)
def test_other_parts_are_not(text: str, name: str) -> None:
    assert not built_names([text]).may_have(name)


def test_the_first_part_of_a_name_may_be_a_literal_or_a_symbol() -> None:
    assert has_first_part("define('visit')", "visit_cart")
    assert has_first_part("define :visit", "visit_cart")
    assert not has_first_part("visit()", "visit_cart")
    assert not has_first_part("define('visit')", "visit")


def reflective(path: str, text: str) -> PreparedFile:
    file = prepared_file(
        path,
        chunks=(PreparedChunk(Chunk(1, 1, "block", mark_as_safe(text)), "", "", b""),),
        symbols=(Symbol("visit_cart", "visit_cart", SymbolKind.FUNCTION, 1, 1, 1, "", ""),),
    )
    return replace(file, identifiers=(name_checksum("method_exists"),))


def test_all_files_that_look_up_names_are_searched(tmp_path: Path) -> None:
    texts = ["method_exists($a, $b);"] * 500 + ["method_exists($a, 'visit_' . $b);"]
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        with catalog.writing():
            for number, text in enumerate(texts):
                file = reflective(f"f{number:03}.php", text)
                store_file(catalog.connection, file, module="", is_navigation=False)
        (node,) = declarations_in(catalog.connection, [1])
        assert NameMentions(catalog.connection).builds_name(node)

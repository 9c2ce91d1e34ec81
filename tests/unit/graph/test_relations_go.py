"""What names in Go refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "go.mod": "module example.com/shop/v2\n\ngo 1.22\n\nreplace example.com/tax => ./tax\n",
    "tax/go.mod": "module tax\n",
    "tax/rate.go": "package tax\n\nfunc Rate() int { return 1 }\n",
    "cart/cart.go": """package cart

type Base struct{ Note string }

func (b *Base) Print() {}

type Cart struct {
	*Base
	Items []*Item
	byName Index
}

type Index map[string]*Item

func New() (*Cart, error) { return &Cart{}, nil }
""",
    "cart/item.go": """package cart

type Item struct{ Price int }

func (i *Item) Pay() {}

func (c *Cart) First() *Item { return c.Items[0] }

func (c *Cart) pay() {
	c.First().Pay()
	for _, item := range c.byName {
		item.Pay()
	}
}
""",
    "cart/cart_test.go": """package cart

func TestCart() { c, _ := New(); c.pay() }
""",
    "other/cart.go": "package other\n\ntype Cart struct{}\n\nfunc New() *Cart { return nil }\n",
    "store/lock_unix.go": "package store\n\nfunc Lock() {}\n",
    "store/lock_windows.go": "package store\n\nfunc Lock() {}\n",
    "go-store/x.go": "package store\n",
}
_CART, _ITEM = "cart/cart.go", "cart/item.go"


def _main(body: str, imports: str = '"example.com/shop/v2/cart"') -> set[str]:
    text = f"package main\n\nimport {imports}\n\nfunc main() {{\n{body}\n}}\n"
    return {target for _, target in calls({**_SOURCES, "main.go": text}, "main.go")}


def test_each_form_of_import() -> None:
    assert _main("cart.New()") == {f"{_CART}::New"}
    assert _main("c.New()", 'c "example.com/shop/v2/cart"') == {f"{_CART}::New"}
    assert _main("New()", '. "example.com/shop/v2/cart"') == {f"{_CART}::New"}
    assert _main("tax.Rate()", '"example.com/tax"') == {"tax/rate.go::Rate"}
    assert _main("fmt.Println()", '"fmt"') == {"fmt.Println"}
    assert _main("cart.New()", '_ "example.com/shop/v2/cart"') == {"?New"}


def test_an_import_names_the_files_of_a_package_but_not_its_tests() -> None:
    text = 'package main\n\nimport "example.com/shop/v2/cart"\n'
    all_edges = edges({**_SOURCES, "main.go": text})
    assert {edge for edge in all_edges if edge[0] == "main.go:3"} == {
        ("main.go:3", "imports", _CART),
        ("main.go:3", "imports", _ITEM),
    }


def test_a_package_is_one_set_of_names_and_methods() -> None:
    assert calls(_SOURCES, _ITEM) == {
        (10, f"{_ITEM}::Cart.First"),
        (10, f"{_ITEM}::Item.Pay"),
        (12, f"{_ITEM}::Item.Pay"),
    }
    assert calls(_SOURCES, "cart/cart_test.go") == {
        (3, f"{_CART}::New"),
        (3, f"{_ITEM}::Cart.pay"),
    }


def test_values_have_the_types_that_they_were_made_with() -> None:
    pays = {f"{_ITEM}::Item.Pay"}
    assert _main("var i cart.Item\ni.Pay()") == pays
    assert pays <= _main("i := &cart.Item{}\ni.Pay()")
    assert _main("i := new(cart.Item)\ni.Pay()") == pays
    assert pays <= _main("c, err := cart.New()\nc.Items[0].Pay()")
    assert _main("is := make([]cart.Item, 1)\nfor _, i := range is { i.Pay() }") == pays
    assert _main("func(ch chan *cart.Item) { i := <-ch; i.Pay() }(nil)") == pays
    assert _main("var x any\nif i, ok := x.(*cart.Item); ok { i.Pay() }") == pays


def test_a_type_switch_tells_each_branch_its_type() -> None:
    switch = "var x any\nswitch v := x.(type) {{\ncase *cart.Item:\n{}\ncase *cart.Cart:\n{}\n}}"
    assert _main(switch.format("v.Pay()", "")) == {f"{_ITEM}::Item.Pay"}
    assert _main(switch.format("", "v.First()")) == {f"{_ITEM}::Cart.First"}
    assert _main(switch.format("", "v.Pay()")) == {"?Pay"}


def test_embedding_passes_on_members() -> None:
    assert _main("var c cart.Cart\nc.Print()") == {f"{_CART}::Base.Print"}
    assert _main("var c cart.Cart\nc.Base.Print()") == {f"{_CART}::Base.Print"}
    assert (f"{_CART}:8", "extends", f"{_CART}::Base") in edges(_SOURCES)


def test_keys_of_a_literal_are_fields() -> None:
    text = """package main

import "example.com/shop/v2/cart"

var items = []cart.Item{
	{Price: 1},
}
"""
    all_edges = edges({**_SOURCES, "main.go": text})
    assert ("main.go:6", "references", f"{_ITEM}::Item.Price") in all_edges


def test_a_local_name_hides_a_function_but_only_in_its_block() -> None:
    text = """package cart

func use(ok bool) {
	if ok {
		New := func() {}
		New()
	}
	New()
}
"""
    assert calls({**_SOURCES, "cart/use.go": text}, "cart/use.go") == {(8, f"{_CART}::New")}


def test_the_same_name_elsewhere_is_not_meant() -> None:
    assert _main("other.New()", '"example.com/shop/v2/other"') == {"other/cart.go::New"}


def test_an_unknown_receiver_leaves_a_name() -> None:
    assert _main("what().Pay()") == {"?Pay"}


def test_a_function_defined_for_each_platform_is_ambiguous() -> None:
    assert _main("store.Lock()", '"example.com/shop/v2/store"') == {
        "?store/lock_unix.go::Lock",
        "?store/lock_windows.go::Lock",
    }


def test_type_parameters_are_what_bounds_them() -> None:
    text = """package cart

type Payer interface{ Pay() }

func All[T Payer](them []T) {
	for _, one := range them {
		one.Pay()
	}
}
"""
    assert calls({**_SOURCES, "cart/all.go": text}, "cart/all.go") == {
        (7, "cart/all.go::Payer.Pay")
    }


def test_the_type_of_a_field_is_no_method_of_its_struct() -> None:
    all_calls = calls(
        {
            "go.mod": "module m\n",
            "db.go": """package m

type DB struct{ head *Head }

func (db *DB) Head() *Head { return db.head }

func (db *DB) reload() { db.head.Truncate() }
""",
            "head.go": "package m\n\ntype Head struct{}\n\nfunc (h *Head) Truncate() {}\n",
        },
        "db.go",
    )
    assert all_calls == {(7, "head.go::Head.Truncate")}


def test_fields_of_structs_without_a_name_have_types() -> None:
    cases = """package cart

func TestAdd() {
	cases := []struct {
		name string
		cart, other *Cart
		make func() (*Cart, error)
	}{{"a", nil, nil, nil}}
	for _, c := range cases {
		c.cart.Add(1)
		c.other.Next().Add(2)
		made, _ := c.make()
		made.Add(3)
		c.name.Add(4)
	}
	one := struct{ cart *Cart }{}
	one.cart.Add(5)
	var box Box
	box.inner.cart.Add(6)
}
"""
    cart = """package cart
type Cart struct{}
type Box struct{ inner struct{ cart *Cart } }
func (c *Cart) Add(n int) {}
func (c *Cart) Next() *Cart { return c }
"""
    sources = {"go.mod": "module m\n", "cart.go": cart, "cart_test.go": cases}
    adding = {
        line for line, called in calls(sources, "cart_test.go") if called.endswith("Cart.Add")
    }
    assert adding == {10, 11, 13, 17, 19}

"""What names in TypeScript and JavaScript refer to."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.unit.graph.related import Edge, edges

_CART = """\
export interface Item { price: number; owner: Owner }
export class Owner { greet() {} }
export class Base {
  log(text: string) {}
  get item(): Item { return null! }
}
export class Cart extends Base {
  private last = new Owner()
  items: Item[] = []
  constructor(private owner: Owner) { super() }
  add(item: Item): this { this.log(""); this.owner.greet(); return this }
  async load(): Promise<Cart> { return this }
}
export const make = () => new Cart(new Owner())
export default function create(): Cart { return make() }
"""
_SHOP = {
    "shop/cart.ts": _CART,
    "shop/index.ts": """\
export * from "./cart"
export { Cart as Basket, default } from "./cart.js"
""",
    "other/cart.ts": "export class Cart { add() {} }\nexport function make() {}\n",
}


def found(source: str, *, path: str = "app.ts") -> set[Edge]:
    """Return the edges of `source`, without those to modules and of imports."""
    every = edges({**_SHOP, path: dedent(source)})
    return {edge for edge in every if edge[0].startswith(f"{path}:") and edge[1] != "imports"}


def imported(source: str, *, path: str = "app.ts", more: dict[str, str] | None = None) -> set[str]:
    """Return the files and symbols that the imports of `source` lead to."""
    every = edges({**_SHOP, **(more or {}), path: dedent(source)})
    return {target for at, kind, target in every if at.startswith(f"{path}:") and kind == "imports"}


@pytest.mark.parametrize(
    "statement",
    [
        'import { Cart } from "./shop/cart"',
        'import { Cart } from "./shop/cart.js"',
        'import { Cart } from "./shop"',
        'import { Basket as Cart } from "./shop/index"',
        'import type { Cart } from "./shop"',
        'import * as shop from "./shop"; const { Cart } = shop',
        'const { Cart } = require("./shop/cart")',
        'const Cart = require("./shop/cart").Cart',
        'const { Cart } = await import("./shop/cart")',
    ],
)
def test_a_class_is_found_through_each_form_of_import(statement: str) -> None:
    assert ("app.ts:2", "calls", "shop/cart.ts::Cart") in found(f"{statement}\nnew Cart()\n")


def test_namespaces_and_defaults() -> None:
    source = """\
        import create, * as shop from "./shop"
        import eq = require("./shop/cart")
        create().add()
        new shop.Basket()
        eq.make()
        """
    assert found(source) >= {
        ("app.ts:3", "calls", "shop/cart.ts::create"),
        ("app.ts:3", "calls", "shop/cart.ts::Cart.add"),
        ("app.ts:4", "calls", "shop/cart.ts::Cart"),
        ("app.ts:5", "calls", "shop/cart.ts::make"),
    }


def test_an_import_leads_to_its_file_and_to_what_it_takes() -> None:
    assert imported('import "./shop"\nimport("./other/cart")\nimport { x } from "left-pad"\n') == {
        "shop/index.ts",
        "other/cart.ts",
        "left-pad.x",
    }
    assert imported('export { Basket } from "./shop"\n') == {"shop/index.ts", "shop/cart.ts::Cart"}
    assert imported('import x from "./missing"\n') == set()


def test_members_of_this_and_of_what_a_class_extends() -> None:
    cart = edges(_SHOP)
    assert ("shop/cart.ts:11", "calls", "shop/cart.ts::Base.log") in cart
    assert ("shop/cart.ts:11", "calls", "shop/cart.ts::Owner.greet") in cart
    assert ("shop/cart.ts:7", "extends", "shop/cart.ts::Base") in cart


def test_types_of_parameters_fields_elements_and_results() -> None:
    source = """\
        import { Cart, Item, make } from "./shop"
        function f(cart: Cart, { owner }: Item, all: readonly Cart[], by: Map<string, Cart>) {
          cart.add(null!).load()
          owner.greet()
          all[0].log()
          all.forEach(one => one.load())
          for (const one of cart.items) one.owner.greet()
          by.get("")!.load()
          make().item.owner.greet()
          const some = (cart as unknown as Item | null)?.owner
          some?.greet()
        }
        const g = async () => { (await make().load()).add() }
        """
    cart = "shop/cart.ts::"
    assert found(source) >= {
        ("app.ts:3", "calls", f"{cart}Cart.add"),
        ("app.ts:3", "calls", f"{cart}Cart.load"),
        ("app.ts:4", "calls", f"{cart}Owner.greet"),
        ("app.ts:5", "calls", f"{cart}Base.log"),
        ("app.ts:6", "calls", f"{cart}Cart.load"),
        ("app.ts:7", "references", f"{cart}Item.owner"),
        ("app.ts:7", "calls", f"{cart}Owner.greet"),
        ("app.ts:8", "calls", f"{cart}Cart.load"),
        ("app.ts:9", "references", f"{cart}Base.item"),
        ("app.ts:9", "calls", f"{cart}Owner.greet"),
        ("app.ts:11", "calls", f"{cart}Owner.greet"),
        ("app.ts:13", "calls", f"{cart}Cart.add"),
    }


def test_a_local_name_hides_an_imported_one() -> None:
    source = """\
        import { make, Cart } from "./shop"
        function f(make: () => void) { make() }
        function g() { const Cart = unknown(); return Cart.add() }
        items.map(make => make.call())
        function h<Cart>(x: Cart) { return x }
        """
    assert {edge for edge in found(source) if "shop/" in edge[2]} == set()


def test_the_blocks_of_a_function_have_names_of_their_own() -> None:
    source = """\
        import { Cart, Owner } from "./shop"
        function f(x: boolean) {
          if (x) { const one = new Cart(null!); one.load() }
          else { const one = new Owner(); one.greet() }
          let late = null
          if (x) late = new Owner()
          late.greet()
        }
        """
    assert found(source) >= {
        ("app.ts:3", "calls", "shop/cart.ts::Cart.load"),
        ("app.ts:4", "calls", "shop/cart.ts::Owner.greet"),
        ("app.ts:7", "calls", "shop/cart.ts::Owner.greet"),
    }


def test_a_method_of_something_unknown_is_ambiguous() -> None:
    assert found("function f(x) { x.add() }\n") == {("app.ts:1", "calls", "?add")}


def test_a_bare_name_is_never_a_method_or_a_test() -> None:
    source = """\
        describe("make", () => {})
        use({ make() {}, add: () => {} })
        make(); add()
        """
    assert not {edge for edge in found(source) if edge[0] == "app.ts:3" and "app.ts" in edge[2]}


def test_members_of_a_union_are_ambiguous_where_several_have_one() -> None:
    source = """\
        interface Good { ok: true; data: string }
        interface Bad { ok: false; error: string }
        type Result = Good | Bad
        function f(r: Result) {
          r.ok
          r.error
        }
        """
    assert found(source) >= {
        ("app.ts:5", "references", "?app.ts::Good.ok"),
        ("app.ts:5", "references", "?app.ts::Bad.ok"),
        ("app.ts:6", "references", "app.ts::Bad.error"),
    }


def test_literals_enums_namespaces_and_aliases() -> None:
    source = """\
        import { Cart } from "./shop"
        export const api = { get() { return this.cart }, cart: new Cart(null!) }
        enum Kind { Book }
        namespace Tools { export function cut() {} export function run() { cut() } }
        type Alias = Cart
        declare const one: Alias
        api.get().load(); Kind.Book; Tools.run(); one.load()
        function make2() { function inner() {} return { inner } }
        make2().inner()
        """
    assert found(source) >= {
        ("app.ts:4", "calls", "app.ts::Tools.cut"),
        ("app.ts:7", "calls", "app.ts::api.get"),
        ("app.ts:7", "calls", "shop/cart.ts::Cart.load"),
        ("app.ts:7", "references", "app.ts::Kind.Book"),
        ("app.ts:7", "calls", "app.ts::Tools.run"),
        ("app.ts:9", "calls", "app.ts::make2.inner"),
    }


def test_a_component_is_called_where_it_stands_in_jsx() -> None:
    source = """\
        import { Button } from "./button"
        export const App = () => <div><Button onClick={() => go()} /></div>
        function go() {}
        """
    button = "export function Button() { return <b/> }\n"
    every = edges({"app.tsx": dedent(source), "button.tsx": button})
    assert ("app.tsx:2", "calls", "button.tsx::Button") in every
    assert ("app.tsx:2", "calls", "app.tsx::go") in every


def test_common_js() -> None:
    sources = {
        "lib/app.js": """\
            var app = exports = module.exports = {}
            app.use = function use() { this.init() }
            app.init = function init() {}
            """,
        "lib/util.js": "exports.cut = function () {}\nmodule.exports.all = () => {}\n",
        "lib/make.js": "module.exports = class Made { run() {} }\n",
        "index.js": "module.exports = require('./lib/app')\n",
        "main.js": """\
            const app = require('.')
            const { cut, all: every } = require('./lib/util')
            const Made = require('./lib/make')
            app.use(); cut(); every(); new Made().run()
            """,
    }
    every = edges({path: dedent(text) for path, text in sources.items()})
    assert every >= {
        ("lib/app.js:2", "calls", "lib/app.js::app.init"),
        ("main.js:4", "calls", "lib/app.js::app.use"),
        ("main.js:4", "calls", "lib/util.js::cut"),
        ("main.js:4", "calls", "lib/make.js::Made.run"),
    }


_PACKAGE = '{"name": "@shop/core", "main": "dist/index.js", "exports": {".": "./dist/index.js", \
"./sub": {"types": "./dist/deep/sub.d.ts"}, "./in/*": "./dist/deep/*.js"}}'


@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("@/cart", "src/cart.ts"),
        ("exact", "src/cart.ts"),
        ("deep/folder", "src/deep/folder/index.tsx"),
        ("@shop/core", "packages/core/src/index.ts"),
        ("@shop/core/sub", "packages/core/src/deep/sub.ts"),
        ("@shop/core/in/sub", "packages/core/src/deep/sub.ts"),
        ("../packages/core", "packages/core/src/index.ts"),
    ],
)
def test_modules_named_by_a_config_or_by_a_package(module: str, file: str) -> None:
    more = {
        "tsconfig.json": '{"extends": "./base.json", "include": ["src"],}',
        "base.json": """{
            // where modules are
            "compilerOptions": {
                "baseUrl": "./src", /* "paths": {}, */
                "paths": { "@/*": ["./*"], "exact": ["cart.ts"], },
            },
        }""",
        "src/cart.ts": "",
        "src/deep/folder/index.tsx": "",
        "packages/core/package.json": _PACKAGE,
        "packages/core/src/index.ts": "",
        "packages/core/src/deep/sub.ts": "",
    }
    assert imported(f'import "{module}"\n', path="src/app.ts", more=more) == {file}


def test_a_name_that_hundreds_of_files_pass_on_is_found() -> None:
    chain = {
        f"a{number}.ts": f"export {{ name{number + 1} as name{number} }} from './a{number + 1}'\n"
        for number in range(300)
    }
    chain |= {"a300.ts": "export function name300() {}\n"}
    chain |= {"use.ts": "import { name0 } from './a0'\nname0()\n"}
    assert ("use.ts:2", "calls", "a300.ts::name300") in edges(chain)


def test_names_passed_on_in_a_circle_lead_nowhere() -> None:
    ring = {
        "a.ts": "export { x } from './b'\n",
        "b.ts": "export { x } from './c'\n",
        "c.ts": "export { x } from './b'\n",
        "use.ts": "import { x } from './a'\nx()\n",
    }
    assert not {edge for edge in edges(ring) if edge[1] == "calls"}


def test_an_object_of_a_said_type_implements_it_if_it_does_something() -> None:
    text = """interface Walker { walk(): void; pace?: number }
interface Box<T> { open(): T }
const feet: Walker = { walk() {} }
const wheels: Walker = { walk: () => {}, pace: 3 }
const chest = { open: () => 1 } satisfies Box<number>
const slow: Partial<Walker> = { pace: 1 }
const still: Walker = { pace: 0 } as Walker
"""
    targets = {(at, to) for at, kind, to in edges({"a.ts": text}) if kind == "extends"}
    assert targets == {
        ("a.ts:3", "a.ts::Walker"),
        ("a.ts:4", "a.ts::Walker"),
        ("a.ts:5", "a.ts::Box"),
    }

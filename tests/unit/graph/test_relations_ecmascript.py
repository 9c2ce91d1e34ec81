"""What names in TypeScript and JavaScript refer to."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.unit.graph.related import Edge, calls, edges, lines_called

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


def test_an_import_has_edges_to_its_file_and_the_imported_names() -> None:
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


def test_a_nested_namespace_sees_the_exports_of_those_around_it() -> None:
    source = """\
        namespace Tools.Text { export class Cutter { cut() {} } }
        namespace Tools.Text.Long { export class Long extends Cutter {} }
        """
    assert ("app.ts:2", "extends", "app.ts::Tools.Text.Cutter") in found(source)


def test_a_component_is_called_by_its_jsx_element() -> None:
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
        ("../packages/core/dist/deep/sub.js", "packages/core/src/deep/sub.ts"),
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


def test_an_object_with_a_declared_type_implements_it_if_it_has_functions() -> None:
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


_TYPED_CALLBACKS = {
    "lib/run.ts": """\
export interface Box<T> { get(): T; next: Next<T> }
export type Next<T> = (value: T) => Box<T>
export interface Maker { (text: string, use: (box: Box<string>) => void): Box<string> }
export interface Helpers { cold(marbles: string): Box<string>; make: Maker }
export interface Options { onError?: (box: Box<1>) => void; inner: Inner }
export interface Inner { done: (box: Box<1>) => void }
export function run(use: (helpers: Helpers) => void, options?: Options): void {}
export function plain(use: Function, other: any) {}
export class Runner { constructor(use: (box: Box<string>) => void) {} }
export function either(use: (box: Box<string>) => void): void
export function either(use: (box: Unknown) => void): void
export function either(use: any) {}
export function bounded<T extends Box<string>>(value: T, use: (value: T) => void) {}
""",
}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("run(helpers => { helpers.cold('') })", "Helpers.cold"),
        ("run(({ cold }) => { cold('').get() })", "Box.get"),
        ("run(function ({ cold: hot }) { hot('').get() })", "Box.get"),
        ("run(h => h.make('', box => box.get()))", "Box.get"),
        ("run(h => h.make('').next(1).get())", "Box.get"),
        ("run(h => {}, { onError: box => { box.get() } })", "Box.get"),
        ("run(h => {}, { onError(box) { box.get() } })", "Box.get"),
        ("run(h => {}, { inner: { done: (box) => { box.get() } } })", "Box.get"),
        ("new Runner(box => box.get())", "Box.get"),
        ("const all: Options = { onError: box => box.get() }", "Box.get"),
    ],
)
@pytest.mark.parametrize("path", ["app.ts", "app.tsx", "app.js"])
def test_a_callback_gets_what_the_called_function_declares(
    source: str, target: str, path: str
) -> None:
    if path == "app.js" and ": Options" in source:
        return
    text = f"import {{ run, Runner, Options }} from './lib/run'\n{source}\n"
    found = edges({**_TYPED_CALLBACKS, path: text})
    assert (f"{path}:2", "calls", f"lib/run.ts::{target}") in found


@pytest.mark.parametrize(
    "source",
    [
        "plain(box => box.get(), box => box.get())",
        "either(box => box.get())",
        "bounded(x, box => box.get())",
        "run(1, h => h.get())",
        "unknown(box => box.get())",
    ],
)
def test_a_callback_without_a_known_type_has_no_certain_call(source: str) -> None:
    text = f"import {{ plain, either, bounded, run }} from './lib/run'\n{source}\n"
    found = edges({**_TYPED_CALLBACKS, "app.ts": text})
    assert not {edge for edge in found if edge[0] == "app.ts:2" and edge[2].endswith("Box.get")}


_CLIENT = """\
export type Procedure<T> = T extends "q" ? { query(): number } : T extends "m" ? { mutate(): 1 } : 2
export type Proxy<T> = { [K in keyof T]: T[K] extends string ? Procedure<T[K]> : Proxy<T[K]> }
export interface Plain { [name: string]: number }
export function client<T>(): Proxy<T> { return null! }
"""


def test_any_member_of_a_mapped_type_has_the_type_on_its_right() -> None:
    app = """\
    import { client } from './client'
    function server() { const api = client<any>(); function stop() {}; return { api, stop } }
    function wrapped() { const opts = server(); return { ...opts, more: 1 } }
    async function test() {
      await using context = wrapped()
      context.api.users.byId.query()
      context.api.users.mutate()
      context.stop()
      context.api.users.other()
    }
    """
    found = edges({"client.ts": _CLIENT, "app.ts": dedent(app)})
    assert ("app.ts:6", "calls", "client.ts::Procedure.query") in found
    assert ("app.ts:7", "calls", "client.ts::Procedure.mutate") in found
    assert ("app.ts:8", "calls", "app.ts::server.stop") in found
    assert not {edge for edge in found if edge[0] == "app.ts:9" and "::" in edge[2]}


_OBJECT = """\
module.exports = {
  get body () { return this.read() },
  read () { return this.other() },
  write: function () { return this.read() },
}
"""
_PROTOTYPE = """\
function View (name) { this.name = name; this.load() }
View.prototype.load = function load () { return 1 }
View.of = function (name) { return new View(name) }
module.exports = View
"""


def test_the_object_that_a_module_exports_owns_its_methods() -> None:
    app = """\
    const stream = require("./stream")
    const { write } = require("./stream")
    stream.read()
    write()
    """
    found = edges({"stream.js": _OBJECT, "app.js": dedent(app)})
    assert ("stream.js:2", "calls", "stream.js::exports.read") in found
    assert ("stream.js:4", "calls", "stream.js::exports.read") in found
    assert ("app.js:3", "calls", "stream.js::exports.read") in found
    assert ("app.js:4", "calls", "stream.js::exports.write") in found
    assert ("stream.js:3", "calls", "?other") in found


def test_new_makes_an_object_of_a_function_whose_prototype_gets_methods() -> None:
    app = """\
    const View = require("./view")
    const view = new View("")
    view.load()
    View.of("").load()
    """
    found = edges({"view.js": _PROTOTYPE, "app.js": dedent(app)})
    assert ("view.js:1", "calls", "view.js::View.load") in found
    assert ("app.js:2", "calls", "view.js::View") in found
    assert ("app.js:3", "calls", "view.js::View.load") in found
    assert ("app.js:4", "calls", "view.js::View.of") in found
    assert ("app.js:4", "calls", "view.js::View.load") in found


@pytest.mark.parametrize("path", ["app.ts", "app.js"])
@pytest.mark.parametrize("kept", [30, 55, 80, 105, 130])
def test_half_a_file_has_no_certain_edge_that_the_whole_does_not_have(path: str, kept: int) -> None:
    text = (
        "import { run } from './lib/run'\nrun(({ cold }) => { cold('').get() },\n"
        "  { onError: box => { box.get() } })\nrun(h => { h.make('', box => box.get()) })\n"
    )
    whole = edges({**_TYPED_CALLBACKS, path: text})
    half = edges({**_TYPED_CALLBACKS, path: text[:kept]})
    known = {(at, target) for at, _, target in whole}
    certain = {(at, target) for at, _, target in half if "::" in target and target[0] != "?"}
    assert certain <= known


@pytest.mark.parametrize("use", ["all()", "all.a()()", "new all(x => x.a())", "all(x => x.a())(1)"])
def test_a_mapped_type_that_contains_itself_can_be_called(use: str) -> None:
    app = f"""\
    type All<T> = {{ [K in keyof T]: All<T[K]> }}
    declare const all: All<any>
    {use}
    """
    assert "app.ts::all" in {target for at, _, target in found(app) if at == "app.ts:3"}


def test_a_method_taken_out_of_an_object_is_called_by_its_own_name() -> None:
    text = """\
    import { run, Helpers } from './lib/run'
    run(({ cold }) => { cold('') })
    function go(helpers: Helpers) { const { cold: hot } = helpers; hot('') }
    function other(unknown: any) { const { cold } = unknown; cold('') }
    """
    every = edges({**_TYPED_CALLBACKS, "app.ts": dedent(text)})
    cold = "lib/run.ts::Helpers.cold"
    assert {at for at, kind, target in every if (kind, target) == ("calls", cold)} == {
        "app.ts:2",
        "app.ts:3",
    }


_OVERLOADS = """\
export function put(a: string): void;
export function put(a: number): void;
export function put(a: any) {}
export class Box {
  put(a: string): void;
  put(a: any) {}
}
export interface Shape { area(): number; area(unit: string): number }
export function use(shape: Shape) {
  put(1);
  new Box().put("a");
  shape.area();
}
"""


def test_a_call_of_overloads_leads_to_the_function_that_runs() -> None:
    called = {(line, at) for line, (_, at) in lines_called({"a.ts": _OVERLOADS}, "a.ts")}
    assert called == {(10, 3), (11, 4), (11, 6), (12, 8)}


def test_a_declaration_leads_to_the_script_beside_it() -> None:
    sources = {
        "lib.d.ts": "export declare function run(a: number): void;\nexport declare class Box {}\n"
        "export declare function other(): void;\n",
        "lib.js": "export function run(a) {}\nexport class Box {}\nexport const other = 1;\n",
        "app.ts": "import { Box, other, run } from './lib.js';\nrun(1);\nnew Box();\nother();\n",
    }
    assert {target for at, kind, target in edges(sources) if kind == "calls"} == {
        "lib.js::run",
        "lib.js::Box",
        "lib.d.ts::other",
    }


def test_names_that_are_exported_as_each_other_end_the_search() -> None:
    sources = {
        "a.js": "import { x } from './b.js'\nx()\n",
        "b.js": "export { y as x }\nexport { x as y }\n",
    }
    assert calls(sources, "a.js") == set()
    assert ("a.js:1", "imports", "b.js") in edges(sources)


def test_a_checked_value_and_a_member_whose_name_has_a_dot() -> None:
    source = """class Cart {
  add() {}
  [Symbol.iterator]() { return this.add() }
}
function run(item, other) {
  if (item instanceof Cart) {
    item.add()
  }
  other.add()
}
"""
    found = {(3, "a.ts::Cart.add"), (7, "a.ts::Cart.add"), (9, "?add")}
    assert calls({"a.ts": source}, "a.ts") == found


_KEYS = """\
import React from "react";
interface Style { width: number; height: number }
interface Props { name: string; style?: Style; onPick?: (style: Style) => void }
interface Result { state: { style: Style }; props: Props }
declare function create(options: Props, all?: Style[]): Result;
const width = 1;
create({ name: "a", style: { width } }, [{ height: 2 }]);
const { props: { name }, props } = create({ name });
const one: Props = { name };
const two = { width, unknown: 1 } as Style;
function three(): Style { return { height: 3, width }; }
export default ({ name }: Props): Style => ({ width });
const Picker = ({ style = one.style, ...rest }: Props) => null;
const page = <Picker
  name="a"
  onPick={picked => picked.width}
/>;
[one].forEach(({ onPick }) => onPick);
props.style;
"""


def test_keys_of_objects_patterns_and_elements_are_uses_of_the_expected_members() -> None:
    found = {
        (int(at.rpartition(":")[2]), target.removeprefix("a.tsx::"))
        for at, kind, target in edges({"a.tsx": _KEYS})
        if kind == "references" and "." in target.removeprefix("a.tsx::")
    }
    assert found == {
        *((7, "Props.name"), (7, "Props.style"), (7, "Style.width"), (7, "Style.height")),
        *((8, "Result.props"), (8, "Props.name")),
        (9, "Props.name"),
        (10, "Style.width"),
        *((11, "Style.height"), (11, "Style.width")),
        *((12, "Props.name"), (12, "Style.width")),
        (13, "Props.style"),
        (15, "Props.name"),
        *((16, "Props.onPick"), (16, "Style.width")),
        (18, "Props.onPick"),
        *((19, "Result.props"), (19, "Props.style")),
    }


_MEMBERS_OF_PROTOTYPE = """\
class Signal { value: number; notify(node: Link): void {} }
interface Link { next: Link }
Signal.prototype.notify = function (node) { node.next; };
const former = Signal.prototype.value;
"""


def test_members_of_a_prototype_are_those_of_an_instance() -> None:
    found = {(at, target) for at, _, target in edges({"a.ts": _MEMBERS_OF_PROTOTYPE})}
    assert {("a.ts:3", "a.ts::Link.next"), ("a.ts:4", "a.ts::Signal.value")} <= found


def test_an_attribute_that_a_class_assigns_is_declared_in_its_base_class() -> None:
    main = """
class Cart { clear() {} }
class Shop { protected cart: Cart; }
class Kiosk extends Shop {
  constructor() {
    super();
    this.cart = new Cart();
  }
  run() { this.cart.clear(); }
}
"""
    found = edges({"main.ts": main})
    for line in (7, 9):
        assert (f"main.ts:{line}", "references", "main.ts::Shop.cart") in found
    assert ("main.ts:9", "calls", "main.ts::Cart.clear") in found

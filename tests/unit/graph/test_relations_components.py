"""What names in the scripts and the markup of Vue and Svelte components refer to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.parse.components import component_name
from codeindex.languages.svelte import read_svelte_script
from codeindex.languages.vue import read_vue_script
from tests.unit.graph.related import edges

_STORE = """export class Cart { add(item) { return item } }
export const cart = new Cart()
export function total(items) { return items.length }
"""
_VUE = """<template>
  <div v-if="visible" :class="{ full: total(items) > 9, item }">
    <line-item v-for="item in items" :key="item.id" @buy="cart.add(item); refresh()"/>
    <LineItem><template #label="{ price }">{{ price(1) }}</template></LineItem>
    {{ refresh() }} {{ visible }}<!-- {{ refresh() }} -->
  </div>
</template>
<script setup>
import LineItem from './LineItem.vue'
import { cart, total } from './store'
const items = []
const visible = true
const item = 1
function refresh() { cart.add(items) }
function price(n) { return n }
</script>
"""
_SVELTE = """<script>
  import LineItem from './LineItem.svelte'
  import { cart, total } from './store'
  let items = []
  function focus(node) { cart.add(node) }
  $: sum = total($cart.items)
</script>
{#if total(items) > 9}
  {#each items as item}<LineItem {...item} onbuy={() => cart.add(item)} use:focus />{/each}
{:else if focus()}{@const total = 1}{total}
{/if}
<p style={{ color: focus() }}>{focus()}</p>
"""


def _uses(path: str, text: str) -> set[tuple[int, str, str]]:
    """Return (line, kind, name of the target) of the certain edges of a component."""
    sources = {path: text, "store.ts": _STORE, "LineItem.vue": "", "LineItem.svelte": ""}
    found = edges(sources)
    return {
        (int(at.rpartition(":")[2]), kind, target.rpartition("::")[2])
        for at, kind, target in found
        if at.startswith(path) and not target.startswith(("?", "outside"))
    }


def test_a_template_of_vue_uses_the_names_of_the_script() -> None:
    found = _uses("App.vue", _VUE)
    assert {
        (2, "references", "visible"),
        (2, "calls", "total"),
        (3, "calls", "LineItem"),
        (3, "calls", "Cart.add"),
        (3, "calls", "refresh"),
        (4, "calls", "LineItem"),
        (5, "calls", "refresh"),
        (14, "calls", "Cart.add"),
    } <= found
    # the loop and the slot bind `item` and `price`
    assert not {(3, "item"), (4, "price")} & {(line, name) for line, _, name in found}


def test_markup_of_svelte_uses_the_names_of_the_script() -> None:
    found = _uses("App.svelte", _SVELTE)
    assert {
        (5, "calls", "Cart.add"),
        (6, "calls", "total"),
        (6, "references", "cart"),
        (9, "calls", "LineItem"),
        (9, "calls", "Cart.add"),
        (9, "references", "focus"),
        (10, "calls", "focus"),
        (12, "calls", "focus"),
    } <= found
    assert (10, "total") not in {(line, name) for line, _, name in found}


def test_what_the_grammar_cannot_read_of_markup_does_not_lose_the_script() -> None:
    broken = _VUE.replace("cart.add(item); refresh()", "cart.add(item; )(")
    found = _uses("App.vue", broken)
    assert {(5, "calls", "refresh"), (14, "calls", "Cart.add")} <= found
    assert not [name for line, _, name in found if line == 3 and name == "Cart.add"]


_PIECES = (*"<>{}\"'`=/#@:.$ \né", "<script", "<template", " v-for=", " in ", "#each ", " as ")
_MARKUP = st.lists(st.sampled_from(_PIECES)).map("".join)


@given(_MARKUP, _MARKUP)
def test_scripts_are_as_long_as_their_component(before: str, after: str) -> None:
    source = f"{before}<script>\nlet a = 1\n</script>{after}".encode()
    for read in (read_vue_script, read_svelte_script):
        for with_markup in (True, False):
            script = read(source, with_markup=with_markup, with_bound=False)
            assert len(script) == len(source)
            assert [at for at, sign in enumerate(script) if sign == 10] == [
                at for at, sign in enumerate(source) if sign == 10
            ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/CartPanel.vue", "CartPanel"),
        ("src/cart-panel.vue", "CartPanel"),
        ("src/CartPanel/index.vue", "CartPanel"),
        ("src/cart.svelte", "Cart"),
        ("src/routes/+page.svelte", ""),
        ("src/pages/[id].vue", ""),
        ("src/404.vue", ""),
    ],
)
def test_a_component_has_the_name_by_which_code_uses_it(path: str, name: str) -> None:
    assert component_name(path) == name


def test_the_default_object_of_a_component_has_its_name() -> None:
    sources = {
        "List.vue": "<script>\nexport default {\n  methods: {\n    load() { this.show() },\n"
        "    show() {},\n  },\n}\n</script>\n",
        "app.ts": "import List from './List.vue'\nexport const routes = [List]\n",
    }
    found = edges(sources)
    assert ("List.vue:4", "calls", "List.vue::List.show") in found
    assert ("app.ts:2", "references", "List.vue::List") in found


_OTHERS = ("a/Card.vue", "Line.vue", "list/index.vue")
_TOTAL = "import { total } from './store'\n"


def _called(path: str, script: str, markup: str = "", *, head: str = "<script setup>") -> set[str]:
    """Return what a component calls beside the store and some other components."""
    text = f"{head}\n{script}</script>\n{markup}\n"
    sources = dict.fromkeys(_OTHERS, "<script setup>\nconst a = 1\n</script>\n")
    found = edges({path: text, "store.ts": _STORE, **sources})
    return {target for at, kind, target in found if kind == "calls" and at.startswith(path)}


def test_a_component_does_not_hide_what_its_file_names_alike() -> None:
    imported = "import Card from '../a/Card.vue'\n"
    assert _called("views/Card.vue", imported, "<template><Card/></template>") == {
        "a/Card.vue::Card"
    }
    assert "Map.svelte::Map" not in _called("Map.svelte", "const found = new Map()\n")


def test_handlers_bind_their_parameters() -> None:
    markup = '<template><p @y="total => total()"/></template>'
    assert "store.ts::total" not in _called("App.vue", _TOTAL, markup)


def test_a_template_without_setup_sees_members_alone() -> None:
    script = f"{_TOTAL}export default {{\n  computed: {{ total() {{ return 1 }} }},\n}}\n"
    markup = "<template>\n<p>{{ total() }}</p>\n</template>"
    assert "store.ts::total" not in _called("App.vue", script, markup, head="<script>")
    assert "store.ts::total" in _called("App.vue", _TOTAL, markup)


def test_comments_documents_and_text_are_no_code() -> None:
    hidden = f"<script>\n{_TOTAL}total()\n</script>\n"
    markup = f"<!--\n{hidden}-->\n<docs>\n{hidden}</docs>\n"
    assert _called("App.vue", "const a = 1\n", markup) == set()
    markup = "<p>Plug in:total</p><p class='a use:total'>a</p>"
    assert _called("App.svelte", _TOTAL, markup, head="<script>") == set()


def test_an_element_is_no_type() -> None:
    script = "import type { Cart } from './store'\n"
    assert _called("App.vue", script, "<template><Cart/></template>") == set()


def test_casts_in_markup_bind_nothing() -> None:
    markup = "{#each (xs as Item[]) as x}{total(x as number)}{/each}"
    assert _called("App.svelte", _TOTAL, markup, head="<script>") == {"store.ts::total"}


def test_components_are_imported_without_suffix() -> None:
    script = "import Line from './Line'\nimport List from './list'\n"
    found = _called("App.vue", script, "<template><Line/><List/></template>")
    assert found == {"Line.vue::Line", "list/index.vue::List"}

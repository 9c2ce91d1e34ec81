"""Symbols as indexers write them."""

import pytest

from codeindex.graph.scip.symbols import ScipName, parse_symbol


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (
            "scip-python python click 8.4 `click.core`/Context#invoke().",
            ScipName("method", "invoke", "Context", "Context.invoke"),
        ),
        (
            "scip-typescript npm hono 4.0 src/`context.ts`/Context#`<constructor>`().",
            ScipName("method", "<constructor>", "Context", "Context.<constructor>"),
        ),
        (
            "semanticdb maven maven/com.google/gson 2 com/google/Gson#toJson(+2).",
            ScipName("method", "toJson", "Gson", "Gson.toJson"),
        ),
        ("rust-analyzer cargo regex 1.0 vec!", ScipName("macro", "vec", "", "vec")),
        (
            "scip-clang  . a  b . main(49f6e7a06ebc5aa8).(argc)",
            ScipName("parameter", "argc", "main", "main.argc"),
        ),
        ("scip-python python a 1 a/__init__:", ScipName("meta", "__init__", "a", "__init__")),
        ("local 12", ScipName("local")),
        ("anything", ScipName("")),
        ("a b c d ", ScipName("")),
    ],
)
def test_the_last_name_of_a_symbol_and_its_owner(symbol: str, name: ScipName) -> None:
    assert parse_symbol(symbol) == name

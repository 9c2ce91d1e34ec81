"""What names in Bash, Lua and SQL refer to."""

from __future__ import annotations

from tests.unit.graph.related import calls, edges


def test_bash_functions_of_sourced_files() -> None:
    sources = {
        "bin/run.sh": 'source "$DIR/lib.sh"\nstart() { helper; local x; }\nstart\nother\n',
        "bin/lib.sh": "helper() { :; }\n",
        "bin/more.sh": "other() { :; }\n",
    }
    assert ("bin/run.sh:1", "imports", "bin/lib.sh") in edges(sources)
    assert calls(sources, "bin/run.sh") == {
        (2, "bin/lib.sh::helper"),
        (3, "bin/run.sh::start"),
    }


def test_lua_modules() -> None:
    sources = {
        "lua/shop/cart.lua": """local Cart = {}
local function helper() end
function Cart.new() helper(); return 1 end
function Cart:add() self:total(); Cart.new() end
Cart.total = function() end
return Cart
""",
        "lua/app.lua": """local cart = require("shop.cart")
local function main(x, helper)
  cart.new()
  helper()
  x.total()
end
""",
        "lua/other.lua": "local Other = {}\nfunction Other.new() end\nreturn Other\n",
    }
    path = "lua/shop/cart.lua"
    assert ("lua/app.lua:1", "imports", path) in edges(sources)
    assert calls(sources, path) == {
        (3, f"{path}::helper"),
        (4, f"{path}::Cart.total"),
        (4, f"{path}::Cart.new"),
    }
    assert calls(sources, "lua/app.lua") == {(3, f"{path}::Cart.new"), (5, "?total")}


def test_sql_tables_of_all_scripts() -> None:
    sources = {
        "a.sql": "CREATE TABLE users (id int);\nCREATE TABLE twice (id int);\n",
        "b.sql": "CREATE TABLE twice (id int);\nCREATE TABLE own (id int REFERENCES users (id));\n",
        "c.sql": "SELECT 1 FROM users u JOIN twice t ON u.id=t.id;\nINSERT INTO own VALUES (1);\n",
    }
    all_edges = edges(sources)
    assert ("b.sql:2", "references", "a.sql::users") in all_edges
    assert ("c.sql:1", "references", "a.sql::users") in all_edges
    assert ("c.sql:2", "references", "b.sql::own") in all_edges
    assert ("c.sql:1", "references", "?a.sql::twice") in all_edges

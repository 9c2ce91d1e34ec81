"""Long runs of import statements are found in several languages."""

from __future__ import annotations

import pytest

from codeindex.text.import_lines import long_imports

KOTLIN = """package app.mail

import app.mail.a.First
import app.mail.a.Second

import app.mail.b.Third
class Box {
    import(this)
}"""
PYTHON = """from shop import (
    first,
    second,
    third,
)
import json

def f():
    import sys"""
GO = """package shop

import (
\t"fmt"
\t"os"
)

func main() {}"""
TYPESCRIPT = """import {
  a,
  b,
} from './a';
const x = require_(a);"""
LUA = """local x = 1
require("app").setup({
  clean = true,
  run = function()
    delete_everything()
  end,
})
return x"""
PERL = """package Shop;
use constant {
  A => 1,
  B => 2,
  C => 3,
};
sub f { return A; }"""
JAVASCRIPT = """import("./app").then((app) => {
  app.start();
  removeAll();
  app.end();
});
const x = 1;"""
OPEN_BRACKET = """'use strict';
import { a } from './a'; // see (later
const x = 1;
const y = 2;
const z = 3; // above)
export { x };"""


@pytest.mark.parametrize(
    ("code", "numbers"),
    [
        (KOTLIN, [1, 2, 3, 4, 5, 6]),
        (PYTHON, [1, 2, 3, 4, 5, 6, 7]),
        (GO, [1, 2, 3, 4, 5, 6, 7]),
        (TYPESCRIPT, [1, 2, 3, 4]),
        (LUA, []),
        (PERL, []),
        (JAVASCRIPT, []),
        (OPEN_BRACKET, []),
        (
            "import a, {\n  b,  // (old)\n  type c,\n  default as d,\n} from 'x';\nf();",
            [1, 2, 3, 4, 5],
        ),
        ('import (\n\t"a/b"\n\t_ "c.d/e-f"\n\t// g\n)\nvar x int', [1, 2, 3, 4, 5]),
        ("use a::{\n    b::{c, d},\n    e as f,\n};\nfn g() {}", [1, 2, 3, 4]),
        ("#include <a.h>\n#include <b.h>\n#include <c.h>\nint x;", []),
        ("#include <a.h>\n#include <b.h>\n#include <c.h>\n#include <d.h>", []),
        ("using A;\nusing B;\nusing C.D;\nusing E = F.G;\nclass H {}", [1, 2, 3, 4]),
        ("alias A.B\nalias C\nrequire D\nimport E\nuse F, :g\ndef f, do: 1", [1, 2, 3, 4, 5]),
        ("require.NoError(t, a)\nrequire.Nil(t, b)\nrequire.Len(c, 2)\nrequire.Zero(d)\nf()", []),
        ("using (var a = b())\n{\n  a.c();\n}\nreturn;", []),
        ("", []),
    ],
)
def test_long_runs_of_imports_are_found(code: str, numbers: list[int]) -> None:
    assert list(long_imports([*enumerate(code.split("\n"), 1)])) == numbers

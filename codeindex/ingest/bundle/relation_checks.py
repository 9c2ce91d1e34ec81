"""Check the relations in a record, so that resolving them can neither fail nor loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codeindex.ingest.bundle.values import require
from codeindex.types import Expression, Import, Relations, Use, UseKind

_KINDS = {str(kind): kind for kind in UseKind}
_MOST_NUMBER = 1_000_000
_MOST_RECEIVER = 200
"""Maximum characters of a receiver's name, of which `ingest.parse` keeps 200 bytes."""
_USE_DEFAULTS: list[Any] = [-1, 0, ""]
"""Argument count, expression of the arguments, and receiver of a use, where a row lacks them."""
_OPERANDS = {
    "unknown": "",
    "elsewhere": "",
    **dict.fromkeys(("name", "define", "qualified", "builtin"), "s"),
    "import": "n",
    "closure": "#",
    **dict.fromkeys(("item", "enter", "instance", "mapped", "made", "unsure", "constructor"), "x"),
    "invoked": "x",
    **dict.fromkeys(("self", "super"), "e"),
    **dict.fromkeys(("holding", "wrapper"), "xx"),
    "call": "x*",
    "member": "xs",
    "spelled": "xs",
    "typed": "x#",
    "own": "exs",
    "expects": "xn",
    "numbered": "sn",
    "parameter": "sx",
    "signature": "x*",
    "operation": "s*",
    "either": "*",
    "parts": "*",
    "arguments": "*",
    "applied": "n*",
    "labelled": "sx",
}
"""The operands of each operation of `graph.expression_table`: s is a name, n a number, # one or -1,
x an earlier expression, e a name or an earlier expression, and * any number of earlier ones."""


def checked_relations(declared: Any, used: Any, symbols: int, lines: int) -> Relations:
    """Convert a file's relations from their JSON values; ValueError or TypeError if malformed.

    `symbols` and `lines` are the numbers of symbols and lines of the file, which bound the indexes
    in `declared` and `used`.
    """
    if declared is None:
        return Relations()
    used = used or {"expressions": [], "uses": [], "lines": []}
    imports = _imports(declared["imports"], used["lines"], lines)
    expressions = _expressions(declared["expressions"], len(imports))
    own = _expressions(used["expressions"], len(imports))
    values, results, bases = (
        tuple(_pair(row, len(expressions)) for row in declared[key])
        for key in ("values", "results", "bases")
    )
    uses = [_use(row, symbols, len(own), lines) for row in used["uses"]]
    return Relations(imports, expressions, values, results, bases, own, uses)


def _imports(rows: Any, places: Any, lines: int) -> tuple[Import, ...]:
    found = []
    for (module, name, local, top, exported), (line, at) in zip(rows, places, strict=True):
        require(all(type(text) is str for text in (module, name, local)))
        require(type(top) is bool and type(exported) is bool)
        require(_is_number(line, lines) and _is_number(at, lines))
        found.append(Import(module, name, local, line, at, top, exported))
    return tuple(found)


def _expressions(rows: Any, imports: int) -> tuple[Expression, ...]:
    return tuple(_expression(row, at, imports) for at, row in enumerate(rows))


def _expression(row: Any, at: int, imports: int) -> Expression:
    """Convert the row of the expression with the number `at` in a bundle's record.

    Raise ValueError if it is malformed, or if an operand does not come before it. `imports` is the
    number of imports in the file.
    """
    operation, *operands = row
    kinds = _OPERANDS[operation]
    fixed = kinds.rstrip("*")
    require(len(operands) >= len(fixed) if kinds.endswith("*") else len(operands) == len(fixed))
    padded = fixed.ljust(len(operands), "x")
    require(all(_CHECKS[kind](value, at) for kind, value in zip(padded, operands, strict=True)))
    require(operation != "import" or operands[0] < imports)
    return (operation, *operands)


def _pair(row: Any, expressions: int) -> tuple[str, int]:
    name, number = row
    require(type(name) is str and _is_number(number, expressions - 1))
    return name, number


def _use(row: Any, symbols: int, expressions: int, lines: int) -> Use:
    symbol, expression, line, kind, *rest = row
    require(type(symbol) is int and -1 <= symbol < symbols)
    require(_is_number(expression, expressions - 1) and _is_number(line, lines))
    require(len(rest) <= len(_USE_DEFAULTS))
    arguments, passed, receiver = list(rest) + _USE_DEFAULTS[len(rest) :]
    require(type(arguments) is int and -1 <= arguments <= _MOST_NUMBER)
    require(_is_number(passed, max(expressions - 1, 0)))
    require(type(receiver) is str and len(receiver) <= _MOST_RECEIVER)
    return Use(symbol, expression, line, _KINDS[kind], arguments, passed, receiver)


def _is_number(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _is_earlier(value: Any, at: int) -> bool:
    return type(value) is int and 0 <= value < max(at, 1)


_CHECKS: dict[str, Callable[[Any, int], bool]] = {
    "s": lambda value, _: type(value) is str,
    "n": lambda value, _: _is_number(value, _MOST_NUMBER),
    "#": lambda value, _: value == -1 or _is_number(value, _MOST_NUMBER),
    "x": _is_earlier,
    "e": lambda value, at: type(value) is str or _is_earlier(value, at),
}

"""Answers of tools without what goes without saying: an agent pays for each field of each row.

What is left out is null, false, empty, zero in a row, `resolved`, told by another field, or a
repetition of what was asked. What all rows of a list have alike is said once, in `each`; uses in
tests are lines by file, in `in_tests`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ECHOES = frozenset({"name", "subject", "symbol", "type_name"})
"""Fields that repeat what was asked for; `query` is one that a contract names."""
_ASKED = frozenset(
    {
        *(
            "callees",
            "callers",
            "dependants",
            "implementers",
            "items",
            "sections",
            "spots",
            "symbols",
        ),
        *("tests", "total", "total_certain"),
    }
)
"""What was asked for: that there is none is an answer."""
_TOLD = frozenset({"is_generated", "language", "module", "parent", "size", "status"})
"""Fields that a path or a name tells, or that only people ask for."""
_MINOR: Mapping[str, frozenset[str]] = {
    "callers": frozenset({"kind"}),
    "dependants": frozenset({"chain", "kind"}),
    "implementers": frozenset({"kind"}),
    "files": frozenset({"has_tests", "imports", "kinds", "public", "tests"}),
    "reasons": frozenset({"kind", "symbols", "weight"}),
    "tests": frozenset({"kind"}),
}
"""Fields of rows that are for whoever asks about one of them."""
_USES = frozenset({"callers", "dependants"})
"""Lists of uses, of which those in tests are counted more than read."""
_SURE = ("certainty", "resolved")
_GUESSES = 5
"""Uses that may be meant, by their name alone, which are shown beside certain ones."""
_ALIKE = 3
"""Rows from which on it is shorter to say once what they have alike, or are in tests."""
_MEANINGS = 8
"""Definitions of a name that are listed: whoever meant another says its owner or path."""
_MANY = 8
"""Rows from which on a signature has to do for each."""
_DOC = 100
"""Characters of descriptions in longer lists: they are to choose by."""
_PLAIN = (str, int, float, bool)


def prune_response(answer: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer to arguments as agents get it."""
    asked = {value for value in given.values() if isinstance(value, str)}
    wanted = {
        name: one
        for name, one in answer.items()
        if name not in _TOLD and (name not in _ECHOES or one not in asked)
    }
    each: dict[str, dict[str, Any]] = {}
    in_tests: dict[str, dict[str, list[int]]] = {}
    left_out: dict[str, int] = {}
    found: dict[str, Any] = {}
    for name, value in wanted.items():
        kept = _without(value, name)
        if name in _USES and isinstance(kept, list):
            kept, guesses = _sure(kept)
            left_out |= {name: guesses} if guesses else {}
            kept, in_tests[name] = _parted(kept)
        if isinstance(kept, list) and (alike := _alike(kept)):
            each[name] = alike
            kept = [{key: one[key] for key in one if key not in alike} for one in kept]
        if name == "definitions" and len(kept) > _MEANINGS:
            left_out[name] = len(kept) - _MEANINGS
            kept = kept[:_MEANINGS]
        if kept or name in _ASKED:
            found[name] = kept
    shown = {name: one for name, one in in_tests.items() if one and "tests" not in found}
    beside = {"each": each, "in_tests": shown, "left_out": left_out}
    return {name: one for name, one in beside.items() if one} | found


def _without(value: Any, name: str) -> Any:
    """Return a value without the fields of its objects that say nothing."""
    if isinstance(value, (list, tuple)):
        rows = [_without(one, name) for one in value]
        return rows if len(rows) <= _ALIKE else [_in_short(one, len(rows)) for one in rows]
    if not isinstance(value, Mapping):
        return value
    never = _TOLD | _MINOR.get(name, frozenset())
    kept = {key: _without(one, key) for key, one in value.items() if key not in never}
    told = {key: one for key, one in kept.items() if one and (key, one) != _SURE}
    if "key" in told and str(told["key"]).startswith(str(told.get("file", "\0"))):
        del told["file"]
    if name == "children" and str(told.get("name")).rpartition(".")[2] in told.get("signature", ""):
        del told["name"]
    if told.get("end_line") == told.get("line"):
        told.pop("end_line", None)
    return told


def _in_short(row: Any, rows: int) -> Any:
    """Return a row of several with the first sentence of its description, of many without."""
    if not isinstance(row, dict) or "doc" not in row:
        return row
    if rows > _MANY:
        return {name: one for name, one in row.items() if name != "doc"}
    first = str(row["doc"]).partition(". ")[0]
    return row | {"doc": first if len(first) <= _DOC else f"{first[:_DOC]}…"}


def _sure(rows: list[Any]) -> tuple[list[Any], int]:
    """Leave out most of the uses that only a name speaks for, beside others that are certain."""
    guesses = [one for one in rows if "certainty" in one and not {"through", "via"} & one.keys()]
    if len(guesses) == len(rows):
        return rows, 0
    out = guesses[_GUESSES:]
    return [one for one in rows if one not in out], len(out)


def _parted(rows: list[Any]) -> tuple[list[Any], dict[str, list[int]]]:
    """Part the uses in tests, if there are some, from the others: their lines by file."""
    tests = [one for one in rows if one.get("is_test")]
    if len(tests) < _ALIKE:
        return rows, {}
    lines: dict[str, list[int]] = {}
    for one in tests:
        lines.setdefault(one["file"], []).extend(one.get("lines") or [one["line"]])
    return [one for one in rows if not one.get("is_test")], lines


def _alike(rows: list[Any]) -> dict[str, Any]:
    """Return the fields that all rows have, with one value that is no list or object."""
    if len(rows) < _ALIKE or not all(isinstance(one, dict) for one in rows):
        return {}
    first, *others = rows
    return {
        name: value
        for name, value in first.items()
        if isinstance(value, _PLAIN) and all(one.get(name) == value for one in others)
    }

"""Prune answers for agents, which pay tokens for each field of each row.

A field is removed if it is null, false, empty or zero, if its value is `resolved`, if it follows
from another field, or if it repeats an argument. Fields that are equal in all rows of a list move
to `each`. Uses in tests move to `in_tests`, as line numbers by file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeindex.text.truncate import truncate

_ECHOES = frozenset({"name", "subject", "symbol", "type_name"})
"""Fields that repeat an argument; `query` does too, but a contract requires that field."""
_REQUESTED = frozenset(
    {
        *("callees", "callers", "dependants", "implementers", "items", "sections", "spots"),
        *("symbols", "tests", "total", "total_certain"),
    }
)
"""Fields that are kept when they are empty, since an empty list is the answer."""
_DERIVABLE = frozenset({"is_generated", "language", "module", "parent", "size", "status"})
"""Fields that an agent can derive from a path or a name, or does not need."""
_MINOR: Mapping[str, frozenset[str]] = {
    "callers": frozenset({"kind"}),
    "dependants": frozenset({"chain", "kind"}),
    "implementers": frozenset({"kind"}),
    "files": frozenset({"has_tests", "imports", "kinds", "public", "tests"}),
    "reasons": frozenset({"kind", "symbols", "weight"}),
    "tests": frozenset({"kind"}),
}
"""Fields of rows, by list, that an agent can get by another call about the row."""
_USES = frozenset({"callers", "dependants"})
"""Lists of uses; their rows that are in tests become line numbers by file."""
_RESOLVED = ("certainty", "resolved")
_MAX_AMBIGUOUS = 5
"""Most ambiguous uses that are shown if there are resolved uses too."""
_MIN_ROWS = 3
"""Fewest rows for which stating a common field once, or grouping uses in tests, is shorter."""
_MAX_DEFINITIONS = 8
"""Most definitions of a name that are listed; an agent selects others by path or owner."""
_MANY_ROWS = 8
"""In lists with more rows, documentation is left out and signatures are kept."""
_MAX_DOC = 100
"""Most characters of documentation per row in a list of several rows."""
_SCALARS = (str, int, float, bool)


def prune_response(answer: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer without fields that an agent does not need, and with shorter lists.

    Dropped are empty fields, fields that follow from others, and repeated ones, such as the
    arguments of the call (`given`). `left_out` in the result counts the rows that were cut from
    each list.
    """
    arguments = {value for value in given.values() if isinstance(value, str)}
    each: dict[str, dict[str, Any]] = {}
    in_tests: dict[str, dict[str, list[int]]] = {}
    left_out: dict[str, int] = {}
    pruned: dict[str, Any] = {}
    for name, value in answer.items():
        if name in _DERIVABLE or (name in _ECHOES and value in arguments):
            continue
        kept = _prune(value, name)
        if name in _USES and isinstance(kept, list):
            kept, ambiguous = _limit_ambiguous(kept)
            left_out |= {name: ambiguous} if ambiguous else {}
            kept, in_tests[name] = _split_tests(kept)
        if isinstance(kept, list) and (common := _common_fields(kept)):
            each[name] = common
            kept = [{key: row[key] for key in row if key not in common} for row in kept]
        if name == "definitions" and len(kept) > _MAX_DEFINITIONS:
            left_out[name] = len(kept) - _MAX_DEFINITIONS
            kept = kept[:_MAX_DEFINITIONS]
        if kept or name in _REQUESTED:
            pruned[name] = kept
    tests = {name: lines for name, lines in in_tests.items() if lines and "tests" not in pruned}
    extra = {"each": each, "in_tests": tests, "left_out": left_out}
    return {name: value for name, value in extra.items() if value} | pruned


def _prune(value: Any, name: str) -> Any:
    """Return the value of the field `name`, pruned: unneeded fields of all objects are dropped."""
    if isinstance(value, (list, tuple)):
        rows = [_prune(row, name) for row in value]
        return rows if len(rows) <= _MIN_ROWS else [_shorten_doc(row, len(rows)) for row in rows]
    if not isinstance(value, Mapping):
        return value
    removed = _DERIVABLE | _MINOR.get(name, frozenset())
    fields = {key: _prune(field, key) for key, field in value.items() if key not in removed}
    row = {key: field for key, field in fields.items() if field and (key, field) != _RESOLVED}
    if "key" in row and str(row["key"]).startswith(str(row.get("file", "\0"))):
        del row["file"]
    if name == "children" and str(row.get("name")).rpartition(".")[2] in row.get("signature", ""):
        del row["name"]
    if row.get("end_line") == row.get("line"):
        row.pop("end_line", None)
    return row


def _shorten_doc(row: Any, count: int) -> Any:
    """Shorten the documentation in a row to one sentence, or drop it if there are many rows.

    `count` is the number of rows.
    """
    if not isinstance(row, dict) or "doc" not in row:
        return row
    if count > _MANY_ROWS:
        return {name: value for name, value in row.items() if name != "doc"}
    return row | {"doc": truncate(str(row["doc"]).partition(". ")[0], _MAX_DOC)}


def _limit_ambiguous(rows: list[Any]) -> tuple[list[Any], int]:
    """Keep at most `_MAX_AMBIGUOUS` ambiguous uses; return (kept rows, number of removed ones).

    If all uses are ambiguous, all are kept.
    """
    ambiguous = [row for row in rows if "certainty" in row and not {"through", "via"} & row.keys()]
    if len(ambiguous) == len(rows):
        return rows, 0
    removed = ambiguous[_MAX_AMBIGUOUS:]
    return [row for row in rows if row not in removed], len(removed)


def _split_tests(rows: list[Any]) -> tuple[list[Any], dict[str, list[int]]]:
    """Return (uses outside of tests, {file: line numbers of uses in tests}).

    If only a few uses are in tests, all rows are returned unchanged.
    """
    tests = [row for row in rows if row.get("is_test")]
    if len(tests) < _MIN_ROWS:
        return rows, {}
    lines: dict[str, list[int]] = {}
    for row in tests:
        lines.setdefault(row["file"], []).extend(row.get("lines") or [row["line"]])
    return [row for row in rows if not row.get("is_test")], lines


def _common_fields(rows: list[Any]) -> dict[str, Any]:
    """Return {field: value} of the simple fields that have the same value in all rows.

    Return {} if there are only a few rows.
    """
    if len(rows) < _MIN_ROWS or not all(isinstance(row, dict) for row in rows):
        return {}
    first, *others = rows
    return {
        name: value
        for name, value in first.items()
        if isinstance(value, _SCALARS) and all(row.get(name) == value for row in others)
    }

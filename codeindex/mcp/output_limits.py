"""Limit the size of answers and escape hidden characters before the answers are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from codeindex.search.pack.agent_json import json_size
from codeindex.text.sanitize import escape_data, escape_text
from codeindex.types.report import plural

MAX_CHARACTERS = 30_000
"""Most characters of an answer, about 7,500 tokens. With 20,000, 22 answers to 500 calls in three
rounds of tasks (`docs/agents.md`) were cut, and agents asked for five sixths of the missing lines
with another call. Claude Code writes an answer of 50,000 characters to a file, and other clients
cut an answer at 25,000 tokens."""
_CUT_RATIO = 0.9
"""Share of the length that would fit to keep in a round, since `left_out` takes space too."""
_CUT_NOTE_LENGTH = 100
"""Characters reserved for the note at the end of a cut text."""
_MAX_ERROR_LENGTH = 1_000
"""Most characters of an error message, which may quote long arguments."""


class _Cuttable(NamedTuple):
    """A list, text or map in an answer that can be cut, found at `container[key]`.

    `name` is the name of its field, `size` its length in JSON. Values inside a map that can be cut
    themselves do not count in the map's size.
    """

    container: Any
    key: Any
    name: str
    size: int


def shorten_error(text: str) -> str:
    """Return an error message; a long one is cut in the middle, since advice is at its end."""
    text = escape_text(text)
    if len(text) <= _MAX_ERROR_LENGTH:
        return text
    return f"{text[: _MAX_ERROR_LENGTH // 2]} … {text[-_MAX_ERROR_LENGTH // 3 :]}"


def cut_text(text: str, most: int) -> str:
    """Return a text or, if it is longer than `most` characters, its first lines and a note."""
    if len(text) <= most:
        return text
    kept = text[: max(0, most - _CUT_NOTE_LENGTH)].rpartition("\n")[0] or text[:most]
    removed = text.count("\n") - kept.count("\n")
    return f"{kept}\n… {plural(removed, 'more line')} left out: ask for less, or for a part of it"


def limit_data(data: Mapping[str, Any], *, limit: int = MAX_CHARACTERS) -> dict[str, Any]:
    """Cut the longest lists, texts and maps until the JSON has at most `limit` characters.

    If anything is cut, `truncated` is set, and `left_out` counts by field the items, characters and
    entries that were removed. Hidden characters are escaped, since models read what people do not
    see.
    """
    cut: dict[str, Any] = escape_data(data)  # a copy: reports share their lists
    before: dict[str, int] = {}
    if isinstance(cut.get("left_out"), dict):  # a list in summaries: names of files
        before = cut.pop("left_out")
    left_out: dict[str, int] = {}
    while (excess := json_size(_with_counts(cut, before, left_out)) - limit) > 0:
        longest = max(_cuttable(cut, ""), key=lambda cuttable: cuttable.size, default=None)
        if longest is None:
            break  # only fields of objects are left, which a schema may require
        value = longest.container[longest.key]
        keep = max(len(value) > 1, int(len(value) * (1 - excess / longest.size) * _CUT_RATIO))
        if isinstance(value, dict):
            longest.container[longest.key] = dict(islice(value.items(), keep))
        else:
            longest.container[longest.key] = value[:keep]
        left_out[longest.name] = left_out.get(longest.name, 0) + len(value) - keep
    return _with_counts(cut, before, left_out)


def _with_counts(
    cut: dict[str, Any], before: Mapping[str, int], left_out: Mapping[str, int]
) -> dict[str, Any]:
    """Return the answer `cut` with the fields `truncated` and `left_out`, if they are needed.

    The field `left_out` counts what was removed, by field: `before` is what the tool itself left
    out, and `left_out` is what was cut to fit the limit.
    """
    counts = {name: before.get(name, 0) + left_out.get(name, 0) for name in {**before, **left_out}}
    return (
        cut | ({"truncated": True} if left_out else {}) | ({"left_out": counts} if counts else {})
    )


def _cuttable(data: Any, name: str) -> Iterator[_Cuttable]:
    """Yield every text, and every list and map of several items, at any depth of `data`.

    `name` is the name of the field that holds `data`.
    """
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        field = key if isinstance(key, str) and key.isidentifier() else name
        if (isinstance(value, str) and value) or (isinstance(value, list) and len(value) > 1):
            yield _Cuttable(data, key, field, json_size(value))
        elif isinstance(value, dict) and _is_map(value):
            whole = {at: None if _has_cuttable(part) else part for at, part in value.items()}
            yield _Cuttable(data, key, field, json_size(whole))
        if isinstance(value, (dict, list)):
            yield from _cuttable(value, field)


def _has_cuttable(value: Any) -> bool:
    return next(_cuttable([value], ""), None) is not None


def _is_map(value: Mapping[str, Any]) -> bool:
    """Tell whether the keys of an object are data, such as paths, instead of names of fields."""
    return len(value) > 1 and not all(map(str.isidentifier, value))

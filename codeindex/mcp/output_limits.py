"""Answers as they are sent: nothing hidden in them, and cut to a size that clients show whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from codeindex.text.sanitize import escape_data, escape_text

MOST_CHARACTERS = 20_000
"""Claude Code spills answers of 50,000 characters to a file and others cut at 25,000 tokens; this
is about 5,000 tokens, which is also as much as an agent reads with profit."""
_KEPT = 0.9
"""Share that a round keeps of what would fit, since what is left out is counted in the answer."""
_CUT_NOTE = 100
"""Characters that are kept for the sentence at the end of a text that is cut."""
_SENTENCE = 1_000
"""Characters of an error, which quotes what was given: advice stands at its end."""


class _Long(NamedTuple):
    """A list or text that can be cut, where it is held, and how long it is in JSON."""

    holder: Any
    key: Any
    name: str
    size: int


def shorten_error(text: str) -> str:
    """Cut the middle out of an error that quotes something long."""
    text = escape_text(text)
    if len(text) <= _SENTENCE:
        return text
    return f"{text[: _SENTENCE // 2]} … {text[-_SENTENCE // 3 :]}"


def compact_json(data: Any) -> str:
    """Write JSON as it is sent: no blanks, no escapes for letters."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def limit_text(text: str, *, most: int = MOST_CHARACTERS) -> tuple[str, bool]:
    """Return whole lines of a text that fit into `most` characters, and whether that is all.

    Hidden characters are spelt out, since models read what people do not see.
    """
    shown = escape_text(text)
    if len(shown) <= most:
        return shown, True
    kept = shown[: most - _CUT_NOTE].rpartition("\n")[0] or shown[: most - _CUT_NOTE]
    left = shown.count("\n") - kept.count("\n")
    return f"{kept}\n… {left:,} more lines are left out: ask for less, or for a part of it", False


def limit_data(data: Mapping[str, Any], *, most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """Cut the longest lists, then the longest texts, until the JSON has at most `most` characters.

    `truncated` is true then, and `left_out` says how much of what: items of lists, characters of
    texts. Hidden characters are spelt out, since models read what people do not see.
    """
    cut: dict[str, Any] = escape_data(data)  # its own copy: reports share their lists
    before: dict[str, int] = {}
    if isinstance(cut.get("left_out"), dict):  # not the names of summaries
        before = cut.pop("left_out")
    left_out: dict[str, int] = {}
    while (excess := len(compact_json(_said(cut, before, left_out))) - most) > 0:
        one = max(_long(cut, ""), key=lambda one: one.size)
        value = one.holder[one.key]
        keep = max(len(value) > 1, int(len(value) * (1 - excess / one.size) * _KEPT))
        one.holder[one.key] = value[:keep]
        left_out[one.name] = left_out.get(one.name, 0) + len(value) - keep
    return _said(cut, before, left_out)


def _said(
    cut: dict[str, Any], before: Mapping[str, int], left_out: Mapping[str, int]
) -> dict[str, Any]:
    """Say what is left out here, and `before`, where the answer is whole without it."""
    every = {name: before.get(name, 0) + left_out.get(name, 0) for name in {**before, **left_out}}
    return cut | ({"truncated": True} if left_out else {}) | ({"left_out": every} if every else {})


def _long(data: Any, name: str) -> Iterator[_Long]:
    """Yield what can be cut; a list of one is only as long as what it holds."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        own = key if isinstance(key, str) else name
        if (isinstance(value, str) and value) or (isinstance(value, list) and len(value) > 1):
            yield _Long(data, key, own, len(compact_json(value)))
        if isinstance(value, (dict, list)):
            yield from _long(value, own)

"""Editing one entry of JSON with comments, and no other byte."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.clients.jsonc import (
    append_json_item,
    prune_json_entry,
    read_json_value,
    remove_json_entry,
    set_json_value,
)
from codeindex.errors import ConfigError

ENTRY = {"command": "/opt/python", "args": ["-m", "codeindex"]}
SETTINGS = """\
// made by hand
{
    "theme": "dark", // not light
    "servers": {
        "other": {"command": "other"} /* keep */
        // "old": {}
    },
}
"""
SENTENCE = re.compile(r"error settings\.json:\d+ is not valid JSON \(.+\); correct it\.")
gaps = st.text(" \t\n", max_size=3)
comments = st.one_of(
    st.text("ab,{}[]\"':* ", max_size=6).map(lambda text: f"//{text}\n"),
    st.text("ab,{}[]\"' \n", max_size=6).map(lambda text: f"/*{text}*/"),
)
fillings = st.lists(st.one_of(gaps, comments), max_size=3).map("".join)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
).map(json.dumps)  # fmt: skip


@st.composite
def collections(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    """An object or a list, with blanks and comments wherever they may stand."""
    is_object = draw(st.booleans())
    found = draw(st.lists(values, max_size=3))
    parts = []
    for number, value in enumerate(found):
        key = f'"{number}"{draw(fillings)}:{draw(fillings)}' if is_object else ""
        parts.append(f"{draw(fillings)}{key}{value}{draw(fillings)}")
    is_closed = draw(st.booleans())
    trailing = f",{draw(fillings)}" if parts and is_closed else ""
    inside = ",".join(parts) + trailing if parts else draw(fillings)
    return f"{{{inside}}}" if is_object else f"[{inside}]"


@st.composite
def documents(draw: st.DrawFn) -> str:
    at = draw(collections(st.one_of(scalars, collections(scalars))))
    text = f'{draw(fillings)}{{{draw(fillings)}"in":{at}{draw(fillings)}}}{draw(fillings)}'
    mark, newline = draw(st.sampled_from(["", "\ufeff"])), draw(st.sampled_from(["\n", "\r\n"]))
    return mark + text.replace("\n", newline)


def without_blank_insides(text: str) -> str:
    """Comments may hold what looks like brackets; they are the same on both sides."""
    return re.sub(r"([{\[])[ \t\r\n]+([}\]])", r"\1\2", text)


def is_subsequence(part: str, whole: str) -> bool:
    letters = iter(whole)
    return all(letter in letters for letter in part)


@given(documents())
def test_an_inserted_value_is_found_and_no_other_value_changes(text: str) -> None:
    before = read_json_value(text, (), name="x")
    after = set_json_value(text, ("codeindex",), ENTRY, name="x")
    assert read_json_value(after, (), name="x") == before | {"codeindex": ENTRY}


@given(documents())
def test_every_other_byte_is_kept_in_its_order(text: str) -> None:
    path: tuple[str, ...] = (
        ("in",) if isinstance(read_json_value(text, ("in",), name="x"), dict) else ()
    )
    after = set_json_value(text, (*path, "codeindex"), ENTRY, name="x")
    assert is_subsequence(without_blank_insides(text), after)


@given(documents())
def test_removing_what_was_put_in_gives_the_text_back(text: str) -> None:
    inner = read_json_value(text, ("in",), name="x")
    if isinstance(inner, dict):
        after = set_json_value(text, ("in", "codeindex"), ENTRY, name="x")
        back = remove_json_entry(after, ("in", "codeindex"), name="x")
    else:
        after = append_json_item(text, ("in",), ENTRY, name="x")
        back = remove_json_entry(after, ("in", len(inner)), name="x")
    assert read_json_value(back, (), name="x") == read_json_value(text, (), name="x")
    assert back == text or without_blank_insides(back) == without_blank_insides(text)


@given(documents(), st.data())
def test_removing_any_entry_leaves_the_others(text: str, data: st.DataObject) -> None:
    before: dict[str, Any] = read_json_value(text, (), name="x")
    inner = before["in"]
    keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    del inner[key]
    assert read_json_value(remove_json_entry(text, ("in", key), name="x"), (), name="x") == before


@given(documents())
def test_setting_the_value_that_is_there_changes_nothing(text: str) -> None:
    after = set_json_value(text, ("codeindex",), ENTRY, name="x")
    assert set_json_value(after, ("codeindex",), ENTRY, name="x") == after


@given(st.text('{}[],:"/* \n1ab', max_size=12))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        said = str(read_json_value(text, (), name="settings.json"))
    except ConfigError as error:
        said = f"error {error}"
    assert not said.startswith("error") or SENTENCE.match(said)


def test_a_new_entry_is_laid_out_as_its_neighbours_are() -> None:
    after = set_json_value(SETTINGS, ("servers", "codeindex"), {"command": "p"}, name="x")
    assert after == SETTINGS.replace(
        '{"command": "other"} /* keep */\n        // "old": {}\n',
        '{"command": "other"}, /* keep */\n        // "old": {}\n'
        '        "codeindex": {\n            "command": "p"\n        }\n',
    )
    assert remove_json_entry(after, ("servers", "codeindex"), name="x") == SETTINGS


def test_a_trailing_comma_stays_one() -> None:
    after = set_json_value(SETTINGS, ("last",), 1, name="x")
    assert after == SETTINGS.replace("    },\n}", '    },\n    "last": 1,\n}')


def test_an_object_on_one_line_stays_on_it() -> None:
    assert set_json_value('{"a": 1}', ("b",), {"c": [1]}, name="x") == '{"a": 1, "b": {"c": [1]}}'


def test_line_ends_and_the_byte_order_mark_are_kept() -> None:
    text = '\ufeff{\r\n\t"a": 1\r\n}\r\n'
    after = set_json_value(text, ("b",), [1], name="x")
    assert after == '\ufeff{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t1\r\n\t]\r\n}\r\n'
    assert remove_json_entry(after, ("b",), name="x") == text


def test_a_file_without_a_value_gets_one_after_its_comments() -> None:
    assert set_json_value("", ("a", "b"), 1, name="x") == '{\n  "a": {\n    "b": 1\n  }\n}\n'
    assert set_json_value("// mine", ("a",), 1, name="x") == '// mine\n{\n  "a": 1\n}\n'


def test_what_has_become_empty_goes_too_but_not_the_document() -> None:
    assert (
        prune_json_entry(
            set_json_value("{}", ("a", "b", "c"), 1, name="x"), ("a", "b", "c"), name="x"
        )
        == "{}"
    )
    kept = '{"a": {/* mine */}, "b": 1}'
    after = set_json_value(kept, ("a", "c"), 1, name="x")
    assert prune_json_entry(after, ("a", "c"), name="x") == kept


def test_of_two_equal_keys_the_last_counts() -> None:
    after = set_json_value('{"a": 1, "a": 2}', ("a",), 3, name="x")
    assert after == '{"a": 1, "a": 3}'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{\n"a": 1\n"b": 2}', "x:3 is not valid JSON (a comma is missing); correct it."),
        ('{\n"a" 1}', "x:2 is not valid JSON (a colon is missing); correct it."),
        ("{'a': 1}", "x:1 is not valid JSON (what is \"'a': 1}\"?); correct it."),
        ("{a: 1}", "x:1 is not valid JSON (what is 'a: 1}'?); correct it."),
        ("{1: 1}", "x:1 is not valid JSON (a key in double quotes is expected); correct it."),
        ('{"a": 1', "x:1 is not valid JSON (a comma is missing); correct it."),
        ('{"a":', "x:1 is not valid JSON (it ends too early); correct it."),
        ("{}\n{}", "x:2 is not valid JSON (there is more after its end); correct it."),
        ('{"a": "\\q"}', 'x:1 is not valid JSON ("\\q" is not a value); correct it.'),
        ("{,}", "x:1 is not valid JSON (a key in double quotes is expected); correct it."),
        ('{"a": ]}', "x:1 is not valid JSON (] is not a value); correct it."),
        ("[" * 99, "x:1 is not valid JSON (nested too deeply); correct it."),
        ('{\n"in": []}', "x:2 should be an object; correct it."),
        ("[]", "x:1 should be an object; correct it."),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        set_json_value(text, ("in", "codeindex"), 1, name="x")
    assert str(caught.value) == sentence


def test_a_list_is_wanted_where_items_are_added() -> None:
    with pytest.raises(ConfigError, match="x:1 should be a list"):
        append_json_item('{"a": {}}', ("a",), 1, name="x")

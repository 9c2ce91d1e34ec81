"""Editing one table of TOML."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.clients.text_edits import MarkedBlock, append_block, cut_block
from codeindex.clients.toml import prune_toml_entry, read_toml_value, set_toml_value
from codeindex.errors import ConfigError

ENTRY = {"command": "/opt/python", "args": ["-m", "codeindex"], "env": {"HOME": "/x"}}
PATH = ("mcp_servers", "codeindex")
SETTINGS = """\
# mine
model = "o" # the fast one

[mcp_servers.other]
command = "other"

# about the last table
[last]
a = [
  ["b"],
]
"""
lines = st.lists(st.sampled_from(["", "a", "# b", " "]), max_size=5)
newlines = st.sampled_from(["\n", "\r\n"])


@given(lines, newlines)
def test_lines_that_were_appended_are_cut_out_without_a_trace(
    found: list[str], newline: str
) -> None:
    text = newline.join(found)
    longer = append_block(text, "[x]\ny")
    start = longer.rindex("[x]")
    assert longer.startswith(text)
    assert cut_block(longer, start, longer.rindex("y") + 1) == text


@given(lines, newlines)
def test_a_block_is_replaced_and_taken_out_where_it_stands(found: list[str], newline: str) -> None:
    text = newline.join(found)
    first = MarkedBlock(Path("x"), "one\ntwo", "<begin>", "<end>")
    second = MarkedBlock(Path("x"), "three", "<begin>", "<end>")
    assert second.add(first.add(text)) == second.add(text)
    assert first.remove(second.add(text)) == text == second.remove(text)


@pytest.mark.parametrize(
    "text",
    ["", "a = 1", "a = 1\n", SETTINGS, SETTINGS.replace("\n", "\r\n"), f"\ufeff{SETTINGS}"],
)
def test_a_new_table_goes_last_and_is_taken_out_without_a_trace(text: str) -> None:
    longer = set_toml_value(text, PATH, ENTRY, name="x")
    assert longer.startswith(text)
    assert read_toml_value(longer, PATH, name="x") == ENTRY
    assert ("\r\n" in longer) == ("\r\n" in text)
    assert set_toml_value(longer, PATH, ENTRY, name="x") == longer
    assert (
        prune_toml_entry(longer, PATH, name="x") == text == prune_toml_entry(text, PATH, name="x")
    )


def test_what_was_written_after_our_table_stays() -> None:
    longer = set_toml_value(SETTINGS, PATH, ENTRY, name="x") + "\n# about more\n[more]\nb = 1\n"
    assert prune_toml_entry(longer, PATH, name="x") == f"{SETTINGS}\n# about more\n[more]\nb = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {other = {command = 'x'}}\n",
        "[mcp_servers]\nother = {command = 'x'} # mine\n",
        "mcp_servers.other.command = 'x'\n",
        "[mcp_servers]\n",
    ],
)
def test_servers_can_be_written_in_any_of_the_forms(text: str) -> None:
    longer = set_toml_value(text, PATH, ENTRY, name="x")
    assert read_toml_value(longer, PATH, name="x") == ENTRY
    others = tomllib.loads(text).get("mcp_servers")
    left = tomllib.loads(prune_toml_entry(longer, PATH, name="x")).get("mcp_servers", {})
    assert left == others


def test_one_value_of_a_table_is_changed_and_its_comments_stay() -> None:
    text = "[mcp_servers.codeindex]\r\ncommand = 'old' # mine\r\nextra = 1\r\n"
    changed = set_toml_value(text, (*PATH, "command"), "new", name="x")
    assert changed == '[mcp_servers.codeindex]\r\ncommand = "new" # mine\r\nextra = 1\r\n'


def test_a_table_in_one_line_stays_in_it() -> None:
    text = "mcp_servers = {codeindex = {command = 'old'}} # mine\n"
    changed = set_toml_value(text, (*PATH, "env", "A"), "b", name="x")
    assert read_toml_value(changed, PATH, name="x") == {"command": "old", "env": {"A": "b"}}
    assert (changed.count("\n"), changed.endswith("}}} # mine\n")) == (1, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\nb = ", r"config.toml:2 is not valid TOML \(Invalid value\); correct it\."),
        ("mcp_servers = 3", "config.toml: `mcp_servers` should be a table; correct it."),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        set_toml_value(text, PATH, ENTRY, name="config.toml")

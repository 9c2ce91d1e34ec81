"""A message that only files of texts have leads to the code that uses its key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeindex import Index
from tests.flow.sites import indexed_repository

FILES = {
    "config/locales/en.yml": (
        "en:\n  parcels:\n    show:\n      heavy: This parcel is too heavy\n"
        "  api_forbidden: The key has no access\n"
    ),
    "config/locales/de.yml": "de:\n  api_forbidden: Der Schlüssel hat keinen Zugriff\n",
    "app/views/parcels/show.html.erb": "<p><%= t('.heavy') %></p>\n",
    "app/views/letters/show.html.erb": "<p><%= t('.heavy') %></p>\n",
    "app/access.rb": "def refuse\n  render(t(:api_forbidden))\nend\n",
    "web/locales/en.json": '{\n  "cart": {\n    "empty": "Your cart is empty"\n  }\n}\n',
    "web/cart.ts": 'export function show() {\n  return t("cart.empty");\n}\n',
    "res/values/strings.xml": (
        '<resources>\n  <string name="no_space">There is no space left</string>\n</resources>\n'
    ),
    "res/layout/main.xml": '<View android:text="@string/no_space" />\n',
    "src/Space.java": "class Space {\n  int text() { return R.string.no_space; }\n}\n",
    "src/messages.properties": "order.late=The order came too late\n",
    "src/Order.java": 'class Order {\n  String s = bundle.getString("order.late");\n}\n',
    "lang/en/parcel.php": (
        "<?php\nreturn [\n  'lost' => [\n    'all' => 'All parcels are lost',\n  ],\n];\n"
    ),
    "src/lost.php": "<?php\nfunction lost() {\n  return __('parcel.lost.all');\n}\n",
    "po/de.po": 'msgid "Sealed parcel"\nmsgstr "Versiegeltes Paket"\n',
    "src/seal.py": 'def seal():\n    return _("Sealed parcel")\n',
    "Strings.resx": (
        '<root>\n  <data name="ParcelSent" xml:space="preserve">\n'
        "    <value>The parcel was sent today</value>\n  </data>\n</root>\n"
    ),
    "src/Sent.cs": "class Sent {\n  string Text() { return Strings.ParcelSent; }\n}\n",
    "tests/test_cart.py": 'def test_cart():\n    assert show() == "Your cart is empty"\n',
    "src/own.py": 'def check():\n    raise ValueError("a message of code")\n',
    "notes/own.yml": "note: a message of code\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    place = tmp_path_factory.mktemp("keys") / "parcels"
    with indexed_repository(place, FILES) as root, Index.open(root) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "key", "uses"),
    [
        ("parcel is too heavy", "parcels.show.heavy", ["app/views/parcels/show.html.erb:1"]),
        ("The key has no access", "api_forbidden", ["app/access.rb:2"]),
        ("Your cart is empty", "cart.empty", ["web/cart.ts:2"]),
        ("There is no space left", "no_space", ["src/Space.java:2", "res/layout/main.xml:1"]),
        ("The order came too late", "order.late", ["src/Order.java:2"]),
        ("All parcels are lost", "lost.all", ["src/lost.php:3"]),
        ("Versiegeltes Paket", "Sealed parcel", ["src/seal.py:2"]),
        ("parcel was sent today", "ParcelSent", ["src/Sent.cs:2"]),
    ],
)
def test_a_message_of_texts_leads_to_its_uses(
    index: Index, text: str, key: str, uses: list[str]
) -> None:
    found = index.exact.grep(text, parted=True, likely_first=True)
    assert [*found.key_uses] == [key]
    assert [f"{one.path}:{one.line}" for one in found.key_uses[key]] == uses
    title, *lines = [line for line in found.parted() if "split over lines" not in line]
    assert title.startswith(f"uses of the key {key}: ")
    assert [line.split(" ")[0].rstrip(":") for line in lines] == uses
    own = found.as_dict()["key_uses"][key]
    assert [f"{one['file_path']}:{one['line']}" for one in own] == uses


def test_a_message_of_code_has_no_key(index: Index) -> None:
    assert not index.exact.grep("a message of code", parted=True).key_uses


def test_parts_of_a_name_are_in_the_json_of_an_exact_search(index: Index) -> None:
    (nested,) = index.exact.grep("parcels.show.heavy", parted=True).as_dict()["nested"]
    assert (nested["file_path"], nested["line"]) == ("config/locales/en.yml", 4)

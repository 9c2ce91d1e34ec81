"""`explore_code` shows what decides: functions that use a named setting, and methods of a type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from codeindex import Index
from codeindex.search.explore import Exploration
from codeindex.search.neighbors import NeighborReader
from codeindex.search.region_candidates import Candidate, rank_regions
from codeindex.search.regions import find_regions
from codeindex.store.catalog.file_lines import FileLines
from codeindex.types import Filters
from tests.flow.sites import indexed_repository

_TABLE = "".join(f'  add(table, "option-{at}", {at});\n' for at in range(100))
_STEPS = "".join(f"    box.pull_out_one_nail(number={at})\n" for at in range(70))
_OTHERS = "".join(f"const int LIMIT_{at} = {at};\n" for at in range(30))
_ACCOUNT = "class Account:\n    def {}(self):\n        return 1\n"
_PEER = '#include "Peer.h"\n\nint Peer::{}()\n{{\n  return 1;\n}}\n'
_PEER_HEADER = "#pragma once\nclass Peer {{\npublic:\n  int {}();\n}};\n"
FILES = {
    "disk/Peer.cc": _PEER.format("seek"),
    "disk/Peer.h": _PEER_HEADER.format("seek"),
    "net/Peer.cc": _PEER.format("dial"),
    "net/Peer.h": _PEER_HEADER.format("dial"),
    "shop/models.py": _ACCOUNT.format("charge"),
    "game/models.py": _ACCOUNT.format("level_up"),
    "shop/locking.py": "class UserLocking:\n    def is_locked(self, name): return bool(name)\n",
    "shop/login.py": (
        "from shop.locking import UserLocking\n\nclass Login:\n    def validate(self, name):\n"
        "        if self.user_locking.is_locked(name):\n            raise ValueError(name)\n"
    ),
    "shop/parcels.py": (
        "def seal(box):\n    return bool(box)\n\n"
        "def send_parcel(box):\n    if seal(box):\n        return 1\n    return 0\n\n"
        "def hand_over(box):\n    if not seal(box):\n        raise ValueError(box)\n"
    ),
    "src/limits.h": "#pragma once\nextern const int WAIT_LIMIT;\n",
    "src/limits.cc": (
        f'#include "limits.h"\nconst int WAIT_LIMIT = 5;\nnamespace limits {{\n{_OTHERS}}}\n'
    ),
    "src/queue.cc": (
        '#include "limits.h"\n\nbool postpone(int failures)\n{\n'
        "  if (failures > WAIT_LIMIT)\n    return false;\n  return true;\n}\n"
    ),
    "src/table.cc": (
        '#include "limits.h"\n\nvoid add(int* table, const char* name, int value);\n\n'
        f'void fill(int* table)\n{{\n{_TABLE}  add(table, "wait", WAIT_LIMIT);\n{_TABLE}}}\n'
    ),
    "shop/weights.py": (
        "def weigh_crate(crate):\n    if not crate.sealed:\n        open_lid(crate)\n"
        f"    return crate.kilograms\n\ndef open_lid(box):\n{_STEPS}    return box.kilograms\n\n"
        "def lift_crate(crate):\n    weigh_crate(crate)\n    crate.lift()\n    crate.carry()\n"
    ),
    "src/parcel.h": "#pragma once\nstruct parcel_size {\n  int weight;\n  int width;\n};\n",
    "src/parcel.c": (
        '#include "parcel.h"\n\nint fits(const struct parcel_size *size)\n{\n'
        "  if (size->width > 9)\n    return 0;\n  return 1;\n}\n"
    ),
    "lib/weighable.rb": "module Weighable\n  def weight\n    raise TypeError\n  end\nend\n",
    **{
        f"lib/goods_{at:02}.rb": f"class Goods{at:02}\n  include Weighable\nend\n"
        for at in range(14)
    },
    "src/SeedCheck.h": (
        "#pragma once\nclass SeedCheck {\n  int ratio_;\npublic:\n  SeedCheck();\n"
        "  int getRatio() const { return ratio_; }\n  bool evaluate(int uploaded);\n};\n"
    ),
    "src/SeedCheck.cc": (
        '#include "SeedCheck.h"\n\nSeedCheck::SeedCheck() : ratio_(1) {}\n\n'
        "bool SeedCheck::evaluate(int uploaded)\n{\n  if (uploaded > ratio_)\n    return true;\n"
        "  return false;\n}\n"
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    place = tmp_path_factory.mktemp("deciding") / "seeds"
    with indexed_repository(place, FILES) as root, Index.open(root) as opened:
        yield opened


def candidates(index: Index, query: str) -> dict[str, Candidate]:
    """Return {symbol: candidate} of a question of which the search found nothing."""
    answer = replace(index.search(query), hits=())
    with index.reader().catalog() as (catalog, _):
        neighbors = NeighborReader(catalog.connection)
        texts = FileLines(catalog.connection)
        ranked, _ = rank_regions(neighbors, answer, filters=Filters(), texts=texts)
    return {one.symbol: one for one in ranked}


def explored(index: Index, query: str) -> Exploration:
    return index.combined.explore(query, budget=3_500, sent_as="text")


def test_functions_that_use_a_named_constant_are_candidates(index: Index) -> None:
    found = candidates(index, "WAIT_LIMIT")
    assert found["postpone"].reason == "uses WAIT_LIMIT"
    assert found["postpone"].focus == {5}


def test_functions_that_likely_call_a_named_method_are_candidates(index: Index) -> None:
    found = candidates(index, "is_locked")
    assert found["Login.validate"].reason == "may call is_locked"
    assert found["Login.validate"].focus == {5}


def test_other_callers_of_a_callee_are_candidates(index: Index) -> None:
    found = candidates(index, "send_parcel: is the box sealed, raise an error")
    assert found["seal"].reason == "called by send_parcel"
    assert found["hand_over"].reason == "calls seal"
    assert found["hand_over"].focus == {10}
    assert found["send_parcel"].worth > found["hand_over"].worth


def test_of_a_long_table_the_lines_around_the_named_constant_are_shown(index: Index) -> None:
    (table,) = [one for one in explored(index, "WAIT_LIMIT").code if one.path == "src/table.cc"]
    assert "WAIT_LIMIT" in "".join(text for _, text in table.lines)
    assert len(table.lines) < 40


def test_a_named_type_stands_for_its_methods_but_accessors(index: Index) -> None:
    found = candidates(index, "SeedCheck")
    assert found["SeedCheck.evaluate"].reason == "of SeedCheck"
    assert "SeedCheck.getRatio" not in found
    assert "SeedCheck" not in found


def test_a_named_type_without_methods_is_shown_with_the_functions_that_use_it(
    index: Index,
) -> None:
    found = candidates(index, "add a field to parcel_size")
    assert found["parcel_size"].path == "src/parcel.h"
    assert found["fits"].reason == "uses parcel_size"
    assert found["fits"].focus == {3}


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("Account", {"shop/models.py": ["charge"], "game/models.py": ["level_up"]}),
        ("Peer", {"disk/Peer.h": ["seek"], "net/Peer.h": ["dial"]}),
    ],
)
def test_methods_of_an_equally_named_type_elsewhere_are_not_of_a_type(
    index: Index, name: str, methods: dict[str, list[str]]
) -> None:
    with index.reader().catalog() as (catalog, _):
        neighbors = NeighborReader(catalog.connection)
        found = {
            type_.path: [method.name for method in neighbors.methods(type_)]
            for type_ in neighbors.named(name)
        }
    assert found == methods


def test_of_a_list_of_constants_some_lines_are_shown(index: Index) -> None:
    regions = explored(index, "limits: WAIT_LIMIT, limit 7").code
    (others,) = [one for one in regions if one.symbol == "limits"]
    assert 0 < len(others.lines) < 20


def test_few_lines_of_long_code_of_little_worth_are_shown_or_its_name(index: Index) -> None:
    answer = replace(index.search("weigh_crate, kilograms"), hits=())
    with index.reader().catalog() as (catalog, _):
        find = partial(find_regions, NeighborReader(catalog.connection), answer, filters=Filters())
        code, others = find(room=300)
        more, none = find(room=12_000)
        most, _ = find(room=60_000)
    assert [region.symbol for region in code] == ["weigh_crate", "lift_crate"]
    assert [one.symbol for one in others] == ["open_lid"]
    (few,) = [region for region in more if region.symbol == "open_lid"]
    (whole,) = [region for region in most if region.symbol == "open_lid"]
    assert not none
    assert 0 < len(few.lines) < 20
    assert len(whole.lines) > 60
    text = Exploration(answer, tuple(code), (), tuple(others)).text()
    assert "also: shop/weights.py open_lid:6" in [*text]


def test_the_classes_that_include_a_named_module_are_listed(index: Index) -> None:
    found = explored(index, "Weighable: which classes include it, what must they have")
    extending = [link for link in found.links if link.role == "subtype"]
    assert [link.symbol for link in extending] == [f"Goods{at:02}" for at in range(12)]
    lines = [*found.text()]
    assert "extended in lib/goods_00.rb Goods00:1" in lines
    assert "extended in lib/goods_11.rb:1 Goods11: and 2 more types" in lines
    assert "subtype" not in {link.role for link in explored(index, "which goods weigh").links}

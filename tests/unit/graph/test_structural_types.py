"""Types that have the members of a `Protocol` are its possible implementers."""

from __future__ import annotations

from codeindex import Index
from tests.conftest import Repository

FILES = {
    "shape.py": """
from typing import Protocol


class Shape(Protocol):
    @property
    def name(self) -> str: ...
    def area(self) -> float: ...


class Sized(Shape, Protocol):
    def size(self) -> int: ...


class Empty(Protocol):
    pass


class Named:
    name = "x"


class Square(Named):
    def area(self) -> float:
        return 1.0


class Cube(Square):
    pass


class Declared(Shape):
    name = "d"

    def area(self) -> float:
        return 2.0


class Nameless:
    def area(self) -> float:
        return 3.0


class Wide(Square):
    size = 3


class Sizes:
    size = 4


class Protocol2:
    def area(self) -> float:
        return 4.0
""",
}


def implementers(index: Index, name: str) -> dict[str, str]:
    found = index.graph.implementers(name).implementers
    return {implementer.name: implementer.certainty for implementer in found}


def test_types_with_all_members_are_possible_and_declared_ones_certain(
    repository: Repository,
) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        assert implementers(index, "Shape") == {
            "Sized": "resolved",
            "Declared": "resolved",
            "Square": "ambiguous",
            "Cube": "ambiguous",
            "Wide": "ambiguous",
        }
        assert implementers(index, "Sized") == {"Wide": "ambiguous"}
        assert implementers(index, "Empty") == {}
        assert implementers(index, "Protocol2") == {}


def test_a_question_finds_the_same(repository: Repository) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        answer = index.search("what implements Shape")
        assert answer.meta["relation"]["ambiguous"] == 3
        assert {"Square", "Cube"} <= {hit.symbol for hit in answer.hits}

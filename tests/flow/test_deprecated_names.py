"""Names of the version before answer as they did, and warn once."""

import warnings
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from codeindex import Index
from codeindex.api import deprecated
from codeindex.api.deprecated import MOVED
from tests.flow.sites import indexed_repository

FILES = {"shop/pay.py": "def charge(card):\n    return card\n\n\ncharge(1)\n"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("deprecated") / "shop"
    with indexed_repository(folder, FILES):
        yield folder


@pytest.fixture
def index(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(deprecated, "_warned", set())
    with Index.open(root) as opened:
        yield opened


@pytest.mark.parametrize("name", MOVED)
def test_a_former_method_is_the_new_one_and_warns_once(index: Any, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"Index\.{name}\(\) is deprecated") as caught:
        method = getattr(index, name)
    assert caught[0].filename == __file__
    assert method == attrgetter(MOVED[name])(index)
    with warnings.catch_warnings(record=True) as again:
        warnings.simplefilter("always")
        assert getattr(index, name) == method
    assert again == []


def test_the_graph_is_still_called(index: Any) -> None:
    with pytest.warns(DeprecationWarning, match=r"use Index\.graph\.networkx\(\)"):
        graph = index.graph()
    assert "shop/pay.py::charge" in graph


def test_a_former_method_answers(index: Any) -> None:
    with pytest.warns(DeprecationWarning, match=r"use Index\.graph\.callers\(\)"):
        found = index.callers("charge", limit=3)
    assert found.as_dict() == index.graph.callers("charge", limit=3).as_dict()


def test_other_names_are_none(index: Any) -> None:
    with pytest.raises(AttributeError, match="'Index' object has no attribute 'nonesuch'"):
        _ = index.nonesuch

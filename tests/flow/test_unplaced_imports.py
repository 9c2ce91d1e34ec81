"""Uses are found whose import finds modules by the root folder, which is itself a package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.flow.sites import indexed_repository

_CODE = "{}\n\n\ndef use_{}():\n    return greet()\n"
FILES = {
    "__init__.py": "",
    "base.py": "def greet():\n    return 1\n",
    "plain.py": _CODE.format("from base import greet", "plain"),
    "relative.py": _CODE.format("from .base import greet", "relative"),
    "named.py": _CODE.format("from shop.base import greet", "named"),
    "deeper.py": _CODE.format("from other.lib.base import greet", "deeper"),
    "inner/__init__.py": "",
    "inner/below.py": _CODE.format("from base import greet", "below"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_repository(tmp_path_factory.mktemp("package") / "shop", FILES) as made:
        yield made


def test_a_root_that_is_a_package_is_searched_for_the_modules_of_its_scripts(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.callers("greet")
    certain = {each.name for each in found.callers if each.certainty == "resolved"}
    assert certain == {"use_plain", "use_relative", "use_below"}


def test_an_import_by_the_name_of_the_root_is_a_possible_use(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.callers("greet")
    possible = {each.name for each in found.callers if each.certainty != "resolved"}
    assert possible == {"use_named"}
    assert "1 possible" in "\n".join(found.text())

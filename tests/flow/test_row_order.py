"""Answers about relations are the same in whatever order the rows of edges were stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

_FILES = {
    "limits/sizes.py": "def most_rows():\n    return 9\n\n\ndef most_bytes():\n    return 8\n",
    "limits/times.py": "class Clock:\n    pass\n\n\ndef most_seconds():\n    return 7\n",
    "app/run.py": (
        "from limits.sizes import most_bytes, most_rows\n"
        "from limits.times import Clock, most_seconds\n\n\n"
        "class Slow(Clock):\n    pass\n\n\nclass Fast(Clock):\n    pass\n\n\n"
        "def run():\n    return most_rows() + most_bytes() + most_seconds()\n\n\n"
        "def rerun():\n    return run() + most_rows()\n"
    ),
    "app/other.py": (
        "from limits.sizes import most_bytes, most_rows\nfrom app.run import rerun, run\n\n\n"
        "def other():\n    return most_bytes() + most_rows() + run() + rerun()\n\n\n"
        "def last():\n    return most_rows() + other()\n\n\nHANDLERS = {'run': run}\n"
    ),
    "tests/test_run.py": (
        "from app.run import rerun, run\nfrom app.other import other\n\n\n"
        "def test_run():\n    assert run() and other()\n\n\ndef test_rerun():\n    assert rerun()\n"
        "\n\ndef test_third():\n    assert run()\n\n\ndef test_fourth():\n    assert run()\n"
    ),
}
_SYMBOLS = ("most_rows", "most_bytes", "run", "rerun", "Clock", "other")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("rows")
    with own_data(folder):
        root = made_repository(folder / "shop", _FILES)
        with Index.open(root) as index:
            index.sync()
        yield root


def answers(root: Path) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    with Index.open(root) as index:
        for path in _FILES:
            items = index.changes.context(path).items
            found["context", path] = [(item.file, item.reasons) for item in items]
        for symbol in _SYMBOLS:
            found["callers", symbol] = index.graph.callers(symbol)
            found["callees", symbol] = index.graph.callees(symbol)
            found["impact", symbol] = index.graph.impact(symbol)
            found["tests", symbol] = index.graph.related_tests(symbol)
            found["explain", symbol] = index.symbols.explain(symbol)
        found["implementers", "Clock"] = index.graph.implementers("Clock")
        found["unused", ""] = index.graph.unused()
        found["map", ""] = index.overview.modules()
    return found


def test_answers_do_not_depend_on_the_order_of_rows(site: Path) -> None:
    before = answers(site)
    with Index.open(site) as index:
        catalog = index.repository.catalog
    with closing(sqlite3.connect(catalog)) as connection, connection:
        connection.execute("UPDATE edge_rows SET id = -id")
    after = answers(site)
    assert [key for key, answer in before.items() if answer != after[key]] == []

"""Statements that every Python takes which is supported."""

from __future__ import annotations

import re
from pathlib import Path

import codeindex

_NUMBERED = re.compile(r"[\s(=]\?[1-9]")


def test_no_value_of_a_statement_is_named_by_a_number() -> None:
    """From Python 3.14 on, SQLite's module refuses `?1` where values come in a row."""
    sources = sorted(Path(codeindex.__file__).parent.rglob("*.py"))
    assert len(sources) > 100
    assert [one.name for one in sources if _NUMBERED.search(one.read_text("utf-8"))] == []


def test_statements_are_executed_in_the_package_store_alone() -> None:
    package = Path(codeindex.__file__).parent
    executes = re.compile(r"\.execute(?:many|script)?\(")
    callers = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if executes.search(path.read_text("utf-8"))
    }
    assert callers == {"store"}

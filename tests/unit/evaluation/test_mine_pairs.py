"""Pairs of texts and code that the shipped models learn from (tests/benchmarks/trained_models)."""

from __future__ import annotations

import importlib
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codeindex.embed.tokens import tokenizer_for

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOURCE = '''\
class Pool:
    """Keeps connections open between requests."""

    def take(self, wait):
        """Wait until somebody gives one back or time runs out."""
        if not self.idle:
            raise TimeoutError("no connection became free in time, giving up")
        return self.idle.pop()

    def give_back(self, one):
        """Put an open connection where the next caller finds it."""
        self.idle.append(one)
        self.released.notify()
        return len(self.idle)
'''
TEST = """\
def test_waiting_for_a_free_connection_ends():
    connections = pool(size=1)
    first = connections.take(wait=1)
    assert first is not None
"""
GUIDE = """\
# Sharing connections

Take a connection and give it back when the work is done.

```python
pool = Pool(size=5)
with pool.take(wait=1) as one:
    one.send(b"hello there")
```
"""


@pytest.fixture
def mine_pairs(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(BENCHMARKS / "trained_models"))
    return importlib.import_module("mine_pairs")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*args: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", "-C", str(tmp_path), *names, *args], check=True, capture_output=True)

    git("init", "-q")
    first, _, _ = SOURCE.partition("    def give_back")
    for message, files in (
        ("Start", {"pool.py": first, "test_pool.py": TEST, "guide.md": GUIDE}),
        ("Let callers return what they borrowed", {"pool.py": SOURCE}),
    ):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        git("add", "-A")
        git("commit", "-qm", message)
    return tmp_path


def read(found: dict[str, np.ndarray], name: str) -> list[set[str]]:
    """Return the tokens of each row."""
    tokenizer = tokenizer_for(None)
    starts = [0, *found[f"{name}_end"].tolist()]
    return [
        {str(tokenizer.id_to_token(int(one))) for one in found[name][first:last]}
        for first, last in pairwise(starts)
    ]


def test_every_kind_of_pair_is_mined(mine_pairs: Any, repository: Path) -> None:
    found = mine_pairs.mine(repository)
    texts, code = read(found, "q"), read(found, "d")
    by_kind = {
        mine_pairs.KINDS[kind]: (text, shown)
        for kind, text, shown in zip(found["kind"].tolist(), texts, code, strict=True)
        if "until" in text or mine_pairs.KINDS[kind] != "doc"
    }
    assert set(by_kind) == set(mine_pairs.KINDS)
    doc, commit, test = by_kind["doc"], by_kind["commit"], by_kind["test"]
    assert "somebody" in doc[0]
    assert "somebody" not in doc[1]  # its documentation is hidden
    assert "borrowed" in commit[0]
    assert "released" in commit[1]
    assert "waiting" in test[0]
    assert "idle" in test[1]
    assert "sharing" in by_kind["example"][0]
    assert "hello" in by_kind["example"][1]
    assert "giving" not in by_kind["message"][1]  # nor is the line of the message there


def test_repositories_of_the_benchmark_are_refused(mine_pairs: Any) -> None:
    for name in ("google/gson", "django/django", "pallets/jinja", "celery/celery", "netty/netty"):
        with pytest.raises(mine_pairs.RefusedError):
            mine_pairs.check(name, "MIT")
    with pytest.raises(mine_pairs.RefusedError, match="GPL"):
        mine_pairs.check("somebody/something", "GPL")


def test_the_list_has_no_refused_repository(mine_pairs: Any) -> None:
    assert len(mine_pairs.listed()) >= 300

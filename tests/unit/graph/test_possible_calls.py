"""Calls of members of unknown receivers: which definitions they are likely to mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.graph.possible_calls import WEIGHTS, Evidence, likelihood, name_likeness
from codeindex.ingest.parse.receivers import receiver_name
from tests.flow.sites import indexed_repository

_FILES = {
    "shop/cache.py": (
        "class Cache:\n"
        "    def fetch(self, key):\n        return key\n\n"
        "    def store(self, key, value):\n        return key\n"
    ),
    "shop/use.py": (
        "from shop.cache import Cache\n\n\n"
        "def warm(cache):\n    cache.store('a', 1)\n    return cache.fetch('a')\n"
    ),
    "git/remote.py": (
        "class Remote:\n"
        "    def fetch(self, refspec, depth, prune):\n        return refspec\n\n"
        "    def push(self):\n        return 1\n"
    ),
    "git/use.py": (
        "from git.remote import Remote\n\n\n"
        "def update(remote):\n    remote.push()\n    return remote.fetch('main', 1, True)\n"
    ),
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with indexed_repository(tmp_path_factory.mktemp("calls") / "repo", _FILES) as root:
        yield root


def test_calls_are_shown_for_the_definition_that_the_evidence_speaks_for(repository: Path) -> None:
    with Index.open(repository) as index:
        of_cache = index.graph.callers("Cache.fetch")
        of_remote = index.graph.callers("Remote.fetch")
    assert [caller.name for caller in of_cache.callers] == ["warm"]
    assert [caller.name for caller in of_remote.callers] == ["update"]
    assert of_cache.callers[0].certainty == "ambiguous"
    assert of_cache.by_name_only == 1
    header, *_, mark, last = of_cache.text()
    assert "and 1 more by name only" in header
    assert mark == "  by name only:"
    assert last.startswith("git/use.py:6: update: return remote.fetch(")


def test_impact_follows_likely_calls_and_counts_the_others(repository: Path) -> None:
    with Index.open(repository) as index:
        impact = index.graph.impact("Remote.fetch")
    assert {dependant.file for dependant in impact.dependants} == {"git/use.py"}
    assert impact.by_name_only == 1


def test_a_search_lists_every_call_and_only_the_likely_ones_as_possible(repository: Path) -> None:
    with Index.open(repository) as index:
        answer = index.search("what calls Cache.fetch")
    found = {(hit.path, " ".join(hit.why).rpartition("(")[2].rstrip(")")) for hit in answer.hits}
    assert ("shop/use.py", "ambiguous") in found
    assert ("git/use.py", "textual") in found


def test_a_call_may_leave_out_an_implicit_list_of_scala(tmp_path: Path) -> None:
    code = (
        "class Zone\nclass Clock {\n  def tick(implicit zone: Zone): Int = 1\n"
        "  def stop(n: Int): Int = 1\n}\n"
        "class Use {\n  def run(clock: Unknown) = { clock.stop(2); clock.tick() }\n}\n"
    )
    with (
        indexed_repository(tmp_path / "repo", {"Clock.scala": code}) as root,
        Index.open(root) as index,
    ):
        found = index.graph.callers("Clock.tick")
    assert [(it.name, it.certainty) for it in found.callers] == [("Use.run", "ambiguous")]


@pytest.mark.parametrize(
    ("receiver", "owner", "likeness"),
    [
        ("cache", "Cache", 3),
        ("items", "Item", 3),
        ("http_response", "HTTPResponse", 3),
        ("response", "HttpResponse", 2),
        ("req", "Request", 2),
        ("ctx", "Context", 1),
        ("hr", "HttpResponse", 1),
        ("data", "Cache", 0),
        ("", "Cache", 0),
        ("'", "Cache", 0),
    ],
)
def test_a_receiver_may_be_named_after_a_type(receiver: str, owner: str, likeness: int) -> None:
    assert name_likeness(receiver, owner) == likeness


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("self.cache", "cache"),
        ("make_cache(size)[0]", "make_cache"),
        ("new Foo<Bar>()", "Foo"),
        ("(await session)", "session"),
        ("maybe?", "maybe"),
        ("$this->items", "items"),
        ("'text'", "'"),
        ("[1, 2]", "["),
        ("12", "0"),
        (")))", ""),
        ("", ""),
    ],
)
def test_the_last_name_of_a_receiver_is_kept(text: str, name: str) -> None:
    assert receiver_name(text) == name


def test_more_evidence_makes_a_call_likelier() -> None:
    near = Evidence(imports=1, named_like_owner=1)
    assert likelihood(near) > likelihood(Evidence(imports=1)) > likelihood(Evidence())
    assert likelihood(near._replace(arguments_differ=1)) < likelihood(near)


def test_other_definitions_only_lower_a_likelihood() -> None:
    """`CallJudge.likelihood` relies on it."""
    assert max(WEIGHTS.better_import, WEIGHTS.better_name, WEIGHTS.better_members) <= 0

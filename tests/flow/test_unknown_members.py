"""Uses of members of something unknown, over a repository."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from tests.conftest import Repository

FILES = {
    "base.py": (
        "class Base:\n"
        "    def keep(self, result):\n"
        "        retry(self._keep, result)\n\n"
        "    def colour(self, other):\n"
        "        return self.shade\n"
    ),
    "sub.py": (
        "from base import Base\n\n\nclass Sub(Base):\n    def _keep(self, result): ...\n\n"
        "    @property\n    def shade(self): ...\n"
    ),
    "post.py": "class Post:\n    @property\n    def send_letter(self):\n        return print\n",
    "app.py": "def write(post):\n    post.send_letter(1)\n",
}


@pytest.fixture
def index(repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    with Index.open(repository(FILES)) as made:
        made.sync()
        yield made


def uses(index: Index, question: str) -> list[str]:
    hits = index.search(question).hits
    return [f"{hit.path}:{hit.start_line} {' '.join(hit.why)}" for hit in hits]


def test_a_method_that_only_subtypes_have_may_be_handed_on_by_their_base(index: Index) -> None:
    assert uses(index, "callers of Sub._keep") == ["base.py:3 references (ambiguous)"]


def test_a_property_that_is_only_read_of_something_unknown_has_no_caller(index: Index) -> None:
    found = uses(index, "callers of Sub.shade")
    assert not [one for one in found if "ambiguous" in one]


def test_a_call_has_an_edge_to_the_property_that_returns_the_callee(index: Index) -> None:
    found = index.search("data flow from write to Post.send_letter")
    assert found.query_type == "flow"
    assert [(hit.path, hit.start_line) for hit in found.hits] == [("app.py", 2)]
    assert found.meta["flow"]["paths"]

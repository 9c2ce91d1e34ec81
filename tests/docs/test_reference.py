"""The API reference documents every public name, and every part of an index."""

import inspect
from operator import attrgetter
from pathlib import Path

import codeindex
from codeindex import Index
from codeindex.api.capability import answer_of
from codeindex.api.component import LazyComponent
from codeindex.api.requests import parameters_of
from tests.requests import request_types

PAGE = (Path(__file__).parents[2] / "codeindex/docs/api.md").read_text(encoding="utf-8")
DIRECTIVES = [line for line in PAGE.splitlines() if ":: codeindex." in line]


def test_every_public_name_is_documented() -> None:
    documented = {line.rpartition(" codeindex.")[2].removesuffix("()") for line in DIRECTIVES}
    assert set(codeindex.__all__) <= documented


def test_every_part_of_an_index_is_documented() -> None:
    parts = {name for name, value in vars(Index).items() if isinstance(value, LazyComponent)}
    documented = {line.split(".")[-2] for line in DIRECTIVES if ":: codeindex.api." in line}
    assert parts - {"_runner", "searcher"} == documented
    assert {part for part in parts if f"`index.{part}`" in PAGE} == documented


def test_the_signature_of_a_method_is_that_of_its_request() -> None:
    for request in request_types():
        owner = request.capability.rpartition(".")[0]
        if owner == "workspace":
            continue
        answer = answer_of(request)
        found = attrgetter(answer.__qualname__)(inspect.getmodule(answer))
        taken = list(inspect.signature(found).parameters.values())[1:]
        assert [(one.name, one.kind is one.KEYWORD_ONLY) for one in taken] == [
            (name, parameter.keyword_only) for name, parameter in parameters_of(request).items()
        ]
        assert str(inspect.getdoc(found)).startswith(str(inspect.getdoc(request)))

"""Contradictions and failures as tools and command lines are given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NotRequired, Required, TypedDict

from codeindex.errors import QueryError

if TYPE_CHECKING:
    from codeindex.wiki.page import Contradiction, Failure


class ContradictionDict(TypedDict):
    """What is otherwise than it is said somewhere, and where that was found."""

    description: Required[str]
    source: NotRequired[str]


class FailureDict(TypedDict):
    """A fix that did not work."""

    symptom: Required[str]
    attempted_fix: Required[str]
    diagnosis: Required[str]
    actual_fix: NotRequired[str]
    source_files: NotRequired[list[str]]


def contradiction_of(given: ContradictionDict) -> Contradiction:
    from codeindex.wiki.page import Contradiction

    _check(given, {"description"}, {"source"})
    return Contradiction(given["description"], given.get("source", ""))


def failure_of(given: FailureDict) -> Failure:
    from codeindex.wiki.page import Failure

    needed = {"symptom", "attempted_fix", "diagnosis"}
    _check(given, needed, {"actual_fix", "source_files"})
    files = given.get("source_files", [])
    return Failure(
        given["symptom"],
        given["attempted_fix"],
        given["diagnosis"],
        given.get("actual_fix", ""),
        tuple(files),
    )


def _check(given: Mapping[str, object], needed: set[str], more: set[str]) -> None:
    known = f"it has {', '.join(sorted(needed))}, and may have {', '.join(sorted(more))}"
    if not isinstance(given, Mapping):
        raise QueryError(f"{given!r} is no object: {known}.")
    if missing := sorted(needed - set(given)):
        raise QueryError(f"`{missing[0]}` is missing: {known}.")
    if odd := sorted(set(given) - needed - more):
        raise QueryError(f"`{odd[0]}` is unknown: {known}.")
    for name, value in given.items():
        is_list = name == "source_files"
        texts = value if is_list and isinstance(value, (list, tuple)) else [value]
        if (is_list and isinstance(value, str)) or not all(isinstance(one, str) for one in texts):
            wanted = "a list of texts" if is_list else "a text"
            raise QueryError(f"`{name}` is {value!r}: give {wanted}.")

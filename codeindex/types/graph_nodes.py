"""Define nodes of the graph and their neighbors, as questions about the graph return them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

from codeindex.types.base import CALLABLE_KINDS

Certainty = Literal["resolved", "ambiguous"]


class UseKind(StrEnum):
    """Kinds of edges for the use of a name in code, except imports."""

    CALL = "calls"
    BASE = "extends"
    REFERENCE = "references"


OVERLOAD_PREFIX = "overloads:"
"""Prefix of the name of an edge that may lead to several overloads; the number of overloads
follows."""

USE_KINDS = (*UseKind, "imports")
"""Edge kinds that count as a use; a mention in a document does not."""


def by_name_suffix(calls: int) -> str:
    """Return a suffix for a headline: the number of calls that match a symbol only by its name.

    It is `", and 12 more by name only"` for 12 calls, "" for 0.
    """
    return f", and {calls:,} more by name only" if calls else ""


class Node(NamedTuple):
    """A symbol or a file of the graph; for a file `id` is 0 and `qualified` is empty.

    `has_body` is true only for functions in languages whose complexity is measured.
    """

    id: int
    file_id: int
    path: str
    name: str
    qualified: str
    kind: str
    line: int
    start_line: int
    end_line: int
    signature: str
    doc: str
    language: str
    module: str
    is_test: bool
    has_body: bool = False

    @property
    def key(self) -> str:
        """The name of the node in the exported graph: `path`, or `path::qualified` for a symbol."""
        return f"{self.path}::{self.qualified}" if self.qualified else self.path

    @property
    def is_bodiless(self) -> bool:
        """Whether the node is a function without a body, such as a prototype in a C header.

        It is true for all functions in languages whose complexity is not measured.
        """
        return self.kind in CALLABLE_KINDS and not self.has_body


class Neighbor(NamedTuple):
    """An edge and the node at its other end.

    `node` is None if the target is outside the repository. `name` is then the name of the target;
    it also names a member whose receiver type is unknown.
    """

    kind: str
    certainty: Certainty
    lines: tuple[int, ...]
    name: str
    node: Node | None
    compiler: tuple[int, ...] = ()
    """The subset of `lines` whose target comes from a compiler's index."""

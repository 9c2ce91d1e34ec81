"""Define nodes of the graph, and their neighbors, as graph questions return them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

Certainty = Literal["resolved", "ambiguous"]


class UseKind(StrEnum):
    """Kinds of edges that stand for a use of a name in code, except imports."""

    CALL = "calls"
    BASE = "extends"
    REFERENCE = "references"


OVERLOAD_PREFIX = "overloads:"
"""Prefix of the name of an edge to one of several overloads; their number follows."""

USE_KINDS = (*UseKind, "imports")
"""Edge kinds that count as a use; a mention in a document does not."""


def by_name_suffix(calls: int) -> str:
    """Return a headline suffix with the number of calls that match by name only; "" for 0."""
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
        """The node's name in the exported graph: `path` or `path::qualified`."""
        return f"{self.path}::{self.qualified}" if self.qualified else self.path


class Neighbor(NamedTuple):
    """An edge with the node at its other end; `node` is None if that is not in the repository.

    `name` is the name of something outside, or of a member whose receiver type is unknown.
    """

    kind: str
    certainty: Certainty
    lines: tuple[int, ...]
    name: str
    node: Node | None
    compiler: tuple[int, ...] = ()
    """Those of the lines whose target a compiler's index states."""

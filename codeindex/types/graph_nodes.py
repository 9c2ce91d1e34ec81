"""Who uses what, as it is asked for: symbols and files, and the links between them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

Certainty = Literal["resolved", "ambiguous"]


class UseKind(StrEnum):
    """How a name is used."""

    CALL = "calls"
    BASE = "extends"
    REFERENCE = "references"


OVERLOAD_PREFIX = "overloads:"
"""Begins the name of an edge to one of several overloads of a function; how many follows."""

USE_KINDS = (*UseKind, "imports")
"""Kinds of edges from what uses something; a document's mention is none."""


class Node(NamedTuple):
    """A symbol of the graph, or a file: then `id` is 0 and `qualified` is empty.

    Only functions can have a body (`has_body`), and only in languages whose functions are measured.
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
        """The name of the node in the graph: `path` or `path::qualified`."""
        return f"{self.path}::{self.qualified}" if self.qualified else self.path


class Neighbor(NamedTuple):
    """An edge as seen from one of its ends; `node` is the other one, None if it is outside.

    `name` is that of something outside, or of a member that may be anybody's.
    """

    kind: str
    certainty: Certainty
    lines: tuple[int, ...]
    name: str
    node: Node | None

"""Define the lines that answer a relationship question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class UsageLine(NamedTuple):
    """A line that answers a relationship question, in the symbol with the id `symbol`.

    `symbol` is 0 for a line outside of any symbol; `file` is an id. `certainty` is that of an edge,
    or `textual` for a line that only mentions the name. `target` is what the line uses if the
    question asks for that, otherwise "".
    """

    file: int
    line: int
    symbol: int
    kind: str
    certainty: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class UsageList:
    """All usages that answer a relationship question about `subjects`.

    `unparsed` are files that were parsed only in part and may have more usages. `has_mentions`
    tells whether lines that only mention the name were searched.
    """

    relation: str
    subjects: tuple[str, ...]
    usages: tuple[UsageLine, ...]
    unparsed: tuple[str, ...]
    has_mentions: bool

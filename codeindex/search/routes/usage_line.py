"""Define the lines that answer a relationship question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class UsageLine(NamedTuple):
    """A line that answers a relationship question, such as "who calls X".

    `symbol` is the id of the symbol around the line, 0 outside of any symbol; `file` is an id.
    `certainty` is that of the edge, or `textual` if the line only mentions the name. `target` is
    the key of what the line uses, if the question asks for that; else "".
    """

    file: int
    line: int
    symbol: int
    kind: str
    certainty: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class UsageList:
    """All uses that answer a relationship question about `subjects`.

    `unparsed` are files that were parsed only in part and may have further uses. `has_mentions`
    tells whether lines that only mention the name were searched too.
    """

    relation: str
    subjects: tuple[str, ...]
    usages: tuple[UsageLine, ...]
    unparsed: tuple[str, ...]
    has_mentions: bool

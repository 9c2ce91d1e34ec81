"""Define the lines that answer a relationship question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class UsageLine(NamedTuple):
    """A line that uses something; `symbol` is 0 for a line outside of any symbol.

    It holds ids, because a question may have thousands of usages and only a page is shown.
    `certainty` is that of an edge, or `textual` for a line that only mentions the name.
    """

    file: int
    line: int
    symbol: int
    kind: str
    certainty: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class UsageList:
    """All usages; `unparsed` are files that were parsed in part and may have more.

    `has_mentions` tells whether lines that only mention the name were looked for.
    """

    relation: str
    subjects: tuple[str, ...]
    usages: tuple[UsageLine, ...]
    unparsed: tuple[str, ...]
    has_mentions: bool

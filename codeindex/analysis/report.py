"""What every tool's answer can do, whatever it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol


class Report(Protocol):
    """A typed answer of one tool, in the shapes that the library, CLI and MCP show."""

    @property
    def paths(self) -> Collection[str]:
        """The files that the answer speaks of: they are compared with the disk."""

    def as_dict(self) -> Mapping[str, Any]:
        """Return the contract of the tool as plain values.

        Its annotation is read for the schema of the answer: `dict[str, Any]` means the fields of
        the dataclass, `Annotated[dict[str, Any], A, B]` those of A and B, all else is a TypedDict.
        """

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Return a header and rows: the compact form, every field a word."""

    def text(self) -> Iterator[str]:
        """Yield lines for people."""

"""Define reports: answers with JSON, columns and text for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any, Protocol

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""A header and rows; every cell is text."""


class Report(Protocol):
    """An answer that the library, the CLI and MCP can show."""

    @property
    def paths(self) -> Collection[str]:
        """The files that the answer names; they are compared with the disk."""

    def as_dict(self) -> Mapping[str, Any]:
        """Return the JSON of the answer as plain values.

        The MCP schema is read from the return annotation. `dict[str, Any]` means the fields of the
        dataclass; `Annotated[dict[str, Any], A, B]` means the fields of A and B; all other
        annotations are TypedDicts.
        """

    def columns(self) -> Table:
        """Return the answer as a table: its compact form."""

    def text(self) -> Iterator[str]:
        """Yield the lines of the answer as text for people."""


class PathsReport:
    """Derives `paths` of a dataclass: each `file` of the report and of the records in it."""

    __slots__ = ()

    @property
    def paths(self) -> Collection[str]:
        return tuple(dict.fromkeys(_files_of(self)))


class DataReport(PathsReport):
    """A dataclass whose JSON has exactly its fields."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # subclasses are dataclasses


def make_table(records: Iterable[object], header: Sequence[str], *, blank: str = "") -> Table:
    """Return attributes of records as cells; tuples are joined by commas, '' becomes `blank`."""
    return header, [
        [_cell(getattr(record, name)) or blank for name in header] for record in records
    ]


def _cell(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _files_of(record: object) -> Iterator[str]:
    if isinstance(record, tuple):
        for part in record:
            yield from _files_of(part)
    elif is_dataclass(record):
        for field in fields(record):
            value = getattr(record, field.name)
            if field.name == "file":
                yield value
            elif isinstance(value, tuple) or is_dataclass(value):
                yield from _files_of(value)

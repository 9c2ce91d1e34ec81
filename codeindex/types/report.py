"""Define reports: answers with JSON, columns and text for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any, Protocol

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""A header and rows; every cell is text."""


class Report(Protocol):
    """An answer that the library, the CLI and MCP can all present."""

    @property
    def paths(self) -> Collection[str]:
        """The files that the answer names. They are compared with the disk to detect changes."""

    def as_dict(self) -> Mapping[str, Any]:
        """Return the answer as a JSON object.

        The return annotation in a subclass decides the output schema of MCP: `dict[str, Any]`
        stands for the fields of the subclass, and `Annotated[dict[str, Any], A, B]` for those of
        the dataclasses A and B. Any other annotation is a TypedDict.
        """

    def columns(self) -> Table:
        """Return the answer as a table: the form for `--columns` and for compact MCP replies."""

    def text(self) -> Iterator[str]:
        """Yield the lines of the answer as text for people."""


class PathsReport:
    """Base class for dataclasses that hold an answer.

    `paths` are the values of all fields called `file`, nested or not.
    """

    __slots__ = ()

    @property
    def paths(self) -> Collection[str]:
        return tuple(dict.fromkeys(_files_of(self)))


class DataReport(PathsReport):
    """Base class for answer dataclasses whose JSON form has exactly the fields of the class."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # subclasses are dataclasses


def make_table(records: Iterable[object], header: Sequence[str], *, blank: str = "") -> Table:
    """Return a table with a row for each record and a column for each name in `header`.

    A cell is the record's attribute with the column's name. Items of a tuple are joined by commas,
    and an empty cell becomes `blank`.
    """
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


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return `1 file` or `1,200 files`; give `nouns` if it is not the noun and an s."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"

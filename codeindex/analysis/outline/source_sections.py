"""The answer of `read`: sections of files with the lines to show, as JSON, columns and text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from codeindex.types.report import Table
from codeindex.types.source import SourceSection, SourceSectionDict


class SourceSectionsDict(TypedDict):
    """The JSON form of `SourceSections`."""

    file: str
    language: str
    total_lines: int
    sections: list[SourceSectionDict]
    elsewhere: list[str]
    spelt_otherwise: list[str]
    implementers: list[str]
    total_implementers: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class SourceSections:
    """The sections that a request selects, and the file that they come from.

    `elsewhere` lists other definitions of a requested name, and methods that implement it.
    `spelt_otherwise` lists symbols that differ from the requested name in case, underscores or
    owner, and a file whose folder differs. `implementers` are the short names of the first types
    that implement a requested interface, code before tests; `total_implementers` counts all.
    """

    file: str
    language: str
    total_lines: int
    sections: tuple[SourceSection, ...]
    elsewhere: tuple[str, ...] = ()
    spelt_otherwise: tuple[str, ...] = ()
    implementers: tuple[str, ...] = ()
    total_implementers: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.file, *(section.file for section in self.sections if section.file))

    @property
    def truncated(self) -> bool:
        return any(section.truncated for section in self.sections)

    @property
    def implemented_by(self) -> str:
        """The implementers as text, with the number of those that are not named."""
        more = self.total_implementers - len(self.implementers)
        return ", ".join((*self.implementers, *([f"{more:,} more"] if more else ())))

    def as_dict(self) -> SourceSectionsDict:
        return {
            "file": self.file,
            "language": self.language,
            "total_lines": self.total_lines,
            "sections": [section.as_dict() for section in self.sections],
            "elsewhere": list(self.elsewhere),
            "spelt_otherwise": list(self.spelt_otherwise),
            "implementers": list(self.implementers),
            "total_implementers": self.total_implementers,
            "truncated": self.truncated,
        }

    def columns(self) -> Table:
        rows = [(str(number), text) for section in self.sections for number, text in section.lines]
        return ("line", "text"), rows

    def text(self) -> Iterator[str]:
        if self.spelt_otherwise:
            yield f"there is no exact match: this is {', '.join(self.spelt_otherwise)}"
        for section in self.sections:
            name = f"  {section.kind} {section.symbol}" if section.symbol else ""
            yield f"{section.file or self.file}:{section.start_line}-{section.end_line}{name}"
            for number, text in section.lines:
                yield f"{number:>6}  {text}".rstrip()
            if section.truncated:
                last = section.lines[-1][0] + 1 if section.lines else section.start_line
                yield (
                    f"        lines {last} to {section.end_line} are left out: ask for them"
                    " by number"
                )
        if self.elsewhere:
            yield f"also defined: {', '.join(self.elsewhere)}"
        if self.implementers:
            yield f"implemented by: {self.implemented_by}"

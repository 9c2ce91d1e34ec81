"""What a question found changed on the disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """What was found changed when a question was asked, by path.

    What was `read` is in the answer as it is on the disk. What is `unread`, and `why`, is left
    out of it. For `unlooked` files there was no time: they may have changed. The index is
    `outdated` where files that did not change are as former settings had them. `looked` is False
    if the user's settings spare the comparison with the disk.
    """

    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    why: str = ""
    unlooked: int = 0
    outdated: bool = False
    looked: bool = True

    @property
    def is_complete(self) -> bool:
        """Tell whether the answer rests on every file as it is, so that absence can be claimed."""
        return self.looked and not (self.unread or self.unlooked or self.outdated)

    def and_then(self, later: RefreshResult) -> RefreshResult:
        """Return what both found; what was read at last is not unread."""
        read = dict.fromkeys((*self.read, *later.read))
        before = (one for one in self.unread if one not in later.read)
        unread = dict.fromkeys((*before, *later.unread))
        return RefreshResult(
            tuple(read),
            tuple(unread),
            later.why or self.why,
            self.unlooked,
            self.outdated or later.outdated,
            self.looked and later.looked,
        )

    def as_meta(self) -> dict[str, Any]:
        """Return what an answer says of it, which is nothing if nothing has changed."""
        found: dict[str, Any] = {}
        if self.read:
            found["refreshed"] = list(self.read[:_NAMED])
        if self.unread:
            named = list(self.unread[:_NAMED])
            found["unread"] = {"files": len(self.unread), "names": named, "why": self.why}
        if self.unlooked:
            found["unlooked"] = self.unlooked
        if self.outdated:
            found["outdated"] = True
        return found

    def remarks(self) -> Iterator[str]:
        """Yield a sentence for each thing that the answer rests on only now, or not at all."""
        if self.read:
            yield f"{_files(self.read)} read again: {_some(self.read)}"
        yield from self.gaps()

    def gaps(self) -> Iterator[str]:
        """Yield a sentence for each thing that the answer does not rest on."""
        if self.unread:
            yield f"{_files(self.unread)} not read yet, left out: {_some(self.unread)}. {self.why}"
        if self.unlooked:
            yield f"{self.unlooked:,} files were not compared with the disk: there was no time."
        if self.outdated:
            yield _OUTDATED


_OUTDATED = (
    "The settings have changed since the files were indexed, and there was no time to read all"
    " files again: run `codeindex index`."
)
_NAMED = 10
"""Files that are named of many."""


def _files(paths: Sequence[str]) -> str:
    return f"{len(paths):,} changed file{'s' if len(paths) > 1 else ''}"


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _NAMED
    return ", ".join(paths[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")

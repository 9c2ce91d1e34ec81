"""Describe which changed files an answer reflects, and which it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from codeindex.types.report import plural


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """Result of comparing the index with the disk before a question is answered.

    The answer uses the current content of the files in `read`. The files in `unread` have changed
    but are left out of the answer; `why` is a sentence with the reason. `uncompared` counts files
    that were not compared for lack of time. `outdated` is True if some files are still indexed
    under earlier settings. `was_compared` is False if the user's settings disable the comparison.
    `changing` is a sentence if git was changing files meanwhile: the index may reflect the state
    between two of its changes.
    """

    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    why: str = ""
    uncompared: int = 0
    outdated: bool = False
    was_compared: bool = True
    changing: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether the answer reflects every file on disk; only then may it claim an absence."""
        return self.was_compared and not (
            self.unread or self.uncompared or self.outdated or self.changing
        )

    def and_then(self, later: RefreshResult) -> RefreshResult:
        """Combine this result with that of a later comparison.

        Files that the later comparison read are no longer unread. `uncompared` is taken from this
        result.
        """
        read = dict.fromkeys((*self.read, *later.read))
        before = (path for path in self.unread if path not in later.read)
        unread = dict.fromkeys((*before, *later.unread))
        return RefreshResult(
            tuple(read),
            tuple(unread),
            later.why or self.why,
            self.uncompared,
            self.outdated or later.outdated,
            self.was_compared and later.was_compared,
            later.changing or self.changing,
        )

    def as_meta(self) -> dict[str, Any]:
        """Return this result as entries for an answer's `meta`; empty if no file has changed."""
        meta: dict[str, Any] = {}
        if self.read:
            meta["refreshed"] = list(self.read[:_NAMED])
        if self.unread:
            named = list(self.unread[:_NAMED])
            meta["unread"] = {"files": len(self.unread), "names": named, "why": self.why}
        if self.uncompared:
            meta["unlooked"] = self.uncompared
        if self.outdated:
            meta["outdated"] = True
        if self.changing:
            meta["changing"] = self.changing
        return meta

    def remarks(self) -> Iterator[str]:
        """Yield a sentence about the files that were read again, then the sentences of `gaps`."""
        if self.read:
            yield f"{plural(len(self.read), 'changed file')} read again: {_some(self.read)}"
        yield from self.gaps()

    def gaps(self) -> Iterator[str]:
        """Yield a sentence for each part of the tree that the answer does not reflect."""
        if self.changing:
            yield f"{self.changing}: this answer is not final, ask again."
        if self.unread:
            files = plural(len(self.unread), "changed file")
            yield f"{files} not read yet, left out: {_some(self.unread)}. {self.why}"
        if self.uncompared:
            files = plural(self.uncompared, "file was", "files were")
            yield f"{files} not compared with the disk: there was no time."
        if self.outdated:
            if self.why and not self.unread:
                yield self.why
            yield _OUTDATED


_OUTDATED = (
    "The settings, the ignore rules, git's list of files or codeindex itself may have changed since"
    " the files were indexed, and not all files were read again: run `codeindex index`."
)
_NAMED = 10
"""Most paths that a message names."""


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _NAMED
    return ", ".join(paths[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")

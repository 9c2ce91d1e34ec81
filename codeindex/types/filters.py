"""Define which files and chunks a search may return."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.types.base import TestScope


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits of a search; an empty field excludes nothing.

    `globs` are gitignore patterns as in ripgrep's -g: patterns with `!` exclude files, and if there
    are other patterns, only files that match one of them stay. `paths` are files or folders,
    relative to the root.
    """

    languages: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    module: str = ""
    tests: TestScope = "include"

"""Define which files and chunks a search may return."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.types.base import TestScope


@dataclass(frozen=True, slots=True)
class Filters:
    """Which files and chunks a search may return; an empty field excludes nothing.

    `globs` are gitignore patterns as for ripgrep's -g: a pattern with `!` excludes files; if there
    are other patterns, a file must match one of them. `paths` are files or folders, relative to the
    root.
    """

    languages: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    module: str = ""
    tests: TestScope = "include"

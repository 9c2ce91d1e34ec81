"""About files and folders: what is in them, and what they are parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import Asking, checked_limit

if TYPE_CHECKING:
    from codeindex.analysis.outline.file_context import FileContext
    from codeindex.analysis.outline.source import Source
    from codeindex.analysis.outline.summary import Summaries, Summary
    from codeindex.analysis.outline.token_estimates import Estimates, FileEstimate, SymbolEstimate
    from codeindex.analysis.outline.tree import Tree
    from codeindex.analysis.relations.imports import Imports
    from codeindex.analysis.repository.guides import Guides
    from codeindex.analysis.repository.members import Members
    from codeindex.analysis.repository.modules import Modules
    from codeindex.analysis.repository.patterns import Patterns
    from codeindex.analysis.repository.stats import Stats


class Files(Asking):
    """About files and folders: what is in them, and what they are parts of."""

    def tree(self, path: str = "", *, depth: int = 0) -> Tree:
        """Show the folders and files that are indexed, all or those below PATH."""
        from codeindex.analysis.outline.tree import tree

        return self._ask(lambda connection: tree(connection, self._inside(path), depth=depth))

    def stats(self) -> Stats:
        """Count the files, lines, symbols and edges that are indexed, by language and kind."""
        from codeindex.analysis.repository.stats import stats

        return self._ask(stats)

    def imports(self, path: str) -> Imports:
        """List the import statements of the file PATH, and the files that they lead to."""
        from codeindex.analysis.relations.imports import imports

        return self._ask(lambda connection: imports(connection, self._inside(path)))

    def summary(self, path: str) -> Summary:
        """Show the file PATH in short: what it imports and declares, and how it is tested."""
        from codeindex.analysis.outline.summary import summary

        return self._ask(lambda connection: summary(connection, self._inside(path)))

    def summaries(self, paths: tuple[str, ...] = (), *, glob: str = "") -> Summaries:
        """Show up to 30 files in short: PATHS, or those that a glob matches."""
        from codeindex.analysis.outline.summary import summaries

        return self._ask(lambda connection: summaries(connection, paths, glob=glob))

    def read(
        self,
        path: str = "",
        symbols: tuple[str, ...] = (),
        *,
        start_line: int = 0,
        end_line: int = 0,
        expand: int = 0,
        collapse: bool = False,
    ) -> Source:
        """Read PATH: SYMBOLS in it, lines, or all; 200 lines a symbol, 500 together.

        SYMBOLS need no path; `a.go:10-40` is one too.
        """
        from codeindex.analysis.outline.source import Wanted, read

        wanted = Wanted(tuple(symbols), start_line, end_line, expand, collapse)
        return self._ask(lambda connection: read(connection, self._inside(path), wanted))

    def token_estimate(
        self, path: str = "", *, symbol: str = "", directory: str = "", glob: str = ""
    ) -> FileEstimate | SymbolEstimate | Estimates:
        """Estimate what reading costs: a file, a symbol of it, or all files of a folder or glob."""
        from codeindex.analysis.outline.token_estimates import token_estimate

        return self._ask(
            lambda one: token_estimate(
                one, self._inside(path), symbol=symbol, directory=directory, glob=glob
            )
        )

    def file_context(self, path: str, *, limit: int = 20) -> FileContext:
        """Show the file PATH in short, who imports it, what they use of it, and its tests."""
        from codeindex.analysis.outline.file_context import MOST, file_context

        wanted = checked_limit(limit, most=MOST)
        return self._ask(
            lambda connection: file_context(connection, self._inside(path), limit=wanted)
        )

    def guides(self, path: str = "") -> Guides:
        """Show what the document PATH says and points at, or all that lead around."""
        from codeindex.analysis.repository.guides import guides

        return self._ask(lambda connection: guides(connection, self._inside(path)))

    def modules(self) -> Modules:
        """List the modules and what is in them, with what the settings say of them."""
        from codeindex.analysis.repository.modules import modules

        configured = self.settings.config.modules
        return self._ask(lambda connection: modules(connection, configured))

    def members(self) -> Members:
        """List the members of the workspace: of Cargo, npm, pnpm, yarn, Go or uv."""
        from codeindex.analysis.repository.members import members
        from codeindex.redact_query import redact_text

        name = redact_text(self.root.name)
        return self._ask(lambda connection: members(connection, root_name=name))

    def patterns(self, name: str = "", *, limit: int = 20) -> Patterns:
        """Show groups of files that are built alike, by NAME, file or folder; at most 200."""
        from codeindex.analysis.repository.patterns import MOST, patterns

        wanted = checked_limit(limit, most=MOST)
        return self._ask(lambda connection: patterns(connection, name, limit=wanted))

"""About files and folders: what is in them, and what they are parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import Asking, checked_limit

if TYPE_CHECKING:
    from codeindex.analysis.outline.file_context import FileContext
    from codeindex.analysis.outline.source import SourceText
    from codeindex.analysis.outline.summary import FileSummaries, FileSummary
    from codeindex.analysis.outline.token_estimates import (
        FileTokenEstimate,
        FolderTokenEstimate,
        SymbolTokenEstimate,
    )
    from codeindex.analysis.outline.tree import FileTree
    from codeindex.analysis.relations.imports import Imports
    from codeindex.analysis.repository.guides import Guides
    from codeindex.analysis.repository.modules import RepositoryModules
    from codeindex.analysis.repository.patterns import FilePatterns
    from codeindex.analysis.repository.stats import IndexStats
    from codeindex.analysis.repository.workspace_members import WorkspaceMembers


class Files(Asking):
    """About files and folders: what is in them, and what they are parts of."""

    def tree(self, path: str = "", *, depth: int = 0) -> FileTree:
        """Show the folders and files that are indexed, all or those below PATH."""
        from codeindex.analysis.outline.tree import list_tree

        return self._ask(lambda connection: list_tree(connection, self._inside(path), depth=depth))

    def stats(self) -> IndexStats:
        """Count the files, lines, symbols and edges that are indexed, by language and kind."""
        from codeindex.analysis.repository.stats import count_indexed

        return self._ask(count_indexed)

    def imports(self, path: str) -> Imports:
        """List the import statements of the file PATH, and the files that they lead to."""
        from codeindex.analysis.relations.imports import list_imports

        return self._ask(lambda connection: list_imports(connection, self._inside(path)))

    def summary(self, path: str) -> FileSummary:
        """Show the file PATH in short: what it imports and declares, and how it is tested."""
        from codeindex.analysis.outline.summary import summarize_path

        return self._ask(lambda connection: summarize_path(connection, self._inside(path)))

    def summaries(self, paths: tuple[str, ...] = (), *, glob: str = "") -> FileSummaries:
        """Show up to 30 files in short: PATHS, or those that a glob matches."""
        from codeindex.analysis.outline.summary import summarize_paths

        return self._ask(lambda connection: summarize_paths(connection, paths, glob=glob))

    def read(
        self,
        path: str = "",
        symbols: tuple[str, ...] = (),
        *,
        start_line: int = 0,
        end_line: int = 0,
        expand: int = 0,
        collapse: bool = False,
    ) -> SourceText:
        """Read PATH: SYMBOLS in it, lines, or all; 200 lines a symbol, 500 together.

        SYMBOLS need no path; `a.go:10-40` is one too.
        """
        from codeindex.analysis.outline.source import SourceRequest, read_source

        wanted = SourceRequest(tuple(symbols), start_line, end_line, expand, collapse)
        return self._ask(lambda connection: read_source(connection, self._inside(path), wanted))

    def token_estimate(
        self, path: str = "", *, symbol: str = "", directory: str = "", glob: str = ""
    ) -> FileTokenEstimate | SymbolTokenEstimate | FolderTokenEstimate:
        """Estimate what reading costs: a file, a symbol of it, or all files of a folder or glob."""
        from codeindex.analysis.outline.token_estimates import estimate_tokens

        return self._ask(
            lambda one: estimate_tokens(
                one, self._inside(path), symbol=symbol, directory=directory, glob=glob
            )
        )

    def file_context(self, path: str, *, limit: int = 20) -> FileContext:
        """Show the file PATH in short, who imports it, what they use of it, and its tests."""
        from codeindex.analysis.outline.file_context import MAX_CONNECTIONS, describe_file_context

        wanted = checked_limit(limit, most=MAX_CONNECTIONS)
        return self._ask(
            lambda connection: describe_file_context(connection, self._inside(path), limit=wanted)
        )

    def guides(self, path: str = "") -> Guides:
        """Show what the document PATH says and points at, or all that lead around."""
        from codeindex.analysis.repository.guides import read_guides

        return self._ask(lambda connection: read_guides(connection, self._inside(path)))

    def modules(self) -> RepositoryModules:
        """List the modules and what is in them, with what the settings say of them."""
        from codeindex.analysis.repository.modules import list_modules

        configured = self.settings.config.modules
        return self._ask(lambda connection: list_modules(connection, configured))

    def members(self) -> WorkspaceMembers:
        """List the members of the workspace: of Cargo, npm, pnpm, yarn, Go or uv."""
        from codeindex.analysis.repository.workspace_members import list_workspace_members
        from codeindex.redact_query import redact_text

        name = redact_text(self.root.name)
        return self._ask(lambda connection: list_workspace_members(connection, root_name=name))

    def patterns(self, name: str = "", *, limit: int = 20) -> FilePatterns:
        """Show groups of files that are built alike, by NAME, file or folder; at most 200."""
        from codeindex.analysis.repository.patterns import MAX_PATTERNS, list_patterns

        wanted = checked_limit(limit, most=MAX_PATTERNS)
        return self._ask(lambda connection: list_patterns(connection, name, limit=wanted))

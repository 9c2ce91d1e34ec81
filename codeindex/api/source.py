"""Read and summarize the contents of files and folders: `Index.source`."""

from __future__ import annotations

from codeindex.analysis.outline.declarations import Declarations, list_declarations, list_public_api
from codeindex.analysis.outline.file_context import FileContext, describe_file_context
from codeindex.analysis.outline.source import SourceRequest, read_source
from codeindex.analysis.outline.source_sections import SourceSections
from codeindex.analysis.outline.summary import (
    FileSummaries,
    FileSummary,
    summarize_path,
    summarize_paths,
)
from codeindex.analysis.outline.token_estimates import (
    FileTokenEstimate,
    FolderTokenEstimate,
    SymbolTokenEstimate,
    estimate_tokens,
)
from codeindex.analysis.outline.tree import FileTree, list_tree
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.requests.source import (
    DeclarationsRequest,
    FileContextRequest,
    PublicApiRequest,
    ReadRequest,
    SummariesRequest,
    SummaryRequest,
    TokenEstimateRequest,
    TreeRequest,
)


class SourceQueries(Component):
    """Reads and summarizes the contents of files and folders."""

    @capability(TreeRequest)
    def tree(self, request: TreeRequest) -> FileTree:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(list_tree, path, depth=request.depth)

    @capability(DeclarationsRequest)
    def declarations(self, request: DeclarationsRequest) -> Declarations:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(list_declarations, path, kind=request.kind, shallow=request.shallow)

    @capability(PublicApiRequest)
    def public_api(self, request: PublicApiRequest) -> Declarations:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(list_public_api, path, limit=request.limit)

    @capability(SummaryRequest)
    def summary(self, request: SummaryRequest) -> FileSummary:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(summarize_path, path)

    @capability(SummariesRequest)
    def summaries(self, request: SummariesRequest) -> FileSummaries:
        return self._runner.run(summarize_paths, request.paths, glob=request.glob)

    @capability(ReadRequest)
    def read(self, request: ReadRequest) -> SourceSections:
        path = self._runner.indexed_path(request.path)
        wanted = SourceRequest(
            request.symbols, request.start_line, request.end_line, request.expand, request.collapse
        )
        return self._runner.run(read_source, path, wanted)

    @capability(TokenEstimateRequest)
    def token_estimate(
        self, request: TokenEstimateRequest
    ) -> FileTokenEstimate | SymbolTokenEstimate | FolderTokenEstimate:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(
            estimate_tokens,
            path,
            symbol=request.symbol,
            directory=request.directory,
            glob=request.glob,
        )

    @capability(FileContextRequest)
    def file_context(self, request: FileContextRequest) -> FileContext:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(describe_file_context, path, limit=request.limit)

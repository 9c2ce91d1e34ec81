"""Answer queries about changes and the files related to them: `Index.changes`."""

from __future__ import annotations

from codeindex.analysis.change.diff_impact import DiffImpact, analyze_diff
from codeindex.analysis.change.diff_summary import MAX_COMPARED_FILES, DiffSummary, summarize_diff
from codeindex.analysis.change.git_diff import GitDiff, read_git_diff
from codeindex.analysis.change.related_files import RelatedFiles, find_related_files
from codeindex.analysis.change.suggestions import FileSuggestions, suggest_files
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.requests.changes import (
    ContextRequest,
    DiffSummaryRequest,
    ForDiffRequest,
    SuggestContextRequest,
)
from codeindex.errors import QueryError
from codeindex.types import PreparedFile


class ChangeQueries(Component):
    """Answers queries about changes and the files related to them."""

    @capability(ContextRequest)
    def context(self, request: ContextRequest) -> RelatedFiles:
        subject = self._runner.indexed_path(request.subject)
        return self._runner.run(find_related_files, subject, limit=request.limit)

    @capability(ForDiffRequest)
    def for_diff(self, request: ForDiffRequest) -> DiffImpact:
        diff = read_git_diff(self._session.root, request.ref)
        before = self._former_versions(diff)
        return self._runner.run(
            lambda connection: analyze_diff(
                connection,
                diff,
                before,
                limit=request.limit,
                known_links=self._runner.reader().graph().users,
            )
        )

    def _former_versions(self, diff: GitDiff) -> dict[str, PreparedFile]:
        """Return {path in the diff's older commit: file as of that commit}, without new files."""
        from codeindex.ingest.on_demand.revision import read_files_at

        paths = [file.before for file in diff.changes if file.before]
        if not paths:
            return {}
        workers = self._session.workers()
        return read_files_at(workers, paths[:MAX_COMPARED_FILES], commit=diff.base)

    @capability(DiffSummaryRequest)
    def diff_summary(self, request: DiffSummaryRequest) -> DiffSummary:
        # Here, because the other methods need no parser.
        from codeindex.ingest.on_demand.revision import (
            changes_since,
            commit_to_index,
            read_files_at,
        )

        ref = _base_ref(request)
        commit = commit_to_index(self._session.root, ref)
        changes = changes_since(self._session.root, commit)
        paths = (change.before for change in changes[:MAX_COMPARED_FILES])
        before = read_files_at(self._session.workers(), paths, commit=commit)
        return self._runner.run(summarize_diff, changes, before, since_ref=ref, commit=commit)

    @capability(SuggestContextRequest)
    def suggest_context(self, request: SuggestContextRequest) -> FileSuggestions:
        file = self._runner.file_path(request.path)
        return self._runner.run(suggest_files, file, limit=request.limit, seen=request.seen)


def _base_ref(request: DiffSummaryRequest) -> str:
    """Return the ref, such as `main`, with which the files are compared.

    Raise QueryError if the request has no ref, or a pull request, which cannot be looked up.
    """
    ref = request.since_ref.strip()
    if bool(ref) == bool(request.pr):
        raise QueryError("Name either a ref to compare with, like main or HEAD~3, or a `pr`.")
    if request.pr:
        raise QueryError(
            f"Looking up pull request {request.pr} is not supported: name its base branch as the"
            " ref."
        )
    return ref

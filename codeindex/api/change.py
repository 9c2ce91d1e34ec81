"""About change: what belongs together, and what a change may break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import Asking, checked_limit
from codeindex.errors import QueryError

if TYPE_CHECKING:
    from codeindex.analysis.change.diff_impact import DiffImpact
    from codeindex.analysis.change.diff_summary import DiffSummary
    from codeindex.analysis.change.related_files import RelatedFiles
    from codeindex.analysis.relations.impact import Impact


class Change(Asking):
    """About change: what belongs together, and what a change may break."""

    def context(self, subject: str, *, limit: int = 20) -> RelatedFiles:
        """List what else to read or change, given SUBJECT (a path or symbol); at most 100 files."""
        from codeindex.analysis.change.related_files import MAX_RELATED, find_related_files

        wanted = checked_limit(limit, most=MAX_RELATED)
        return self._ask(
            lambda connection: find_related_files(connection, self._inside(subject), limit=wanted)
        )

    def impact(self, subject: str, *, limit: int = 50) -> Impact:
        """List what depends on SUBJECT (a path or a symbol), over others too, and tests to run."""
        from codeindex.analysis.relations.impact import MAX_DEPENDANTS, find_impact

        wanted = checked_limit(limit, most=MAX_DEPENDANTS)
        return self._ask(
            lambda connection: find_impact(connection, self._inside(subject), limit=wanted)
        )

    def for_diff(self, ref: str = "", *, limit: int = 20) -> DiffImpact:
        """List what else to change or run, given what changed since REF or is not committed yet.

        REF may be a range: `main..topic` compares two commits.
        """
        from codeindex.analysis.change.diff_impact import MAX_DIFF_ITEMS, analyze_diff
        from codeindex.analysis.change.git_diff import read_git_diff

        wanted = checked_limit(limit, most=MAX_DIFF_ITEMS)
        diff = read_git_diff(self.root, ref)
        return self._ask(lambda connection: analyze_diff(connection, diff, limit=wanted))

    def diff_summary(self, since_ref: str = "", *, pr: int = 0) -> DiffSummary:
        """List the declarations that were added, removed or changed since SINCE_REF.

        A branch, a tag or a commit is compared with the files as they are, untracked ones included.
        """
        from codeindex.analysis.change.diff_summary import MAX_COMPARED_FILES, summarize_diff
        from codeindex.ingest.on_demand.revision import changes_since, read_files_at, resolve_commit

        ref = _checked_ref(since_ref, pr)
        commit = resolve_commit(self.root, ref)
        changes = changes_since(self.root, commit)
        before = read_files_at(self._workers(), changes[:MAX_COMPARED_FILES], commit=commit)
        return self._ask(
            lambda connection: summarize_diff(
                connection, changes, before, since_ref=ref, commit=commit
            )
        )


def _checked_ref(since_ref: str, pr: int) -> str:
    """Return what to compare with; a pull request's base would have to be asked for."""
    if bool(since_ref.strip()) == bool(pr):
        raise QueryError("Name either a ref to compare with, like main or HEAD~3, or a `pr`.")
    if pr:
        raise QueryError(
            f"Looking up pull request {pr} is not supported: name its base branch as the ref."
        )
    return since_ref.strip()

"""About change: what belongs together, and what a change may break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.asking import Asking, checked_limit
from codeindex.errors import QueryError

if TYPE_CHECKING:
    from codeindex.analysis.change.context import Context
    from codeindex.analysis.change.diff_summary import DiffSummary
    from codeindex.analysis.change.for_diff import ForDiff
    from codeindex.analysis.relations.impact import Impact


class Change(Asking):
    """About change: what belongs together, and what a change may break."""

    def context(self, subject: str, *, limit: int = 20) -> Context:
        """List what else to read or change, given SUBJECT (a path or symbol); at most 100 files."""
        from codeindex.analysis.change.context import MOST, context

        wanted = checked_limit(limit, most=MOST)
        return self._ask(
            lambda connection: context(connection, self._inside(subject), limit=wanted)
        )

    def impact(self, subject: str, *, limit: int = 50) -> Impact:
        """List what depends on SUBJECT (a path or a symbol), over others too, and tests to run."""
        from codeindex.analysis.relations.impact import MOST, impact

        wanted = checked_limit(limit, most=MOST)
        return self._ask(lambda connection: impact(connection, self._inside(subject), limit=wanted))

    def for_diff(self, ref: str = "", *, limit: int = 20) -> ForDiff:
        """List what else to change or run, given what changed since REF or is not committed yet.

        REF may be a range: `main..topic` compares two commits.
        """
        from codeindex.analysis.change.diff import changes
        from codeindex.analysis.change.for_diff import MOST, for_diff

        wanted = checked_limit(limit, most=MOST)
        diff = changes(self.root, ref)
        return self._ask(lambda connection: for_diff(connection, diff, limit=wanted))

    def diff_summary(self, since_ref: str = "", *, pr: int = 0) -> DiffSummary:
        """List the declarations that were added, removed or changed since SINCE_REF.

        A branch, a tag or a commit is compared with the files as they are, untracked ones included.
        """
        from codeindex.analysis.change.diff_summary import MOST_COMPARED, diff_summary
        from codeindex.ingest.read.revision import changes_since, commit_of, files_before

        ref = _checked_ref(since_ref, pr)
        commit = commit_of(self.root, ref)
        changes = changes_since(self.root, commit)
        before = files_before(self._workers(), changes[:MOST_COMPARED], commit=commit)
        return self._ask(
            lambda connection: diff_summary(
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

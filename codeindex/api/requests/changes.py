"""Define the requests about changes and the files related to them: `Index.changes`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request, TextKind
from codeindex.api.requests.fields import LIMIT_HELP, PathParameter, SubjectParameter


@dataclass(frozen=True, slots=True)
class ContextRequest(Request, capability="changes.context"):
    """List what else to read or change, given SUBJECT (a path or symbol); at most 100 files."""

    subject: SubjectParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 100)] = 20


@dataclass(frozen=True, slots=True)
class ForDiffRequest(Request, capability="changes.for_diff"):
    """List what else to change or run, given the changes since REF or not committed yet.

    REF may be a range: `main..topic` compares two commits.
    """

    ref: Annotated[str, "A branch, tag or commit, or `old..new`; the last commit if none."] = ""
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 100)] = 20


@dataclass(frozen=True, slots=True)
class DiffSummaryRequest(Request, capability="changes.diff_summary"):
    """List the declarations added, removed or changed since SINCE_REF.

    A branch, a tag or a commit is compared with the files as they are, untracked ones included.
    """

    since_ref: Annotated[str, "A branch, tag or commit."] = ""
    _: KW_ONLY
    pr: Annotated[int, "A pull request's number."] = 0


@dataclass(frozen=True, slots=True)
class SuggestContextRequest(Request, capability="changes.suggest_context"):
    """List what else to know before reading the file PATH, without files SEEN; at most 20."""

    path: PathParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 20)] = 5
    seen: Annotated[
        tuple[str, ...], TextKind.PROSE, "A file that is known already and not listed; any number."
    ] = ()

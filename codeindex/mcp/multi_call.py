"""One call about several subjects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeindex.errors import CodeIndexError, QueryError
from codeindex.mcp.reply import MultiReply, Reply
from codeindex.query.validation import check_budget


def answer_each(
    subjects: Sequence[str], reply: Callable[[str], Reply[Any]], *, titled: bool = True
) -> Reply[Any]:
    """Answer about each subject once; one that cannot be answered does not hide the others.

    As text, several answers stand under their subjects if they are `titled`. CodeIndexError where
    no subject can be answered.
    """
    if not subjects:
        raise QueryError("Nothing is asked: give one query or name at least.")
    replies: dict[str, Reply[Any]] = {}
    failed: dict[str, CodeIndexError] = {}
    for one in dict.fromkeys(subjects):
        try:
            replies[one] = reply(one)
        except CodeIndexError as error:
            failed[one] = error
    if not replies and failed:
        raise next(iter(failed.values()))
    return MultiReply(replies, {name: str(error) for name, error in failed.items()}, titled)


def split_budget(budget: int, count: int, *, least: int) -> int:
    """Return the tokens of the answer to each of `count` queries; 0 is no limit.

    QueryError where several would get fewer than `least`.
    """
    check_budget(budget)
    each = budget // max(count, 1)
    if budget and count > 1 and each < least:
        raise QueryError(
            f"{count} queries do not fit into a budget of {budget:,} tokens: ask at most"
            f" {max(budget // least, 1)} at once, or give {count * least:,}."
        )
    return each

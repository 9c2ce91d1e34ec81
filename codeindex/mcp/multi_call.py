"""Answer one tool call about several subjects: names, places or queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeindex.errors import CodeIndexError, QueryError
from codeindex.mcp.reply import MultiReply, Reply
from codeindex.query.validation import check_budget


def answer_each(
    subjects: Sequence[str], reply: Callable[[str], Reply[Any]], *, titled: bool = True
) -> MultiReply:
    """Call `reply` for each distinct subject; return one reply with all results and errors.

    With `titled`, the text of several replies has each subject as a title. If all subjects fail,
    the first CodeIndexError is raised.
    """
    if not subjects:
        raise QueryError("Nothing is given: give at least one query or name.")
    replies: dict[str, Reply[Any]] = {}
    failed: dict[str, CodeIndexError] = {}
    for subject in dict.fromkeys(subjects):
        try:
            replies[subject] = reply(subject)
        except CodeIndexError as error:
            failed[subject] = error
    if not replies and failed:
        raise next(iter(failed.values()))
    return MultiReply(replies, {name: str(error) for name, error in failed.items()}, titled)


def refuse_too_many(given: Sequence[object], noun: str, *, most: int = 20) -> None:
    """Raise QueryError for more than `most` subjects; `noun` says what they are, in the plural.

    More than 20 answers do not fit into `output_limits.MAX_CHARACTERS`.
    """
    if len(given) > most:
        raise QueryError(f"{len(given)} {noun} are given: give at most {most} at once.")


def split_budget(budget: int, count: int, *, least: int) -> int:
    """Return how many tokens of a budget each of `count` queries gets; 0 means no limit.

    Raises QueryError if there are several queries and each would get fewer than `least` tokens.
    """
    check_budget(budget)
    share = budget // max(count, 1)
    if budget and count > 1 and share < least:
        raise QueryError(
            f"{count} queries do not fit into a budget of {budget:,} tokens: ask at most"
            f" {max(budget // least, 1)} at once, or give {count * least:,}."
        )
    return share

"""One call about several subjects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeindex.errors import CodeIndexError
from codeindex.mcp.reply import Reply, SeveralReplies


def several(
    subjects: Sequence[str], reply: Callable[[str], Reply[Any]], *, titled: bool = True
) -> Reply[Any]:
    """Answer about each subject once; one that cannot be answered does not hide the others.

    As text, several answers stand under their subjects if they are `titled`. CodeIndexError where
    no subject can be answered.
    """
    replies: dict[str, Reply[Any]] = {}
    failed: dict[str, CodeIndexError] = {}
    for one in dict.fromkeys(subjects):
        try:
            replies[one] = reply(one)
        except CodeIndexError as error:
            failed[one] = error
    if not replies and failed:
        raise next(iter(failed.values()))
    return SeveralReplies(replies, {name: str(error) for name, error in failed.items()}, titled)

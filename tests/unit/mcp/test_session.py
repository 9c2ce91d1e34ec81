"""What a session remembers of answers that were sent whole, cut or not at all."""

from __future__ import annotations

from codeindex.mcp.session import AgentSession


def test_unread_files_count_as_named_only_if_the_answer_was_sent_whole() -> None:
    session = AgentSession("text")
    unread = ("big.py", "min.js")
    assert not session.note_unread("shop", unread)
    assert session.note_unread("shop", unread)  # above, in the same answer
    session.commit(whole=False)
    assert not session.note_unread("shop", unread)
    session.commit(whole=True)
    assert session.note_unread("shop", unread)
    assert not session.note_unread("shop", unread[:1])
    assert not session.note_unread("till", unread)

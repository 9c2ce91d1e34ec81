"""Questions wait for the first sync of their index in the order in which they came."""

from __future__ import annotations

from codeindex.watch.first_questions import FirstQuestions


def test_questions_are_taken_in_their_order() -> None:
    questions = FirstQuestions()
    assert questions.next_of("shop") == ""
    for text in ("refund", "seal", "refund", " "):
        questions.add("shop", text)
    questions.add("other", "weigh")
    assert questions.next_of("shop") == "refund"
    assert not questions.are_stored("shop", "refund")
    questions.mark_next_stored("shop")
    assert questions.are_stored("shop", "refund")
    assert questions.next_of("shop") == "seal"
    assert questions.add("shop", "refund")  # its files are stored already
    assert questions.has_stored("shop")
    questions.mark_next_stored("shop")
    assert questions.next_of("shop") == ""
    questions.mark_next_stored("shop")  # no question waits
    assert not questions.are_stored("shop", "")


def test_questions_are_forgotten_with_the_end_of_the_first_sync() -> None:
    questions = FirstQuestions()
    questions.add("shop", "refund")
    questions.mark_next_stored("shop")
    questions.forget("shop")
    assert not questions.are_stored("shop", "refund")


def test_few_questions_wait() -> None:
    questions = FirstQuestions()
    taken_in = [questions.add("shop", f"question {number}") for number in range(100)]
    assert sum(taken_in) == 16
    taken = []
    while question := questions.next_of("shop"):
        taken.append(question)
        questions.mark_next_stored("shop")
    assert taken == [f"question {number}" for number in range(16)]

"""What a question asks for, as its first words say."""

import pytest

from tests.unit.ask.asked import asked


@pytest.mark.parametrize(
    ("question", "is_place"),
    [
        ("where is it", True),
        ("which module reads it", True),
        ("in what file is it", True),
        ("in which order are they read", False),
    ],
)
def test_a_question_for_an_order_asks_for_no_place(question: str, *, is_place: bool) -> None:
    assert asked(question).wants_place == is_place


def test_a_name_has_the_words_of_the_question_and_no_others() -> None:
    names = ["Shop.RetryPolicy", "Retries > The `retry` policy", "Retry", "RetryPolicyError", ""]
    question = asked("what is a retry policy")
    assert [question.is_name(name) for name in names] == [True, False, False, False, False]
    assert asked("what is the RetryPolicy").is_name("retry_policy") == asked(
        "what is a retry policy"
    ).is_name("retry_policy")

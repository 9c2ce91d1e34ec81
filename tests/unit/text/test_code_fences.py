"""Fences of Markdown: which lines are code."""

from codeindex.text.code_fences import mark_code


def test_a_fence_ends_only_with_one_of_its_kind_and_length() -> None:
    text = "a\n````md\n```\n~~~~\ncode\n````\nb\n~~~\n```\n~~~\nc\n    ```\nd\n```\nopen"
    code = [line for line, is_code in mark_code(text.split("\n")) if not is_code]
    assert code == ["a", "b", "c", "    ```", "d"]

"""An item is added to a list in a YAML file, or an error says what stands in the way."""

import pytest

from codeindex.config.edit_yaml import add_list_item
from codeindex.errors import ConfigError


def add(text: str) -> str:
    return add_list_item(text, ("secrets", "ignore"), "b", comment="why", name="config.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'secrets:\n  ignore:\n    - "b"  # why\n'),
        ("secrets:\n  ignore:\n  - a\n", 'secrets:\n  ignore:\n  - a\n  - "b"  # why\n'),
        ("secrets:\n  ignore: [b]\n", "secrets:\n  ignore: [b]\n"),
    ],
)
def test_an_item_is_added_once(text: str, expected: str) -> None:
    assert add(text) == expected


@pytest.mark.parametrize("text", ["secrets: {}\n", "secrets:\n  ignore: [a]\n"])
def test_a_valid_file_that_cannot_be_extended_is_not_called_invalid(text: str) -> None:
    with pytest.raises(
        ConfigError, match=r"has `secrets.ignore` in a form that codeindex cannot extend"
    ):
        add(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("secrets: [", "is not valid YAML"), ("a: " + 2_000 * "[", "is nested too deeply")],
)
def test_an_invalid_file_is_called_invalid(text: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        add(text)

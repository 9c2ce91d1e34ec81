"""No form of a secret is missed, and nothing that only looks like one is taken out."""

import pytest

from codeindex.secrets import REDACTION_MARK, is_settings_file, redact
from tests.unit.secrets.secret_forms import FORMS, LOOKALIKES, SETTINGS_LOOKALIKES, Form


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.format)
def test_no_form_of_a_secret_is_missed(form: Form) -> None:
    found = redact(form.plain, settings=is_settings_file(form.path)).text
    assert [one for one in form.secrets if one in found] == [], form.plain
    assert REDACTION_MARK in found
    assert found.count("\n") == form.plain.count("\n")
    assert redact(found, settings=is_settings_file(form.path)).findings == ()


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize("text", SETTINGS_LOOKALIKES)
def test_what_looks_like_a_secret_stays_in_settings(text: str) -> None:
    assert redact(text, settings=True).text == text


def test_there_are_as_many_forms_as_the_documentation_says() -> None:
    assert len({form.plain for form in FORMS}) >= 600
    assert len({form.format for form in FORMS}) >= 15
    assert len(set(LOOKALIKES)) >= 200

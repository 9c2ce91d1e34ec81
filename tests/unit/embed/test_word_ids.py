"""Ids of texts whose words are remembered are those of the tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer

from codeindex.embed.tokens import tokenizer_for
from codeindex.embed.word_ids import token_id_encoder
from tests.unit.embed.tiny_models import tiny_tokenizer

SHIPPED = tokenizer_for(None)
LANGUAGES = sorted(one for one in (Path(__file__).parents[2] / "languages").glob("[a-z]*/"))
ALPHABET = "aAbz019 _-.[](){}<>\"'\\`~^\t\n\r\f\0\x1c\x7fé中ß\u0130\u212a\u200b\ud7ff"
"""Words and marks, what the normalizer drops or folds, and letters whose lower case is ASCII."""


def ids(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    return tuple(tokenizer.encode(text, add_special_tokens=False).ids)


def changed(**parts: object) -> Tokenizer:
    """Return the shipped tokenizer with other parts."""
    return Tokenizer.from_str(json.dumps(json.loads(SHIPPED.to_str()) | parts))


MARKED = changed()
MARKED.add_special_tokens(["[MASK]"])
MARKED.add_tokens([AddedToken("<Doc>", normalized=True, lstrip=True)])
CASED = changed(normalizer={**json.loads(SHIPPED.to_str())["normalizer"], "lowercase": False})


@given(st.text(ALPHABET, max_size=40) | st.text(st.characters(exclude_categories=["Cs"])))
def test_ids_are_those_of_the_tokenizer(text: str) -> None:
    assert token_id_encoder(SHIPPED)(text) == ids(SHIPPED, text)


@pytest.mark.parametrize("folder", LANGUAGES, ids=lambda folder: folder.name)
def test_lines_of_every_language_have_the_ids_of_the_tokenizer(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    lines = {line for path in files for line in path.read_text("utf-8").split("\n")}
    assert lines
    for line in lines:
        assert token_id_encoder(SHIPPED)(line) == ids(SHIPPED, line)


@pytest.mark.parametrize("length", [99, 100, 101, 5000])
def test_words_over_the_limit_of_the_vocabulary_are_unknown_as_ever(length: int) -> None:
    text = f"a {'x' * length}.b"
    assert token_id_encoder(SHIPPED)(text) == token_id_encoder(SHIPPED)(text) == ids(SHIPPED, text)


@given(st.lists(st.sampled_from(["[MASK]", "[mask]", "<Doc>", "<doc>", "a", "doc", " ", "\t"])))
def test_texts_of_added_tokens_are_kept_whole(parts: list[str]) -> None:
    text = "".join(parts)
    assert token_id_encoder(MARKED)(text) == ids(MARKED, text)


@given(st.text(ALPHABET, max_size=40))
def test_a_tokenizer_that_heeds_case_is_not_given_lower_case(text: str) -> None:
    assert token_id_encoder(CASED)(text) == ids(CASED, text)


@pytest.mark.parametrize(
    "parts",
    [
        {"normalizer": None},
        {"normalizer": {"type": "StripAccents"}},
        {"pre_tokenizer": {"type": "WhitespaceSplit"}},
    ],
    ids=str,
)
def test_other_kinds_of_tokenizers_are_asked_each_time(parts: dict[str, object]) -> None:
    tokenizer = changed(**parts)
    text = "Retry(payment); x_y != 'Z'"
    assert token_id_encoder(tokenizer)(text) == ids(tokenizer, text)
    assert token_id_encoder(tokenizer)(text) != token_id_encoder(SHIPPED)(text)


def test_a_tokenizer_that_cuts_and_pads_goes_on_to_do_so() -> None:
    padded = changed()
    padded.enable_truncation(4)
    padded.enable_padding(length=8)
    tiny = Tokenizer.from_str(tiny_tokenizer().decode())
    for tokenizer in (padded, tiny):
        for text in ("retry", "retry payment colour window tree"):
            assert token_id_encoder(tokenizer)(text) == ids(tokenizer, text)

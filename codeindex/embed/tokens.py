"""Load a model's tokenizer, or build BERT's from the vocabulary that codeindex ships."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_VOCABULARY = Path(__file__).parents[1] / "data" / "bert-base-uncased-vocab.txt"
_MAX_WORD_CHARS = 100  # the limit of BERT's WordPiece; words beyond it are unknown tokens


@functools.lru_cache(maxsize=8)
def tokenizer_for(file: Path | None, *, max_tokens: int | None = None) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json, or BERT's if `file` is None.

    With `max_tokens`, it truncates longer texts. Callers and threads share the tokenizer, so do not
    modify it.
    """
    tokenizer = _bert() if file is None else _from_file(file)
    # tokenizer.json has the padding and truncation that training used (often 128 tokens).
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if max_tokens is not None:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which stand for bytes that are not UTF-8, by `?`."""
    return text.encode("utf-8", "replace").decode()


def _from_file(file: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_str(file.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"'{file.as_posix()}' cannot be read: {error.strerror}.") from error
    except Exception as error:  # the binding raises bare Exception for a bad file
        raise ModelError(f"'{file.as_posix()}' is not a tokenizer: {error}.") from error


def _bert() -> Tokenizer:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = _VOCABULARY.read_text("utf-8").splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(
        models.WordPiece(
            vocab=vocabulary,
            unk_token="[UNK]",  # noqa: S106
            max_input_chars_per_word=_MAX_WORD_CHARS,
        )
    )
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")],
    )
    return tokenizer

"""Token ids of texts with a cache by word: the lines of a source tree repeat the same words.

BERT's tokenizers encode each word and punctuation mark independently, so the ids of ASCII words are
cached. Other texts, and other kinds of tokenizers, are encoded without the cache.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from tokenizers.models import Model

Ids = tuple[int, ...]

_CACHED_WORDS = 65_536
"""Words in the cache, 22 MB; the source of netty has 39,000."""
_MAX_CACHED_LENGTH = 64
"""Characters; longer words are data and do not repeat."""
_PLAIN = re.compile(r"[\t\n -~]*")
_VISIBLE = re.compile(r"[!-~]+")
_PIECE = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
"""Pieces of BertPreTokenizer: words, and single punctuation marks."""


class _WordCache(dict[str, Ids]):
    """Ids of words, computed on first access."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    def __missing__(self, word: str) -> Ids:
        ids = tuple(token.id for token in self._model.tokenize(word))
        if len(word) <= _MAX_CACHED_LENGTH:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = ids
        return ids


@functools.lru_cache(maxsize=8)
def token_id_encoder(tokenizer: Tokenizer) -> Callable[[str], Ids]:
    """Return a function that encodes texts like `tokenizer`, without special tokens."""

    def encode(text: str) -> Ids:
        return tuple(tokenizer.encode(text, add_special_tokens=False).ids)

    if not _encodes_by_word(tokenizer):
        return encode
    ids_of = _WordCache(tokenizer.model).__getitem__
    fold: Callable[[str], str] = str.lower if tokenizer.normalizer.lowercase else str
    added = [fold(token) for token in _added_tokens(tokenizer)]

    def encode_cached(text: str) -> Ids:
        folded = fold(text)
        if not _PLAIN.fullmatch(text) or any(token in folded for token in added):
            return encode(text)
        return tuple(chain.from_iterable(map(ids_of, _PIECE.findall(folded))))

    return encode_cached


def _encodes_by_word(tokenizer: Tokenizer) -> bool:
    """Tell whether the ids of ASCII text are the concatenated ids of its pieces."""
    from tokenizers import models, normalizers, pre_tokenizers

    return (
        isinstance(tokenizer.normalizer, normalizers.BertNormalizer)
        and isinstance(tokenizer.pre_tokenizer, pre_tokenizers.BertPreTokenizer)
        and isinstance(tokenizer.model, models.WordPiece)
        and tokenizer.truncation is None
        and tokenizer.padding is None
        and all(_VISIBLE.fullmatch(token) for token in _added_tokens(tokenizer))
    )


def _added_tokens(tokenizer: Tokenizer) -> list[str]:
    """Return the special texts that a tokenizer matches before it splits into words."""
    return [value.content for value in tokenizer.get_added_tokens_decoder().values()]

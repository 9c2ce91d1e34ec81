"""Compute the token ids of texts, with a cache per word, because code repeats the same words.

BERT's tokenizers encode each word and punctuation mark independently, so the ids of ASCII words can
be cached. The cache is not used for texts with non-ASCII characters or for other tokenizers.
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
"""Most words in the cache; a full cache takes 22 MB. The source of netty has 39,000 words."""
_MAX_CACHED_LENGTH = 64
"""Most characters of a cached word: longer words are data and do not repeat."""
_PLAIN = re.compile(r"[\t\n -~]*")
_VISIBLE = re.compile(r"[!-~]+")
_PIECE = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
"""Matches the pieces into which BertPreTokenizer splits ASCII text: words and punctuation marks."""


class _WordCache(dict[str, Ids]):
    """A cache of the token ids of words; ids that are missing are computed on access."""

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
    """Return a function that maps a text to the token ids of `tokenizer`, without special ones."""

    def encode(text: str) -> Ids:
        return tuple(tokenizer.encode(text, add_special_tokens=False).ids)

    if not _encodes_by_word(tokenizer):
        return encode
    ids_of = _WordCache(tokenizer.model).__getitem__
    fold: Callable[[str], str] = str.lower if tokenizer.normalizer.lowercase else str
    added = [re.escape(fold(token)) for token in _added_tokens(tokenizer)]
    has_added = re.compile("|".join(added)).search if added else None

    def encode_cached(text: str) -> Ids:
        folded = fold(text)
        is_plain = text.isascii() and (text.isprintable() or _PLAIN.fullmatch(text))
        if not is_plain or (has_added and has_added(folded)):
            return encode(text)
        return tuple(chain.from_iterable(map(ids_of, _PIECE.findall(folded))))

    return encode_cached


def _encodes_by_word(tokenizer: Tokenizer) -> bool:
    """Tell whether the tokenizer encodes each word of an ASCII text independently of the others."""
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
    """Return the special tokens. A tokenizer finds them before it splits a text into words."""
    return [value.content for value in tokenizer.get_added_tokens_decoder().values()]

"""Token ids of texts that say the same words again and again, as the lines of a tree do.

BERT's tokenizers read words and punctuation marks one by one, so those of plain ASCII are
remembered with their ids; all else, and every other kind of tokenizer, is asked anew each time.
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

_KNOWN_WORDS = 65_536
"""Words whose ids are remembered, 22 MB; the source of netty has 39,000."""
_LONGEST = 64
"""Letters; longer words are data and do not come again."""
_PLAIN = re.compile(r"[\t\n -~]*")
_VISIBLE = re.compile(r"[!-~]+")
_PIECE = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
"""What BertPreTokenizer makes of plain text: words, and each mark by itself."""


class _Words(dict[str, Ids]):
    """Ids of words, found out when they are first asked for."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    def __missing__(self, word: str) -> Ids:
        ids = tuple(token.id for token in self._model.tokenize(word))
        if len(word) <= _LONGEST:
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[word] = ids
        return ids


@functools.lru_cache(maxsize=8)
def token_id_encoder(tokenizer: Tokenizer) -> Callable[[str], Ids]:
    """Return what gives the ids of a text as `tokenizer` does, without special tokens."""

    def asked(text: str) -> Ids:
        return tuple(tokenizer.encode(text, add_special_tokens=False).ids)

    if not _reads_words(tokenizer):
        return asked
    ids_of = _Words(tokenizer.model).__getitem__
    folded: Callable[[str], str] = str.lower if tokenizer.normalizer.lowercase else str
    added = [folded(item) for item in _added(tokenizer)]

    def remembered(text: str) -> Ids:
        text_folded = folded(text)
        if not _PLAIN.fullmatch(text) or any(item in text_folded for item in added):
            return asked(text)
        return tuple(chain.from_iterable(map(ids_of, _PIECE.findall(text_folded))))

    return remembered


def _reads_words(tokenizer: Tokenizer) -> bool:
    """Tell whether the ids of plain text are those of its words and marks, one after another."""
    from tokenizers import models, normalizers, pre_tokenizers

    return (
        isinstance(tokenizer.normalizer, normalizers.BertNormalizer)
        and isinstance(tokenizer.pre_tokenizer, pre_tokenizers.BertPreTokenizer)
        and isinstance(tokenizer.model, models.WordPiece)
        and tokenizer.truncation is None
        and tokenizer.padding is None
        and all(_VISIBLE.fullmatch(item) for item in _added(tokenizer))
    )


def _added(tokenizer: Tokenizer) -> list[str]:
    """Return the texts that a tokenizer looks for before it reads words."""
    return [value.content for value in tokenizer.get_added_tokens_decoder().values()]

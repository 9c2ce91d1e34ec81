"""Tells by the words of a text which detectors can find something in it.

A text is split into distinct words. What a word contains is cached, since the files of a repository
have most words in common; only new words are searched for needles and tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from codeindex.secrets.detector import Detector

_TOKEN_BYTES = rb"[\w.:/+=~%@$-]"
"""The bytes of the tokens of providers; all others separate words."""
_SEPARATORS = bytes(code for code in range(256) if not re.match(_TOKEN_BYTES, bytes([code])))
_TO_LINE_ENDS = bytes.maketrans(_SEPARATORS, b"\n" * len(_SEPARATORS))
_ASCII = bytes(range(128))
_SHORTEST_LONG_WORD = 20  # characters: an AWS key id, the shortest token of a provider
_MOST_WORDS = 100_000
"""Most words that are remembered, about 8 MB; a repository of 25 MB has about twice as many."""


class SelectedDetectors(NamedTuple):
    """The detectors and needles that a text is searched for."""

    tokens: list[Detector]
    """The token detectors whose pattern matches in a long word of the text."""
    needles: frozenset[str]
    """The needles of other detectors that may be in the text, whatever their case."""


class _Needle(NamedTuple):
    """A needle, and its parts: a text without these parts cannot contain the needle."""

    text: str
    pieces: tuple[str, ...]
    """Parts of words in lower case; a line end marks where a word begins or ends."""
    other_scripts: bytes
    """The characters that are not ASCII, as UTF-8."""


class _Memory(NamedTuple):
    """The words that were searched before (`seen`), and what was found in them."""

    seen: set[bytes]
    with_contents: set[bytes]
    contents: dict[bytes, tuple[str | Detector, ...]]


class WordFilter:
    """Selects those detectors that can find something in a text."""

    def __init__(self, detectors: Iterable[Detector], further: Iterable[str] = ()) -> None:
        """Prepare to select among `detectors`, and among the needles in `further`.

        Detectors with `in_long_word` count as token detectors.
        """
        listed = tuple(detectors)
        tokens = [detector for detector in listed if detector.in_long_word]
        self._tokens = sorted(tokens, key=lambda detector: not detector.needles)
        self._token_needles = [(needle, token) for token in tokens for needle in token.needles]
        needles = {needle for one in listed if not one.in_long_word for needle in one.needles}
        needles.update(further)
        split = [_Needle(needle, *_split(needle.lower())) for needle in sorted(needles)]
        self._pieces, self._longer = _by_core({piece for one in split for piece in one.pieces})
        self._of_one_piece: dict[str | Detector, list[str]] = {}
        self._others: list[_Needle] = []
        for needle in split:
            if len(needle.pieces) == 1 and not needle.other_scripts:
                self._of_one_piece.setdefault(needle.pieces[0], []).append(needle.text)
            else:
                self._others.append(needle)
        self._memory = _Memory(set(), set(), {})

    def select(self, text: str) -> SelectedDetectors:
        """Return the detectors and needles that can match in a text, by its words."""
        contained = self._contents(text)
        scripts = b"" if text.isascii() else _other_scripts(text)
        needles = {
            needle.text
            for needle in self._others
            if needle.other_scripts in scripts and contained.issuperset(needle.pieces)
        }
        for piece in contained & self._of_one_piece.keys():
            needles.update(self._of_one_piece[piece])
        return SelectedDetectors(
            [token for token in self._tokens if token in contained] if contained else [],
            frozenset(needles),
        )

    def _contents(self, text: str) -> set[str | Detector]:
        """Return what the words of a text contain.

        These are parts of needles, and the token detectors whose patterns match a word.
        """
        words = set(text.encode("utf-8", "replace").translate(_TO_LINE_ENDS).split())
        memory = self._memory  # another thread may replace it meanwhile
        if new := words - memory.seen:
            self._remember(new, memory)
            if len(memory.seen) > _MOST_WORDS:
                self._memory = _Memory(set(), set(), {})
        known = words & memory.with_contents
        return set().union(*map(memory.contents.__getitem__, known))

    def _remember(self, words: set[bytes], memory: _Memory) -> None:
        """Search words that were not searched before, and cache what they contain.

        The contents are stored before the words count as searched, since other threads use the
        cache.
        """
        found: dict[bytes, list[str | Detector]] = {}
        for word, piece in self._pieces_in(list(words)):
            found.setdefault(word, []).append(piece)
        for word, detector in self._tokens_in(words):
            found.setdefault(word, []).append(detector)
        memory.contents.update((word, tuple(contents)) for word, contents in found.items())
        memory.with_contents.update(found)
        memory.seen.update(words)

    def _pieces_in(self, words: list[bytes]) -> Iterator[tuple[bytes, str]]:
        """Yield (word, part of a needle) for each part of a needle that a word contains."""
        with_core: dict[str, set[bytes]] = {}
        for word, piece in _search_words(words, self._pieces):
            yield word, piece
            if piece in self._longer:
                with_core.setdefault(piece, set()).add(word)
        for core, some in with_core.items():
            yield from _search_words(list(some), self._longer[core])

    def _tokens_in(self, words: set[bytes]) -> Iterator[tuple[bytes, Detector]]:
        """Yield (word, token detector) for each long word that the detector's pattern matches."""
        long = {word: word.decode() for word in words if len(word) >= _SHORTEST_LONG_WORD}
        joined = "\n".join(long.values())
        for needle, token in self._token_needles if long else ():
            if needle in joined:
                search = token.pattern.compiled.search
                yield from (
                    (word, token) for word in long if needle in long[word] and search(long[word])
                )
        for token in self._tokens if long else ():
            if not token.needles and token.pattern.compiled.search(joined):
                search = token.pattern.compiled.search
                yield from ((word, token) for word in long if search(long[word]))


def _by_core(pieces: set[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return (cores, {core: longer pieces}); a core is a piece that contains no other piece.

    A longer piece belongs to the longest core in it. So only words with the core `pass` need to be
    searched for `requirepass`.
    """
    within = {piece: [one for one in pieces if one != piece and one in piece] for piece in pieces}
    cores = [piece for piece in pieces if not within[piece]]
    longer: dict[str, list[str]] = {}
    for piece in pieces - set(cores):
        longer.setdefault(max(set(within[piece]) & set(cores), key=len), []).append(piece)
    return cores, longer


def _search_words(words: list[bytes], pieces: Iterable[str]) -> Iterator[tuple[bytes, str]]:
    """Yield (word, piece) for each of the pieces that a word contains."""
    joined = "\n".join(["", b"\n".join(words).lower().decode(), ""])
    starts: list[int] = []
    for piece in pieces:
        at = joined.find(piece)
        while at >= 0:
            starts = starts or [*accumulate((len(word) + 1 for word in words), initial=1)]
            yield words[bisect_right(starts, at + piece.startswith("\n")) - 1], piece
            at = joined.find(piece, at + 1)


def _other_scripts(text: str) -> bytes:
    """Return the non-ASCII characters of a text in lower case, as UTF-8."""
    return text.lower().encode("utf-8", "replace").translate(None, _ASCII)


def _split(needle: str) -> tuple[tuple[str, ...], bytes]:
    """Return the (`pieces`, `other_scripts`) of a needle, as described in `_Needle`."""
    parts = re.split("\n+", needle.encode().translate(_TO_LINE_ENDS).decode())
    last = len(parts) - 1
    pieces = tuple(
        "\n" * (at > 0) + part + "\n" * (at < last) for at, part in enumerate(parts) if part
    )
    return pieces, _other_scripts(needle)

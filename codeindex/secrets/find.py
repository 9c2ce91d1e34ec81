"""Running detectors over a text.

Forty searches through a whole file cost more than all else, and tokens are long: so they are first
looked for in the long words of the file alone, a tenth of it, and in the file if one is there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from codeindex.secrets._base import Detector, Hit, Span


def hits_of(detectors: tuple[Detector, ...], text: str) -> Iterator[Hit]:
    """Yield what each detector finds in `text`, overlaps and all."""
    everywhere, by_needles = _grouped(detectors)
    yield from _hits_anywhere(everywhere, text)
    if by_needles:
        lowered = text.lower()
        if len(lowered) != len(text):  # a few capitals grow; offsets must agree
            lowered = "".join(c.lower() if c.isascii() else c for c in text)
        for needles, folded, group in by_needles:
            known = lowered if folded else text
            if lines := _lines_with(known, needles):
                yield from _hits_in(group, text, lines, _Starts(text, known, needles))


def _hits_anywhere(detectors: tuple[Detector, ...], text: str) -> Iterator[Hit]:
    long_words = _long_words(text)
    for detector in detectors:
        if not detector.wordy or (long_words and _is_in(long_words, detector)):
            for match in detector.pattern.finditer(text):
                yield from _accepted(detector, match)


def _hits_in(group: _Narrowed, text: str, lines: list[Span], starts: _Starts) -> Iterator[Hit]:
    for within, detectors in group:
        near = [one for one in lines if within.search(text, *one)] if within else lines
        for detector in detectors if near else ():
            for match in _matches(detector, text, near, starts):
                yield from _accepted(detector, match)


_LONG = 400
"""Characters of a line; in a longer one names are sought near their needles alone."""
_BEFORE, _AFTER = 12, 6
"""Characters of a name around what it cannot do without: `validation_key`, `password`."""


class _Starts:
    """Where the names of secrets begin, which are looked for near their needles and only once."""

    def __init__(self, text: str, lowered: str, needles: tuple[str, ...]) -> None:
        self._text, self._lowered = text, lowered
        self._needles = re.compile("|".join(map(re.escape, needles)))
        self._known: dict[tuple[re.Pattern[str], Span], list[Span]] = {}

    def of(self, begins: re.Pattern[str], line: Span) -> list[Span]:
        """Return the parts of `line` that begin with a name, each to the end of the line."""
        found = self._known.get((begins, line))
        if found is None:
            found = [(start, line[1]) for start in sorted(self._found(begins, line))]
            self._known[begins, line] = found
        return found

    def _found(self, begins: re.Pattern[str], line: Span) -> set[int]:
        start, end = line
        return {
            match.start()
            for needle in self._needles.finditer(self._lowered, start, end)
            for match in begins.finditer(
                self._text,
                max(start, needle.start() - _BEFORE),
                min(end, needle.end() + _AFTER),
            )
        }


_BETWEEN = bytes(code for code in range(256) if not re.match(rb"[\w.:/+=~%@$-]", bytes([code])))
_TO_BLANKS = bytes.maketrans(_BETWEEN, b" " * len(_BETWEEN))
_SHORTEST_WORD = 20  # characters, of AWS's key ids


def _long_words(text: str) -> str:
    """Return, a line each, the words of characters that tokens are made of, if they are long."""
    words = text.encode("utf-8", "replace").translate(_TO_BLANKS).split()
    return b"\n".join({word for word in words if len(word) >= _SHORTEST_WORD}).decode("ascii")


def _is_in(long_words: str, detector: Detector) -> bool:
    if detector.needles and not any(needle in long_words for needle in detector.needles):
        return False
    return bool(detector.pattern.search(long_words))


_Narrowed = tuple[tuple[re.Pattern[str] | None, tuple[Detector, ...]], ...]
_Group = tuple[tuple[str, ...], bool, _Narrowed]


@functools.lru_cache(maxsize=8)
def _grouped(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[Detector, ...], tuple[_Group, ...]]:
    """Return the detectors for whole texts, and the others by needles: lines are sought once."""
    everywhere = tuple(one for one in detectors if one.wordy or not one.needles)
    groups: dict[tuple[tuple[str, ...], bool], dict[re.Pattern[str] | None, list[Detector]]] = {}
    for one in detectors:
        if one.needles and not one.wordy:
            group = groups.setdefault((one.needles, bool(one.pattern.flags & re.IGNORECASE)), {})
            group.setdefault(one.within, []).append(one)
    return everywhere, tuple(
        (*key, tuple((within, tuple(ones)) for within, ones in group.items()))
        for key, group in groups.items()
    )


def _accepted(detector: Detector, match: re.Match[str]) -> Iterator[Hit]:
    if detector.accepts is None or detector.accepts(match):
        for span in detector.spans(match):
            yield Hit(span, detector.rule)


def _matches(
    detector: Detector, text: str, lines: Iterable[Span], starts: _Starts
) -> Iterator[re.Match[str]]:
    pattern, begins = detector.pattern, detector.begins
    if pattern.pattern.startswith("^"):  # no other place in a line can match
        yield from filter(None, (pattern.match(text, *line) for line in lines))
        return
    for line in lines:
        if begins and line[1] - line[0] > _LONG:
            yield from filter(None, (pattern.match(text, *at) for at in starts.of(begins, line)))
        else:
            yield from pattern.finditer(text, *line)


def _lines_with(text: str, needles: Iterable[str]) -> list[Span]:
    """Return each line that holds one of `needles`, once."""
    lines: set[Span] = set()
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            lines.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(needle, end)
    return sorted(lines)

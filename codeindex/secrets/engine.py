"""Running detectors over a text.

Forty searches through a whole file cost more than all else, and tokens are long: so they are first
looked for in the long words of the file alone, a tenth of it, and in the file if one is there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from functools import partial

from codeindex.secrets.detector import Detector, SecretHit, SecretName, Span


def run_detectors(detectors: tuple[Detector, ...], text: str) -> Iterator[SecretHit]:
    """Yield what each detector finds in `text`, overlaps and all."""
    everywhere, by_needles = _grouped(detectors)
    yield from _hits_anywhere(everywhere, text)
    if by_needles:
        lowered = text.lower()
        if len(lowered) != len(text):  # a few capitals grow; offsets must agree
            lowered = "".join(c.lower() if c.isascii() else c for c in text)
        for needles, folded, group in by_needles:
            known = lowered if folded else text
            if found := _all_of(known, needles):
                yield from _hits_at(group, _Places(text, known, found))


def _hits_anywhere(detectors: tuple[Detector, ...], text: str) -> Iterator[SecretHit]:
    """Yield what detectors find that need not look for a needle, or for one in long words only."""
    long_words = _long_words(text)
    by_needle, others = _by_needle(detectors)
    wanted = dict.fromkeys(one for needle, one in by_needle if needle in long_words)
    for detector in (*wanted, *others):
        if not detector.wordy or detector.pattern.search(long_words):
            for match in detector.pattern.finditer(text):
                yield from _accepted(detector, match)


@functools.lru_cache(maxsize=8)
def _by_needle(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[tuple[str, Detector], ...], tuple[Detector, ...]]:
    """Return each needle of tokens with its detector, and the detectors that have none."""
    pairs = tuple((needle, one) for one in detectors if one.wordy for needle in one.needles)
    return pairs, tuple(one for one in detectors if not one.wordy or not one.needles)


def _hits_at(group: _Narrowed, places: _Places) -> Iterator[SecretHit]:
    for (begins, within, first), detectors in group:
        found = places.starts(begins, within, first=first) if begins else places.near(within)
        for detector in detectors if found else ():
            for match in _matches(detector, places.text, found):
                yield from _accepted(detector, match)


_BEFORE, _AFTER = 18, 24
"""Characters of a name around what it cannot do without: `instrumentation_key_production`."""
_LONGEST_START = 240
"""Characters of a line before a name that stands in front: blanks, a sign, the rest of a path."""


class _Places:
    """The lines with a needle, and where in them the names of secrets begin."""

    def __init__(self, text: str, known: str, needles: list[int]) -> None:
        self.text, self._known, self._needles = text, known, needles
        self.lines = list(_lines_around(text, needles))
        self._with: dict[tuple[re.Pattern[str], Span], bool] = {}
        self._starts: dict[SecretName, list[tuple[int, Span]]] = {}

    def near(self, within: re.Pattern[str] | None) -> list[Span]:
        """Return the lines that have `within`."""
        return [one for one in self.lines if not within or self._has(within, one)]

    def starts(
        self, begins: SecretName, within: re.Pattern[str] | None, *, first: bool
    ) -> list[Span]:
        """Return the parts of lines with `within` that begin with a name; `first`: near a start."""
        if begins not in self._starts:
            self._starts[begins] = sorted(self._found(begins))
        most = _LONGEST_START if first else len(self.text)
        return [
            (start, line[1])
            for start, line in self._starts[begins]
            if start - line[0] <= most and (not within or self._has(within, line))
        ]

    def _has(self, within: re.Pattern[str], line: Span) -> bool:
        key = within, line
        if key not in self._with:
            self._with[key] = bool(within.search(self.text, *line))
        return self._with[key]

    def _found(self, begins: SecretName) -> set[tuple[int, Span]]:
        found = set()
        lines = iter(self.lines)
        line = next(lines)
        for needle in filter(partial(self._may_end, begins), self._needles):
            while line[1] < needle:
                line = next(lines)
            start, end = max(line[0], needle - _BEFORE), min(line[1], needle + _AFTER)
            found |= {(one.start(), line) for one in begins.pattern.finditer(self.text, start, end)}
        return found

    def _may_end(self, begins: SecretName, needle: int) -> bool:
        """Tell whether a name may end with this needle."""
        if not begins.end.match(self.text, needle):
            return False
        if not begins.word or not self._known.startswith(begins.word, needle):
            return True
        at = needle - (self._known[needle - 1 : needle] in {"_", ".", "-", " "})
        return self._known.endswith(begins.before, 0, at)


def _all_of(text: str, needles: Iterable[str]) -> list[int]:
    """Return where a text has one of `needles`, in order."""
    found: list[int] = []
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            found.append(at)
            at = text.find(needle, at + len(needle))
    return sorted(found)


def _lines_around(text: str, places: Iterable[int]) -> Iterator[Span]:
    """Yield each line with one of `places`, which are in order, once."""
    end = -1
    for at in places:
        if at > end:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            yield start, end


_BETWEEN = bytes(code for code in range(256) if not re.match(rb"[\w.:/+=~%@$-]", bytes([code])))
_TO_BLANKS = bytes.maketrans(_BETWEEN, b" " * len(_BETWEEN))
_SHORTEST_WORD = 20  # characters, of AWS's key ids


def _long_words(text: str) -> str:
    """Return, a line each, the words of characters that tokens are made of, if they are long."""
    words = text.encode("utf-8", "replace").translate(_TO_BLANKS).split()
    return b"\n".join({word for word in words if len(word) >= _SHORTEST_WORD}).decode("ascii")


_Kind = tuple[SecretName | None, re.Pattern[str] | None, bool]
_Narrowed = tuple[tuple[_Kind, tuple[Detector, ...]], ...]
_Group = tuple[tuple[str, ...], bool, _Narrowed]


@functools.lru_cache(maxsize=8)
def _grouped(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[Detector, ...], tuple[_Group, ...]]:
    """Return the detectors for whole texts, and the others by needles: lines are sought once."""
    everywhere = tuple(one for one in detectors if one.wordy or not one.needles)
    groups: dict[tuple[tuple[str, ...], bool], dict[_Kind, list[Detector]]] = {}
    for one in detectors:
        if one.needles and not one.wordy:
            group = groups.setdefault((one.needles, bool(one.pattern.flags & re.IGNORECASE)), {})
            group.setdefault((one.begins, one.within, one.first), []).append(one)
    return everywhere, tuple(
        (*key, tuple((kind, tuple(ones)) for kind, ones in group.items()))
        for key, group in groups.items()
    )


def _accepted(detector: Detector, match: re.Match[str]) -> Iterator[SecretHit]:
    if detector.lead and not _has_lead(detector.lead, match):
        return
    if detector.accepts is None or detector.accepts(match):
        for span in detector.spans(match):
            yield SecretHit(span, detector.kind(match) if detector.kind else detector.rule)


_LONGEST_LEAD = 600  # characters


def _has_lead(lead: re.Pattern[str], match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    line = text.rfind("\n", max(0, start - _LONGEST_LEAD), start) + 1
    return bool(lead.search(text, line or max(0, start - _LONGEST_LEAD), start))


def _matches(detector: Detector, text: str, places: Iterable[Span]) -> Iterator[re.Match[str]]:
    match = detector.pattern.match
    if detector.begins or detector.pattern.pattern.startswith("^"):
        yield from filter(None, [match(text, *place) for place in places])
        return
    for place in places:
        yield from detector.pattern.finditer(text, *place)

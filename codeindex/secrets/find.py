"""Running detectors over a text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from codeindex.secrets._base import Detector, Hit, Span


def hits_of(detectors: tuple[Detector, ...], text: str) -> Iterator[Hit]:
    """Yield what each detector finds in `text`, overlaps and all."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals grow; offsets must agree
        lowered = "".join(c.lower() if c.isascii() else c for c in text)
    everywhere, by_needles = _grouped(detectors)
    for detector in everywhere:
        for match in detector.pattern.finditer(text):
            yield from _accepted(detector, match)
    for needles, folded, group in by_needles:
        if lines := _lines_with(lowered if folded else text, needles):
            for detector in group:
                for match in _matches(detector.pattern, text, lines):
                    yield from _accepted(detector, match)


_Group = tuple[tuple[str, ...], bool, tuple[Detector, ...]]


@functools.lru_cache(maxsize=8)
def _grouped(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[Detector, ...], tuple[_Group, ...]]:
    """Return the detectors without needles, and the others by theirs: lines are sought once."""
    groups: dict[tuple[tuple[str, ...], bool], list[Detector]] = {}
    for detector in detectors:
        folded = bool(detector.needles and detector.pattern.flags & re.IGNORECASE)
        groups.setdefault((detector.needles, folded), []).append(detector)
    everywhere = tuple(groups.pop(((), False), ()))
    return everywhere, tuple((*key, tuple(group)) for key, group in groups.items())


def _accepted(detector: Detector, match: re.Match[str]) -> Iterator[Hit]:
    if detector.accepts is None or detector.accepts(match):
        for span in detector.spans(match):
            yield Hit(span, detector.rule, detector.certain)


def _matches(pattern: re.Pattern[str], text: str, lines: Iterable[Span]) -> Iterator[re.Match[str]]:
    if pattern.pattern.startswith("^"):  # no other place in a line can match
        return filter(None, (pattern.match(text, start, end) for start, end in lines))
    return (match for start, end in lines for match in pattern.finditer(text, start, end))


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

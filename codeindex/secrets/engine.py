"""Runs detectors over a text, cheapest filters first.

Running every pattern over a whole file costs more than all else in redaction. Two filters avoid it:

- Token patterns first search the long words of the file, about a tenth of its text. Only a
  pattern that matches a long word searches the whole file.
- Patterns with needles search only the lines that contain a needle. Patterns that start with the
  name of a secret are tried only at the offsets of such names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from functools import partial

from codeindex.secrets.detector import Detector, SecretHit, SecretNamePattern, Span


def run_detectors(detectors: tuple[Detector, ...], text: str) -> Iterator[SecretHit]:
    """Yield the secrets that each detector finds in `text`; their spans may overlap."""
    whole_text, needle_groups = _group_by_needles(detectors)
    yield from _search_whole_text(whole_text, text)
    if needle_groups:
        folded = _lower_case(text)
        for needles, ignores_case, groups in needle_groups:
            searched = folded if ignores_case else text
            if offsets := _needle_offsets(searched, needles):
                yield from _search_lines(groups, _NeedleLines(text, searched, offsets))


def _lower_case(text: str) -> str:
    """Return `text` in lower case; every character keeps its offset."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # a few capitals have a longer lower case, such as U+0130
    return "".join(c.lower() if c.isascii() else c for c in text)


def _search_whole_text(detectors: tuple[Detector, ...], text: str) -> Iterator[SecretHit]:
    """Yield the hits of detectors without needles and of token detectors, over the whole text."""
    long_words = _long_words(text)
    with_needle, without_needle = _split_by_needle(detectors)
    candidates = dict.fromkeys(detector for needle, detector in with_needle if needle in long_words)
    for detector in (*candidates, *without_needle):
        if not detector.in_long_word or detector.pattern.compiled.search(long_words):
            for match in detector.pattern.compiled.finditer(text):
                yield from _accepted_hits(detector, match)


@functools.lru_cache(maxsize=8)
def _split_by_needle(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[tuple[str, Detector], ...], tuple[Detector, ...]]:
    """Return (needle, detector) pairs of token detectors, and the detectors without needles."""
    pairs = tuple(
        (needle, detector)
        for detector in detectors
        if detector.in_long_word
        for needle in detector.needles
    )
    rest = tuple(
        detector for detector in detectors if not detector.in_long_word or not detector.needles
    )
    return pairs, rest


def _search_lines(groups: _Groups, lines: _NeedleLines) -> Iterator[SecretHit]:
    for (name, line_filter, near_line_start), detectors in groups:
        if name:
            spans = lines.name_spans(name, line_filter, near_line_start=near_line_start)
        else:
            spans = lines.filtered(line_filter)
        for detector in detectors if spans else ():
            for match in _matches(detector, lines.text, spans):
                yield from _accepted_hits(detector, match)


_NAME_BEFORE_NEEDLE, _NAME_FROM_NEEDLE = 18, 24
"""Characters of a name before its needle, and from the needle on: `instrumentation_key_production`
has 16 and 14."""
_LONGEST_LINE_START = 240
"""Characters of a line before a name near its start: indent, comment sign, the rest of a path."""


class _NeedleLines:
    """The lines of a text that contain a needle, and the offsets at which names start in them."""

    def __init__(self, text: str, searched: str, needles: list[int]) -> None:
        """Store a text, the text that was searched (maybe lower case), and the needles' offsets."""
        self.text, self._searched, self._needles = text, searched, needles
        self.lines = list(_lines_around(text, needles))
        self._filtered: dict[tuple[re.Pattern[str], Span], bool] = {}
        self._names: dict[SecretNamePattern, list[tuple[int, Span]]] = {}

    def filtered(self, line_filter: re.Pattern[str] | None) -> list[Span]:
        """Return the spans of the lines that match `line_filter`."""
        return [line for line in self.lines if not line_filter or self._passes(line_filter, line)]

    def name_spans(
        self, name: SecretNamePattern, line_filter: re.Pattern[str] | None, *, near_line_start: bool
    ) -> list[Span]:
        """Return a span for each name, from the start of the name to the end of its line.

        Names on lines that do not match `line_filter` are left out. With `near_line_start`, names
        far from the start of their line are left out too.
        """
        if name not in self._names:
            self._names[name] = sorted(self._find_names(name))
        most = _LONGEST_LINE_START if near_line_start else len(self.text)
        return [
            (start, line[1])
            for start, line in self._names[name]
            if start - line[0] <= most and (not line_filter or self._passes(line_filter, line))
        ]

    def _passes(self, line_filter: re.Pattern[str], line: Span) -> bool:
        key = line_filter, line
        if key not in self._filtered:
            self._filtered[key] = bool(line_filter.search(self.text, *line))
        return self._filtered[key]

    def _find_names(self, name: SecretNamePattern) -> set[tuple[int, Span]]:
        """Return the offset of each name with the span of its line."""
        starts = set()
        lines = iter(self.lines)
        line = next(lines)
        for needle in filter(partial(self._may_end_name, name), self._needles):
            while line[1] < needle:
                line = next(lines)
            start = max(line[0], needle - _NAME_BEFORE_NEEDLE)
            end = min(line[1], needle + _NAME_FROM_NEEDLE)
            starts |= {
                (match.start(), line)
                for match in name.pattern.compiled.finditer(self.text, start, end)
            }
        return starts

    def _may_end_name(self, name: SecretNamePattern, needle: int) -> bool:
        """Tell whether a name may end with the needle at offset `needle`; a cheap test."""
        if not name.end.compiled.match(self.text, needle):
            return False
        if not name.word or not self._searched.startswith(name.word, needle):
            return True
        separator = self._searched[needle - 1 : needle] in {"_", ".", "-", " "}
        return self._searched.endswith(name.before, 0, needle - separator)


def _needle_offsets(text: str, needles: Iterable[str]) -> list[int]:
    """Return the offsets of all `needles` in a text, in order."""
    offsets: list[int] = []
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            offsets.append(at)
            at = text.find(needle, at + len(needle))
    return sorted(offsets)


def _lines_around(text: str, offsets: Iterable[int]) -> Iterator[Span]:
    """Yield the span of each line that contains one of the sorted `offsets`, once."""
    end = -1
    for at in offsets:
        if at > end:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            yield start, end


_SEPARATORS = bytes(code for code in range(256) if not re.match(rb"[\w.:/+=~%@$-]", bytes([code])))
"""The bytes that occur in no token."""
_SEPARATORS_TO_BLANKS = bytes.maketrans(_SEPARATORS, b" " * len(_SEPARATORS))
_SHORTEST_WORD = 20  # characters: an AWS key id, the shortest token of a provider


def _long_words(text: str) -> str:
    """Return the distinct long runs of token characters in `text`, joined by line ends."""
    words = text.encode("utf-8", "replace").translate(_SEPARATORS_TO_BLANKS).split()
    return b"\n".join({word for word in words if len(word) >= _SHORTEST_WORD}).decode("ascii")


_GroupKey = tuple[SecretNamePattern | None, re.Pattern[str] | None, bool]
"""`starts_with`, `line_filter` and `near_line_start`: detectors with the same key search the same
parts of a text."""
_Groups = tuple[tuple[_GroupKey, tuple[Detector, ...]], ...]
_NeedleGroup = tuple[tuple[str, ...], bool, _Groups]
"""The needles, whether case is ignored, and groups of the detectors with these needles."""


@functools.lru_cache(maxsize=8)
def _group_by_needles(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[Detector, ...], tuple[_NeedleGroup, ...]]:
    """Return the detectors of whole texts, and groups of other detectors that share searches."""
    whole_text = tuple(
        detector for detector in detectors if detector.in_long_word or not detector.needles
    )
    groups: dict[tuple[tuple[str, ...], bool], dict[_GroupKey, list[Detector]]] = {}
    for detector in detectors:
        if detector.needles and not detector.in_long_word:
            ignores_case = bool(detector.pattern.flags & re.IGNORECASE)
            group = groups.setdefault((detector.needles, ignores_case), {})
            key = (detector.starts_with, detector.line_filter, detector.near_line_start)
            group.setdefault(key, []).append(detector)
    return whole_text, tuple(
        (*needles, tuple((key, tuple(members)) for key, members in group.items()))
        for needles, group in groups.items()
    )


def _accepted_hits(detector: Detector, match: re.Match[str]) -> Iterator[SecretHit]:
    if detector.line_prefix and not _has_line_prefix(detector.line_prefix.compiled, match):
        return
    if detector.accepts is None or detector.accepts(match):
        for span in detector.spans(match):
            rule = detector.find_rule(match) if detector.find_rule else detector.rule
            yield SecretHit(span, rule)


_LONGEST_PREFIX = 600
"""Characters before a match that are searched for its line prefix: bounds the time of long lines.

The longest prefix, of `host=db … password=`, has repeats of 600 characters in all.
"""


def _has_line_prefix(prefix: re.Pattern[str], match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    earliest = max(0, start - _LONGEST_PREFIX)
    line = text.rfind("\n", earliest, start) + 1
    return bool(prefix.search(text, line or earliest, start))


def _matches(detector: Detector, text: str, spans: Iterable[Span]) -> Iterator[re.Match[str]]:
    """Yield the matches in `spans`; anchored patterns are only tried at the start of a span."""
    pattern = detector.pattern.compiled
    if detector.starts_with or pattern.pattern.startswith("^"):
        yield from filter(None, [pattern.match(text, *span) for span in spans])
        return
    for span in spans:
        yield from pattern.finditer(text, *span)

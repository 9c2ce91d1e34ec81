"""Runs detectors over a text, cheapest filters first.

Running every pattern over a whole file costs more than the rest of redaction. Two filters avoid it:

- Token patterns first search the long words of the file, about a tenth of its text. Only a
  pattern that matches a long word searches the whole file.
- Patterns with needles search only the lines that contain a needle. Patterns that start with the
  name of a secret are tried only at the offsets of such names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from codeindex.secrets.detector import Detector, SecretHit, SecretNamePattern, Span
from codeindex.secrets.word_filter import SelectedDetectors, WordFilter

NEEDLES_OF_FUNCTIONS = ("private", "putty-user-key-file-", "openvpn", "secret")
"""Needles, in lower case, of the functions that search texts besides the detectors."""


def run_detectors(detectors: tuple[Detector, ...], text: str) -> Iterator[SecretHit]:
    """Yield the secrets that each detector finds in `text`; their spans may overlap."""
    if detectors:
        plan = _plan(detectors)
        yield from _search(plan, text, ((0, len(text)),), plan.word_filter.select(text))


class RepeatedSearch:
    """Searches a text for secrets, and again after they were replaced.

    The second time, detectors that read one line search only the changed lines, and only needles
    that were found the first time are looked for.
    """

    def __init__(self, detectors: tuple[Detector, ...], text: str) -> None:
        """Select the detectors and needles to search for, by the words in the text."""
        self._detectors, self._text = detectors, text
        self._selection = _plan(detectors).word_filter.select(text)

    def first(self) -> Iterator[SecretHit]:
        """Yield all secrets in the text."""
        span = 0, len(self._text)
        yield from _search(_plan(self._detectors), self._text, (span,), self._selection)

    def may_contain(self, needle: str) -> bool:
        """Tell whether the text may contain a needle, ignoring case.

        The needle must be one of `NEEDLES_OF_FUNCTIONS`.
        """
        return needle in self._selection.needles

    def again(self, text: str, changed: Sequence[Span]) -> Iterator[SecretHit]:
        """Yield the secrets in and around the changed lines of a text that was searched before.

        `text` is the text after the change, and `changed` are the spans of these lines in it, in
        order. Detectors that reach over lines search the whole text.
        """
        of_line, of_lines = map(_plan, _split_by_reach(self._detectors))
        wider = _with_lines_around(text, changed)
        lines = "\n".join(text[start:end] for start, end in wider)
        yield from _search(of_line, text, wider, of_line.word_filter.select(lines))
        needles = self._selection.needles & of_lines.groups_of_needle.keys()
        yield from _search(of_lines, text, ((0, len(text)),), SelectedDetectors([], needles))


@functools.lru_cache(maxsize=8)
def _split_by_reach(
    detectors: tuple[Detector, ...],
) -> tuple[tuple[Detector, ...], tuple[Detector, ...]]:
    """Return (detectors that read one line, detectors that also read the lines around it)."""
    return (
        tuple(detector for detector in detectors if not detector.reads_lines),
        tuple(detector for detector in detectors if detector.reads_lines),
    )


def _with_lines_around(text: str, spans: Iterable[Span]) -> list[Span]:
    """Extend spans of lines by one line before and after each; merge those that touch."""
    wider: list[Span] = []
    for span in spans:
        start = text.rfind("\n", 0, max(span[0] - 1, 0)) + 1
        end = text.find("\n", span[1] + 1)
        if wider and start <= wider[-1][1] + 1:
            start = wider.pop()[0]
        wider.append((start, len(text) if end < 0 else end))
    return wider


def _search(
    plan: _Plan, text: str, spans: Sequence[Span], selection: SelectedDetectors
) -> Iterator[SecretHit]:
    """Yield what the selected detectors find in `spans` of a text, which consist of whole lines."""
    for detector in (*selection.tokens, *plan.without_filter):
        for span in spans:
            for match in detector.pattern.compiled.finditer(text, *span):
                yield from _accepted_hits(detector, match)
    folded = _lower_case(text) if selection.needles else ""
    wanted: dict[int, list[str]] = {}
    for needle in selection.needles:
        for at in plan.groups_of_needle.get(needle, ()):
            wanted.setdefault(at, []).append(needle)
    for at, needles in sorted(wanted.items()):
        ignores_case, groups = plan.needle_groups[at]
        searched = folded if ignores_case else text
        if offsets := _needle_offsets(searched, needles, spans):
            yield from _search_lines(groups, _NeedleLines(text, searched, offsets))


def _lower_case(text: str) -> str:
    """Return `text` in lower case, with the same length, so that offsets stay valid."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # a few capitals have a longer lower case, such as U+0130
    return "".join(c.lower() if c.isascii() else c for c in text)


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
    """The lines of a text that contain a needle, and the names of secrets in these lines."""

    def __init__(self, text: str, searched: str, needles: list[int]) -> None:
        """Store a text, and the offsets of the needles in it.

        `searched` is the text in which names are searched: the same, or in lower case.
        """
        self.text, self._searched, self._needles = text, searched, needles
        self.lines = list(_lines_around(text, needles))
        self._names: dict[SecretNamePattern, list[tuple[int, Span]]] = {}
        self._matching: dict[tuple[SecretNamePattern, re.Pattern[str]], set[Span]] = {}
        """{(name, line filter): the lines that contain the name and match the filter}."""

    def filtered(self, line_filter: re.Pattern[str] | None) -> list[Span]:
        """Return the spans of the lines that contain a needle and match `line_filter`.

        If `line_filter` is None, all lines that contain a needle are returned.
        """
        if not line_filter:
            return self.lines
        search, text = line_filter.search, self.text
        return [line for line in self.lines if search(text, *line)]

    def name_spans(
        self, name: SecretNamePattern, line_filter: re.Pattern[str] | None, *, near_line_start: bool
    ) -> list[Span]:
        """Return a span for each name of a secret, from the name to the end of its line.

        Names on lines that do not match `line_filter` are left out. With `near_line_start`, names
        far from the start of their line are left out too.
        """
        names = self._names.get(name)
        if names is None:
            names = self._names[name] = sorted(self._find_names(name))
        if not names:
            return []
        if line_filter:
            matching = self._matching.get((name, line_filter))
            if matching is None:
                search, text = line_filter.search, self.text
                matching = {line for line in {line for _, line in names} if search(text, *line)}
                self._matching[name, line_filter] = matching
            names = [one for one in names if one[1] in matching] if matching else []
        if near_line_start:
            names = [one for one in names if one[0] - one[1][0] <= _LONGEST_LINE_START]
        return [(start, line[1]) for start, line in names]

    def _find_names(self, name: SecretNamePattern) -> set[tuple[int, Span]]:
        """Return (offset, span of its line) of each name of a secret.

        Names are searched in the lines that contain a needle.
        """
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
        """Tell whether the needle at an offset may end the name of a secret.

        The test is cheap; the pattern of names decides after it.
        """
        if not name.end.compiled.match(self.text, needle):
            return False
        if not name.word or not self._searched.startswith(name.word, needle):
            return True
        separator = self._searched[needle - 1 : needle] in {"_", ".", "-", " "}
        return self._searched.endswith(name.before, 0, needle - separator)


def _needle_offsets(text: str, needles: Iterable[str], spans: Sequence[Span]) -> list[int]:
    """Return the offsets of all occurrences of `needles` in these spans of a text, sorted."""
    offsets: list[int] = []
    for needle in needles:
        for start, end in spans:
            at = text.find(needle, start, end)
            while at >= 0:
                offsets.append(at)
                at = text.find(needle, at + len(needle), end)
    return sorted(offsets)


def _lines_around(text: str, offsets: Iterable[int]) -> Iterator[Span]:
    """Yield the span of each line that contains one of the sorted `offsets`, without repeats."""
    end = -1
    for at in offsets:
        if at > end:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            yield start, end


_GroupKey = tuple[SecretNamePattern | None, re.Pattern[str] | None, bool]
"""`starts_with`, `line_filter` and `near_line_start`: detectors with the same key search the same
parts of a text."""
_Groups = tuple[tuple[_GroupKey, tuple[Detector, ...]], ...]
_NeedleGroup = tuple[bool, _Groups]
"""Whether case is ignored, and groups of detectors, all with the same needles."""


class _Plan(NamedTuple):
    """The detectors in the form that a search needs: by their needles, and in groups.

    Detectors of a group share one search.
    """

    word_filter: WordFilter
    without_filter: tuple[Detector, ...]
    """The detectors that search every text: those without needles that are no token detectors."""
    needle_groups: tuple[_NeedleGroup, ...]
    groups_of_needle: dict[str, list[int]]
    """The indices in `needle_groups` of the groups that have a needle."""


@functools.lru_cache(maxsize=8)
def _plan(detectors: tuple[Detector, ...]) -> _Plan:
    others = [detector for detector in detectors if not detector.in_long_word]
    groups: dict[tuple[tuple[str, ...], bool], dict[_GroupKey, list[Detector]]] = {}
    for detector in filter(lambda detector: detector.needles, others):
        ignores_case = bool(detector.pattern.flags & re.IGNORECASE)
        group = groups.setdefault((detector.needles, ignores_case), {})
        key = (detector.starts_with, detector.line_filter, detector.near_line_start)
        group.setdefault(key, []).append(detector)
    groups_of_needle: dict[str, list[int]] = {}
    for at, (needles, _) in enumerate(groups):
        for needle in needles:
            groups_of_needle.setdefault(needle, []).append(at)
    return _Plan(
        WordFilter(detectors, NEEDLES_OF_FUNCTIONS),
        tuple(detector for detector in others if not detector.needles),
        tuple(
            (ignores_case, tuple((key, tuple(members)) for key, members in group.items()))
            for (_, ignores_case), group in groups.items()
        ),
        groups_of_needle,
    )


def _accepted_hits(detector: Detector, match: re.Match[str]) -> Iterator[SecretHit]:
    if detector.before_match and not _has_line_prefix(detector.before_match.compiled, match):
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
    """Yield the detector's matches in these spans of a text.

    An anchored pattern is tried only at the start of each span.
    """
    pattern = detector.pattern.compiled
    if detector.starts_with or pattern.pattern.startswith("^"):
        yield from filter(None, [pattern.match(text, *span) for span in spans])
        return
    for span in spans:
        yield from pattern.finditer(text, *span)

"""Redaction: removes secrets from text before it is stored, embedded or shown.

The pipeline of `redact`:

1. Detectors search the text. `engine` runs the detectors that are patterns (`Detector`). Private
   keys, Kubernetes manifests and tokens split over literals have functions of their own.
2. Each match gives spans. The detector's value test (`value_tests`) drops spans whose value is a
   placeholder, a variable or a plain word.
3. Overlapping spans are merged. Filters drop trusted lines and secrets known to be harmless.
4. Each remaining span is replaced by `[REDACTED]`. All steps are repeated until no span is found,
   since one redaction can uncover another secret.

Only this package creates `SafeText`. Whole texts are redacted before they are cut into chunks, so
that no cut hides a secret. The package does not use files on disk, settings or the index.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from codeindex.lazy import lazy_exports
from codeindex.secrets.detector import REDACTION_MARK, CustomPattern, Detector, SecretHit, Span
from codeindex.secrets.engine import RepeatedSearch, run_detectors
from codeindex.secrets.escaped_names import unescape_names
from codeindex.secrets.fingerprints import Fingerprints
from codeindex.secrets.kubernetes import RULE as MANIFEST
from codeindex.secrets.kubernetes import kubernetes_secret_spans
from codeindex.secrets.paths import is_secret_file, is_settings_file, safe_path
from codeindex.secrets.private_keys import NEEDLES as PRIVATE_KEY_NEEDLES
from codeindex.secrets.private_keys import RULE as PRIVATE_KEY
from codeindex.secrets.private_keys import private_key_spans
from codeindex.secrets.split_tokens import detect_split_tokens
from codeindex.types import SafeText

if TYPE_CHECKING:
    from codeindex.secrets.detectors import DETECTORS

__all__ = [
    "DETECTORS",
    "REDACTION_MARK",
    "Detector",
    "Fingerprints",
    "RedactedText",
    "SecretFinding",
    "is_secret_file",
    "is_settings_file",
    "mark_as_safe",
    "redact",
    "safe_path",
    "slice_lines",
]

__getattr__ = lazy_exports(__name__, "detectors")
_MAX_PASSES = 8
"""Most passes over one text; in practice the second pass already finds nothing."""
_ENCRYPTED = re.compile(r"\bENC\[(?:AES256_GCM|PKCS7|GPG),[\w+/=:,.-]{1,20000}\]", re.ASCII)
"""A value that SOPS or Hiera has encrypted."""
_LABEL_RULES = frozenset({"password", "secret", "api_key"})
"""Rules for values that are told by the name before them."""
_LABEL = re.compile(
    r"(?:[A-Z]?[a-z]++|[A-Z]++)(?:[ '.,:;!?()/-]++(?:[A-Z]?[a-z]++|[A-Z]++))*+[ '.,:;!?()/-]*+"
    r"|.*(?:\\u[\da-fA-F]{4}|[^\x00-\x7f]).*"
)
"""Words, or text with letters that are not ASCII, which may be written as `\\u0627`."""


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """The rule and position of a redacted secret, never its value; line and column from 1."""

    rule: str
    line: int
    column: int
    fingerprint: str = ""
    """Empty unless `redact` was given `fingerprints`."""


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A redacted text and its findings, sorted by line and column.

    The text has as many lines as the original.
    """

    text: SafeText
    findings: tuple[SecretFinding, ...] = ()


def redact(
    text: str,
    *,
    settings: bool = False,
    translations: bool = False,
    extra: Iterable[CustomPattern] = (),
    trusted: Container[int] = (),
    fingerprints: Fingerprints | None = None,
) -> RedactedText:
    """Take the secrets out of a text before it is stored: replace each one by `[REDACTED]`.

    Lines, names and quotes stay. With `settings`, unquoted words count as values, as in settings
    files. With `translations`, words and text that is not ASCII are labels, not passwords or keys.
    `extra` are the patterns of the setting `secret_patterns`; raise SlowPatternError if one of them
    takes too long. A secret stays if it starts on one of the `trusted` lines, or if `fingerprints`
    lists it as harmless.
    """
    # most processes redact nothing, and need not import the patterns
    from codeindex.secrets.detectors import DETECTORS, SETTINGS_FILE_DETECTORS

    detectors = SETTINGS_FILE_DETECTORS if settings else DETECTORS
    search, custom = RepeatedSearch(detectors, text), tuple(extra)
    findings: list[SecretFinding] = []
    changed: list[Span] | None = None
    for _ in range(_MAX_PASSES):
        found = search.first() if changed is None else search.again(text, changed)
        key_hits = _keys_and_manifests(text, search)
        candidates = (*key_hits, *found, *_other_hits(text, detectors, custom))
        hits = _untrusted(text, _merge_overlaps(text, candidates), trusted)
        hits = _unencrypted(text, hits)
        if translations:
            hits = [hit for hit in hits if not _is_label(text, hit)]
        if fingerprints and fingerprints.harmless:
            hits = [hit for hit in hits if not _is_harmless(text, hit, fingerprints)]
        if not hits:
            break
        starts = _line_starts(text)
        findings += (_finding(text, hit, starts, fingerprints) for hit in hits)
        text = _replace_hits(text, hits)
        changed = _changed_lines(starts, hits, text)
    return RedactedText(
        SafeText(text), tuple(sorted(findings, key=lambda finding: (finding.line, finding.column)))
    )


def slice_lines(text: SafeText, start_line: int, end_line: int) -> SafeText:
    """Return lines `start_line` to `end_line`, both included; the first line is 1."""
    return SafeText("\n".join(_lines(text)[start_line - 1 : end_line]))


@functools.lru_cache(maxsize=1)
def _lines(text: SafeText) -> list[str]:
    """Return the lines of a text.

    The result for the last text is cached, since the next chunk is probably of the same text.
    """
    return text.split("\n")


def mark_as_safe(text: str) -> SafeText:
    """Declare that a text was redacted earlier, such as text from the index.

    Nothing is checked.
    """
    return SafeText(text)


def _keys_and_manifests(text: str, search: RepeatedSearch) -> Iterator[SecretHit]:
    """Yield private keys, values in Kubernetes manifests, and tokens split over literals."""
    if any(map(search.may_contain, PRIVATE_KEY_NEEDLES)):
        yield from (SecretHit(span, PRIVATE_KEY) for span in private_key_spans(text))
    if search.may_contain("secret"):
        yield from (SecretHit(span, MANIFEST) for span in kubernetes_secret_spans(text))
    yield from detect_split_tokens(text)


def _other_hits(
    text: str, detectors: tuple[Detector, ...], custom: tuple[CustomPattern, ...]
) -> Iterator[SecretHit]:
    """Yield secrets that the detectors do not find in the plain text.

    They are values after names that are written with escapes, and matches of the user's patterns.
    """
    if plain := unescape_names(text):
        yield from run_detectors(detectors, plain)
    if custom:
        from codeindex.secrets.custom_patterns import detect_custom

        yield from detect_custom(custom, text)


def _merge_overlaps(text: str, hits: Iterable[SecretHit]) -> Iterator[SecretHit]:
    """Yield the hits in the order of the text; overlapping hits are merged into one.

    A hit that covers only marks of earlier redactions is left out.
    """
    marks = [match.span() for match in re.finditer(re.escape(REDACTION_MARK), text)]
    current: SecretHit | None = None
    for hit in sorted((_include_marks(hit, marks) for hit in hits), key=lambda hit: hit.span):
        if not text[slice(*hit.span)].replace(REDACTION_MARK, ""):
            continue
        if current and hit.span[0] < current.span[1]:
            span = (current.span[0], max(hit.span[1], current.span[1]))
            current = SecretHit(span, current.rule)
            continue
        if current:
            yield current
        current = hit
    if current:
        yield current


def _include_marks(hit: SecretHit, marks: list[Span]) -> SecretHit:
    """Extend a hit so that each redaction mark is completely inside or completely outside of it.

    `marks` are the spans of all marks.
    """
    start, end = hit.span
    before = bisect_right(marks, (start, 0)) - 1
    if before >= 0 and marks[before][1] > start:
        start = marks[before][0]
    last = bisect_left(marks, (end, 0)) - 1
    if last >= 0 and marks[last][1] > end:
        end = marks[last][1]
    return replace(hit, span=(start, end))


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line, and the offset at which a further line would start."""
    return [0, *accumulate([length + 1 for length in map(len, text.split("\n"))])]


def _changed_lines(starts: list[int], hits: Iterable[SecretHit], text: str) -> list[Span]:
    """Return the spans of the lines of `text` in which hits were replaced.

    `starts` are the offsets of the lines before the replacement; the spans of `hits` refer to that
    text too.
    """
    numbers = {
        number
        for start, end in (hit.span for hit in hits)
        for number in range(bisect_right(starts, start), bisect_right(starts, end) + 1)
    }
    now = _line_starts(text)
    return [(now[number - 1], now[number] - 1) for number in sorted(numbers)]


def _is_harmless(text: str, hit: SecretHit, fingerprints: Fingerprints) -> bool:
    return fingerprints.of(text[slice(*hit.span)]) in fingerprints.harmless


def _is_label(text: str, hit: SecretHit) -> bool:
    return hit.rule in _LABEL_RULES and bool(_LABEL.fullmatch(text, *hit.span))


def _finding(
    text: str, hit: SecretHit, starts: list[int], fingerprints: Fingerprints | None
) -> SecretFinding:
    line = bisect_right(starts, hit.span[0])
    column = hit.span[0] - starts[line - 1] + 1
    fingerprint = fingerprints.of(text[slice(*hit.span)]) if fingerprints else ""
    return SecretFinding(hit.rule, line, column, fingerprint)


def _untrusted(text: str, hits: Iterable[SecretHit], trusted: Container[int]) -> list[SecretHit]:
    """Return the hits that do not start on a trusted line; lines count from 1."""
    candidates = list(hits)
    if trusted == () or not candidates:
        return candidates
    starts = _line_starts(text)
    return [hit for hit in candidates if bisect_right(starts, hit.span[0]) not in trusted]


def _unencrypted(text: str, hits: list[SecretHit]) -> list[SecretHit]:
    """Return the hits that are in no value which SOPS or Hiera has encrypted."""
    if not hits or "ENC[" not in text:
        return hits
    ends = {match.start(): match.end() for match in _ENCRYPTED.finditer(text)}
    starts = list(ends)

    def is_inside(hit: SecretHit) -> bool:
        at = bisect_right(starts, hit.span[0])
        return at > 0 and hit.span[1] <= ends[starts[at - 1]]

    return [hit for hit in hits if not is_inside(hit)]


def _replace_hits(text: str, hits: Iterable[SecretHit]) -> str:
    """Replace each hit by a redaction mark, and keep the line ends in it."""
    parts, at = [], 0
    for hit in hits:
        start, end = hit.span
        parts += [text[at:start], REDACTION_MARK, *re.findall(r"\r?\n", text[start:end])]
        at = end
    return "".join([*parts, text[at:]])

"""Taking secrets out of text.

Nothing else makes a `SafeText`: what is stored, embedded or shown has been through `redact`, whole
and before it was cut, so that no secret can hide across a cut.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace

from codeindex.secrets.assignments import CONTEXT, SETTINGS
from codeindex.secrets.command_lines import LOGINS
from codeindex.secrets.detector import REDACTION_MARK, CustomPattern, Detector, SecretHit, Span
from codeindex.secrets.engine import run_detectors
from codeindex.secrets.escaped_names import unescape_names
from codeindex.secrets.fingerprints import Fingerprints
from codeindex.secrets.inline_text import SPOKEN, SPOKEN_SETTINGS
from codeindex.secrets.key_components import KEY_PARTS
from codeindex.secrets.kubernetes import RULE as MANIFEST
from codeindex.secrets.kubernetes import kubernetes_secret_spans
from codeindex.secrets.name_value_pairs import PAIRS
from codeindex.secrets.paths import is_secret_file, is_settings_file, safe_path
from codeindex.secrets.private_keys import RULE as PRIVATE_KEY
from codeindex.secrets.private_keys import private_key_spans
from codeindex.secrets.split_tokens import detect_split_tokens
from codeindex.secrets.tables import TABLES
from codeindex.secrets.tokens import TOKENS
from codeindex.secrets.yaml_blocks import BLOCKS
from codeindex.types import SafeText

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

DETECTORS = (*TOKENS, *CONTEXT, *LOGINS, *SPOKEN, *PAIRS, *BLOCKS, *TABLES, *KEY_PARTS)
_OF_SETTINGS = (*DETECTORS, *SETTINGS, *SPOKEN_SETTINGS)
_MAX_PASSES = 8
"""Taking one secret out can uncover another; the second pass already finds nothing in practice."""


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """What kind of secret was where; never the secret itself. Lines and columns count from 1."""

    rule: str
    line: int
    column: int
    fingerprint: str = ""
    """The secret's, if `redact` was given a key to make it with."""


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text without its secrets, line for line, and what was taken out."""

    text: SafeText
    findings: tuple[SecretFinding, ...] = ()


def redact(
    text: str,
    *,
    settings: bool = False,
    extra: Iterable[CustomPattern] = (),
    trusted: Container[int] = (),
    fingerprints: Fingerprints | None = None,
) -> RedactedText:
    """Take secrets out of a text before it is stored, keeping lines, names and quotes.

    `[REDACTED]` stands in place of each. In `settings` files bare words are values. `extra` are
    patterns of settings; ConfigError if one takes too long. On `trusted` lines the user wants
    nothing replaced. `fingerprints` tells secrets that the user calls harmless.
    """
    detectors = _OF_SETTINGS if settings else DETECTORS
    own = tuple(extra)
    harmless = fingerprints.harmless if fingerprints else ()
    findings: list[SecretFinding] = []
    for _ in range(_MAX_PASSES):
        hits = _wanted(text, _merged(text, _hits(text, detectors, own)), trusted)
        if harmless:
            hits = [hit for hit in hits if _print(text, hit, fingerprints) not in harmless]
        if not hits:
            break
        starts = _line_starts(text)
        findings += (_finding(text, hit, starts, fingerprints) for hit in hits)
        text = _replaced(text, hits)
    return RedactedText(
        SafeText(text), tuple(sorted(findings, key=lambda one: (one.line, one.column)))
    )


def slice_lines(text: SafeText, start_line: int, end_line: int) -> SafeText:
    """Return some lines, counted from 1, both ends included: a part of safe text is safe."""
    return SafeText("\n".join(_lines(text)[start_line - 1 : end_line]))


@functools.lru_cache(maxsize=1)
def _lines(text: SafeText) -> list[str]:
    """Split a text; the last one is kept, since a file is cut many times in a row."""
    return text.split("\n")


def mark_as_safe(text: str) -> SafeText:
    """Mark text as safe that was redacted earlier, as all text of the index was."""
    return SafeText(text)


def _hits(
    text: str, detectors: tuple[Detector, ...], own: tuple[CustomPattern, ...]
) -> Iterator[SecretHit]:
    yield from (SecretHit(span, PRIVATE_KEY) for span in private_key_spans(text))
    yield from (SecretHit(span, MANIFEST) for span in kubernetes_secret_spans(text))
    yield from detect_split_tokens(text)
    yield from run_detectors(detectors, text)
    if plain := unescape_names(text):
        yield from run_detectors(detectors, plain)
    if own:
        from codeindex.secrets.custom_patterns import detect_custom

        yield from detect_custom(own, text)


def _merged(text: str, hits: Iterable[SecretHit]) -> Iterator[SecretHit]:
    """Join what overlaps, so that no half of a secret is left; marks of an earlier pass stay."""
    marks = [match.span() for match in re.finditer(re.escape(REDACTION_MARK), text)]
    current: SecretHit | None = None
    for hit in sorted((_grown(hit, marks) for hit in hits), key=lambda hit: hit.span):
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


def _grown(hit: SecretHit, marks: list[Span]) -> SecretHit:
    """Take in the marks that `hit` cuts through: what is replaced must never come apart."""
    start, end = hit.span
    before = bisect_right(marks, (start, 0)) - 1
    if before >= 0 and marks[before][1] > start:
        start = marks[before][0]
    last = bisect_left(marks, (end, 0)) - 1
    if last >= 0 and marks[last][1] > end:
        end = marks[last][1]
    return replace(hit, span=(start, end))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _print(text: str, hit: SecretHit, fingerprints: Fingerprints | None) -> str:
    return fingerprints.of(text[slice(*hit.span)]) if fingerprints else ""


def _finding(
    text: str, hit: SecretHit, starts: list[int], fingerprints: Fingerprints | None
) -> SecretFinding:
    line = bisect_right(starts, hit.span[0])
    column = hit.span[0] - starts[line - 1] + 1
    return SecretFinding(hit.rule, line, column, _print(text, hit, fingerprints))


def _wanted(text: str, hits: Iterable[SecretHit], trusted: Container[int]) -> list[SecretHit]:
    found = list(hits)
    starts = _line_starts(text) if found else []
    return [hit for hit in found if bisect_right(starts, hit.span[0]) not in trusted]


def _replaced(text: str, hits: Iterable[SecretHit]) -> str:
    """Put a mark for each hit; the line ends inside it stay."""
    parts, at = [], 0
    for hit in hits:
        start, end = hit.span
        parts += [text[at:start], REDACTION_MARK, *re.findall(r"\r?\n", text[start:end])]
        at = end
    return "".join([*parts, text[at:]])

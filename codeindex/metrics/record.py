"""Append events to the journal of metrics; errors are ignored."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from codeindex.config import data_home
from codeindex.errors import ConfigError
from codeindex.metrics.enabled import metrics_enabled
from codeindex.store.datadir.journal import Journal

_MAX_BYTES, _MAX_FILES = 8_000_000, 4
"""Maximum size and number of journal files. 8 MB are about 15,000 searches, as many as a busy user
makes in a year."""
_STORED_CHARS, _CHECKED_CHARS = 300, 10_000
"""Numbers of characters of a query that are stored, and that are checked for secrets. More
characters are checked than stored, because a secret that begins in the stored part must be
recognised as a whole."""
_PLAIN_WORDS = re.compile(
    r"(?![^\n]*(?i:pass|pwd|wort|woord|contrase|senha|parola|mdp))"
    r"[A-Za-z_']{1,20}[.?!,]?(?: [A-Za-z_']{1,20}[.?!,]?)*"
)
"""Matches text of plain words, each shorter than any secret, without assignments and names of
passwords. It needs no redaction."""
_is_suppressed: ContextVar[bool] = ContextVar("is_suppressed", default=False)


def metrics_journal(folder: Path) -> Journal:
    """Return the journal with the events of a data folder."""
    return Journal(folder / "metrics.jsonl", _MAX_BYTES, _MAX_FILES)


@contextmanager
def suppress_metrics() -> Iterator[None]:
    """Record no events in the block; use it for searches that are parts of one recorded request."""
    token = _is_suppressed.set(True)
    try:
        yield
    finally:
        _is_suppressed.reset(token)


def record_event(event: str, **values: object) -> None:
    """Append an event if recording is on; errors of writing are ignored."""
    if is_recording():
        line = {"ts": iso_timestamp(time.time()), "event": event, **values}
        with suppress(OSError):
            metrics_journal(data_home()).add(json.dumps(line, separators=(",", ":")))


def is_recording() -> bool:
    """Tell whether an event would be recorded; call it before computing costly event values."""
    if _is_suppressed.get() or not data_home().is_dir():
        return False
    try:
        return metrics_enabled()
    except ConfigError:  # reported by code that needs the settings
        return False


def iso_timestamp(seconds: float) -> str:
    """Format seconds since the epoch as ISO 8601 in UTC, with milliseconds."""
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03}Z"


def redacted_line(text: str) -> str:
    """Return user input as one line for a log: secrets redacted, at most 300 characters."""
    flat = " ".join(text[:_CHECKED_CHARS].split())
    if not _PLAIN_WORDS.fullmatch(flat):
        from codeindex.secrets import redact  # 50 ms, not needed for plain words

        flat = redact(" ".join(redact(text[:_CHECKED_CHARS]).text.split())).text
    return flat[:_STORED_CHARS]

"""Writing an event down: cheap, in one write, and never in the way."""

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

_MOST_BYTES, _MOST_FILES = 8_000_000, 4
"""Some 15,000 searches a file: a busy year."""
_LONGEST, _READ = 300, 10_000
"""Characters of a query that are kept, and that are looked at for secrets."""
_PLAIN = re.compile(r"[A-Za-z_']{1,20}[.?!,]?(?: [A-Za-z_']{1,20}[.?!,]?)*")
"""Words shorter than any token, without a sign that assigns a value to a name."""
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def metrics_journal(folder: Path) -> Journal:
    """Return the events of a data folder."""
    return Journal(folder / "metrics.jsonl", _MOST_BYTES, _MOST_FILES)


@contextmanager
def suppress_metrics() -> Iterator[None]:
    """Note nothing in the block: what it asks is a part of a question that is noted as one."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def record_event(event: str, **values: object) -> None:
    """Add an event, if there is a data folder; what cannot be written is not worth an error."""
    if is_recording():
        line = {"ts": iso_timestamp(time.time()), "event": event, **values}
        with suppress(OSError):
            metrics_journal(data_home()).add(json.dumps(line, separators=(",", ":")))


def is_recording() -> bool:
    """Tell whether an event would be noted, for those that are not free to describe."""
    if _quiet.get() or not data_home().is_dir():
        return False
    try:
        return metrics_enabled()
    except ConfigError:  # which is told by those who need the settings
        return False


def iso_timestamp(seconds: float) -> str:
    """Write a time since the epoch as ISO 8601 has it, in UTC."""
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03}Z"


def redacted_line(text: str) -> str:
    """Return what somebody typed, in one line, without what looks like a secret."""
    flat = " ".join(text[:_READ].split())
    if not _PLAIN.fullmatch(flat):
        from codeindex.secrets import redact  # 50 ms, which plain words are spared

        flat = redact(" ".join(redact(text[:_READ]).text.split())).text
    return flat[:_LONGEST]

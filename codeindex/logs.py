"""Log files of servers and background syncs: `<data folder>/logs/<name>.log`.

The library logs through `logging` and writes no file; a program calls `enable_log_file`. Messages
may quote files and requests, so they are redacted and control characters are escaped.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from codeindex.config import LoggingConfig, data_home, load_settings
from codeindex.errors import ConfigError
from codeindex.store.datadir.journal import Journal
from codeindex.text.sanitize import visible

LEVELS = {"error": 40, "warn": 30, "info": 20, "debug": 10, "trace": 5}
"""What the settings and the lines call the levels."""
SERVER, INDEXER = "mcp-server", "indexer"
_MEGABYTE = 1_000_000
_LONGEST = 20_000
"""Characters of a record with its trace; what quotes a whole file is cut."""


def enable_log_file(name: str, *, on_stderr: bool = False) -> None:
    """Write what the library logs to the file of this name, once a process.

    With `on_stderr`, errors are told there too: for who has no other way to say that it failed.
    Nothing is written if the settings cannot be read, which others tell of.
    """
    logger = logging.getLogger("codeindex")
    if any(isinstance(one, _Kept) for one in logger.handlers):
        return
    with suppress(ConfigError):
        settings = load_settings(None).config.logging
        logger.setLevel(LEVELS[settings.level])
        logger.addHandler(_Kept(name, settings))
    if on_stderr:
        told = logging.StreamHandler(sys.stderr)
        told.setLevel(logging.ERROR)
        told.setFormatter(_Line())
        logger.addHandler(told)


def open_log(folder: Path, name: str, settings: LoggingConfig) -> Journal:
    """Return the log of this name in a data folder."""
    path = folder / "logs" / f"{name}.log"
    return Journal(path, settings.max_size_mb * _MEGABYTE, settings.max_files)


def read_log_lines(folder: Path, *, level: str = "trace") -> Iterator[str]:
    """Yield the lines of all logs, by time, at least as serious as a level; traces with theirs."""
    records: list[str] = []
    for name in (SERVER, INDEXER):
        for line in open_log(folder, name, LoggingConfig()).lines():
            if line.startswith(" ") and records:
                records[-1] += f"\n{line}"
            else:
                records.append(line)
    least = LEVELS[level]
    for record in sorted(records, key=lambda one: one.partition(" ")[0]):
        _, _, said = record.partition(" ")
        if LEVELS.get(said.partition(" ")[0], least) >= least:
            yield from record.split("\n")


class _Line(logging.Formatter):
    """A record as one line, and a line for each of its trace, further in: none can pass for one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines without secrets, and without what would command a terminal."""
        from codeindex.secrets import redact

        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        level = next((name for name, number in LEVELS.items() if record.levelno >= number), "trace")
        text = redact(super().format(record)[: 2 * _LONGEST]).text[:_LONGEST]
        lines = "\n    ".join(map(visible, text.splitlines()))
        return f"{at}.{int(record.msecs):03}Z {level} [{record.process}] {record.name}: {lines}"


class _Kept(logging.Handler):
    """Adds to a log; a disk that is full costs the line and nothing else."""

    def __init__(self, name: str, settings: LoggingConfig) -> None:
        super().__init__()
        self._name, self._settings = name, settings
        self.setFormatter(_Line())

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        with suppress(OSError):
            open_log(data_home(), self._name, self._settings).add(self.format(record))

"""Write and read the logs of servers and syncs: `<data folder>/logs/<name>.log`.

The library logs through `logging`; no file is written until a program calls `enable_log_file`.
Messages may quote files and requests, so they are redacted and control characters are escaped.
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
from codeindex.text.sanitize import escape_line

LEVELS = {"error": 40, "warn": 30, "info": 20, "debug": 10, "trace": 5}
"""Names of the levels in settings and log lines."""
SERVER, INDEXER = "mcp-server", "indexer"
_MEGABYTE = 1_000_000
_LONGEST = 20_000
"""Most characters of a record including its traceback."""


def enable_log_file(name: str, *, on_stderr: bool = False) -> None:
    """Write the library's log records to the log file `name`; only the first call has an effect.

    With `on_stderr`, errors are also printed on standard error. If the settings cannot be read, no
    log file is written and no error is raised: the caller reads the settings itself and reports the
    error.
    """
    logger = logging.getLogger("codeindex")
    if any(isinstance(handler, _FileHandler) for handler in logger.handlers):
        return
    with suppress(ConfigError):
        settings = load_settings(None).config.logging
        logger.setLevel(LEVELS[settings.level])
        logger.addHandler(_FileHandler(name, settings))
    if on_stderr:
        handler = logging.StreamHandler(sys.stderr)
        handler.setLevel(logging.ERROR)
        handler.setFormatter(_LineFormatter())
        logger.addHandler(handler)


def open_log(folder: Path, name: str, settings: LoggingConfig) -> Journal:
    """Return the log `name` of a data folder.

    The settings limit the size and the number of its files.
    """
    path = folder / "logs" / f"{name}.log"
    return Journal(path, settings.max_size_mb * _MEGABYTE, settings.max_files)


def read_log_lines(folder: Path, *, level: str = "trace") -> Iterator[str]:
    """Yield log lines of at least `level`, oldest record first, each with its traceback."""
    records: list[str] = []
    for name in (SERVER, INDEXER):
        for line in open_log(folder, name, LoggingConfig()).lines():
            if line.startswith(" ") and records:
                records[-1] += f"\n{line}"
            else:
                records.append(line)
    least = LEVELS[level]
    for record in sorted(records, key=lambda record: record.partition(" ")[0]):
        _, _, rest = record.partition(" ")
        if LEVELS.get(rest.partition(" ")[0], least) >= least:
            yield from record.split("\n")


class _LineFormatter(logging.Formatter):
    """Formats a record as one line and indents further lines, such as those of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record, redacted and with control characters escaped."""
        from codeindex.secrets import redact

        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        level = next((name for name, number in LEVELS.items() if record.levelno >= number), "trace")
        text = redact(super().format(record)[: 2 * _LONGEST]).text[:_LONGEST]
        lines = "\n    ".join(map(escape_line, text.splitlines()))
        return f"{at}.{int(record.msecs):03}Z {level} [{record.process}] {record.name}: {lines}"


class _FileHandler(logging.Handler):
    """Appends records to a log file; if the file cannot be written, the record is dropped."""

    def __init__(self, name: str, settings: LoggingConfig) -> None:
        super().__init__()
        self._name, self._settings = name, settings
        self.setFormatter(_LineFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        """Append a record to the log file."""
        with suppress(OSError):
            open_log(data_home(), self._name, self._settings).add(self.format(record))

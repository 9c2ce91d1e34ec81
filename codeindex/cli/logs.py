"""`codeindex logs`."""

from __future__ import annotations

from collections import deque

import click

from codeindex.cli.output import print_line, print_note

_LEVELS = ("error", "warn", "info", "debug", "trace")


@click.command()
@click.option("-n", "--lines", default=50, show_default=True, help="The last so many lines.")
@click.option(
    "--level", type=click.Choice(_LEVELS), default="trace", help="Only what is at least so serious."
)
@click.option("--path", is_flag=True, help="Say where the log files are.")
def logs(*, lines: int, level: str, path: bool) -> None:
    """Print the end of the logs: syncs, servers, and what went wrong.

    `logging.level`, `logging.max_size_mb` and `logging.max_files` decide what is kept.
    """
    from codeindex.config import data_home
    from codeindex.logs import read_log_lines

    if path:
        print_line(str(data_home() / "logs"))
        return
    last = deque(read_log_lines(data_home(), level=level), maxlen=max(lines, 1))
    for line in last:
        print_line(line)
    if not last:
        print_note("nothing was logged")

"""Print the end of the logs: `codeindex logs`."""

from __future__ import annotations

from collections import deque

import click

from codeindex.cli.output import print_line, print_note
from codeindex.config import data_home
from codeindex.logs import LEVELS, read_log_lines


@click.command()
@click.option("-n", "--lines", default=50, show_default=True, help="Number of lines to print.")
@click.option(
    "--level", type=click.Choice(tuple(LEVELS)), default="trace", help="Lowest level to print."
)
@click.option("--path", is_flag=True, help="Print the folder of the log files.")
def logs_command(*, lines: int, level: str, path: bool) -> None:
    """Print the end of the logs of syncs and servers.

    `logging.level`, `logging.max_size_mb` and `logging.max_files` determine what is kept.
    """
    if path:
        print_line(str(data_home() / "logs"))
        return
    last_lines = deque(read_log_lines(data_home(), level=level), maxlen=max(lines, 1))
    for line in last_lines:
        print_line(line)
    if not last_lines:
        print_note("nothing was logged")

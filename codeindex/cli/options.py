"""Define the arguments and options that several commands share."""

from __future__ import annotations

from typing import Literal

import click

When = Literal["auto", "always", "never"]
"""The values of `--color` and `--hyperlink`; `auto` means only on a terminal."""
WHEN = click.Choice(("auto", "always", "never"))

path_argument = click.argument("path", default=".")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
yes_option = click.option("-y", "--yes", is_flag=True, help="Delete without asking.")
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would be done; change nothing."
)
repo_option = click.option(
    "--repo", default=".", help="A folder, or the name of a registered repository."
)
columns_option = click.option(
    "--columns", is_flag=True, help="Print one row for each item, with tabs between cells."
)
color_option = click.option("--color", type=WHEN, default="auto", help="Colour names and code.")
no_pager_option = click.option(
    "--no-pager", is_flag=True, help="Print output longer than the screen without a pager."
)

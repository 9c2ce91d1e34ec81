"""How verdicts are shown: a line each, and what to do about it below."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_styled

if TYPE_CHECKING:
    from codeindex.types.verdicts import Verdict

_COLOURS = {"ok": "green", "note": "yellow", "problem": "red"}
_WIDTH = max(map(len, _COLOURS))


def show(verdicts: Sequence[Verdict]) -> None:
    """Print verdicts as they came: people see colours, programs tabs."""
    from codeindex.formatting import format_columns

    aligned = sys.stdout.isatty()
    cells = [(one.state, one.subject, _said(one)) for one in verdicts]
    for verdict, line in zip(verdicts, format_columns(cells, aligned=aligned), strict=True):
        colour = _COLOURS[verdict.state] if aligned else None
        print_styled(line, fg=colour)


def _said(one: Verdict) -> str:
    return f"{one.text}: {one.remedy}" if one.remedy else one.text


def as_dicts(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    return [asdict(one) for one in verdicts]


def end(ctx: click.Context, *, problems: int) -> None:
    """End with status 1 if anything is wrong, as grep does when it finds nothing."""
    ctx.exit(1 if problems else 0)

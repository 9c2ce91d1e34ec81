"""`codeindex show`: source for people, a symbol or lines of a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from codeindex.errors import QueryError

if TYPE_CHECKING:
    from codeindex.analysis.outline.source import SourceSections
    from codeindex.api.index import Index

_LINES = re.compile(r".+?:\d+(?:-\d+)?")
_MOST = 5
"""Symbols of one name that are shown."""
_AROUND = 10
"""Lines above and below one that is named."""
_LOOKS: Mapping[str, Mapping[str, Any]] = {
    "keyword": {"fg": "blue"},
    "string": {"fg": "yellow"},
    "comment": {"dim": True},
    "number": {"fg": "cyan"},
    "type": {"fg": "cyan"},
    "name": {"bold": True},
}


@click.command("show")
@click.argument("place", metavar="PATH[:LINE[-LINE]]|SYMBOL")
@click.option("--repo", default=".", help="A folder, or a registered repository's name.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    help="Colour the code.",
)
@click.option("--no-pager", is_flag=True, help="Print what is longer than the screen at once.")
@click.option("--open", "opened", is_flag=True, help="Open it in $VISUAL or $EDITOR instead.")
def show_source(
    place: str,
    *,
    repo: str,
    color: Literal["auto", "always", "never"],
    no_pager: bool,
    opened: bool,
) -> None:
    """Show a symbol (`name`, `Owner.name`, `path::name`), lines of a file, or all of it."""
    from codeindex.api.index import Index
    from codeindex.cli.editor import edit
    from codeindex.cli.highlighting import begin
    from codeindex.cli.output import print_note, print_rendered
    from codeindex.cli.pager import show
    from codeindex.cli.scope import place_of_any
    from codeindex.redact_query import redact_text

    begin("never" if opened else color)
    with Index.open(place_of_any(repo).root) as index:
        found, more = _sources(index, redact_text(place))
        if opened:
            edit(index.root / found[0].file, found[0].sections[0].start_line)
            return
    show(_lines(found), print_rendered, paged=not no_pager)
    if more:
        print_note(f"{more} more symbols are called so: name one in full, as path::name")


def _sources(index: Index, place: str) -> tuple[list[SourceSections], int]:
    """Return what is meant, and how many symbols of this name are left out."""
    path, colons, symbol = place.partition("::")
    if colons:
        return [index.source.read(path, (symbol,))], 0
    if os.path.isfile(index.root / place):  # noqa: PTH113 (pathlib raises for odd names)
        return [index.source.read(place)], 0
    if _LINES.fullmatch(place):
        return [index.source.read(place, expand=_AROUND)], 0
    return _symbols(index, place)


def _symbols(index: Index, name: str) -> tuple[list[SourceSections], int]:
    found = index.symbols.lookup(name)
    exact = [one for one in found.symbols if one.name == name] or [
        one for one in found.symbols if one.name.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    if not exact:
        near = found.nearest or tuple(dict.fromkeys(one.name for one in found.symbols))[:_MOST]
        hint = f": did you mean {' or '.join(near)}?" if near else "."
        raise QueryError(f"No indexed file and no symbol is called {name!r}{hint}")
    places = dict.fromkeys((one.file, one.name) for one in exact)
    shown = [index.source.read(file, (name,)) for file, name in list(places)[:_MOST]]
    return shown, max(0, len(places) - _MOST)


def _lines(found: Sequence[SourceSections]) -> Iterator[str]:
    from codeindex.cli.highlighting import looks_of
    from codeindex.cli.output import painter

    shown = [(source, section) for source in found for section in source.sections]
    texts = [(source.language, "\n".join(text for _, text in part.lines)) for source, part in shown]
    looks = looks_of(texts)
    paint = painter(on=looks is not None)
    for number, (source, section) in enumerate(shown):
        if number:
            yield ""
        named = f"  {paint(section.symbol, bold=True)}" if section.symbol else ""
        span = f":{section.start_line}-{section.end_line}"
        yield f"{paint(source.file, fg='magenta')}{span}{named}"
        own = looks[number] if looks else []
        for at, (line, text) in enumerate(section.lines):
            yield f"{paint(f'{line:>5}', fg='green')}  {_painted(text, own[at : at + 1], paint)}"
        if section.truncated:
            last = section.lines[-1][0] if section.lines else section.start_line
            yield f"lines {last + 1} to {section.end_line} are left out: {source.file}:{last + 1}-"


def _painted(
    text: str, looks: Sequence[Sequence[tuple[int, int, str]]], paint: Callable[..., str]
) -> str:
    parts, end = [], 0
    for start, stop, name in looks[0] if looks else ():
        parts += [paint(text[end:start]), paint(text[start:stop], **_LOOKS[name])]
        end = stop
    return "".join([*parts, paint(text[end:])]).rstrip()

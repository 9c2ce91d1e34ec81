"""Show a symbol or lines of a file to people, in colour: `codeindex show`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.editor import open_in_editor
from codeindex.cli.highlighting import LineStyles, highlight_source_texts, start_highlighter
from codeindex.cli.options import When, color_option, no_pager_option, repo_option
from codeindex.cli.output import Paint, make_painter, print_note, print_rendered
from codeindex.cli.pager import print_paged
from codeindex.cli.scope import locate_target
from codeindex.errors import QueryError
from codeindex.redact_query import redact_text

if TYPE_CHECKING:
    from codeindex.analysis.outline.source import SourceSections
    from codeindex.api.index import Index

_PATH_WITH_LINES = re.compile(r".+?:\d+(?:-\d+)?")
_MAX_SYMBOLS = 5
"""Most symbols of one name that are shown."""
_CONTEXT_LINES = 10
"""Lines shown above and below a requested line."""
_CLICK_STYLES: Mapping[str, Mapping[str, Any]] = {
    "keyword": {"fg": "blue"},
    "string": {"fg": "yellow"},
    "comment": {"dim": True},
    "number": {"fg": "cyan"},
    "type": {"fg": "cyan"},
    "name": {"bold": True},
}


@click.command()
@click.argument("place", metavar="PATH[:LINE[-LINE]]|SYMBOL")
@repo_option
@color_option
@no_pager_option
@click.option("--open", "in_editor", is_flag=True, help="Open it in $VISUAL or $EDITOR instead.")
def show_command(place: str, *, repo: str, color: When, no_pager: bool, in_editor: bool) -> None:
    """Show a symbol (`name`, `Owner.name`, `path::name`), lines of a file, or a whole file."""
    start_highlighter("never" if in_editor else color)
    with codeindex.Index.open(locate_target(repo).root) as index:
        sources, omitted = _read_sources(index, redact_text(place))
        if in_editor:
            open_in_editor(index.root / sources[0].file, sources[0].sections[0].start_line)
            return
    print_paged(_format_sources(sources), print_rendered, paged=not no_pager)
    if omitted:
        print_note(f"{omitted} more symbols are called so: name one in full, as path::name")


def _read_sources(index: Index, place: str) -> tuple[list[SourceSections], int]:
    """Return the source texts at a place, and how many symbols of its name are left out."""
    path, separator, symbol = place.partition("::")
    if separator:
        return [index.source.read(path, (symbol,))], 0
    if os.path.isfile(index.root / place):  # noqa: PTH113 (pathlib raises for odd names)
        return [index.source.read(place)], 0
    if _PATH_WITH_LINES.fullmatch(place):
        return [index.source.read(place, expand=_CONTEXT_LINES)], 0
    return _read_symbols(index, place)


def _read_symbols(index: Index, name: str) -> tuple[list[SourceSections], int]:
    """Return the symbols with a qualified name, else with its last part, and how many are left out.

    Raises QueryError with similar names if there is no such symbol.
    """
    found = index.symbols.lookup(name)
    own_name = name.rpartition(".")[2]
    matches = [symbol for symbol in found.symbols if symbol.name == name] or [
        symbol for symbol in found.symbols if symbol.name.rpartition(".")[2] == own_name
    ]
    if not matches:
        names = dict.fromkeys(symbol.name for symbol in found.symbols)
        nearest = found.nearest or tuple(names)[:_MAX_SYMBOLS]
        hint = f": did you mean {' or '.join(nearest)}?" if nearest else "."
        raise QueryError(f"No indexed file and no symbol is called {name!r}{hint}")
    places = list(dict.fromkeys((symbol.file, symbol.name) for symbol in matches))
    sources = [index.source.read(file, (symbol,)) for file, symbol in places[:_MAX_SYMBOLS]]
    return sources, max(0, len(places) - _MAX_SYMBOLS)


def _format_sources(sources: Sequence[SourceSections]) -> Iterator[str]:
    shown = [(source, section) for source in sources for section in source.sections]
    texts = [
        (source.language, "\n".join(text for _, text in section.lines)) for source, section in shown
    ]
    styles = highlight_source_texts(texts)
    paint = make_painter(enabled=styles is not None)
    for position, (source, section) in enumerate(shown):
        if position:
            yield ""
        symbol = f"  {paint(section.symbol, bold=True)}" if section.symbol else ""
        span = f":{section.start_line}-{section.end_line}"
        yield f"{paint(source.file, fg='magenta')}{span}{symbol}"
        section_styles = styles[position] if styles else ()
        for offset, (number, text) in enumerate(section.lines):
            line_styles = section_styles[offset] if offset < len(section_styles) else ()
            yield f"{paint(f'{number:>5}', fg='green')}  {_paint_line(text, line_styles, paint)}"
        if section.truncated:
            last = section.lines[-1][0] if section.lines else section.start_line
            yield f"lines {last + 1} to {section.end_line} are left out: {source.file}:{last + 1}-"


def _paint_line(text: str, styles: LineStyles, paint: Paint) -> str:
    parts, position = [], 0
    for start, end, name in styles:
        parts += [paint(text[position:start]), paint(text[start:end], **_CLICK_STYLES[name])]
        position = end
    return "".join([*parts, paint(text[position:])]).rstrip()

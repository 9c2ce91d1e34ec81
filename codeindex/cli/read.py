"""Show symbols, lines or files, in colour on a terminal: `codeindex read`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.derived import OUTPUT_OPTIONS, command_callback, derive_command
from codeindex.cli.editor import open_in_editor
from codeindex.cli.highlighting import highlight_source_texts, start_highlighter
from codeindex.cli.options import When, color_option, no_pager_option
from codeindex.cli.output import print_note, print_rendered
from codeindex.cli.pager import print_paged
from codeindex.cli.scope import locate_target
from codeindex.formatting import DisplayOptions, paint_code
from codeindex.languages import language_for_path
from codeindex.redact_query import redact_arguments
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from codeindex.analysis.outline.source_sections import SourceSections


def make_read_command() -> click.Command:
    """Derive the command from its request, and add the options for colours, pager and `--open`."""
    command = derive_command("read", "source.read")
    print_data = command_callback("source.read")

    def run(*, color: When, no_pager: bool, in_editor: bool, **options: Any) -> None:
        if not in_editor and (options["as_json"] or options["columns"]):
            print_data(**options)
            return
        parameters = {name: options[name] for name in options if name not in OUTPUT_OPTIONS}
        start_highlighter("never" if in_editor else color)
        root, source = _read(parameters.pop("repo"), parameters)
        if in_editor:
            section = source.sections[0]
            open_in_editor(root / (section.file or source.file), section.start_line)
        else:
            print_paged(_format_source(source), print_rendered, paged=not no_pager)

    command.callback = run
    open_option = click.option(
        "--open", "in_editor", is_flag=True, help="Open it in $VISUAL or $EDITOR instead."
    )
    return open_option(no_pager_option(color_option(command)))


def _read(repo: str, parameters: Mapping[str, Any]) -> tuple[Path, SourceSections]:
    """Read the source that the options of `read` select; return (root, source).

    Print notes on files that are out of date.
    """
    with codeindex.Index.open(locate_target(repo).root) as index:
        source = index.source.read(**redact_arguments(parameters))
        for note in index.refreshed().remarks():
            print_note(note)
        return index.root, source


def _format_source(source: SourceSections) -> Iterator[str]:
    """Yield the lines of `SourceSections.text`, with syntax colours if they are printed."""
    texts = [
        (
            _language_of(section.file) or source.language,
            "\n".join(text for _, text in section.lines),
        )
        for section in source.sections
    ]
    styles = highlight_source_texts(texts)
    view = DisplayOptions({}, Path(), colour=styles is not None)
    lines = source.text()
    if source.spelt_otherwise:
        yield escape_line(next(lines))
    for section, section_styles in zip_longest(source.sections, styles or ()):
        yield view.paint("path", escape_line(next(lines)))
        for (number, text), line_styles in zip_longest(section.lines, section_styles or ()):
            next(lines)
            code = paint_code(text, view, line_styles).rstrip()
            yield f"{view.paint('line', f'{number:>6}')}  {code}"
        if section.truncated:
            yield escape_line(next(lines))
    yield from map(escape_line, lines)


def _language_of(path: str) -> str:
    language = language_for_path(path)
    return language.name if language else ""
